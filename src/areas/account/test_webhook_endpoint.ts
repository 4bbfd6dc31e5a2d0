import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { newIds, nextSeq } from '../../db/counters.ts'
import { insertWebhookDeliveries } from './queries/webhooks.ts'
import type { WebhookDelivery } from './rules/webhooks.ts'
import {
  assertEnabled,
  webhookDelivery,
  endpointId,
  lockOwnEndpoint,
  serializeWebhookDelivery,
} from './webhooks.ts'

export const testWebhookEndpoint = defineOperation({
  name: 'test_webhook_endpoint',
  area: 'account',
  toolset: 'events',
  summary: 'Send a test message to a webhook endpoint',
  description: 'Its type is webhook.test. The delivery shows the response, once a service has sent it.',
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/test',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'each_time',
  input: strictObject({ endpoint_id: endpointId }),
  output: webhookDelivery,
  errors: ['webhook_endpoint_not_found', 'invalid_state'],
  example: (done) => ({ endpoint_id: done['create_webhook_endpoint'].endpoint_id }),
  cli: {
    command: 'webhooks resend',
    danger: 'write',
    positionals: ['endpoint_id'],
    columns: ['delivery_id', 'status'],
    done: 'The test {delivery_id} goes out while `dray serve` runs.',
    next: 'dray webhooks deliveries {endpoint_id} {delivery_id}',
  },
  async run({ tx, account, scopes, world, now }, { endpoint_id }) {
    const found = await lockOwnEndpoint({ tx, account, scopes }, endpoint_id)
    assertEnabled(found)
    const [delivery_id = ''] = await newIds({ tx, world, at: now }, 'whd')
    const type = 'webhook.test'
    const made: WebhookDelivery = {
      delivery_id,
      endpoint_id,
      seq: await nextSeq(tx, now),
      resource_id: endpoint_id,
      type,
      status: 'pending',
      due_at: now,
      occurred_at: now,
      scope: null,
      body: JSON.stringify({ type, timestamp: toTimestamp(now), data: { endpoint_id } }),
      tries: 0,
      attempts: [],
    }
    await insertWebhookDeliveries(tx, [made])
    return serializeWebhookDelivery(made)
  },
})
