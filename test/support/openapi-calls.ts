/** Makes calls from the OpenAPI document alone, and checks responses against it. */
import { Pool } from 'undici'
import { isObject, makeSchemaReader } from './json-schema.ts'
import type { SchemaReader, JsonSchema } from './json-schema.ts'

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: JsonSchema }
type DeclaredResponse = {
  headers?: Record<string, { required?: boolean; schema: JsonSchema }>
  content: Record<string, { schema: JsonSchema }>
}

/** One operation as the document describes it. */
export type DocumentedCall = {
  name: string
  method: string
  path: string
  parameters: Parameter[]
  /** All fields of the input: those that are no parameters go in the body. */
  input: JsonSchema
  body: JsonSchema | undefined
  scenarios: readonly string[]
  keyed: 'required' | 'supported' | 'none'
  responses: Record<string, DeclaredResponse>
}

export type RawHttpResponse = {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Returns the calls of a document, by default the `/v1` operations, whose answers are JSON. */
export function readDocumentedCalls(
  document: unknown,
  under = '/v1/',
): { calls: DocumentedCall[]; reader: SchemaReader } {
  const reader = makeSchemaReader(document)
  const { paths } = document as { paths: Record<string, Record<string, Record<string, unknown>>> }
  const calls = Object.entries(paths)
    .filter(([path]) => path.startsWith(under))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => readCall(reader, path, method, described)),
    )
  return { calls, reader }
}

function readCall(
  { resolve }: SchemaReader,
  path: string,
  method: string,
  described: Record<string, unknown>,
): DocumentedCall {
  const parameters = ((described['parameters'] ?? []) as JsonSchema[]).map(resolve) as unknown as Parameter[]
  const { content } = (described['requestBody'] ?? {}) as { content?: Record<string, { schema: JsonSchema }> }
  const body = content === undefined ? undefined : resolve(content['application/json']?.schema ?? {})
  const inUrl = parameters.filter(({ in: where }) => where !== 'header')
  const { properties = {}, required = [] } = (body ?? {}) as { properties?: object; required?: string[] }
  return {
    name: String(described['operationId']),
    method: method.toUpperCase(),
    path,
    parameters,
    body,
    input: {
      type: 'object',
      additionalProperties: false,
      properties: { ...Object.fromEntries(inUrl.map(({ name, schema }) => [name, schema])), ...properties },
      required: [...inUrl.filter((parameter) => parameter.required).map(({ name }) => name), ...required],
    },
    scenarios: (described['x-scenarios'] ?? []) as string[],
    keyed: (described['x-idempotency'] ?? 'none') as DocumentedCall['keyed'],
    responses: Object.fromEntries(
      Object.entries(described['responses'] as Record<string, JsonSchema>).map(([status, given]) => {
        const response = resolve(given) as unknown as DeclaredResponse
        const headers = Object.entries(response.headers ?? {}).map(([name, header]) => [
          name.toLowerCase(),
          resolve(header as unknown as JsonSchema),
        ])
        return [status, { ...response, headers: Object.fromEntries(headers) as DeclaredResponse['headers'] }]
      }),
    ) as Record<string, DeclaredResponse>,
  }
}

/** Returns where a field of the input travels. */
function placeOf({ parameters, method }: DocumentedCall, name: string): 'path' | 'query' | 'body' {
  const parameter = parameters.find((candidate) => candidate.name === name && candidate.in !== 'header')
  if (parameter !== undefined) return parameter.in as 'path' | 'query'
  return method === 'GET' ? 'query' : 'body'
}

/** Makes a function that sends inputs over HTTP as the document describes. */
export function makeDocumentSender(url: string, token: string) {
  const pool = new Pool(url, { connections: 4, pipelining: 1 })

  async function send(
    call: DocumentedCall,
    input: unknown,
    headers: Record<string, string> = {},
  ): Promise<RawHttpResponse> {
    const { path, body } = address(call, input as Record<string, unknown>)
    const answer = await pool.request({
      method: call.method as 'GET',
      path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
  }

  return { send, canSay, close: () => pool.close() }
}

/**
 * Returns whether path and query can express the input: they hold only text, and a path has no empty or dotted parts.
 */
function canSay(call: DocumentedCall, input: unknown): boolean {
  const inPath = call.parameters.filter(({ in: place }) => place === 'path')
  if (!isObject(input)) return call.body !== undefined && inPath.length === 0
  if (inPath.some(({ name }) => !Object.hasOwn(input, name))) return false
  return Object.entries(input).every(([name, value]) => {
    const place = placeOf(call, name)
    if (place === 'path') return isSaid(call, name, value) && !['', '.', '..'].includes(String(value))
    if (place === 'query') return isSaid(call, name, value)
    return true
  })
}

/** Returns whether a query value can be read back unchanged; empty lists and null are ambiguous. */
function isSaid(call: DocumentedCall, name: string, value: unknown): boolean {
  const schema = call.parameters.find((parameter) => parameter.name === name)?.schema ?? { type: 'string' }
  const { type, items } = schema as { type?: string; items?: { type?: string } }
  if (Array.isArray(value))
    return value.length > 0 && type === 'array' && value.every((item) => isTold(items?.type, item))
  return isTold(type === 'array' ? items?.type : type, value)
}

function isTold(type: string | undefined, value: unknown): boolean {
  if (typeof value === 'string')
    return type === 'string' || type === undefined || !/^(-?[\d.e+-]+|true|false)$/.test(value)
  return typeof value === type || (typeof value === 'number' && type === 'integer')
}

function address(call: DocumentedCall, input: unknown): { path: string; body?: string } {
  // A value that is no object can only be a body.
  const members = isObject(input) ? Object.entries(input) : []
  const at = (place: string) => members.filter(([name]) => placeOf(call, name) === place)
  const inPath = Object.fromEntries(at('path').map(([name, value]) => [name, String(value)]))
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''))
  const query = at('query').flatMap(([name, value]) =>
    [value].flat().map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(String(item))}`),
  )
  return {
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    ...(call.body !== undefined && {
      body: JSON.stringify(isObject(input) ? fromMembers(at('body')) : input),
    }),
  }
}

/** Makes an object from fields, including `__proto__`. */
function fromMembers(members: [string, unknown][]): object {
  return Object.fromEntries(members)
}

/** Our headers that a response may have only where the document declares them. */
const OURS = ['location', 'idempotent-replayed', 'retry-after', 'www-authenticate', 'allow', 'ratelimit']

/** Returns the parts of a response that the document did not declare. */
export function listSurprises(
  { faultsOf }: SchemaReader,
  call: DocumentedCall,
  { status, headers, text }: RawHttpResponse,
): string[] {
  const promised = call.responses[String(status)]
  if (status >= 500) return [`${status}: ${text}`]
  if (promised === undefined) return [`${status} is not declared: ${text}`]
  const type = String(headers['content-type'])
  const content = promised.content[type]
  if (content === undefined) return [`${status} comes as ${type}`]
  const declared = promised.headers ?? {}
  return [
    ...faultsOf(content.schema, JSON.parse(text) as unknown).map((fault) => `${status} ${fault}`),
    ...Object.entries(declared).flatMap(([name, { required = false, schema }]) => {
      const value = headers[name]
      if (value === undefined) return required ? [`${status} lacks the header ${name}`] : []
      const read = schema['type'] === 'integer' ? Number(value) : value
      return faultsOf(schema, read).map((fault) => `${status} ${name}: ${fault}`)
    }),
    ...OURS.filter((name) => name in headers && !(name in declared)).map(
      (name) => `${status} has the header ${name}, which is not declared`,
    ),
  ]
}
