import { expect, test } from 'vitest'
import { BOOKING_STATUSES, canMoveBooking, isBookingOver } from '../../../src/areas/services/states.ts'
import { listAllowedTransitions, listTransitions, BOOKING_TRANSITIONS } from '../../support/state-tables.ts'

test('a booking goes along the edges of the table and no others', () => {
  expect(listAllowedTransitions(BOOKING_STATUSES, canMoveBooking)).toEqual(
    listTransitions(BOOKING_TRANSITIONS),
  )
})

test('a declined, completed, cancelled or missed booking never changes', () => {
  expect(BOOKING_STATUSES.filter(isBookingOver)).toEqual(['declined', 'completed', 'no_show', 'cancelled'])
})
