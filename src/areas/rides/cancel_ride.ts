import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, nonBlankText } from '../../core/schema.ts'
import { loadOwnRide } from './access.ts'
import { cancelRideRecord } from './lifecycle/ride.ts'
import { ride, rideCancelReason, rideId } from './schema.ts'
import { serializeRide } from './views.ts'

export const cancelRide = defineOperation({
  name: 'cancel_ride',
  area: 'rides',
  summary: 'Cancel a ride before it starts',
  description:
    'Free until two minutes after a driver accepts; later a fee of £5.00, or the fare if that is lower, is kept from the payment.',
  details:
    'The rest is refunded to the original payment method. For an unpaid ride, such as a cash ride, the fee is charged with the next ride.',
  method: 'POST',
  path: '/v1/rides/{ride_id}/cancel',
  scope: 'rides.read',
  entitlement: 'none',
  createsTransaction: false,
  spends: { how: 'fee', amountAt: 'cancellation.fee' },
  idempotency: 'supported',
  repetition: 'once',
  input: strictObject({
    ride_id: rideId,
    reason_code: Type.Optional(rideCancelReason),
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  }),
  output: ride,
  errors: ['ride_not_found', 'not_cancellable'],
  example: (done) => ({ ride_id: done['request_ride'].ride_id, reason_code: 'changed_plans' }),
  cli: {
    command: 'rides cancel',
    danger: 'destructive',
    positionals: ['ride_id'],
    last: true,
    flags: { reason_code: 'reason' },
    columns: [
      'ride_id',
      'status',
      'fare',
      'cancellation.fee',
      'cancellation.balance_due',
      'payment.status',
      'refund.amount',
      'refund.destination',
      'refund.status',
    ],
    done: 'Cancelled ride {ride_id}.[ A fee of {cancellation.fee} is kept from your payment.][ A fee of {cancellation.balance_due} is charged with your next ride.]',
    next: 'dray rides show {ride_id}',
    examples: [
      'dray rides cancel rid_01m7vkystgfx5vsa9mkvef9ews --reason changed_plans',
      'dray rides cancel rid_01m7vkystgfx5vsa9mkvef9ews --confirm rid_01m7vkystgfx5vsa9mkvef9ews',
    ],
  },
  touches: ({ ride_id }) => ({ resource: ride_id }),
  async run(context, { ride_id, reason_code = 'other', note = null }) {
    const { tx, world, now } = context
    const record = await loadOwnRide(context, ride_id, { lock: true })
    await cancelRideRecord({ tx, world, at: now }, record, { reason_code, note })
    return serializeRide(tx, record, now)
  },
})
