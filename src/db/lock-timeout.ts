/** PostgreSQL's `lock_not_available`. */
const LOCK_TIMEOUT = '55P03'

/**
 * Returns true when another transaction held a row for longer than the store waits (5 s). SQLite never raises this
 * error, because its writers queue. Inside a transaction the error is the driver's own, outside of it an AppError.
 */
export function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (error as { code?: unknown }).code === LOCK_TIMEOUT || isLockTimeout(error.cause)
}
