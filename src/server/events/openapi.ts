/** Events in the OpenAPI document: the types as its `webhooks`, and the stream, which is no operation. */
import { EVENT_TYPES } from '../../areas/account/webhooks.ts'
import { EVENT_POSITION_PATTERN } from '../../core/event-position.ts'
import type { AnyOperation } from '../../core/operation.ts'
import type { Example } from '../docs/example.ts'
import { pascal } from '../openapi-names.ts'
import { describeErrorResponse, COMMON_RESPONSE_HEADERS } from '../openapi-parts.ts'
import { type JsonNode, toPlainJson } from '../openapi-schemas.ts'

/** Returns each type of events, with a message that really happened where a recorded example has its state. */
export function describeWebhooks(
  operations: readonly AnyOperation[],
  examples: readonly Example[],
  tag: string,
): JsonNode {
  const outputOf = (name: string) =>
    operations.find((operation) => operation.name === name)?.output as unknown
  return Object.fromEntries(
    [...EVENT_TYPES.values()].map(({ type, show, noun, word, scope }) => {
      const shown = examples.filter(({ operation }) => outputOf(operation) === outputOf(show))
      const answer = shown
        .map((example) => example.answer as TimestampedResource)
        .find(({ status }) => status === word)
      const timestamp = answer?.updated_at ?? answer?.created_at
      const schema = {
        named: `${pascal(type.replace('.', '_'))}Event`,
        type: 'object',
        required: ['type', 'timestamp', 'data'],
        properties: {
          type: { const: type, description: 'Event type' },
          timestamp: { type: 'string', format: 'date-time', description: 'Time of the event' },
          data: { type: 'object', description: `Resource, as ${show} shows it` },
        },
      }
      const example =
        timestamp === undefined ? {} : { example: toPlainJson({ type, timestamp, data: answer }) }
      const post = {
        operationId: `on_${type.replace('.', '_')}`,
        summary: `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: ${word.replaceAll('_', ' ')}`,
        tags: [tag],
        // The signature takes the place of a credential.
        security: [],
        'x-scope': scope,
        requestBody: { required: true, content: { 'application/json': { schema, ...example } } },
        responses: { '2XX': { description: 'Received.' } },
      }
      return [type, { post }]
    }),
  )
}

type TimestampedResource = { status?: string; updated_at?: string; created_at?: string }

export function describeStream(tag: string): Record<string, JsonNode> {
  return {
    '/v1/events/stream': {
      get: {
        operationId: 'stream_account_events',
        summary: 'Receive your events as they happen, as Server-Sent Events',
        description:
          'Each event has its position as id, its type as event, and a message as webhooks send it as data. An event of type reset says that the store was reset or replaced: the events of the new beginning follow. The stream ends with its credential.',
        tags: [tag],
        security: [{ bearer: ['profile.read'] }, { oauth2: ['profile.read'] }],
        'x-scope': 'profile.read',
        parameters: [
          {
            name: 'Last-Event-ID',
            in: 'header',
            required: false,
            description: 'Position of the last event received; the events after it come first',
            schema: { type: 'string', pattern: EVENT_POSITION_PATTERN },
          },
        ],
        responses: {
          200: {
            description: 'Events.',
            headers: COMMON_RESPONSE_HEADERS,
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
          400: describeErrorResponse(400, ['invalid_request']),
          401: describeErrorResponse(401, ['missing_token', 'invalid_token']),
          403: describeErrorResponse(403, ['insufficient_scope']),
        },
      },
    },
  }
}
