import * as Type from 'typebox'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, dateOrDateTime } from '../../core/schema.ts'
import { toInstant } from '../../core/time.ts'
import { listDeliveriesOf, updateWebhookDelivery } from './queries/webhooks.ts'
import { planDelivery, type WebhookDelivery } from './rules/webhooks.ts'
import { assertEnabled, webhookDeliveryId, endpointId, loadDelivery, lockOwnEndpoint } from './webhooks.ts'

/** The most deliveries that one call sends again. */
const MAX_RESENT_DELIVERIES = 1000

export const resendWebhooks = defineOperation({
  name: 'resend_webhooks',
  area: 'account',
  toolset: 'events',
  summary: 'Send one delivery again, or those of a stretch of time',
  description: `Each keeps its webhook-id and its body. Withheld ones stay withheld. At most ${MAX_RESENT_DELIVERIES} at once.`,
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/resend',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'each_time',
  input: strictObject({
    endpoint_id: endpointId,
    delivery_id: Type.Optional(webhookDeliveryId),
    since: Type.Optional(dateOrDateTime('Earliest time of an event')),
    until: Type.Optional(dateOrDateTime('Latest time of an event, not included. Default: now')),
  }),
  output: strictObject({ resent: Type.Integer({ meaning: 'Number of deliveries that are sent again' }) }),
  errors: ['webhook_endpoint_not_found', 'webhook_delivery_not_found', 'invalid_state'],
  example: (done) => {
    const { endpoint_id, delivery_id } = done['test_webhook_endpoint']
    return { endpoint_id, delivery_id }
  },
  cli: {
    command: 'webhooks resend',
    danger: 'write',
    positionals: ['endpoint_id'],
    flags: { delivery_id: 'delivery' },
    columns: ['resent'],
    done: 'Deliveries that are sent again: {resent}.',
  },
  async run({ tx, account, scopes, world, now }, { endpoint_id, delivery_id, since, until }) {
    if ((delivery_id === undefined) === (since === undefined) || (since === undefined && until !== undefined))
      throw new AppError('invalid_request', 'Give delivery_id, or since with or without until.')
    const own = await lockOwnEndpoint({ tx, account, scopes }, endpoint_id)
    assertEnabled(own)
    const found =
      delivery_id === undefined
        ? await listDeliveriesOf(
            tx,
            endpoint_id,
            {
              from: toInstant(since, world.timezone) ?? 0,
              to: toInstant(until, world.timezone) ?? Number.MAX_SAFE_INTEGER,
            },
            MAX_RESENT_DELIVERIES + 1,
          )
        : [await loadDelivery({ tx }, own, delivery_id)]
    if (found.length > MAX_RESENT_DELIVERIES)
      throw new AppError(
        'invalid_request',
        `More than ${MAX_RESENT_DELIVERIES} deliveries: give a shorter time.`,
      )
    const again = found.filter(isKept)
    for (const each of again) {
      planDelivery(each, now)
      await updateWebhookDelivery(tx, each)
    }
    return { resent: again.length }
  },
})

/** A delivery that was withheld from the beginning has no body. */
function isKept({ status, body }: WebhookDelivery): boolean {
  return status !== 'withheld' && body !== ''
}
