/** PostgreSQL's `lock_not_available`. */
const LOCK_TIMEOUT = '55P03'

/**
 * True iff another transaction held a row for longer than the store waits (5 s). SQLite never raises it: there the
 * writers queue. Inside a transaction the driver's own error is seen, outside of it the AppError made of it.
 */
export function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (error as { code?: unknown }).code === LOCK_TIMEOUT || isLockTimeout(error.cause)
}
