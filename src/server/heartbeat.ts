/**
 * Signs of life between the first process of a cluster and those that serve. Each side counts a silence in turns of its
 * own timer: a process that was stopped itself wakes to one turn, and then reads what was sent to it in the meantime.
 */
import { Stale } from '../gateway/forwarded-writes.ts'

/** Milliseconds between two beats of the first process. Each process that serves answers each of them. */
export const HEARTBEAT_MS = 500
/** The turns without a beat after which a process writes by itself: 3 s. */
export const SILENT_TURNS = 6
/** The turns without a response after which the first process ends a process: 10 s. */
export const LOST_TURNS = 20
/**
 * The longest time in which the first process may do nothing. It is over a second shorter than the silence of
 * SILENT_TURNS, so a first process that was taken for silent knows that it was.
 */
const MAX_GAP_MS = 1500

/** The pulse by which the first process finds out that it was stopped: by SIGSTOP, a frozen container, or a machine without time for it. */
export type Heartbeat = {
  /** Notes that the process runs; called with each beat, and from the first one on. */
  feel(): void
  /** Throws Stale if the process was stopped since `sent`, by `elapsed`. */
  assertSince(sent: number): void
  /** Begins a transaction. The returned function throws Stale before its commit, if the process was stopped in the meantime. */
  watch(): () => void
}

/** `elapsed` is a monotonic clock in milliseconds, which all processes of the machine share. */
export function makeHeartbeat(elapsed: () => number): Heartbeat {
  /** The time at which the process last ran; undefined before the first beat, when no process waits for it. */
  let last: number | undefined
  /** The time at which the process went on after it was last stopped. */
  let resumed = -Infinity
  function feel(): void {
    const now = elapsed()
    if (last !== undefined && now - last > MAX_GAP_MS) resumed = now
    last = now
  }
  function assertSince(sent: number): void {
    if (last !== undefined) feel()
    if (sent < resumed) throw new Stale()
  }
  return {
    feel,
    assertSince,
    watch() {
      const began = elapsed()
      return () => assertSince(began)
    },
  }
}
