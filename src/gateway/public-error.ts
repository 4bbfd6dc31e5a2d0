import { AppError, type ErrorCode } from '../core/errors.ts'

/** The details that replace the store's address and the cause of its failure. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  service_unavailable:
    'The service cannot do this now. Repeat the same call, with the same Idempotency-Key if it changes something.',
  storage_full: 'The server has no storage space left. Nothing was changed.',
}

/**
 * Returns the error as external callers may see it. Bugs and store failures become a code and an id. Paths, addresses
 * and causes go to `onBug`, under that id.
 */
export function toPublicError(
  error: unknown,
  requestId: string,
  onBug: (error: unknown, requestId: string) => void,
): AppError {
  if (error instanceof AppError && !isInternal(error)) return error
  onBug(error, requestId)
  const code = error instanceof AppError && error.entry.status !== null ? error.code : 'internal_error'
  return new AppError(code, DETAILS[code] ?? `An unexpected error occurred. Its ID is ${requestId}.`, {
    cause: error,
  })
}

/** Returns whether the error has no HTTP status, or is a failure of the service with another cause. */
function isInternal({ entry: { status }, cause }: AppError): boolean {
  return status === null || (status >= 500 && cause !== undefined)
}
