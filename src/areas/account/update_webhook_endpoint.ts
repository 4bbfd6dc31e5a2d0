import * as Type from 'typebox'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { skipPendingWebhookDeliveries, updateEndpoint } from './queries/webhooks.ts'
import { disable } from './rules/webhooks.ts'
import {
  assertUrl,
  chooseTypes,
  chosen,
  endpoint,
  endpointId,
  lockOwnEndpoint,
  serializeWebhookEndpoint,
} from './webhooks.ts'

export const updateWebhookEndpoint = defineOperation({
  name: 'update_webhook_endpoint',
  area: 'account',
  toolset: 'events',
  summary: 'Change a webhook endpoint, or disable or enable it',
  description:
    'Omitted fields keep their values. What happens while it is disabled is skipped; resend_webhooks sends it.',
  method: 'PUT',
  path: '/v1/webhook-endpoints/{endpoint_id}',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: strictObject({
    endpoint_id: endpointId,
    url: Type.Optional(chosen.url),
    types: chosen.types,
    description: chosen.description,
    enabled: Type.Optional(Type.Boolean({ description: 'False to send nothing' })),
  }),
  output: endpoint,
  errors: ['webhook_endpoint_not_found'],
  example: (done) => ({
    endpoint_id: done['create_webhook_endpoint'].endpoint_id,
    description: 'Till at the counter',
  }),
  cli: {
    command: 'webhooks update',
    danger: 'write',
    positionals: ['endpoint_id'],
    columns: ['endpoint_id', 'url', 'types', 'status'],
    done: 'Changed {endpoint_id}; it is {status}.',
  },
  async run({ tx, account, scopes }, { endpoint_id, enabled, types, ...changes }) {
    if (Object.keys(changes).length === 0 && enabled === undefined && types === undefined)
      throw new AppError('invalid_request', 'Nothing to change: give url, types, description or enabled.')
    if (changes.url !== undefined) assertUrl(changes.url)
    const found = await lockOwnEndpoint({ tx, account, scopes }, endpoint_id)
    Object.assign(found, changes, types === undefined ? {} : chooseTypes({ scopes }, types))
    if (enabled === true)
      Object.assign(found, { status: 'enabled', disabled_reason: null, failing_since: null })
    if (enabled === false) {
      disable(found, 'by_owner')
      await skipPendingWebhookDeliveries(tx, endpoint_id)
    }
    await updateEndpoint(tx, found)
    return serializeWebhookEndpoint(found)
  },
})
