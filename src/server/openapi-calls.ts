/** The parts of a call in a document: its parameters, body, answer and errors. Operations and control calls share them. */
import { ERRORS, type ErrorCode } from '../core/errors.ts'
import type { AnyOperation } from '../core/operation.ts'
import type { Example } from './docs/example.ts'
import { describeErrorResponse, makeProblemExample, makeReference, successHeaders } from './openapi-parts.ts'
import { type Json, type makeSchemas, type JsonNode, toPlainJson } from './openapi-schemas.ts'

/** The fields of a call that the document shows. A `keyed` one takes an idempotency key. */
export type OpenApiCall = Pick<AnyOperation, 'method' | 'pathParameters' | 'input' | 'output' | 'summary'> &
  Partial<Pick<AnyOperation, 'location'>> & { status: number; keyed: boolean } & CallErrorCodes

/** The error codes of a call. */
type CallErrorCodes = { codes: readonly ErrorCode[]; keyed: boolean }

export type OpenApiExample = Pick<Example, 'name' | 'neededBy' | 'input' | 'answer'>
type Schemas = ReturnType<typeof makeSchemas>
export type ErrorResponses = ReadonlyMap<string, { name: string; response: JsonNode }>

/** Returns the parameters, the body and the responses of a call. */
export function describeCall(
  call: OpenApiCall,
  schemas: Schemas,
  refusals: ErrorResponses,
  examples: readonly OpenApiExample[],
): { parameters: JsonNode[]; requestBody?: JsonNode; responses: JsonNode } {
  return {
    parameters: listParameters(call, schemas, examples[0]?.input),
    ...(call.method !== 'GET' && { requestBody: describeBody(call, schemas, examples) }),
    responses: {
      [call.status]: describeSuccess(call, schemas, examples),
      ...describeProblems(call, refusals),
    },
  }
}

type ObjectSchema = { properties: Record<string, JsonNode>; required?: string[] }

function listParameters(
  { method, pathParameters, input }: OpenApiCall,
  { convert }: Schemas,
  example: Readonly<Record<string, unknown>> = {},
): JsonNode[] {
  const { properties, required = [] } = toPlainJson(input) as unknown as ObjectSchema
  const inUrl = Object.entries(properties).filter(
    ([name]) => method === 'GET' || pathParameters.includes(name),
  )
  return inUrl.map(([name, given]) => {
    const inPath = pathParameters.includes(name)
    const { description = given['meaning'], ...schema } = convert(given)
    return {
      name,
      in: inPath ? 'path' : 'query',
      required: inPath || required.includes(name),
      ...(description !== undefined && { description }),
      schema,
      ...(example[name] !== undefined && { example: toPlainJson(example[name]) }),
    }
  })
}

/** Describes the input without the path parameters. */
function describeBody(
  { method, input, pathParameters }: OpenApiCall,
  schemas: Schemas,
  examples: readonly OpenApiExample[],
): JsonNode {
  const { properties, required = [], ...rest } = toPlainJson(input) as unknown as ObjectSchema
  const inBody = (member: string): boolean => !pathParameters.includes(member)
  const needed = required.filter(inBody)
  const bodyOf = (given: object): Json =>
    toPlainJson(Object.fromEntries(Object.entries(given).filter(([member]) => inBody(member))))
  const schema = {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([member]) => inBody(member))),
    ...(needed.length > 0 && { required: needed }),
  }
  return {
    required: method !== 'DELETE',
    content: {
      'application/json': {
        schema: schemas.convert(schema),
        ...describeExamples(examples, (made) => bodyOf(made.input)),
      },
    },
  }
}

function describeSuccess(
  { output, location, keyed, summary }: OpenApiCall,
  schemas: Schemas,
  examples: readonly OpenApiExample[],
): JsonNode {
  return {
    description: summary,
    headers: successHeaders({ located: location !== undefined, replayed: keyed }),
    content: {
      'application/json': {
        schema: schemas.convert(toPlainJson(output) as JsonNode),
        ...describeExamples(examples, ({ answer }) => answer as Json),
      },
    },
  }
}

/** Shows one example as `example`, and several as named `examples`. */
function describeExamples(
  examples: readonly OpenApiExample[],
  valueOf: (example: OpenApiExample) => Json,
): JsonNode {
  const [first, ...more] = examples
  if (first === undefined) return {}
  if (more.length === 0) return { example: valueOf(first) }
  return {
    examples: Object.fromEntries(
      examples.map((example) => [
        example.name,
        {
          ...(example.neededBy !== undefined && { summary: `For the example of ${example.neededBy}` }),
          value: valueOf(example),
        },
      ]),
    ),
  }
}

/**
 * Returns the error responses that several operations share word for word, by status and codes. Each is named by its
 * status and, if needed, a number.
 */
export function shareRefusals(calls: readonly CallErrorCodes[]): ErrorResponses {
  const shared = new Map<string, { name: string; response: JsonNode }>()
  const seen = new Set<string>()
  const counts = new Map<number, number>()
  for (const refusal of calls.flatMap(listRefusals)) {
    const key = keyOf(refusal)
    if (seen.has(key) && !shared.has(key)) {
      const count = (counts.get(refusal.status) ?? 0) + 1
      counts.set(refusal.status, count)
      shared.set(key, {
        name: `Refused${refusal.status}${count === 1 ? '' : `_${count}`}`,
        response: describeErrorResponse(refusal.status, refusal.codes, refusal),
      })
    }
    seen.add(key)
  }
  return shared
}

type ErrorResponseKey = { status: number; codes: ErrorCode[]; replayed: boolean }

/** Returns the error responses by status, ascending. A final refusal is stored with its key and replayed. */
function listRefusals({ codes: all, keyed }: CallErrorCodes): ErrorResponseKey[] {
  const byStatus = Map.groupBy(all, (code) => ERRORS[code].status ?? 500)
  return [...byStatus]
    .map(([status, codes]) => ({
      status,
      codes,
      replayed: keyed && [402, 404, 409, 422].includes(status),
    }))
    .toSorted((a, b) => a.status - b.status)
}

function keyOf({ status, codes, replayed }: ErrorResponseKey): string {
  return `${status} ${codes.join(' ')} ${replayed}`
}

/** Returns the error responses of a call by status: shared ones by their names. */
export function describeProblems(call: CallErrorCodes, refusals: ErrorResponses): JsonNode {
  return Object.fromEntries(
    listRefusals(call).map((refusal) => {
      const shared = refusals.get(keyOf(refusal))
      const { status, codes } = refusal
      return [
        String(status),
        shared === undefined
          ? describeErrorResponse(status, codes, refusal)
          : makeReference('responses', shared.name),
      ]
    }),
  )
}

/** Returns an example problem document of each code of the calls, in the order of the table of errors. */
export function problemExamples(calls: readonly CallErrorCodes[]): JsonNode {
  const codes = new Set(calls.flatMap((call) => call.codes))
  return Object.fromEntries(
    Object.keys(ERRORS)
      .filter((code): code is ErrorCode => codes.has(code as ErrorCode))
      .map((code) => [code, makeProblemExample(code)]),
  )
}
