/** What an answer over HTTP means: a value, or the one AppError that tells what was wrong. */
import { AppError, ERRORS, fromProblem } from '../errors.ts'
import type { ErrorCode, FieldError } from '../errors.ts'
import type { Reply } from './exchange.ts'
import type { Route } from './route.ts'

/** The JSON object of a 2xx. Throws what a problem document says, or `invalid_response`. */
export function readValue(reply: Reply): Record<string, unknown> {
  if (reply.status >= 300) throw toError(reply)
  const type = contentType(reply)
  if (type !== 'application/json')
    throw notOurs(`it sent ${type === '' ? 'no Content-Type' : type} with status ${reply.status}`)
  const value = parse(reply.body)
  if (!isObject(value)) throw notOurs('its JSON is cut off, damaged or no object')
  return value
}

/** Refuses an answer that cannot be the one to this call: members missing, or about another object. */
export function assertFits(
  name: string,
  { required, pathParameters }: Pick<Route, 'required' | 'pathParameters'>,
  input: Readonly<Record<string, unknown>>,
  value: Record<string, unknown>,
): void {
  const missing = required.find((member) => !Object.hasOwn(value, member))
  if (missing !== undefined) throw notOurs(`its answer to ${name} lacks ${missing}`)
  if (required.includes('next_cursor') && !isPage(value)) throw notOurs(`its answer to ${name} is no list`)
  for (const member of pathParameters) {
    if (typeof value[member] === 'string' && compact(value[member]) !== compact(String(input[member]))) {
      throw notOurs(`it was asked for another ${member} than it answered`)
    }
  }
}

/** The error of an answer that is not a 2xx. */
export function toError(reply: Reply): AppError {
  const known = contentType(reply) === 'application/problem+json' ? parse(reply.body) : undefined
  if (isObject(known)) {
    const errors = Array.isArray(known['errors']) ? known['errors'].filter(isFieldError) : []
    const error = fromProblem({ ...known, errors })
    if (error !== undefined) return error
    const detail =
      typeof known['detail'] === 'string' ? known['detail'] : `The service answered ${reply.status}.`
    return new AppError(codeOfStatus(reply.status), detail, { errors, extra: { remote_code: known['code'] } })
  }
  if (reply.status >= 300 && reply.status < 400)
    return notOurs(`it redirects to another address (${reply.status}), which is not followed`)
  return new AppError(codeOfStatus(reply.status), `The service answered ${reply.status} without saying why.`)
}

/** The one sentence about something that is not this service. */
export function notOurs(why: string): AppError {
  return new AppError('invalid_response', `The address does not answer as this service does: ${why}.`, {
    hint: 'Check --base-url: it is the address before /v1.',
  })
}

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

export function contentType({ headers }: Reply): string {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPage({ data, has_more, next_cursor }: Record<string, unknown>): boolean {
  return (
    Array.isArray(data) &&
    typeof has_more === 'boolean' &&
    (next_cursor === null || typeof next_cursor === 'string')
  )
}

function isFieldError(value: unknown): value is FieldError {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['detail'] === 'string'
}

function compact(text: string): string {
  return text.replaceAll(/[\s-]/g, '').toLowerCase()
}
