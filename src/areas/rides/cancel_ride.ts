import * as Type from 'typebox'
import { nonBlankText } from '../../core/schema.ts'
import { OWN_RIDE } from './access.ts'
import { cancelRideRecord } from './lifecycle/ride.ts'
import { rideCancelReason } from './schema.ts'

export const cancelRide = OWN_RIDE.action({
  name: 'cancel_ride',
  summary: 'Cancel a ride before it starts',
  description:
    'Free until two minutes after a driver accepts; later a fee of £5.00, or the fare if that is lower, is kept from the payment.',
  details:
    'The rest is refunded to the original payment method. For an unpaid ride, such as a cash ride, the fee is charged with the next ride.',
  below: '/cancel',
  spends: { how: 'fee', amountAt: 'cancellation.fee' },
  repetition: 'once',
  input: {
    reason_code: Type.Optional(rideCancelReason),
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  },
  errors: ['not_cancellable'],
  example: (done) => ({ ride_id: done['request_ride'].ride_id, reason_code: 'changed_plans' }),
  cli: {
    command: 'rides cancel',
    danger: 'destructive',
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
  act: (scene, ride, { reason_code = 'other', note = null }) =>
    cancelRideRecord(scene, ride, { reason_code, note }),
})
