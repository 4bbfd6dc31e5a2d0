/** The deadline of a transaction, its retries included. */
export type Deadline = {
  /** Returns true after the deadline. */
  passed(): boolean
  /** Calls `listener` at the deadline. It replaces the previous listener. */
  listen(listener: () => void): void
  /** Returns the result of `work`, or rejects at the deadline. */
  limit<T>(work: Promise<T>): Promise<T>
  /** Stops the timer. */
  cancel(): void
}

/** The error of work that was not done at its deadline. */
export class Overdue extends Error {
  constructor() {
    super('no answer in time')
  }
}

const NEVER: Deadline = { passed: () => false, listen() {}, limit: (work) => work, cancel() {} }

/**
 * Starts a deadline in milliseconds. Without a number it never passes. It is in real time and takes no `Loop`: it waits for a
 * database server or for a check of readiness, and neither keeps to a simulated clock.
 */
export function startDeadline(ms: number | undefined): Deadline {
  if (ms === undefined) return NEVER
  let passed = false
  let current: (() => void) | undefined
  const timer = setTimeout(() => {
    passed = true
    current?.()
  }, ms)
  function listen(listener: () => void): void {
    current = listener
    if (passed) listener()
  }
  return {
    passed: () => passed,
    listen,
    limit: (work) =>
      new Promise((resolve, reject) => {
        listen(() => reject(new Overdue()))
        work.then(resolve, reject)
      }),
    cancel: () => clearTimeout(timer),
  }
}
