/** The OpenAPI 3.1 document: nothing but the registry, written another way. The same bytes for the same operations. */
import { AppError, ERRORS, toProblem } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'
import type { AnyOperation, Area } from '../operation.ts'

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json }
type Node = { [member: string]: Json }

const TAGS: Readonly<Record<Area, string>> = {
  account: 'The calling customer.',
  food: 'Restaurants, groceries and shops: search, price, order, follow.',
  rides: 'Rides: tiers, prices, requests, tracking.',
  delivery: 'Courier runs between two points.',
  carrier: 'Parcels under a carrier agreement: coverage, rates, creation, tracking, hubs.',
  services: 'Providers who travel to the customer.',
  tasks: 'Real-world tasks with evidence.',
  business: 'A store: its orders and its catalogue.',
}

/** The document of these operations, in their order. `version` is the program's. */
export function openapiDocument(operations: readonly AnyOperation[], version: string): Node {
  const paths: Record<string, Node> = {}
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = describeOperation(operation, operations)
  }
  const codes = new Set(operations.flatMap(problemCodes))
  const areas = [...new Set(operations.map(({ area }) => area))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'dray',
      version,
      summary: 'Food, rides, deliveries, parcels, home services, tasks and a store, as one interface.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: areas.map((area) => ({ name: area, description: TAGS[area] })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An opaque access token. Each operation names the one scope it needs.',
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      schemas: { Problem: PROBLEM },
      examples: Object.fromEntries(
        Object.keys(ERRORS)
          .filter((code): code is ErrorCode => codes.has(code as ErrorCode))
          .map((code) => [code, { summary: ERRORS[code].title, value: exampleProblem(code) }]),
      ),
    },
  }
}

/** Every code that an answer of the operation may carry: its own, and those of its way in (`contract.md` A1). */
export function problemCodes(operation: AnyOperation): ErrorCode[] {
  const { method, entitlement, idempotency, errors, input } = operation
  const codes: ErrorCode[] = [
    'invalid_request',
    'scenario_not_allowed',
    'missing_token',
    'invalid_token',
    'insufficient_scope',
    'origin_not_allowed',
  ]
  codes.push(
    'not_acceptable',
    'request_timeout',
    'headers_too_large',
    'rate_limited',
    'internal_error',
    'service_unavailable',
  )
  if (method !== 'GET')
    codes.push('malformed_json', 'payload_too_large', 'unsupported_media_type', 'storage_full')
  if (idempotency === 'required') codes.push('idempotency_key_required')
  if (idempotency !== 'none')
    codes.push('idempotency_key_invalid', 'idempotency_in_flight', 'idempotency_key_reused')
  if (entitlement === 'service_one') codes.push('membership_required')
  if (entitlement === 'carrier_agreement' || entitlement === 'business_agreement')
    codes.push('agreement_required')
  if ('cursor' in input.properties) codes.push('invalid_cursor')
  return [...new Set([...codes, ...errors])]
}

function describeOperation(operation: AnyOperation, operations: readonly AnyOperation[]): Node {
  const {
    name,
    summary,
    description,
    area,
    scope,
    entitlement,
    idempotency,
    createsTransaction,
    maturity,
    method,
    scenarios,
  } = operation
  return {
    operationId: name,
    summary,
    ...(description !== undefined && { description }),
    tags: [area],
    security: [{ bearer: [scope] }],
    'x-scope': scope,
    'x-entitlement': entitlement,
    'x-idempotency': idempotency,
    'x-creates-transaction': createsTransaction,
    'x-maturity': maturity,
    ...(scenarios.length > 0 && { 'x-scenarios': [...scenarios] }),
    parameters: [
      ...listParameters(operation),
      ...(idempotency === 'none'
        ? []
        : [
            reference('parameters', idempotency === 'required' ? 'IdempotencyKeyRequired' : 'IdempotencyKey'),
          ]),
      ...(scenarios.length > 0 ? [reference('parameters', 'SandboxScenario')] : []),
    ],
    ...(method !== 'GET' && { requestBody: describeBody(operation, operations) }),
    responses: { [operation.status]: describeSuccess(operation), ...describeProblems(operation) },
  }
}

type ObjectSchema = { properties: Record<string, Node>; required?: string[] }

function listParameters({ method, input, pathParameters, example }: AnyOperation): Node[] {
  const { properties, required = [] } = toJson(input) as unknown as ObjectSchema
  const inUrl = Object.entries(properties).filter(
    ([name]) => method === 'GET' || pathParameters.includes(name),
  )
  return inUrl.map(([name, { description, ...schema }]) => {
    const inPath = pathParameters.includes(name)
    return {
      name,
      in: inPath ? 'path' : 'query',
      required: inPath || required.includes(name),
      ...(description !== undefined && { description }),
      schema,
      ...(example[name] !== undefined && { example: toJson(example[name]) }),
    }
  })
}

/** The input without what travels in the path. */
function describeBody(
  { method, input, pathParameters, example }: AnyOperation,
  operations: readonly AnyOperation[],
): Node {
  const { properties, required = [], ...rest } = toJson(input, operations) as unknown as ObjectSchema
  const inBody = (name: string): boolean => !pathParameters.includes(name)
  const needed = required.filter(inBody)
  return {
    required: method !== 'DELETE',
    content: {
      'application/json': {
        schema: {
          ...rest,
          properties: Object.fromEntries(Object.entries(properties).filter(([name]) => inBody(name))),
          ...(needed.length > 0 && { required: needed }),
        },
        example: toJson(Object.fromEntries(Object.entries(example).filter(([name]) => inBody(name)))),
      },
    },
  }
}

function describeSuccess({ output, location, idempotency, summary }: AnyOperation): Node {
  return {
    description: summary,
    headers: {
      'Request-Id': reference('headers', 'RequestId'),
      'Service-Time': reference('headers', 'ServiceTime'),
      ...(location !== undefined && { Location: reference('headers', 'Location') }),
      ...(idempotency !== 'none' && { 'Idempotent-Replayed': reference('headers', 'IdempotentReplayed') }),
    },
    content: { 'application/json': { schema: toJson(output) } },
  }
}

function describeProblems(operation: AnyOperation): Node {
  const byStatus = Map.groupBy(problemCodes(operation), (code) => ERRORS[code].status ?? 500)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('. '),
        content: {
          'application/problem+json': {
            schema: reference('schemas', 'Problem'),
            examples: Object.fromEntries(codes.map((code) => [code, reference('examples', code)])),
          },
        },
      },
    ]),
  )
}

function exampleProblem(code: ErrorCode): Json {
  return toJson(toProblem(new AppError(code, `${ERRORS[code].title}.`), 'req_01m7vkystgef38d6j5p56t9yfw'))
}

function reference(kind: 'parameters' | 'headers' | 'schemas' | 'examples', name: string): Node {
  return { $ref: `#/components/${kind}/${name}` }
}

/**
 * A plain copy: without the schema library's marks and without the sentences that only the gateway's errors use. A place
 * marked `x-body-of` takes the body of another operation, which that operation's `run` checks row by row.
 */
function toJson(value: unknown, operations: readonly AnyOperation[] = []): Json {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => {
      if (key === 'errorMessage') return undefined
      const other = (member as { 'x-body-of'?: string } | null)?.['x-body-of']
      const operation = operations.find(({ name }) => name === other)
      return operation === undefined
        ? member
        : { ...operation.input, description: `A body of ${operation.name}` }
    }),
  ) as Json
}

const DESCRIPTION = `Quotes are read-only; a confirming call takes the \`quote_id\` it was shown. Calls that change something take an
\`Idempotency-Key\`: the same key with the same content is done once and answered alike for 24 hours. Money is in minor
units, instants are RFC 3339 in UTC, lists are pages with an opaque cursor, failures are problem documents (RFC 9457)
whose \`code\` is stable. Unknown members and parameters are refused.`

const idempotencyKey = (required: boolean): Node => ({
  name: 'Idempotency-Key',
  in: 'header',
  required,
  description: '1 to 255 visible ASCII characters; reuse it when you retry the same call.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
})

const PARAMETERS: Node = {
  IdempotencyKey: idempotencyKey(false),
  IdempotencyKeyRequired: idempotencyKey(true),
  SandboxScenario: {
    name: 'Sandbox-Scenario',
    in: 'header',
    required: false,
    description:
      'How the simulated world treats what this call creates: a name of `x-scenarios`, then `;key=value` for its options.',
    schema: { type: 'string' },
    example: 'happy',
  },
}

const HEADERS: Node = {
  RequestId: { description: 'Names this request in the log of the service.', schema: { type: 'string' } },
  ServiceTime: {
    description: 'The clock of the service at this call.',
    schema: { type: 'string' },
    example: '2026-11-20T12:00:00.000Z;mode=running',
  },
  Location: { description: 'The path of what was created.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` when this is the answer of an earlier call with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
}

const PROBLEM: Node = {
  type: 'object',
  description: 'A problem document (RFC 9457). Some codes bring further members.',
  required: ['type', 'title', 'status', 'code', 'detail', 'retryable', 'errors'],
  properties: {
    type: { type: 'string', description: '`urn:dray:problem:` and the code.' },
    title: { type: 'string', description: 'Fixed for each code.' },
    status: { type: 'integer' },
    code: { type: 'string', description: 'The stable word to decide by.' },
    detail: { type: 'string', description: 'What happened this time.' },
    instance: { type: 'string' },
    request_id: { type: 'string' },
    retryable: { type: 'boolean', description: 'The same request may succeed later unchanged.' },
    hint: { type: 'string', description: 'What to do next.' },
    errors: {
      type: 'array',
      description: 'Everything that is wrong with the request, each with its place.',
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'Into the body (RFC 6901).' },
          parameter: { type: 'string', description: 'Of path or query.' },
          header: { type: 'string' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
}
