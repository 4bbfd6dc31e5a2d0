import { defineOperation } from '../../core/operation.ts'
import { strictObject, paginated } from '../../core/schema.ts'
import { listEndpoints } from './queries/webhooks.ts'
import { endpoint, lackingScope, serializeWebhookEndpoint } from './webhooks.ts'

export const listWebhookEndpoints = defineOperation({
  name: 'list_webhook_endpoints',
  area: 'account',
  toolset: 'events',
  summary: 'List your webhook endpoints',
  description: 'Only those whose event types the credential may read.',
  method: 'GET',
  path: '/v1/webhook-endpoints',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({}),
  output: paginated(endpoint),
  errors: [],
  example: () => ({}),
  cli: {
    command: 'webhooks list',
    danger: 'read',
    columns: ['endpoint_id', 'url', 'status', 'disabled_reason', 'failing_since'],
  },
  async run({ tx, account, scopes }) {
    const own = await listEndpoints(tx, account.account_id)
    const data = own
      .filter((each) => lackingScope(each, { account, scopes }) === undefined)
      .map(serializeWebhookEndpoint)
    return { data, has_more: false, next_cursor: null }
  },
})
