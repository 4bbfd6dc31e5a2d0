/**
 * The outcome of a call that changes something, by its response or its failure
 * (docs/rules/idempotency.md#a-failure-is-final-unsent-or-unknown).
 */
import { AppError } from '../core/errors.ts'
import type { ErrorCode } from '../core/errors.ts'

/**
 * `refused`: the service checked this call and key, and did nothing. `unsent`: the call was rejected before that
 * check, so an earlier attempt with the key may still have succeeded. `unknown`: the call may have been carried out.
 */
export type FailureKind = 'refused' | 'unsent' | 'unknown'

/** Errors of checks before the key is looked up, and errors that stop a client before it sends. */
const BEFORE_THE_KEY: ReadonlySet<ErrorCode> = new Set([
  'route_not_found',
  'method_not_allowed',
  'missing_token',
  'invalid_token',
  'insufficient_scope',
  'origin_not_allowed',
  'unsupported_media_type',
  'not_acceptable',
  'payload_too_large',
  'headers_too_large',
  'malformed_json',
  'idempotency_key_required',
  'idempotency_key_invalid',
])

const IN_DOUBT: ReadonlySet<ErrorCode> = new Set([
  'network_error',
  'invalid_response',
  'output_failed',
  'request_timeout',
  'rate_limited',
  'idempotency_in_flight',
])

/** Returns the outcome of a failure. This is the only place that decides which errors are final. */
export function classifyFailure(error: unknown): FailureKind {
  if (!(error instanceof AppError) || IN_DOUBT.has(error.code)) return 'unknown'
  const { status } = error.entry
  // The key in the error means that an earlier attempt of this call was lost.
  if (status === null || BEFORE_THE_KEY.has(error.code))
    return error.extra['idempotency_key'] === undefined ? 'unsent' : 'unknown'
  return status >= 500 ? 'unknown' : 'refused'
}

/**
 * The statuses of business rules, whose refusals a service stores with the key
 * (docs/rules/idempotency.md#errors-that-may-pass-are-not-stored).
 */
const RULED: ReadonlySet<number | null> = new Set([402, 404, 409, 422])

/** Returns whether the service gives this failure again for the same call and key. */
export function isStoredRefusal(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code === 'idempotency_key_reused') return false
  return RULED.has(error.entry.status) && error.entry.retryable !== true
}
