import { parseTimestamp } from '../../core/time.ts'
import { OWN_BOOKING } from './access.ts'
import { exampleBooking } from './example-booking.ts'
import { moveBookingRecord } from './lifecycle/change.ts'
import { startsAt } from './schema.ts'

export const moveBooking = OWN_BOOKING.action({
  name: 'move_booking',
  toolset: 'order-help',
  summary: 'Move a booking to another free start of its provider',
  description:
    'Until 24 hours before the present start, which movable_until of get_service_booking says. Price and duration stay.',
  details:
    'If another customer takes the start first, the booking keeps its present one and the error lists free starts.',
  below: '/move',
  scope: 'services.book',
  spends: { how: 'nothing' },
  repetition: 'each_time',
  input: { starts_at: startsAt },
  errors: ['not_movable', 'slot_unavailable'],
  exampleNeeds: exampleBooking('to_move', { daysAhead: 5 }),
  example: (done) => ({
    booking_id: done['booking_to_move'].booking_id,
    starts_at: done['starts_to_move'].data.at(-1).starts_at,
  }),
  cli: {
    command: 'services move',
    last: true,
    flags: { starts_at: 'at' },
    columns: ['booking_id', 'provider.name', 'service_name', 'status', 'slot.starts_at', 'price'],
    done: 'Moved booking {booking_id} to {slot.starts_at}.',
    next: 'dray services show {booking_id}',
    examples: [
      'dray services move bkg_01m7vkystgfjrv96q54p9ebqz8 --at "tomorrow 14:00"',
      'dray services move last --at 2026-11-24T09:00:00Z',
    ],
  },
  act: (scene, booking, { starts_at }) => moveBookingRecord(scene, booking, parseTimestamp(starts_at) ?? 0),
})
