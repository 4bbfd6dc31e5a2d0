import { expect, test } from 'vitest'
import {
  ACTIVE_ORDER_STATUSES,
  canMoveOrder,
  isOrderOver,
  ORDER_STATUSES,
} from '../../../src/areas/orders/states.ts'
import { allowedEdges, edgesOf, ORDER } from '../../support/state-tables.ts'

test('an order goes along the edges of the table and no others', () => {
  expect(allowedEdges(ORDER_STATUSES, canMoveOrder)).toEqual(edgesOf(ORDER))
})

test('a final status never changes, and every other status is active', () => {
  expect(ORDER_STATUSES.filter(isOrderOver)).toEqual(['completed', 'rejected', 'cancelled', 'failed'])
  expect(ACTIVE_ORDER_STATUSES).toEqual(['placed', 'accepted', 'preparing', 'ready', 'out_for_delivery'])
})
