import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { loadWorld } from '../../db/world.ts'
import { updateEndpoint } from './queries/webhooks.ts'
import { secretOf } from './rules/webhooks.ts'
import { endpointId, endpointWithSecret, lockOwnEndpoint, serializeWebhookEndpoint } from './webhooks.ts'

export const rotateWebhookSecret = defineOperation({
  name: 'rotate_webhook_secret',
  area: 'account',
  toolset: 'events',
  summary: 'Give a webhook endpoint a new secret',
  description: 'The previous secret also signs for 24 hours of sandbox time.',
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/rotate-secret',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'makes',
  input: strictObject({ endpoint_id: endpointId }),
  output: endpointWithSecret,
  errors: ['webhook_endpoint_not_found'],
  example: (done) => ({ endpoint_id: done['create_webhook_endpoint'].endpoint_id }),
  cli: {
    command: 'webhooks update',
    danger: 'write',
    positionals: ['endpoint_id'],
    columns: ['endpoint_id', 'secret'],
    done: 'The new secret is {secret}; the one before signs for 24 hours more.',
  },
  async run({ tx, account, scopes, now }, { endpoint_id }) {
    const found = await lockOwnEndpoint({ tx, account, scopes }, endpoint_id)
    found.rotations += 1
    found.rotated_at = now
    await updateEndpoint(tx, found)
    return { ...serializeWebhookEndpoint(found), secret: secretOf(found, (await loadWorld(tx)).cursorKey) }
  },
})
