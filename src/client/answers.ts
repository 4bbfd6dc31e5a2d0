/** Converts an HTTP response to a value, or to the AppError that describes the failure. */
import { AppError, ERRORS, fromProblem } from '../core/errors.ts'
import type { ErrorCode, ProblemFieldError } from '../core/errors.ts'
import { isRecord } from '../core/record.ts'
import { parseOnce } from '../core/strict-json.ts'
import { hasFieldSelection } from '../core/views.ts'
import type { ExchangeResponse } from './exchange.ts'
import type { CursorPage } from './pages.ts'
import type { AnswerCheck, OperationRoute } from './route.ts'

/** The longest text that is taken from another program; more would not be read. */
const MAX_TEXT = 2000

/** Returns the JSON object of a 2xx response. Throws the error of a problem document, or `invalid_response`. */
export function readResponseObject(reply: ExchangeResponse): Record<string, unknown> {
  if (reply.status >= 300) throw toError(reply)
  const type = contentType(reply)
  if (type !== 'application/json')
    throw foreignServerError(`it sent ${type === '' ? 'no Content-Type' : type} with status ${reply.status}`)
  const value = parse(reply.body)
  if (!isRecord(value)) throw foreignServerError('its JSON is cut off, damaged, nested too deep or no object')
  return value
}

/**
 * Throws `invalid_response` for a response that cannot belong to this call: fields are missing, have another type,
 * or name another object. Members may be missing where only some fields were requested.
 */
export function assertResponseMatchesCall(
  name: string,
  { required, repeats, check }: Pick<OperationRoute, 'required' | 'repeats'> & AnswerCheck,
  input: Readonly<Record<string, unknown>>,
  value: Record<string, unknown>,
): void {
  const isPart = hasFieldSelection(input)
  const missing = isPart ? undefined : required.find((member) => !Object.hasOwn(value, member))
  if (missing !== undefined) throw foreignServerError(`its response to ${name} lacks ${missing}`)
  if (required.includes('next_cursor')) assertPage(name, input, value)
  if (!isPart && !check(value))
    throw foreignServerError(`its response to ${name} has values of the wrong type`)
  // The quote of a confirm must match, as the ids in the path must.
  for (const member of [...repeats, 'quote_id']) {
    const [asked, told] = [input[member], value[member]]
    if (typeof asked === 'string' && typeof told === 'string' && compact(told) !== compact(asked))
      throw foreignServerError(`its response has a different ${member} than the request`)
  }
}

function assertPage(
  name: string,
  { limit }: Readonly<Record<string, unknown>>,
  value: Record<string, unknown>,
): void {
  if (!isPage(value)) throw foreignServerError(`its response to ${name} is not a list`)
  const { length } = value['data']
  if (typeof limit === 'number' && length > limit)
    throw foreignServerError(`it sent ${length} rows for ${name} instead of ${limit}`)
}

/** Returns the error of a response that is not a 2xx. */
export function toError(reply: ExchangeResponse): AppError {
  const known = contentType(reply) === 'application/problem+json' ? parse(reply.body) : undefined
  if (isRecord(known)) {
    const errors = Array.isArray(known['errors']) ? known['errors'].filter(isFieldError) : []
    const detail = shorten(known['detail']) ?? `The server responded with ${reply.status}.`
    const hint = shorten(known['hint'])
    const error = fromProblem({ ...known, detail, hint, errors })
    // Codes that only this program may set, such as that nothing was sent, are not accepted from a service.
    if (error !== undefined && error.entry.status === reply.status) return error
    return new AppError(codeOfStatus(reply.status), detail, {
      errors,
      extra: { remote_code: shorten(known['code']) },
    })
  }
  if (reply.status >= 300 && reply.status < 400)
    return foreignServerError(`it redirects to another address (${reply.status}), which is not followed`)
  const why = `responded with ${reply.status} and no reason`
  // A proxy or another service rejected the request, which says nothing about the call.
  if (reply.status < 500 && !FROM_ANYBODY.has(reply.status)) return foreignServerError(`it ${why}`)
  const wait = reply.status === 429 && /^\d{1,6}$/.exec(reply.headers['retry-after'] ?? '')
  return new AppError(codeOfStatus(reply.status), `The server ${why}.`, {
    ...(wait && {
      extra: { retry_after_seconds: Number(wait[0]) },
      hint: `Try again in ${wait[0]} s.`,
    }),
  })
}

/**
 * Adds the key to an error that says nothing about earlier attempts, so that the caller can repeat the call with it.
 */
export function inDoubt(error: AppError, key: string): AppError {
  const { code, message, hint, errors, extra } = error
  return new AppError(code, message, {
    ...(hint !== undefined && { hint }),
    errors,
    extra: { ...extra, idempotency_key: key },
    cause: error,
  })
}

/** Returns the error for a server that is not this service. */
export function foreignServerError(why: string): AppError {
  return new AppError('invalid_response', `The response did not come from a dray server: ${why}.`, {
    hint: 'Check --base-url: it is the address before /v1.',
  })
}

/** Statuses for slow or frequent requests. They mean the same from any server. */
const FROM_ANYBODY: ReadonlySet<number> = new Set([408, 429])

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'invalid_token',
  402: 'payment_required',
  403: 'insufficient_scope',
  404: 'route_not_found',
  409: 'invalid_state',
  422: 'invalid_request',
}

function codeOfStatus(status: number): ErrorCode {
  if (status >= 500) return 'service_unavailable'
  const other = Object.entries(ERRORS).find(([, entry]) => entry.status === status)?.[0] as
    | ErrorCode
    | undefined
  return BY_STATUS[status] ?? other ?? (status >= 400 ? 'invalid_request' : 'invalid_response')
}

/** Returns the id of the call in the service's log; empty for an id of another form. */
export function requestIdOf({ headers }: ExchangeResponse): string {
  const id = headers['request-id'] ?? ''
  return /^[\w.:-]{1,100}$/.test(id) ? id : ''
}

export function contentType({ headers }: ExchangeResponse): string {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Parses a response as strictly as the service parses requests. */
function parse(bytes: Uint8Array): unknown {
  const parsed = parseOnce(bytes)
  return 'value' in parsed ? parsed.value : undefined
}

function shorten(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

function isPage(value: Record<string, unknown>): value is CursorPage<unknown> {
  const { data, has_more, next_cursor } = value
  return (
    Array.isArray(data) &&
    typeof has_more === 'boolean' &&
    (next_cursor === null || typeof next_cursor === 'string')
  )
}

function isFieldError(value: unknown): value is ProblemFieldError {
  if (!isRecord(value) || typeof value['code'] !== 'string' || typeof value['detail'] !== 'string')
    return false
  return ['pointer', 'parameter', 'header'].every((place) =>
    ['string', 'undefined'].includes(typeof value[place]),
  )
}

function compact(text: string): string {
  return text.replaceAll(/[\s-]/g, '').toLowerCase()
}
