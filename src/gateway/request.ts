import type { Scope } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import type { ProblemFieldError } from '../core/errors.ts'
import type { SampledFaults } from '../core/fault.ts'
import { parseIdempotencyKey } from '../core/idempotency-key.ts'
import type { AnyOperation } from '../core/operation.ts'
import { parseStrictJson, problemOfPlain } from '../core/strict-json.ts'

/**
 * An account of this process, or a token. An account with `scopes` is that of a page's session: it has only these
 * scopes, and is outside of this process.
 */
export type Credential = { account: string; scopes?: readonly Scope[] } | { token: string }

/** A request over HTTP, still as text and bytes: the gateway parses it in the order of its checks. */
export type HttpInput = {
  params: Readonly<Record<string, string>>
  /** Without the question mark. */
  query: string
  contentType: string | undefined
  /** True if the request has a body, read or not. */
  hasBody: boolean
  /** Reads the body, after the credential and the scope are checked. Throws `payload_too_large` above `limit` bytes. */
  readBody(limit: number): Promise<Uint8Array>
  /** Called with the caller's account, once the credential is checked. */
  onCaller?(accountId: string): void
}

/** One call. Exactly one of `input` (in process) and `http`. */
export type GatewayRequest = {
  operation: string
  credential: Credential | undefined
  input?: Readonly<Record<string, unknown>>
  http?: HttpInput
  idempotencyKey?: string
  scenario?: string
  /** The value of `Sandbox-Fault`; the caller may use the controls of the sandbox. */
  fault?: string
  /** The value of `Dray-Via`. */
  via?: string
  requestId?: string
  /** Does not count among the calls of its account: another person makes it, by a shared link. */
  uncounted?: true
  /** The service reads for itself, to tell of an event: no log lists it, and it is no sign that the account is there. */
  silent?: true
  /** Called before each attempt to write. Throws `call_cancelled` when the caller does not want it any more. */
  beforeChange?: (() => void) | undefined
  /** Called after each row of a batch was read, again where an attempt is repeated; not for an attempt of another process. */
  onRow?: (() => void) | undefined
}

/**
 * The response of a call. `state` is the status of the one resource that it shows. `lost` is the fault by which its caller does not
 * get it: it is cut, or the page of a proxy comes instead.
 */
export type GatewayResponse = {
  status: number
  headers: Record<string, string>
  body: string
  state?: string | undefined
  lost?: SampledFaults['lost']
}

type Input = Record<string, unknown>

/** The flat input of an operation, and the values in a wrong place, which check 9 rejects. */
export type ReadInput = { input: Input; misplaced: ProblemFieldError[] }

/** The fields of an operation that decide where its input travels. */
type InputPlacement = Pick<AnyOperation, 'method' | 'pathParameters' | 'input' | 'bodyLimit'>

/**
 * Reads plain values in process, or path, query and body over HTTP. Throws `unsupported_media_type`,
 * `payload_too_large`, `malformed_json`.
 */
export async function readRequestInput(
  operation: InputPlacement,
  { input, http }: Pick<GatewayRequest, 'input' | 'http'>,
): Promise<ReadInput> {
  if (http === undefined) return { input: readPlain(operation, input ?? {}), misplaced: [] }
  const { properties } = operation.input
  const path = Object.fromEntries(
    operation.pathParameters.map((name) => [name, coerce(http.params[name] ?? '', properties[name])]),
  )
  const { query, repeated } = readQuery(operation, http.query)
  const inPath = (name: string) => Object.hasOwn(path, name)
  if (operation.method === 'GET') {
    const misplaced = [...Object.keys(query).filter(inPath).map(notInQuery), ...repeated.map(givenTwice)]
    return { input: { ...query, ...path }, misplaced: http.hasBody ? [NO_BODY, ...misplaced] : misplaced }
  }
  const body = await readBody(operation, http)
  const misplaced = [
    ...Object.keys(query).map(notInQuery),
    ...Object.keys(body).filter(inPath).map(notInBody),
  ]
  return { input: { ...body, ...path }, misplaced }
}

/** Rejects texts that a store would change. Over HTTP the parser rejects them. */
function readPlain({ method }: InputPlacement, input: Readonly<Input>): Input {
  const problem = method === 'GET' ? undefined : problemOfPlain(input)
  if (problem !== undefined) throw new AppError('malformed_json', problem)
  return { ...input }
}

const NO_BODY: ProblemFieldError = {
  pointer: '',
  code: 'unknown_member',
  detail: 'a GET has no body; use the query',
}

function notInQuery(name: string): ProblemFieldError {
  const parameter = name.slice(0, 60)
  return { parameter, code: 'unknown_member', detail: `${parameter} does not belong in the query` }
}

function givenTwice(parameter: string): ProblemFieldError {
  return { parameter, code: 'wrong_type', detail: `${parameter} is given more than once` }
}

function notInBody(name: string): ProblemFieldError {
  return { pointer: `/${name}`, code: 'unknown_member', detail: `${name} does not belong in the body` }
}

async function readBody(operation: InputPlacement, http: HttpInput): Promise<Input> {
  const typed = isJson(http.contentType)
  // Only a DELETE may come without a body, and then needs no type.
  if (!typed && operation.method !== 'DELETE') throw notJson(http.contentType)
  const bytes = await http.readBody(operation.bodyLimit)
  if (bytes.length === 0 && operation.method === 'DELETE') return {}
  if (!typed) throw notJson(http.contentType)
  const parsed = parseStrictJson(bytes)
  if ('problem' in parsed) throw new AppError('malformed_json', parsed.problem)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('invalid_request', 'The body must be a JSON object; {} if there are no values.', {
      errors: [{ pointer: '', code: 'wrong_type', detail: 'the body must be an object' }],
    })
  }
  return value as Input
}

function notJson(contentType: string | undefined): AppError {
  return new AppError(
    'unsupported_media_type',
    `Content-Type is ${contentType?.slice(0, 60) ?? 'missing'}; send application/json.`,
  )
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

/**
 * Reads the query. Keeps unknown parameters, so that the validator reports them with everything else; `repeated` names
 * those that take one value and have several.
 */
function readQuery(operation: InputPlacement, query: string): { query: Input; repeated: string[] } {
  const values = new Map<string, unknown>()
  const repeated = new Set<string>()
  for (const [name, text] of new URLSearchParams(query)) {
    const schema = operation.input.properties[name] as Property | undefined
    const value = coerce(text, schema?.items ?? schema)
    if (schema?.type === 'array') values.set(name, [values.get(name) ?? [], value].flat())
    else if (!values.has(name)) values.set(name, value)
    else if (schema !== undefined) repeated.add(name)
  }
  return { query: Object.fromEntries(values), repeated: [...repeated] }
}

/** Converts text to the schema's type. Keeps other text, so that the validator reports it. */
function coerce(text: string, schema: Property | undefined): unknown {
  if (schema?.type === 'integer' && /^-?(0|[1-9]\d{0,15})$/.test(text)) return Number(text)
  // Accepts numbers as programs print them: 0.30000000000000004, 1e-7.
  if (schema?.type === 'number' && /^-?(0|[1-9]\d{0,15})(\.\d{1,25})?(e-?\d{1,3})?$/.test(text))
    return Number(text)
  if (schema?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text.replace(OFFSET_WITHOUT_PLUS, '$1+$2')
}

/** An instant with a bare `+`, which a query reads as a space: 2026-11-21T09:00:00+01:00. */
const OFFSET_WITHOUT_PLUS = /^(\d{4}-\d\d-\d\dT[\d:.]+) (\d\d:\d\d)$/

/** Returns the key of a call. Throws `idempotency_key_required` and `idempotency_key_invalid`. */
export function readIdempotencyKey(operation: AnyOperation, text: string | undefined): string | undefined {
  if (operation.idempotency === 'none') return undefined
  if (text === undefined) {
    if (operation.idempotency === 'required') {
      throw new AppError('idempotency_key_required', `${operation.name} needs an Idempotency-Key header.`, {
        extra: { operations: [operation.name] },
      })
    }
    return undefined
  }
  const key = parseIdempotencyKey(text)
  if (key === undefined) {
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
