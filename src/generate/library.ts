/** The types of `dray/client` and `dray/testing`: each call with its input, its response and its errors, as text. */
import { RESOURCES } from '../areas/resources.ts'
import { type ErrorCode, ERRORS } from '../core/errors.ts'
import { listRecordedTypes } from '../core/event-types.ts'
import { type AnyOperation, type AnySandboxOperation, joinDescription } from '../core/operation.ts'
import { controlCodes } from '../server/openapi-sandbox.ts'
import { makeSchemas, type Json, type JsonNode, toPlainJson } from '../server/openapi-schemas.ts'
import { problemCodes } from '../server/openapi.ts'
import { camelCase } from './tree.ts'

type AnyPlane = AnyOperation | AnySandboxOperation

/** Returns the source of the types of all operations and control calls. */
export function libraryTypesSource(
  operations: readonly AnyOperation[],
  controls: readonly AnySandboxOperation[],
): string {
  const schemas = makeSchemas(operations)
  const common = inAll(operations)
  const changing = inAll(operations.filter(({ method }) => method !== 'GET')).filter(
    (code) => !common.includes(code),
  )
  const errorsOf = (call: AnyPlane): string => {
    if (call.plane === 'sandbox') return controlCodes(call).map(quote).join(' | ')
    const own = problemCodes(call).filter((code) => !common.includes(code) && !changing.includes(code))
    return ['CommonError', ...(call.method === 'GET' ? [] : ['ChangeError']), ...own.map(quote)].join(' | ')
  }
  const callOf = (call: AnyPlane): string =>
    [
      `${call.name}: {`,
      `input: ${typeOf(schemas.convert(toPlainJson(call.input) as JsonNode))}`,
      `answer: ${typeOf(schemas.convert(toPlainJson(call.output) as JsonNode))}`,
      `error: ${errorsOf(call)}`,
      '}',
    ].join('\n')
  const listed = [membersOf('Operations', operations, callOf), membersOf('Controls', controls, callOf)]
  const methods = [
    methodsOf('OperationMethods', 'Operations', operations),
    methodsOf('ControlMethods', 'Controls', controls),
  ]
  // Converted last: the calls name them.
  const shared = Object.entries(schemas.shared()).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema as JsonNode)}`,
  )
  return [
    '// Generated from the registry of operations.',
    ...shared,
    `/** The code of an error: what a program decides by. */\nexport type ErrorCode = ${Object.keys(ERRORS).map(quote).join(' | ')}`,
    `/** The errors that every operation may have. */\nexport type CommonError = ${common.map(quote).join(' | ')}`,
    `/** The further errors that every operation with a body may have. */\nexport type ChangeError = ${changing.map(quote).join(' | ')}`,
    `/** The type of an event of a sandbox. */\nexport type EventType = ${listRecordedTypes(RESOURCES).map(quote).join(' | ')}`,
    ...listed,
    ...methods,
    '',
  ].join('\n')
}

/** Returns the errors that each of these operations may have. */
function inAll(operations: readonly AnyOperation[]): ErrorCode[] {
  return operations.map(problemCodes).reduce((all, codes) => all.filter((code) => codes.includes(code)))
}

function membersOf(name: string, calls: readonly AnyPlane[], render: (call: AnyPlane) => string): string {
  return `/** By name: input, answer and the codes of its errors. */\nexport interface ${name} {\n${calls.map(render).join('\n')}\n}`
}

/** Returns the interface of the methods that make calls: their comments would be lost in a type that is derived. */
function methodsOf(name: string, of: string, calls: readonly AnyPlane[]): string {
  const lines = calls.map((call) => {
    const { required = [] } = call.input as unknown as { required?: string[] }
    const at = `${of}['${call.name}']`
    const input = `input${required.length === 0 ? '?' : ''}: ${at}['input']`
    return `${comment(textOf(call))}\n${camelCase(call.name)}(${input}, options?: O): Promise<${at}['answer']>`
  })
  return `/** A method for each call. \`O\` are the options of a call. */\nexport interface ${name}<O> {\n${lines.join('\n')}\n}`
}

function textOf(call: AnyPlane): string {
  return [`${call.summary}.`, joinDescription(call)].filter((text) => text !== undefined).join(' ')
}

function comment(text: Json | undefined): string {
  return typeof text === 'string' ? `/** ${text.replaceAll('*/', '*\\/')} */` : ''
}

function quote(word: unknown): string {
  return JSON.stringify(word)
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** Returns the type of a schema. */
function typeOf(schema: JsonNode): string {
  const { $ref, type, enum: words, const: constant, anyOf, items } = schema
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if (constant !== undefined) return quote(constant)
  if (Array.isArray(words)) return words.map(quote).join(' | ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((form) => typeOf(form as JsonNode)))].join(' | ')
  if (type === 'array') return `(${items === undefined ? 'unknown' : typeOf(items as JsonNode)})[]`
  if (type === 'object') return objectOf(schema)
  return (typeof type === 'string' ? PLAIN[type] : undefined) ?? 'unknown'
}

function objectOf({ properties, required = [], additionalProperties, patternProperties }: JsonNode): string {
  const members = Object.entries((properties ?? {}) as Record<string, JsonNode>).map(([name, schema]) => {
    const isRequired = (required as string[]).includes(name)
    return [comment(schema['description']), `${name}${isRequired ? '' : '?'}: ${typeOf(schema)}`]
      .filter((line) => line !== '')
      .join('\n')
  })
  if (members.length > 0) return `{\n${members.join('\n')}\n}`
  const [values] = Object.values((patternProperties ?? {}) as Record<string, JsonNode>)
  const open =
    values ?? (typeof additionalProperties === 'object' ? (additionalProperties as JsonNode) : undefined)
  if (open !== undefined) return `{ [name: string]: ${typeOf(open)} }`
  return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
}
