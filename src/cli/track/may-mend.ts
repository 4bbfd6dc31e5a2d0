import { AppError } from '../../core/errors.ts'

/** Whether the next read may be answered: nothing else ends a failure by waiting. */
export function mayMend(error: unknown): error is AppError {
  return error instanceof AppError && (error.entry.retryable === true || error.entry.exit === 'unavailable')
}
