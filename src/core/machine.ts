/** The world outside of the process: environment, folders, clocks, random bytes, signals, locks. A type: `runtime.ts` makes one. */

export type Paths = { config: string; data: string; state: string }

export type Machine = {
  env: Readonly<Record<string, string | undefined>>
  paths: Paths
  version: string
  /** The package's folder: what it ships beside the program lies there. */
  root: string
  pid: number
  cwd: string
  /** Milliseconds since the epoch, by the machine's clock. */
  now(): number
  /** Milliseconds since some moment, never backwards: for rates and deadlines. */
  elapsed(): number
  /** Unpredictable bytes: for keys, tokens, secrets. */
  random(count: number): Uint8Array
  /** Bytes that others could guess: for names of requests and for waiting times. `random` costs 4 ms at its first use. */
  weakRandomBytes(count: number): Uint8Array
  /**
   * Aborted by the first Ctrl-C, SIGTERM or SIGHUP, its reason an `Interrupted`. Only for commands that have something to
   * finish or to say first: before the first call, and after the first signal, the process ends as any other does.
   */
  interruption(): AbortSignal
  /** Told each time somebody asks for a restart, by SIGUSR2; without a listener that signal ends the process. */
  onRestart(listener: () => void): void
  /** Told of errors that no code caught; the process then goes on. */
  onUncaught(listener: (error: unknown) => void): void
  /** Whether a process of this machine is running. */
  isAlive(pid: number): boolean
  /** When that process began, as the system counts; empty where it does not tell. A pid comes again, the two together do not. */
  startOf(pid: number): string
  /** Waits; ends early when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs `work` while no other process holds the lock file at `path`; a holder that dies lets go. */
  lock<T>(path: string, work: () => T): Promise<T>
  /** The same for work that waits for something itself; others look again from time to time. */
  exclusive<T>(path: string, work: () => Promise<T>): Promise<T>
}
