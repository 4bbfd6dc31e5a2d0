import * as Type from 'typebox'
import { nonBlankText } from '../../core/schema.ts'
import { OWN_BOOKING } from './access.ts'
import { exampleBooking } from './example-booking.ts'
import { cancelBookingRecord } from './lifecycle/change.ts'
import { bookingCancelReason } from './schema.ts'

export const cancelBooking = OWN_BOOKING.action({
  name: 'cancel_booking',
  toolset: 'order-help',
  summary: 'Cancel a booking before work begins',
  description:
    'Free before a start is confirmed, and until 24 hours before it. Later half of the price is kept, rounded up, and from the start on all of it. cancellation_fee of get_service_booking is the present fee.',
  details:
    'The rest is refunded to the original payment method. The half hours of the provider are free again.',
  below: '/cancel',
  spends: { how: 'fee', amountAt: 'cancellation.fee' },
  repetition: 'once',
  input: {
    reason_code: Type.Optional(bookingCancelReason),
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  },
  errors: ['not_cancellable'],
  exampleNeeds: exampleBooking('to_cancel', { daysAhead: 4 }),
  example: (done) => ({ booking_id: done['booking_to_cancel'].booking_id, reason_code: 'changed_plans' }),
  cli: {
    command: 'services cancel',
    danger: 'destructive',
    last: true,
    flags: { reason_code: 'reason' },
    columns: [
      'booking_id',
      'service_name',
      'status',
      'price',
      'cancellation.fee',
      'payment.status',
      'refund.amount',
      'refund.destination',
      'refund.status',
    ],
    done: 'Cancelled booking {booking_id}.',
    next: 'dray services show {booking_id}',
    examples: [
      'dray services cancel bkg_01m7vkystgfjrv96q54p9ebqz8 --reason changed_plans',
      'dray services cancel last --confirm bkg_01m7vkystgfjrv96q54p9ebqz8',
    ],
  },
  act: (scene, booking, { reason_code = 'other', note }) =>
    cancelBookingRecord(scene, booking, { reason_code, note }),
})
