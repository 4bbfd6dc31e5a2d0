/**
 * The process's environment: variables, folders, clocks, random bytes, signals, locks. Only the type is here;
 * `runtime.ts` creates the object.
 */

export type Paths = { config: string; data: string; state: string }

export type Machine = {
  env: Readonly<Record<string, string | undefined>>
  paths: Paths
  version: string
  /** The package's folder, with the files that it ships beside the program. */
  root: string
  pid: number
  cwd: string
  /** Returns milliseconds since the epoch, by the machine's clock. */
  now(): number
  /** Returns milliseconds by a monotonic clock, for rates and deadlines. */
  elapsed(): number
  /** Returns secure random bytes for keys, tokens and secrets. The first call takes 4 ms. */
  random(count: number): Uint8Array
  /**
   * Returns random bytes that others could guess, for request ids and waiting times. Costs nothing to load, unlike
   * `random`.
   */
  weakRandomBytes(count: number): Uint8Array
  /**
   * Returns a signal that the first Ctrl-C, SIGTERM or SIGHUP aborts, with an `Interrupted` as its reason. Call it
   * only in commands that must finish or print something first: without a call, and after the first signal, the
   * process ends as usual. Without `hangup`, SIGHUP is left to `onHangup`.
   */
  interruption(options?: { hangup: boolean }): AbortSignal
  /** Calls the listener at each SIGHUP, which then does not end the process. */
  onHangup(listener: () => void): void
  /** Calls the listener at each SIGUSR2, which asks for a restart. Without a listener that signal ends the process. */
  onRestart(listener: () => void): void
  /** Calls the listener with each uncaught error; the process then continues. */
  onUncaught(listener: (error: unknown) => void): void
  /** Returns whether a process of this machine is running. */
  isAlive(pid: number): boolean
  /**
   * Returns the start time of a process, in units of the system; empty where it is unknown. A pid may be reused, but
   * not with the same start time.
   */
  startOf(pid: number): string
  /** Waits; ends early when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs `work` while no other process holds the lock file at `path`. A process that dies releases its lock. */
  lock<T>(path: string, work: () => T): Promise<T>
  /** Runs asynchronous `work` under a lock file. Other processes retry from time to time. */
  exclusive<T>(path: string, work: () => Promise<T>): Promise<T>
  /**
   * Takes the lock file at `path` and returns what releases it; undefined while another process has it. A process that dies
   * releases its lock.
   */
  tryLock(path: string): Promise<(() => void) | undefined>
}
