import { expect, test } from 'vitest'
import {
  ACTIVE_ORDER_STATUSES,
  canMoveOrder,
  isOrderOver,
  ORDER_STATUSES,
} from '../../../src/areas/orders/states.ts'

/** The table of `contract.md` B2, repeated by hand. */
const EDGES = [
  'placed accepted',
  'placed rejected',
  'placed cancelled',
  'accepted preparing',
  'accepted ready',
  'accepted completed',
  'accepted rejected',
  'accepted cancelled',
  'preparing ready',
  'preparing completed',
  'preparing rejected',
  'ready out_for_delivery',
  'ready completed',
  'ready rejected',
  'ready failed',
  'out_for_delivery completed',
  'out_for_delivery failed',
]

test('an order goes along the edges of the table and no others', () => {
  const found = ORDER_STATUSES.flatMap((from) =>
    ORDER_STATUSES.filter((to) => canMoveOrder(from, to)).map((to) => `${from} ${to}`),
  )
  expect(found.toSorted()).toEqual(EDGES.toSorted())
})

test('a final status never changes, and every other status is active', () => {
  expect(ORDER_STATUSES.filter(isOrderOver)).toEqual(['completed', 'rejected', 'cancelled', 'failed'])
  expect(ACTIVE_ORDER_STATUSES).toEqual(['placed', 'accepted', 'preparing', 'ready', 'out_for_delivery'])
})
