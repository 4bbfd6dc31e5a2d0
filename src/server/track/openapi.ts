/** Shared links in the OpenAPI document: they are no operations, because they are for pages. */
import { describeRefusal, ON_EVERY_ANSWER } from '../openapi-parts.ts'
import type { Node } from '../openapi-schemas.ts'

const string = (description: string, more: Node = {}): Node => ({ type: 'string', description, ...more })

const ID = 'An order, ride, delivery, booking or task by its id, or a parcel by its tracking number'

function answer(description: string, properties: Node): Node {
  const schema = { type: 'object', required: Object.keys(properties), properties }
  return { description, headers: ON_EVERY_ANSWER, content: { 'application/json': { schema } } }
}

const REFUSALS: Node = {
  401: describeRefusal(401, ['missing_token', 'invalid_token']),
  403: describeRefusal(403, ['insufficient_scope']),
  404: describeRefusal(404, [
    'order_not_found',
    'ride_not_found',
    'delivery_not_found',
    'shipment_not_found',
    'booking_not_found',
    'task_not_found',
  ]),
}

export const SHARED_LINK_PATHS: Record<string, Node> = {
  '/v1/shared-links': {
    post: {
      operationId: 'share_link',
      summary: 'Make a link that shows one resource to whoever has it',
      description:
        'The caller needs the scope that shows the resource to its owner. The link ends when it is withdrawn, a week after the end of the resource, or after 90 days. Ten links of a resource may be open; an eleventh ends the oldest.',
      tags: ['login'],
      security: [{ bearer: [] }],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { type: 'object', required: ['resource_id'], properties: { resource_id: string(ID) } },
            example: { resource_id: 'ZC968043370GB' },
          },
        },
      },
      responses: {
        201: answer('The link.', {
          resource_id: string('Its resource'),
          path: string('The path of its page on this service, which is secret: /track/…'),
          expires_at: string('When it ends at the latest', { format: 'date-time' }),
        }),
        400: describeRefusal(400, ['malformed_json', 'invalid_request']),
        ...REFUSALS,
      },
    },
  },
  '/v1/shared-links/{resource_id}': {
    delete: {
      operationId: 'withdraw_links',
      summary: 'End all links of a resource',
      tags: ['login'],
      security: [{ bearer: [] }],
      parameters: [
        { name: 'resource_id', in: 'path', required: true, description: ID, schema: { type: 'string' } },
      ],
      responses: {
        200: answer('Its links are ended.', {
          resource_id: string('Their resource'),
          withdrawn: { type: 'integer', description: 'Number of withdrawn links' },
        }),
        ...REFUSALS,
      },
    },
  },
}
