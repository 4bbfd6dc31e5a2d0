import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { newIds } from '../../db/counters.ts'
import { lastEventSeq } from '../../db/events.ts'
import { loadWorld } from '../../db/world.ts'
import { lockAccount } from './queries/accounts.ts'
import { insertEndpoint, listEndpoints } from './queries/webhooks.ts'
import { MAX_ENDPOINTS, secretOf, type WebhookEndpoint } from './rules/webhooks.ts'
import { assertUrl, chooseTypes, chosen, endpointWithSecret, serializeWebhookEndpoint } from './webhooks.ts'

export const createWebhookEndpoint = defineOperation({
  name: 'create_webhook_endpoint',
  area: 'account',
  toolset: 'events',
  summary: 'Have your events delivered to an address',
  description:
    'Messages follow the Standard Webhooks specification: POST of {type, timestamp, data}, signed with the secret, at least once, in order within a resource. data is the resource as its read shows it.',
  details: `Only events from now on, and only types whose read scope the credential has, checked again at each delivery. A service sends while \`dray serve\` runs. At most ${MAX_ENDPOINTS} endpoints.`,
  method: 'POST',
  path: '/v1/webhook-endpoints',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'makes',
  status: 201,
  location: '/v1/webhook-endpoints/{endpoint_id}',
  input: strictObject(chosen),
  output: endpointWithSecret,
  errors: ['invalid_state'],
  example: () => ({ url: 'https://shop.example/hooks' }),
  cli: {
    command: 'webhooks create',
    danger: 'write',
    positionals: ['url'],
    columns: ['endpoint_id', 'url', 'status', 'secret'],
    done: 'Events go to {url} while `dray serve` runs; {secret} signs them.',
    next: 'dray webhooks resend {endpoint_id} --test',
    examples: [
      'dray webhooks create https://shop.example/hooks',
      'dray webhooks create http://127.0.0.1:3000/hooks --types food_order.placed,food_order.completed',
    ],
  },
  async run({ tx, account, scopes, world, now }, { url, types, description = null }) {
    assertUrl(url)
    const choice = chooseTypes({ scopes }, types)
    // Two callers at once count each other's endpoints.
    await lockAccount(tx, account.account_id)
    if ((await listEndpoints(tx, account.account_id)).length >= MAX_ENDPOINTS)
      throw new AppError('invalid_state', `An account has at most ${MAX_ENDPOINTS} webhook endpoints.`, {
        hint: '`dray webhooks delete` removes one.',
      })
    const [endpoint_id = ''] = await newIds({ tx, world, at: now }, 'whe')
    const made: WebhookEndpoint = {
      endpoint_id,
      account_id: account.account_id,
      status: 'enabled',
      since_seq: await lastEventSeq(tx),
      created_at: now,
      url,
      description,
      ...choice,
      disabled_reason: null,
      failing_since: null,
      rotations: 0,
      rotated_at: null,
    }
    await insertEndpoint(tx, made)
    const { cursorKey } = await loadWorld(tx)
    return { ...serializeWebhookEndpoint(made), secret: secretOf(made, cursorKey) }
  },
})
