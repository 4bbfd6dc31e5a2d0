import { expect, test } from 'vitest'
import { BOOKING_STATUSES, canMoveBooking, isBookingOver } from '../../../src/areas/services/states.ts'

/** The table of `contract.md` B6, repeated by hand. */
const EDGES = [
  'requested confirmed',
  'requested declined',
  'requested cancelled',
  'confirmed en_route',
  'confirmed cancelled',
  'en_route arrived',
  'en_route cancelled',
  'arrived in_progress',
  'arrived no_show',
  'in_progress completed',
]

test('a booking goes along the edges of the table and no others', () => {
  const found = BOOKING_STATUSES.flatMap((from) =>
    BOOKING_STATUSES.filter((to) => canMoveBooking(from, to)).map((to) => `${from} ${to}`),
  )
  expect(found.toSorted()).toEqual(EDGES.toSorted())
})

test('a declined, completed, cancelled or missed booking never changes', () => {
  expect(BOOKING_STATUSES.filter(isBookingOver)).toEqual(['declined', 'completed', 'no_show', 'cancelled'])
})
