import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { deleteEndpoint } from './queries/webhooks.ts'
import { endpointId, lockOwnEndpoint } from './webhooks.ts'

export const deleteWebhookEndpoint = defineOperation({
  name: 'delete_webhook_endpoint',
  area: 'account',
  toolset: 'events',
  summary: 'Delete a webhook endpoint with the log of its deliveries',
  method: 'DELETE',
  path: '/v1/webhook-endpoints/{endpoint_id}',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: strictObject({ endpoint_id: endpointId }),
  output: strictObject({
    endpoint_id: Type.String({ meaning: 'Webhook endpoint' }),
    deleted: Type.Literal(true, { meaning: 'True once deleted' }),
  }),
  errors: ['webhook_endpoint_not_found'],
  example: (done) => ({ endpoint_id: done['second_webhook_endpoint'].endpoint_id }),
  exampleNeeds: [{ operation: 'create_webhook_endpoint', name: 'second_webhook_endpoint' }],
  cli: {
    command: 'webhooks delete',
    danger: 'destructive',
    positionals: ['endpoint_id'],
    columns: ['endpoint_id'],
    done: 'Deleted {endpoint_id}.',
    next: 'dray webhooks list',
    examples: [
      'dray webhooks delete whe_01m7vkystgf7vtyybg4s0p9p1s --confirm whe_01m7vkystgf7vtyybg4s0p9p1s',
    ],
  },
  async run({ tx, account, scopes }, { endpoint_id }) {
    await lockOwnEndpoint({ tx, account, scopes }, endpoint_id)
    await deleteEndpoint(tx, endpoint_id)
    return { endpoint_id, deleted: true as const }
  },
})
