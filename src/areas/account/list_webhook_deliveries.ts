import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, paginated, paginationParams } from '../../core/schema.ts'
import { listDeliveries } from './queries/webhooks.ts'
import {
  webhookDelivery,
  webhookDeliveryStatus,
  endpointId,
  loadOwnEndpoint,
  serializeWebhookDelivery,
} from './webhooks.ts'

export const listWebhookDeliveries = defineOperation({
  name: 'list_webhook_deliveries',
  area: 'account',
  toolset: 'events',
  summary: 'List the deliveries to a webhook endpoint, newest first',
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpoint_id}/deliveries',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    endpoint_id: endpointId,
    status: Type.Optional(webhookDeliveryStatus),
    ...paginationParams,
  }),
  output: paginated(webhookDelivery),
  errors: ['webhook_endpoint_not_found', 'invalid_cursor'],
  example: (done) => ({ endpoint_id: done['create_webhook_endpoint'].endpoint_id }),
  cli: {
    command: 'webhooks deliveries',
    danger: 'read',
    positionals: ['endpoint_id'],
    columns: [
      'occurred_at',
      'type',
      'resource_id',
      'status',
      'attempt_count',
      'last_response',
      'delivery_id',
    ],
  },
  async run({ tx, account, scopes, cursor }, { endpoint_id, status }) {
    await loadOwnEndpoint({ tx, account, scopes }, endpoint_id)
    const [seq, delivery_id] = cursor.after ?? []
    const before = seq === undefined ? undefined : { seq: Number(seq), delivery_id: String(delivery_id) }
    const rows = await listDeliveries(tx, endpoint_id, { status, before }, cursor.limit + 1)
    return cursor.page(rows, (row) => [row.seq, row.delivery_id], serializeWebhookDelivery)
  },
})
