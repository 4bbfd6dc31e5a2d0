import { parseStrictJson } from '../domain/strict-json.ts'
import { AppError } from '../errors.ts'
import type { FieldError } from '../errors.ts'
import type { AnyOperation } from '../operation.ts'

export type Credential = { account: string } | { token: string }

/** What arrived over HTTP, still as text and bytes: the gateway reads it in its own order. */
export type HttpInput = {
  params: Readonly<Record<string, string>>
  /** Without the question mark. */
  query: string
  contentType: string | undefined
  /** Called after the credential and the scope are known to be good; throws `payload_too_large` above `limit` bytes. */
  readBody(limit: number): Promise<Uint8Array>
  /** Told whose the credential is, once it is known to be good. */
  onCaller?(accountId: string): void
}

/** One call. Exactly one of `input` (in process) and `http`. */
export type Request = {
  operation: string
  credential: Credential | undefined
  input?: Readonly<Record<string, unknown>>
  http?: HttpInput
  idempotencyKey?: string
  scenario?: string
  requestId?: string
}

export type Answer = { status: number; headers: Record<string, string>; body: string }

type Input = Record<string, unknown>

/** The flat input of an operation, from plain values or from path, query and body. */
export async function readInput(operation: AnyOperation, request: Request): Promise<Input> {
  if (request.http === undefined) return { ...request.input }
  const { http } = request
  const path = Object.fromEntries(operation.pathParameters.map((name) => [name, http.params[name]]))
  const query = readQuery(operation, http.query)
  if (operation.method === 'GET') {
    refuseMisplaced(
      Object.keys(query).filter((name) => Object.hasOwn(path, name)),
      'parameter',
    )
    return { ...query, ...path }
  }
  const body = await readBody(operation, http)
  refuseMisplaced(Object.keys(query), 'parameter')
  refuseMisplaced(
    Object.keys(body).filter((name) => Object.hasOwn(path, name)),
    'pointer',
  )
  return { ...body, ...path }
}

function refuseMisplaced(names: string[], place: 'parameter' | 'pointer'): void {
  if (names.length === 0) return
  throw invalidRequest(
    names.map((name) => ({
      [place]: place === 'pointer' ? `/${name}` : name.slice(0, 60),
      code: 'unknown_member',
      detail: `${name.slice(0, 60)} does not belong in the ${place === 'pointer' ? 'body' : 'query'}`,
    })),
  )
}

async function readBody(operation: AnyOperation, http: HttpInput): Promise<Input> {
  const bytes = await http.readBody(operation.bodyLimit)
  if (bytes.length === 0 && operation.method === 'DELETE') return {}
  if (!isJson(http.contentType)) {
    throw new AppError(
      'unsupported_media_type',
      `Content-Type is ${http.contentType?.slice(0, 60) ?? 'missing'}; send application/json.`,
    )
  }
  const parsed = parseStrictJson(bytes)
  if ('problem' in parsed) throw new AppError('malformed_json', parsed.problem)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError(
      'invalid_request',
      'The body must be a JSON object; {} when there is nothing to say.',
      {
        errors: [{ pointer: '', code: 'wrong_type', detail: 'the body must be an object' }],
      },
    )
  }
  return value as Input
}

function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return (
    type === 'application/json' &&
    parameters.every((parameter) => parameter === '' || /^charset="?utf-8"?$/.test(parameter))
  )
}

type Property = { type?: string; items?: Property }

/** Unknown and repeated parameters stay in, for the validator to refuse with everything else. */
function readQuery(operation: AnyOperation, query: string): Input {
  const values = new Map<string, unknown>()
  for (const [name, text] of new URLSearchParams(query)) {
    const schema = operation.input.properties[name] as Property | undefined
    const value = coerce(text, schema?.items ?? schema)
    const before = values.get(name)
    const list = schema?.type === 'array' || before !== undefined
    values.set(name, list ? [before ?? [], value].flat() : value)
  }
  return Object.fromEntries(values)
}

/** Text that does not look like the schema's type stays text, for the validator to refuse. */
function coerce(text: string, schema: Property | undefined): unknown {
  if (
    (schema?.type === 'integer' || schema?.type === 'number') &&
    /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/.test(text)
  )
    return Number(text)
  if (schema?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** The one 400 that reports every problem together. */
export function invalidRequest(errors: FieldError[]): AppError {
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new AppError('invalid_request', `${first?.detail ?? 'The request does not fit'}${more}.`, { errors })
}

/** The key as sent, or unquoted from the draft's structured-field string (A7). */
export function readIdempotencyKey(operation: AnyOperation, text: string | undefined): string | undefined {
  if (operation.idempotency === 'none') return undefined
  if (text === undefined) {
    if (operation.idempotency === 'required') {
      throw new AppError('idempotency_key_required', `${operation.name} needs an Idempotency-Key header.`)
    }
    return undefined
  }
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError(
      'idempotency_key_invalid',
      'Idempotency-Key must be 1 to 255 visible ASCII characters.',
      {
        errors: [
          { header: 'Idempotency-Key', code: 'invalid_format', detail: '1 to 255 visible ASCII characters' },
        ],
      },
    )
  }
  return key
}
