import { expect, test } from 'vitest'
import {
  ACTIVE_ORDER_STATUSES,
  canMoveOrder,
  isOrderOver,
  ORDER_STATUSES,
} from '../../../src/areas/orders/states.ts'
import { listAllowedTransitions, listTransitions, ORDER_TRANSITIONS } from '../../support/state-tables.ts'

test('an order goes along the edges of the table and no others', () => {
  expect(listAllowedTransitions(ORDER_STATUSES, canMoveOrder)).toEqual(listTransitions(ORDER_TRANSITIONS))
})

test('a final status never changes, and every other status is active', () => {
  expect(ORDER_STATUSES.filter(isOrderOver)).toEqual(['completed', 'rejected', 'cancelled', 'failed'])
  expect(ACTIVE_ORDER_STATUSES).toEqual(['placed', 'accepted', 'preparing', 'ready', 'out_for_delivery'])
})
