/** The OpenAPI 3.1 document, generated from the registry alone. The same operations give the same bytes. */
import { AREAS } from '../core/areas.ts'
import { ERRORS } from '../core/errors.ts'
import type { ErrorCode } from '../core/errors.ts'
import { type AnyOperation, isBeside, wholeText } from '../core/operation.ts'
import { type Example, EXAMPLES_AS, EXAMPLES_NOW } from './docs/example.ts'
import { describeStream, describeWebhooks } from './events/openapi.ts'
import { describeLabel } from './label/openapi.ts'
import { nameSchemas } from './openapi-names.ts'
import { OAUTH_PATHS, securitySchemes } from './openapi-oauth.ts'
import {
  describeRefusal,
  exampleOf,
  HEADERS,
  PARAMETERS,
  PROBLEM,
  reference,
  successHeaders,
} from './openapi-parts.ts'
import { makeSchemas, toJson } from './openapi-schemas.ts'
import type { Json, Node } from './openapi-schemas.ts'
import { SHARED_LINK_PATHS } from './track/openapi.ts'

/** The tag of the calls that stand beside the interface. */
const BESIDE = 'beside the interface'

/** Returns the document of these operations, in their order, with recorded examples. `version` is the program's. */
export function openapiDocument(
  operations: readonly AnyOperation[],
  version: string,
  examples: readonly Example[] = [],
): Node {
  return nameSchemas(describeOperations(operations, version, examples))
}

/** Returns the document with bodies and answers where they are used. */
export function describeOperations(
  operations: readonly AnyOperation[],
  version: string,
  examples: readonly Example[] = [],
): Node {
  const schemas = makeSchemas(operations)
  const refusals = shareRefusals(operations)
  const paths: Record<string, Node> = {}
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = describeOperation(
      operation,
      schemas,
      refusals,
      examples.filter((example) => example.operation === operation.name),
    )
  }
  const shipment = operations.find(({ name }) => name === 'get_shipment')
  const label = shipment === undefined ? {} : describeLabel(shipment, describeProblems(shipment, refusals))
  const hasEvents = operations.some(({ name }) => name === 'list_account_events')
  const events = hasEvents
    ? {
        paths: describeStream(BESIDE),
        webhooks: { webhooks: describeWebhooks(operations, examples, BESIDE) },
      }
    : {}
  const codes = new Set(operations.flatMap(problemCodes))
  const areas = [...new Set(operations.filter((operation) => !isBeside(operation)).map(({ area }) => area))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'dray',
      version,
      summary: 'Food, rides, deliveries, parcels, home services, tasks and a store, as one interface.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Server of this document.' }],
    tags: [
      ...areas.map((area) => ({ name: area, description: AREAS[area].summary })),
      ...(operations.some(isBeside) ? [{ name: BESIDE, description: 'Additional operations.' }] : []),
      { name: 'login', description: 'Tokens and logins.' },
    ],
    paths: { ...paths, ...label, ...events.paths, ...SHARED_LINK_PATHS, ...OAUTH_PATHS },
    ...events.webhooks,
    components: {
      securitySchemes: securitySchemes(),
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: Object.fromEntries([...refusals.values()].map(({ name, response }) => [name, response])),
      schemas: { Problem: PROBLEM, ...schemas.shared() },
      examples: Object.fromEntries(
        Object.keys(ERRORS)
          .filter((code): code is ErrorCode => codes.has(code as ErrorCode))
          .map((code) => [code, exampleOf(code)]),
      ),
    },
  }
}

/** Returns every error code of the operation: its own, and those of the gateway's checks (`contract.md` A1). */
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
    codes.push(
      'malformed_json',
      'hidden_characters',
      'payload_too_large',
      'unsupported_media_type',
      'storage_full',
    )
  if (idempotency === 'required') codes.push('idempotency_key_required')
  if (idempotency !== 'none')
    codes.push('idempotency_key_invalid', 'idempotency_in_flight', 'idempotency_key_reused')
  if (entitlement === 'service_one') codes.push('membership_required')
  if (entitlement === 'carrier_agreement' || entitlement === 'business_agreement')
    codes.push('agreement_required')
  if ('cursor' in input.properties) codes.push('invalid_cursor')
  if ('fields' in input.properties) codes.push('unknown_field')
  // A path with an invalid id matches no route.
  if (operation.pathParameters.length > 0) codes.push('route_not_found')
  return [...new Set([...codes, ...errors])]
}

type Schemas = ReturnType<typeof makeSchemas>
type Refusals = ReadonlyMap<string, { name: string; response: Node }>

function describeOperation(
  operation: AnyOperation,
  schemas: Schemas,
  refusals: Refusals,
  examples: readonly Example[],
): Node {
  const { name, summary, area, scope, entitlement, idempotency, method, scenarios } = operation
  const description = wholeText(operation)
  return {
    operationId: name,
    summary,
    ...(description !== undefined && { description }),
    tags: [isBeside(operation) ? BESIDE : area],
    security: [{ bearer: [scope] }, { oauth2: [scope] }],
    'x-scope': scope,
    'x-entitlement': entitlement,
    'x-idempotency': idempotency,
    'x-creates-transaction': operation.createsTransaction,
    // The effect on money, and how to learn the price beforehand; `nothing` for reads and free calls.
    'x-spends': { ...(operation.spends ?? { how: 'nothing' }) },
    'x-maturity': operation.maturity,
    ...(scenarios.length > 0 && { 'x-scenarios': [...scenarios] }),
    parameters: [
      ...listParameters(operation, schemas, examples[0]?.input),
      ...(idempotency === 'none'
        ? []
        : [
            reference('parameters', idempotency === 'required' ? 'IdempotencyKeyRequired' : 'IdempotencyKey'),
          ]),
      ...(scenarios.length > 0 ? [reference('parameters', 'SandboxScenario')] : []),
    ],
    ...(method !== 'GET' && { requestBody: describeBody(operation, schemas, examples) }),
    responses: {
      [operation.status]: describeSuccess(operation, schemas, examples),
      ...describeProblems(operation, refusals),
    },
  }
}

type ObjectSchema = { properties: Record<string, Node>; required?: string[] }

function listParameters(
  operation: AnyOperation,
  { convert }: Schemas,
  example: Readonly<Record<string, unknown>> = {},
): Node[] {
  const { method, pathParameters } = operation
  const { properties, required = [] } = toJson(operation.input) as unknown as ObjectSchema
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
      ...(example[name] !== undefined && { example: toJson(example[name]) }),
    }
  })
}

/** Describes the input without the path parameters. */
function describeBody(
  { method, input, pathParameters }: AnyOperation,
  schemas: Schemas,
  examples: readonly Example[],
): Node {
  const { properties, required = [], ...rest } = toJson(input) as unknown as ObjectSchema
  const inBody = (member: string): boolean => !pathParameters.includes(member)
  const needed = required.filter(inBody)
  const bodyOf = (given: object): Json =>
    toJson(Object.fromEntries(Object.entries(given).filter(([member]) => inBody(member))))
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
        ...showExamples(examples, (made) => bodyOf(made.input)),
      },
    },
  }
}

function describeSuccess(
  { output, location, idempotency, summary }: AnyOperation,
  schemas: Schemas,
  examples: readonly Example[],
): Node {
  return {
    description: summary,
    headers: successHeaders({ located: location !== undefined, replayed: idempotency !== 'none' }),
    content: {
      'application/json': {
        schema: schemas.convert(toJson(output) as Node),
        ...showExamples(examples, ({ answer }) => answer as Json),
      },
    },
  }
}

/** Shows one example as `example`, and several as named `examples`. */
function showExamples(examples: readonly Example[], valueOf: (example: Example) => Json): Node {
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
function shareRefusals(operations: readonly AnyOperation[]): Refusals {
  const shared = new Map<string, { name: string; response: Node }>()
  const seen = new Set<string>()
  const counts = new Map<number, number>()
  for (const refusal of operations.flatMap(listRefusals)) {
    const key = keyOf(refusal)
    if (seen.has(key) && !shared.has(key)) {
      const count = (counts.get(refusal.status) ?? 0) + 1
      counts.set(refusal.status, count)
      shared.set(key, {
        name: `Refused${refusal.status}${count === 1 ? '' : `_${count}`}`,
        response: describeRefusal(refusal.status, refusal.codes, refusal),
      })
    }
    seen.add(key)
  }
  return shared
}

type Refusal = { status: number; codes: ErrorCode[]; replayed: boolean }

/** Returns the error responses by status, ascending. A final refusal is stored with its key and replayed. */
function listRefusals(operation: AnyOperation): Refusal[] {
  const keyed = operation.idempotency !== 'none'
  const byStatus = Map.groupBy(problemCodes(operation), (code) => ERRORS[code].status ?? 500)
  return [...byStatus]
    .map(([status, codes]) => ({
      status,
      codes,
      replayed: keyed && [402, 404, 409, 422].includes(status),
    }))
    .toSorted((a, b) => a.status - b.status)
}

function keyOf({ status, codes, replayed }: Refusal): string {
  return `${status} ${codes.join(' ')} ${replayed}`
}

function describeProblems(operation: AnyOperation, refusals: Refusals): Node {
  return Object.fromEntries(
    listRefusals(operation).map((refusal) => {
      const shared = refusals.get(keyOf(refusal))
      const { status, codes } = refusal
      return [
        String(status),
        shared === undefined ? describeRefusal(status, codes, refusal) : reference('responses', shared.name),
      ]
    }),
  )
}

const DESCRIPTION = `Quotes are read-only; a confirming call takes the \`quote_id\` it was shown. Calls that change something take an
\`Idempotency-Key\`: the same key with the same content is done once and answered alike for 24 hours. Money is in minor
units, instants are RFC 3339 in UTC, lists are pages with an opaque cursor, failures are problem documents (RFC 9457)
whose \`code\` is stable. Unknown members and parameters are refused. The examples were run in the order in which they
stand here, on a new sandbox with its clock frozen at ${EXAMPLES_NOW}, as \`${EXAMPLES_AS}\`: there they succeed again.`
