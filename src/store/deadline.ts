/** The deadline of a transaction, its retries included. */
export type Deadline = {
  /** Returns true after the deadline. */
  passed(): boolean
  /** Calls `listener` at the deadline. It replaces the previous listener. */
  listen(listener: () => void): void
  /** Stops the timer. */
  cancel(): void
}

const NEVER: Deadline = { passed: () => false, listen() {}, cancel() {} }

/** Starts a deadline in milliseconds. Without a number it never passes. */
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
