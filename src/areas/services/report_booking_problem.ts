import * as Type from 'typebox'
import { nonBlankText } from '../../core/schema.ts'
import { OWN_BOOKING } from './access.ts'
import { exampleBooking } from './example-booking.ts'
import { reportBookingProblemRecord } from './lifecycle/problem.ts'
import { bookingProblemReason } from './schema.ts'

export const reportBookingProblem = OWN_BOOKING.action({
  name: 'report_booking_problem',
  toolset: 'order-help',
  summary: 'Report a provider who did not come',
  description:
    'Once for each booking, within 48 hours after its start. A provider who has not set off 30 minutes after the start did not come: the booking is cancelled then, all of it goes back, and this call gives £10.00 to the wallet. Anything else is refused with both times.',
  below: '/problems',
  spends: { how: 'nothing' },
  idempotency: 'required',
  repetition: 'once',
  input: {
    reason_code: bookingProblemReason,
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  },
  errors: ['problem_window_over', 'adjustment_not_allowed'],
  exampleNeeds: [
    ...exampleBooking('with_problem', { daysAhead: 2, scenario: 'provider_no_show' }),
    { advance: '3d' },
  ],
  example: (done) => ({
    booking_id: done['booking_with_problem'].booking_id,
    reason_code: 'provider_no_show',
  }),
  cli: {
    command: 'services problem',
    last: true,
    flags: { reason_code: 'reason' },
    columns: ['booking_id', 'service_name', 'status', 'price', 'problems', 'refunded'],
    done: 'The provider of booking {booking_id} did not come: goodwill is in your wallet.',
    next: 'dray services show {booking_id}',
    examples: ['dray services problem bkg_01m7vkystgfjrv96q54p9ebqz8 --reason provider_no_show'],
  },
  act: (scene, booking, { reason_code, note = null }) =>
    reportBookingProblemRecord(scene, booking, { reason_code, note }),
})
