import { expect, test } from 'vitest'
import { canMoveDelivery, DELIVERY_STATUSES } from '../../../src/areas/couriers/states.ts'
import { listAllowedTransitions, listTransitions, DELIVERY_TRANSITIONS } from '../../support/state-tables.ts'

test('a delivery goes along the edges of the table and no others', () => {
  expect(listAllowedTransitions(DELIVERY_STATUSES, canMoveDelivery)).toEqual(
    listTransitions(DELIVERY_TRANSITIONS),
  )
})

test('delivered, returned and cancelled are final', () => {
  const over = DELIVERY_STATUSES.filter((from) => !DELIVERY_STATUSES.some((to) => canMoveDelivery(from, to)))
  expect(over).toEqual(['delivered', 'returned', 'cancelled'])
})
