/** What an answer, or the lack of one, says about a call that changes something. */
import { AppError } from '../core/errors.ts'
import type { ErrorCode } from '../core/errors.ts'

/**
 * `refused`: the service looked at this very call and key, and did nothing. `unsent`: turned away before that, which
 * says nothing about an earlier try with the key. `unknown`: it may have been carried out.
 */
export type Failure = 'refused' | 'unsent' | 'unknown'

/** Checks that come before the look-up of the key (`contract.md` A1), and what stops a client before it sends. */
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

/** The one place that says which answers are final. */
export function judge(error: unknown): Failure {
  if (!(error instanceof AppError) || IN_DOUBT.has(error.code)) return 'unknown'
  const { status } = error.entry
  // With its key the client tells that an earlier try of this very call was lost.
  if (status === null || BEFORE_THE_KEY.has(error.code))
    return error.extra['idempotency_key'] === undefined ? 'unsent' : 'unknown'
  return status >= 500 ? 'unknown' : 'refused'
}
