/** The OpenAPI 3.1 document, generated from the registry alone. The same operations give the same bytes. */
import { AREAS } from '../core/areas.ts'
import type { ErrorCode } from '../core/errors.ts'
import { type AnyOperation, isExtension, joinDescription } from '../core/operation.ts'
import { type Example, EXAMPLES_ACCOUNT, EXAMPLES_TIME } from './docs/example.ts'
import { describeStream, describeWebhooks } from './events/openapi.ts'
import { describeLabel, LABEL_CODES } from './label/openapi.ts'
import {
  type OpenApiCall,
  describeCall,
  describeProblems,
  problemExamples,
  type ErrorResponses,
  shareRefusals,
} from './openapi-calls.ts'
import { nameSchemas } from './openapi-names.ts'
import { OAUTH_PATHS, securitySchemes } from './openapi-oauth.ts'
import { HEADERS, PARAMETERS, PROBLEM, makeReference } from './openapi-parts.ts'
import { makeSchemas } from './openapi-schemas.ts'
import type { JsonNode } from './openapi-schemas.ts'
import { SHARED_LINK_PATHS } from './track/openapi.ts'

/** The tag of the calls that stand outside the core interface. */
const BESIDE = 'beside the interface'
/** What a label adds to the errors of its parcel. */
const LABEL = { codes: LABEL_CODES, keyed: false }

/** Returns the document of these operations, in their order, with recorded examples. `version` is the program's. */
export function openapiDocument(
  operations: readonly AnyOperation[],
  version: string,
  examples: readonly Example[] = [],
): JsonNode {
  return nameSchemas(describeOperations(operations, version, examples))
}

/** Returns the document with bodies and answers where they are used. */
export function describeOperations(
  operations: readonly AnyOperation[],
  version: string,
  examples: readonly Example[] = [],
): JsonNode {
  const schemas = makeSchemas(operations)
  const calls = operations.map(toCall)
  const refusals = shareRefusals(calls)
  const paths: Record<string, JsonNode> = {}
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
  const label =
    shipment === undefined ? {} : describeLabel(shipment, describeProblems(toCall(shipment), refusals))
  const hasEvents = operations.some(({ name }) => name === 'list_account_events')
  const events = hasEvents
    ? {
        paths: describeStream(BESIDE),
        webhooks: { webhooks: describeWebhooks(operations, examples, BESIDE) },
      }
    : {}
  const areas = [
    ...new Set(operations.filter((operation) => !isExtension(operation)).map(({ area }) => area)),
  ]
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
      ...(operations.some(isExtension) ? [{ name: BESIDE, description: 'Additional operations.' }] : []),
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
      examples: problemExamples(shipment === undefined ? calls : [...calls, LABEL]),
    },
  }
}

/** Returns every error code of the operation: its own, and those of the gateway's checks. */
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

/** Returns the operation as a call with all its error codes. */
function toCall(operation: AnyOperation): AnyOperation & OpenApiCall {
  return { ...operation, codes: problemCodes(operation), keyed: operation.idempotency !== 'none' }
}

function describeOperation(
  operation: AnyOperation,
  schemas: ReturnType<typeof makeSchemas>,
  refusals: ErrorResponses,
  examples: readonly Example[],
): JsonNode {
  const { name, summary, area, scope, entitlement, idempotency, scenarios } = operation
  const description = joinDescription(operation)
  const { parameters, ...call } = describeCall(toCall(operation), schemas, refusals, examples)
  return {
    operationId: name,
    summary,
    ...(description !== undefined && { description }),
    tags: [isExtension(operation) ? BESIDE : area],
    security: [{ bearer: [scope] }, { oauth2: [scope] }],
    'x-scope': scope,
    'x-entitlement': entitlement,
    'x-idempotency': idempotency,
    'x-creates-transaction': operation.createsTransaction,
    // The effect on money, and how to learn the price before; `nothing` for reads and free calls.
    'x-spends': { ...(operation.spends ?? { how: 'nothing' }) },
    'x-maturity': operation.maturity,
    ...(scenarios.length > 0 && { 'x-scenarios': [...scenarios] }),
    parameters: [
      ...parameters,
      ...(idempotency === 'none'
        ? []
        : [
            makeReference(
              'parameters',
              idempotency === 'required' ? 'IdempotencyKeyRequired' : 'IdempotencyKey',
            ),
          ]),
      ...(scenarios.length > 0 ? [makeReference('parameters', 'SandboxScenario')] : []),
    ],
    ...call,
  }
}

const DESCRIPTION = `Quotes are read-only; a confirming call takes the \`quote_id\` it was shown. Calls that change something take an
\`Idempotency-Key\`: the same key with the same content is done once and answered alike for 24 hours. Money is in minor
units, instants are RFC 3339 in UTC, lists are pages with an opaque cursor, failures are problem documents (RFC 9457)
whose \`code\` is stable. Unknown members and parameters are refused. The examples were run in the order in which they
stand here, on a new sandbox with its clock frozen at ${EXAMPLES_TIME}, as \`${EXAMPLES_ACCOUNT}\`: there they succeed again.`
