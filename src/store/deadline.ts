/** The end of the time that a transaction has, its retries included. */
export type Deadline = {
  /** True once the time is over. */
  passed(): boolean
  /** Calls `listener` once the time is over; it replaces the listener before it. */
  listen(listener: () => void): void
  /** Stops the timer. */
  cancel(): void
}

const NEVER: Deadline = { passed: () => false, listen() {}, cancel() {} }

/** Starts the time, in milliseconds; without a number it never ends. */
export function startDeadline(ms: number | undefined): Deadline {
  if (ms === undefined) return NEVER
  let passed = false
  let current: (() => void) | undefined
  const timer = setTimeout(() => {
    passed = true
    current?.()
  }, ms)
  return {
    passed: () => passed,
    listen(listener) {
      current = listener
      if (passed) listener()
    },
    cancel: () => clearTimeout(timer),
  }
}
