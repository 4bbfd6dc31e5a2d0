import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { loadWorld } from '../../db/world.ts'
import { secretOf } from './rules/webhooks.ts'
import { endpointId, endpointWithSecret, loadOwnEndpoint, serializeWebhookEndpoint } from './webhooks.ts'

export const getWebhookEndpoint = defineOperation({
  name: 'get_webhook_endpoint',
  area: 'account',
  toolset: 'events',
  summary: 'Show a webhook endpoint with its secret',
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpoint_id}',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ endpoint_id: endpointId }),
  output: endpointWithSecret,
  errors: ['webhook_endpoint_not_found'],
  example: (done) => ({ endpoint_id: done['create_webhook_endpoint'].endpoint_id }),
  cli: {
    command: 'webhooks list',
    danger: 'read',
    positionals: ['endpoint_id'],
    columns: ['endpoint_id', 'url', 'types', 'status', 'disabled_reason', 'failing_since', 'secret'],
  },
  async run({ tx, account, scopes }, { endpoint_id }) {
    const found = await loadOwnEndpoint({ tx, account, scopes }, endpoint_id)
    return { ...serializeWebhookEndpoint(found), secret: secretOf(found, (await loadWorld(tx)).cursorKey) }
  },
})
