/** Shared links in the OpenAPI document: they are no operations, because they are for pages. */
import { describeErrorResponse, COMMON_RESPONSE_HEADERS } from '../openapi-parts.ts'
import type { JsonNode } from '../openapi-schemas.ts'

const string = (description: string, more: JsonNode = {}): JsonNode => ({
  type: 'string',
  description,
  ...more,
})

const ID = 'ID of an order, ride, delivery, booking or task, or a parcel’s tracking number'

function answer(description: string, properties: JsonNode): JsonNode {
  const schema = { type: 'object', required: Object.keys(properties), properties }
  return { description, headers: COMMON_RESPONSE_HEADERS, content: { 'application/json': { schema } } }
}

const REFUSALS: JsonNode = {
  401: describeErrorResponse(401, ['missing_token', 'invalid_token']),
  403: describeErrorResponse(403, ['insufficient_scope']),
  404: describeErrorResponse(404, [
    'order_not_found',
    'ride_not_found',
    'delivery_not_found',
    'shipment_not_found',
    'booking_not_found',
    'task_not_found',
  ]),
}

export const SHARED_LINK_PATHS: Record<string, JsonNode> = {
  '/v1/shared-links': {
    post: {
      operationId: 'share_link',
      summary: 'Create a link that shows one resource without login',
      description:
        'Requires the read scope of the resource. The link expires when it is withdrawn, a week after the resource ends, or after 90 days. A resource can have ten links; an eleventh withdraws the oldest.',
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
        201: answer('Link.', {
          resource_id: string('Resource'),
          path: string('Secret path of the page on this server: /track/…'),
          expires_at: string('Latest expiry time', { format: 'date-time' }),
        }),
        400: describeErrorResponse(400, ['malformed_json', 'invalid_request']),
        ...REFUSALS,
      },
    },
  },
  '/v1/shared-links/{resource_id}': {
    delete: {
      operationId: 'withdraw_links',
      summary: 'Withdraw all links of a resource',
      tags: ['login'],
      security: [{ bearer: [] }],
      parameters: [
        { name: 'resource_id', in: 'path', required: true, description: ID, schema: { type: 'string' } },
      ],
      responses: {
        200: answer('Links withdrawn.', {
          resource_id: string('Resource'),
          withdrawn: { type: 'integer', description: 'Number of withdrawn links' },
        }),
        ...REFUSALS,
      },
    },
  },
}
