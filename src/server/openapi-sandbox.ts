/** The second OpenAPI document: the control calls of a sandbox, generated from their declarations alone. */
import type { ErrorCode } from '../core/errors.ts'
import type { AnySandboxOperation } from '../core/operation.ts'
import { type ControlExample, EXAMPLES_TIME } from './docs/example.ts'
import {
  type OpenApiCall,
  describeCall,
  describeProblems,
  problemExamples,
  type ErrorResponses,
  shareRefusals,
} from './openapi-calls.ts'
import { nameSchemas } from './openapi-names.ts'
import { HEADERS, COMMON_RESPONSE_HEADERS, PROBLEM } from './openapi-parts.ts'
import { makeSchemas, type JsonNode } from './openapi-schemas.ts'

const TAG = 'sandbox'

/** The other parts of the document: the program's version, recorded examples, and snapshots unless they are not served. */
type Parts = { version: string; examples?: readonly ControlExample[]; snapshots?: boolean }

/** Returns the document of these control calls, in their order. */
export function sandboxDocument(controls: readonly AnySandboxOperation[], parts: Parts): JsonNode {
  return nameSchemas(describeControls(controls, parts))
}

/** Returns the document with bodies and answers where they are used. */
export function describeControls(
  controls: readonly AnySandboxOperation[],
  { version, examples = [], snapshots = true }: Parts,
): JsonNode {
  const schemas = makeSchemas([])
  const calls = controls.map(toCall)
  const all = [...calls, ...(snapshots ? [READ, WRITE] : [])]
  const refusals = shareRefusals(all)
  const paths: Record<string, JsonNode> = {}
  for (const call of calls) {
    const path = (paths[call.path] ??= {})
    path[call.method.toLowerCase()] = {
      operationId: call.name,
      summary: call.summary,
      ...(call.description !== undefined && { description: call.description }),
      tags: [TAG],
      ...describeCall(
        call,
        schemas,
        refusals,
        examples.filter(({ operation }) => operation === call.name),
      ),
    }
  }
  if (snapshots) {
    const [read, write] = [describeProblems(READ, refusals), describeProblems(WRITE, refusals)]
    paths['/sandbox/snapshot'] = describeSnapshot(read, write)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'dray sandbox',
      version,
      summary: 'Clock, accounts, payments, scans, faults and content of a sandbox.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Server of this document.' }],
    tags: [{ name: TAG, description: 'Switches of the sandbox.' }],
    security: [{ control: [] }],
    paths,
    components: {
      securitySchemes: {
        control: {
          type: 'http',
          scheme: 'bearer',
          description: 'Control token, in the `.control` file next to the store of `dray serve`.',
        },
      },
      headers: usedHeaders(paths, refusals),
      responses: Object.fromEntries([...refusals.values()].map(({ name, response }) => [name, response])),
      schemas: { Problem: PROBLEM, ...schemas.shared() },
      examples: problemExamples(all),
    },
  }
}

/** Returns every error code of a control call: its own, and those of the service's checks. */
export function controlCodes({
  method,
  errors = [],
}: Pick<AnySandboxOperation, 'method'> & { errors?: readonly ErrorCode[] }): ErrorCode[] {
  return [
    'invalid_request',
    'hidden_characters',
    'missing_token',
    'invalid_token',
    'origin_not_allowed',
    'route_not_found',
    'request_timeout',
    'headers_too_large',
    'internal_error',
    'service_unavailable',
    ...(method === 'GET'
      ? []
      : (['malformed_json', 'payload_too_large', 'unsupported_media_type', 'storage_full'] as const)),
    ...errors,
  ]
}

function toCall(control: AnySandboxOperation): AnySandboxOperation & OpenApiCall {
  return { ...control, status: 200, codes: controlCodes(control), keyed: false }
}

/** The errors of the two calls of a snapshot. */
const READ = { codes: controlCodes({ method: 'GET' }), keyed: false }
const WRITE = { codes: controlCodes({ method: 'PUT' }), keyed: false }

/** Describes the snapshot, which is a file of lines and no object of JSON. */
function describeSnapshot(read: JsonNode, write: JsonNode): JsonNode {
  const lines = { 'application/x-ndjson': { schema: { type: 'string', format: 'binary' } } }
  return {
    get: {
      operationId: 'save_snapshot',
      summary: 'Get a snapshot of everything that the sandbox holds',
      tags: [TAG],
      responses: {
        200: { description: 'Snapshot, as lines of JSON.', headers: COMMON_RESPONSE_HEADERS, content: lines },
        ...read,
      },
    },
    put: {
      operationId: 'load_snapshot',
      summary: 'Replace everything that the sandbox holds by a snapshot',
      tags: [TAG],
      requestBody: { required: true, content: lines },
      responses: {
        200: {
          description: 'Snapshot that was loaded.',
          headers: COMMON_RESPONSE_HEADERS,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                additionalProperties: false,
                required: ['dray_snapshot', 'schema_version', 'seed', 'service_time', 'webhook_targets'],
                properties: {
                  dray_snapshot: { const: 1, type: 'integer', description: 'Version of the format' },
                  schema_version: { type: 'integer', description: 'Version of the tables of the store' },
                  seed: { type: 'string', description: 'Seed from which everything random is drawn' },
                  service_time: { type: 'string', format: 'date-time', description: 'Time of its clock' },
                  webhook_targets: {
                    type: 'array',
                    items: { type: 'string' },
                    description: 'Addresses to which its webhook endpoints send',
                  },
                },
              },
            },
          },
        },
        ...write,
      },
    },
  }
}

/** Returns the headers that the responses have. */
function usedHeaders(paths: JsonNode, refusals: ErrorResponses): JsonNode {
  const text = JSON.stringify([paths, ...refusals.values()])
  return Object.fromEntries(
    Object.entries(HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  )
}

const DESCRIPTION = `Control calls turn the switches of a sandbox; a live service has none of them. They take the control token and no
\`Idempotency-Key\`. The interface itself is described at \`/openapi.json\`. The examples were run in the order in which they
stand here, on a sandbox with its clock frozen at ${EXAMPLES_TIME}, after some orders and parcels; long lists in them are cut.`
