import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { describeServiceClock, parseTimestamp, toTimestampOrNull } from '../../core/time.ts'
import { merchantId } from '../orders/schema.ts'
import { storeHoursError } from './hours.ts'
import { changeSettings, storeSettings } from './settings.ts'

export const markLossesSeen = defineOperation({
  name: 'mark_losses_seen',
  area: 'business',
  toolset: 'store-day',
  summary: 'Mark the lost orders of your store as seen',
  description:
    'Every kitchen screen then hides the orders that were lost up to the given time. An earlier time than before changes nothing.',
  method: 'PUT',
  path: '/v1/business/losses-seen',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  // Seen losses stay seen.
  repetition: 'once',
  input: strictObject({
    until: Type.String({
      format: 'date-time',
      description: 'Latest update of the lost orders that were seen',
    }),
    merchant_id: Type.Optional(merchantId),
  }),
  output: storeSettings,
  errors: ['merchant_not_found'],
  example: () => ({ until: '2026-11-20T09:00:00Z' }),
  cli: {
    command: 'business losses-seen',
    danger: 'write',
    positionals: ['until'],
    flags: { merchant_id: 'merchant' },
    columns: ['name', 'losses_seen_until'],
    done: 'Orders lost up to {losses_seen_until} are seen.',
    examples: ['dray business losses-seen now', 'dray business losses-seen 21:30'],
  },
  run: async (context, { until, merchant_id }) =>
    changeSettings(context, merchant_id, {
      told: {
        type: 'store.losses_seen',
        describe: ({ losses_seen_until: seen }) => toTimestampOrNull(seen),
      },
      change({ at }, settings) {
        const end = parseTimestamp(until) ?? 0
        if (end > at)
          throw storeHoursError(
            '/until',
            'out_of_range',
            `until is in the future: ${describeServiceClock(at)}`,
          )
        const { losses_seen_until: seen } = settings
        return seen !== null && end <= seen ? settings : { ...settings, losses_seen_until: end }
      },
    }),
})
