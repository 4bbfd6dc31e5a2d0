import { AppError, type ErrorCode } from '../core/errors.ts'

/** Returns what is read, or `none` for a credential that may not read it. Throws AppError for all other failures. */
export function orIfForbidden<T, N>(read: Promise<T>, none: N): Promise<T | N> {
  return unless('insufficient_scope', read, none)
}

/** Returns what is read; null from an older service, which does not have the call. Throws AppError for all other failures. */
export function nullIfUnsupported<T>(read: Promise<T>): Promise<T | null> {
  return unless('route_not_found', read, null)
}

/** Returns what a filter lists; `none` from an older service, which does not have the filter. Throws AppError for all other failures. */
export function orIfFilterUnsupported<T, N>(read: Promise<T>, none: N): Promise<T | N> {
  return unless('invalid_request', read, none)
}

async function unless<T, N>(code: ErrorCode, read: Promise<T>, none: N): Promise<T | N> {
  try {
    return await read
  } catch (error) {
    if (error instanceof AppError && error.code === code) return none
    throw error
  }
}
