import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, instant, describeField, nullable } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import {
  deliveryFields,
  webhookDeliveryId,
  endpointId,
  loadDelivery,
  loadOwnEndpoint,
  serializeWebhookDelivery,
} from './webhooks.ts'

export const getWebhookDelivery = defineOperation({
  name: 'get_webhook_delivery',
  area: 'account',
  toolset: 'events',
  summary: 'Show a delivery with its body and the responses',
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ endpoint_id: endpointId, delivery_id: webhookDeliveryId }),
  output: strictObject({
    ...deliveryFields,
    body: Type.String({ meaning: 'Message as it is sent; empty if the account may not see the resource' }),
    attempts: Type.Array(
      strictObject({
        at: describeField('Time', instant),
        status: nullable('Status of the response', Type.Integer()),
        error: nullable('Reason why there was no response', Type.String()),
        response: Type.String({ meaning: 'Beginning of the response' }),
      }),
      { meaning: 'Attempts, oldest first' },
    ),
  }),
  errors: ['webhook_endpoint_not_found', 'webhook_delivery_not_found'],
  example: (done) => {
    const { endpoint_id, delivery_id } = done['test_webhook_endpoint']
    return { endpoint_id, delivery_id }
  },
  cli: {
    command: 'webhooks deliveries',
    danger: 'read',
    positionals: ['endpoint_id', 'delivery_id'],
    columns: ['type', 'resource_id', 'status', 'attempt_count', 'last_response', 'next_attempt_at', 'body'],
  },
  async run({ tx, account, scopes }, { endpoint_id, delivery_id }) {
    const own = await loadOwnEndpoint({ tx, account, scopes }, endpoint_id)
    const { body, scope, attempts, ...found } = await loadDelivery({ tx }, own, delivery_id)
    const mayRead = scope === null || scopes.includes(scope)
    return {
      ...serializeWebhookDelivery({ ...found, body, scope, attempts }),
      body: mayRead ? body : '',
      attempts: attempts.map(({ at, ...attempt }) => ({ at: toTimestamp(at), ...attempt })),
    }
  },
})
