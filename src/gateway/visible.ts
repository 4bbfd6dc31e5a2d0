import { AppError, type ErrorCode } from '../core/errors.ts'

/** What is said instead of where the store lies and why it failed. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  service_unavailable:
    'The service cannot do this now. Repeat the same call, with the same Idempotency-Key if it changes something.',
  storage_full: 'The service has no room for this. Nothing was changed.',
}

/**
 * The error as callers from outside may see it. Bugs and failures of the store become a code and an id; paths, addresses
 * and reasons go to `onBug`, under that id.
 */
export function toVisible(
  error: unknown,
  requestId: string,
  onBug: (error: unknown, requestId: string) => void,
): AppError {
  if (error instanceof AppError && !isInternal(error)) return error
  onBug(error, requestId)
  const code = error instanceof AppError && error.entry.status !== null ? error.code : 'internal_error'
  return new AppError(code, DETAILS[code] ?? `Something unforeseen happened. Its id is ${requestId}.`, {
    cause: error,
  })
}

/** True for what has no HTTP status at all, and for a failure of the service that something else caused. */
function isInternal({ entry: { status }, cause }: AppError): boolean {
  return status === null || (status >= 500 && cause !== undefined)
}
