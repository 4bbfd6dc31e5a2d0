/** The parts that all operations of the document share: headers, common parameters, errors. */
import { AppError, ERRORS, toProblem } from '../core/errors.ts'
import type { ErrorCode } from '../core/errors.ts'
import { PROBLEM_MEMBERS } from '../core/problem-members.ts'
import type { Json, JsonNode } from './openapi-schemas.ts'

const REQUEST_ID = 'req_01m7vkystgef38d6j5p56t9yfw'

const idempotencyKey = (required: boolean): JsonNode => ({
  name: 'Idempotency-Key',
  in: 'header',
  required,
  description: '1 to 255 visible ASCII characters; reuse it when you retry the same call.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
})

export const PARAMETERS: JsonNode = {
  IdempotencyKey: idempotencyKey(false),
  IdempotencyKeyRequired: idempotencyKey(true),
  SandboxScenario: {
    name: 'Sandbox-Scenario',
    in: 'header',
    required: false,
    description:
      'Scenario of the sandbox for the resource that this call creates: a name of `x-scenarios`, then `;key=value` for options.',
    schema: { type: 'string' },
    example: 'happy',
  },
}

const text = (description: string, example: string, schema: JsonNode = {}): JsonNode => ({
  description,
  schema: { type: 'string', ...schema },
  example,
})

export const HEADERS: Record<string, JsonNode> = {
  RequestId: {
    ...text('ID of this request in the server log.', REQUEST_ID, { pattern: '^req_[0-9a-z]{26}$' }),
    required: true,
  },
  Environment: {
    ...text('`sandbox`, or `live` for a real service.', 'sandbox', { enum: ['sandbox', 'live'] }),
    required: true,
  },
  CacheControl: {
    ...text('Responses must not be cached.', 'no-store', { const: 'no-store' }),
    required: true,
  },
  ServiceTime: text(
    'Service clock at this call; absent only if the service could not read it.',
    '2026-11-20T12:00:00.000Z;mode=frozen',
    { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z;mode=(running|frozen)$' },
  ),
  RateLimitPolicy: text(
    'Rate limits: `q` requests in `w` seconds. Present only if limits are on.',
    '"default";q=300;w=60',
  ),
  RateLimit: text('Remaining quota: `r` requests in the next `t` seconds.', '"default";r=271;t=38'),
  RetryAfter: {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  WwwAuthenticate: text(
    'Missing part of the credential (RFC 6750).',
    'Bearer realm="dray", error="insufficient_scope", scope="food.order"',
    { pattern: '^Bearer ' },
  ),
  Location: text('Path of the created resource.', '/v1/shipments/ZC968043370GB', { pattern: '^/v1/' }),
  IdempotentReplayed: text(
    'Present if this is the stored response of an earlier call with the same Idempotency-Key.',
    'true',
    { const: 'true' },
  ),
}

export const COMMON_RESPONSE_HEADERS: JsonNode = {
  'Request-Id': makeReference('headers', 'RequestId'),
  Environment: makeReference('headers', 'Environment'),
  'Service-Time': makeReference('headers', 'ServiceTime'),
  'Cache-Control': makeReference('headers', 'CacheControl'),
  RateLimit: makeReference('headers', 'RateLimit'),
  'RateLimit-Policy': makeReference('headers', 'RateLimitPolicy'),
}

/** Returns the headers of a successful response. */
export function successHeaders({ located, replayed }: { located: boolean; replayed: boolean }): JsonNode {
  return {
    ...COMMON_RESPONSE_HEADERS,
    ...(located && { Location: makeReference('headers', 'Location') }),
    ...(replayed && { 'Idempotent-Replayed': makeReference('headers', 'IdempotentReplayed') }),
  }
}

/** Describes the error response of one status: its possible codes, and an example of each. */
export function describeErrorResponse(
  status: number,
  codes: readonly ErrorCode[],
  { replayed = false }: { replayed?: boolean } = {},
): JsonNode {
  const challenged = codes.some((code) => code.endsWith('_token') || code === 'insufficient_scope')
  const waits = codes.includes('rate_limited') || codes.includes('idempotency_in_flight') || status === 503
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
    headers: {
      ...COMMON_RESPONSE_HEADERS,
      ...(challenged && { 'WWW-Authenticate': makeReference('headers', 'WwwAuthenticate') }),
      ...(waits && { 'Retry-After': makeReference('headers', 'RetryAfter') }),
      ...(replayed && { 'Idempotent-Replayed': makeReference('headers', 'IdempotentReplayed') }),
    },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [makeReference('schemas', 'Problem')],
          type: 'object',
          required: ['status', 'code'],
          properties: {
            status: { type: 'integer', const: status },
            code: { type: 'string', enum: [...codes] },
          },
        },
        examples: Object.fromEntries(codes.map((code) => [code, makeReference('examples', code)])),
      },
    },
  }
}

/** Returns an example problem document of a code. */
export function makeProblemExample(code: ErrorCode): JsonNode {
  const problem = toProblem(new AppError(code, `${ERRORS[code].title}.`), REQUEST_ID)
  return { summary: ERRORS[code].title, value: JSON.parse(JSON.stringify(problem)) as Json }
}

/** Returns a `$ref` to a component of the document. */
export function makeReference(
  kind: 'parameters' | 'headers' | 'schemas' | 'examples' | 'responses',
  name: string,
): JsonNode {
  return { $ref: `#/components/${kind}/${name}` }
}

const FIELD_ERROR: JsonNode = {
  type: 'object',
  required: ['code', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'JSON Pointer to the member of the body (RFC 6901).' },
    parameter: { type: 'string', description: 'Parameter of the path or query.' },
    header: { type: 'string', description: 'Header.' },
    code: { type: 'string', description: 'Error code.' },
    detail: { type: 'string', description: 'Description of the error.' },
  },
}

export const PROBLEM: JsonNode = {
  type: 'object',
  description:
    'Problem document (RFC 9457). Members after `errors` are present with the codes that they name.',
  required: ['type', 'title', 'status', 'code', 'detail', 'instance', 'request_id', 'retryable', 'errors'],
  properties: {
    type: {
      type: 'string',
      pattern: '^urn:dray:problem:[a-z_]+$',
      description: 'Problem type: `urn:dray:problem:` and the code.',
    },
    title: { type: 'string', description: 'Title, fixed for each code.' },
    status: { type: 'integer', description: 'HTTP status.' },
    code: { type: 'string', description: 'Stable error code.' },
    detail: { type: 'string', description: 'Description of this case.' },
    instance: { type: 'string', description: 'ID of this occurrence.' },
    request_id: { type: 'string', description: 'Value of the header Request-Id.' },
    retryable: { type: 'boolean', description: 'True if the same request may succeed later.' },
    hint: { type: 'string', description: 'Suggested action.' },
    errors: {
      type: 'array',
      description: 'All errors in the request.',
      items: FIELD_ERROR,
    },
    ...PROBLEM_MEMBERS,
  },
}
