/** A process's event loop: its monotonic clock, and calls at its next turn or later. */
export type EventLoop = {
  /** Returns milliseconds by a monotonic clock. */
  elapsed(): number
  /** Calls back in the next turn: `await` alone gives way only to promises. */
  turn(job: () => void): ScheduledCall
  /** Calls back after a number of milliseconds. */
  later(job: () => void, ms: number): ScheduledCall
}

/** A call to come. `using` takes it back; one that is not referenced keeps no process alive. */
export type ScheduledCall = Disposable & { unref(): unknown }

/** The loop of this process. */
export const PROCESS_EVENT_LOOP: EventLoop = {
  // Not `performance.now`: that loads a module of its own, 1 ms.
  elapsed: () => Number(process.hrtime.bigint()) / 1e6,
  turn: setImmediate,
  later: setTimeout,
}
