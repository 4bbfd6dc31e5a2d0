/**
 * The public interface as lines for reviewers: one for each field of a call, so that one changed field is one changed line.
 * Texts and examples are omitted: texts are reviewed where they are declared.
 */
import type { Json, JsonNode } from '../server/openapi-schemas.ts'
import { listMembers, makeTypeReader, type TypeReader } from './type-text.ts'

type Content = Record<string, { schema: JsonNode }>
type CallResponse = { headers?: JsonNode; content?: Content }
type CallParameter = { name: string; in: string; required?: boolean; schema: JsonNode }
type CallNode = {
  operationId: string
  parameters?: (CallParameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, CallResponse | { $ref: string }>
} & { [extension: `x-${string}`]: Json }

/** A call of the document with its place, and its errors: `404 order_not_found`. */
type InterfaceCall = { node: CallNode; method: string; path: string; codes: string[] }

/**
 * Returns the lines of an OpenAPI document: what all calls refuse, then each call, then the schemas that several places use.
 * `?` marks an optional field, and `place_food_order 201 FoodOrder` a response that is listed as a schema.
 */
export function listInterfaceLines(document: JsonNode): string[] {
  const types = makeTypeReader(document)
  const calls = listCalls(document, types)
  const common = listCommonCodes(calls)
  return [
    ...common.lines,
    ...calls.flatMap((call) => [
      toCallLine(call, types),
      ...listParameterLines(call, types),
      ...listBodyLines(call, types),
      ...listAnswerLines(call, types),
      ...listRefusalLines(call, common.codesOf(call)),
    ]),
    ...types.sharedNames().flatMap((name) => {
      const schema = types.schemaOf(name)
      return isRefusal(schema) ? [] : listSchemaLines(name, schema, types)
    }),
  ]
}

function listCalls(document: JsonNode, types: TypeReader): InterfaceCall[] {
  const places = { ...(document['paths'] as JsonNode), ...(document['webhooks'] as JsonNode | undefined) }
  return Object.entries(places as unknown as Record<string, Record<string, CallNode>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, node]) => ({
        node,
        method: method.toUpperCase(),
        path,
        codes: listCodes(node, types),
      })),
  )
}

function listCodes({ responses }: CallNode, { resolve }: TypeReader): InterfaceCall['codes'] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const { content = {} } = resolve(response) as CallResponse
    const problem = content['application/problem+json']
    if (problem === undefined) return []
    const { code } = resolve(problem.schema)['properties'] as { code: { enum: string[] } }
    return code.enum.map((word) => `${status} ${word}`)
  })
}

/** The kinds of calls that reject alike, from all to few. */
const KINDS: readonly [name: string, includes: (call: InterfaceCall) => boolean][] = [
  ['every call', () => true],
  ['every write', ({ method }) => method !== 'GET'],
  ['every call with a key', ({ node }) => (node['x-idempotency'] ?? 'none') !== 'none'],
]

/** Finds the codes that all calls of a kind have: they are said once. Logins and streams say all of theirs. */
function listCommonCodes(calls: readonly InterfaceCall[]) {
  const declared = calls.filter(({ node }) => node['x-idempotency'] !== undefined)
  const alike = declared.length > 0 ? declared : calls
  const kinds = KINDS.map(([name, includes]) => ({
    name,
    includes,
    codes: codesOfAll(alike.filter(includes)),
  }))
  const codesOf = (call: InterfaceCall): string[] =>
    alike.includes(call) ? kinds.flatMap(({ includes, codes }) => (includes(call) ? codes : [])) : []
  const lines = kinds.flatMap(({ name, codes }, index) => {
    const before = new Set(kinds.slice(0, index).flatMap((kind) => kind.codes))
    const own = codes.filter((code) => !before.has(code))
    return own.length === 0 ? [] : [`${name} refuses ${own.join(', ')}`]
  })
  return { lines, codesOf }
}

function codesOfAll(calls: readonly InterfaceCall[]): string[] {
  const [first, ...others] = calls
  return (first?.codes ?? []).filter((code) => others.every(({ codes }) => codes.includes(code)))
}

function listRefusalLines({ node, codes }: InterfaceCall, common: readonly string[]): string[] {
  const own = codes.filter((code) => !common.includes(code))
  return own.length === 0 ? [] : [`${node.operationId} refuses ${own.join(', ')}`]
}

/** Returns the line of the call itself: address, scope and other marks, and its headers. */
function toCallLine({ node, method, path }: InterfaceCall, { resolve }: TypeReader): string {
  const marks = Object.entries(node).flatMap(([key, value]) =>
    key.startsWith('x-') ? [`${key.slice(2)}=${toMark(value as Json)}`] : [],
  )
  const headers = (node.parameters ?? [])
    .map((parameter) => resolve(parameter) as unknown as CallParameter)
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, required }) => (required === true ? name : `${name}?`))
  const words = headers.length === 0 ? marks : [...marks, `headers=${headers.join(',')}`]
  return [node.operationId, method, path, ...words].join(' ')
}

/** Returns a mark as one word: `quote`, or `how:quote,by:quote_ride` for an object. */
function toMark(value: Json): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return value.map(toMark).join(',')
  return Object.entries(value)
    .map(([name, member]) => `${name}:${toMark(member)}`)
    .join(',')
}

function listParameterLines({ node }: InterfaceCall, types: TypeReader): string[] {
  return (node.parameters ?? []).flatMap((given) => {
    const parameter = types.resolve(given) as unknown as CallParameter
    if (parameter.in === 'header') return []
    const { name, required, schema } = parameter
    return listSchemaLines(`${node.operationId} ${parameter.in}`, schema, types, {
      name,
      optional: required !== true,
    })
  })
}

function listBodyLines({ node }: InterfaceCall, types: TypeReader): string[] {
  const { required, content = {} } = node.requestBody ?? {}
  const word = required === true ? 'body' : 'body?'
  return Object.entries(content).flatMap(([media, { schema }]) =>
    listSchemaLines([node.operationId, word, ...toMediaWords(media)].join(' '), schema, types),
  )
}

/** Returns the lines of all answers but problem documents, and after them the headers that not all answers have. */
function listAnswerLines({ node }: InterfaceCall, types: TypeReader): string[] {
  return Object.entries(node.responses).flatMap(([status, given]) => {
    const { headers = {}, content = {} } = types.resolve(given) as CallResponse
    const own = Object.keys(headers).filter((name) => ['Location', 'Idempotent-Replayed'].includes(name))
    return [
      ...Object.entries(content).flatMap(([media, { schema }]) =>
        media === 'application/problem+json'
          ? []
          : listSchemaLines([node.operationId, status, ...toMediaWords(media)].join(' '), schema, types),
      ),
      ...(own.length === 0 || !status.startsWith('2')
        ? []
        : [`${node.operationId} ${status} headers ${own.join(', ')}`]),
    ]
  })
}

function toMediaWords(media: string): string[] {
  return media === 'application/json' ? [] : [media]
}

/** Returns a line for each field of a schema, and one for the schema itself unless it is a closed object with fields. */
function listSchemaLines(
  owner: string,
  schema: JsonNode,
  types: TypeReader,
  at: { name: string; optional: boolean } = { name: '', optional: false },
): string[] {
  const members = listMembers(schema, types, at.name)
  const own = `${owner} ${at.name}${at.optional ? '?' : ''}`.trimEnd()
  const text = types.textOf(schema)
  const isSaid = at.name === '' && members.length > 0 && text === 'object'
  return [
    ...(isSaid ? [] : [`${own} ${text}`]),
    ...members.map(({ path, optional, schema: member }) => {
      return `${owner} ${path}${optional ? '?' : ''} ${types.textOf(member)}`
    }),
  ]
}

function isRefusal({ allOf }: JsonNode): boolean {
  return allOf !== undefined
}
