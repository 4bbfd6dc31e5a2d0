import { AppError } from '../../core/errors.ts'

/** Returns whether a retry may succeed. Other errors stay. */
export function mayMend(error: unknown): error is AppError {
  return error instanceof AppError && (error.entry.retryable === true || error.entry.exit === 'unavailable')
}
