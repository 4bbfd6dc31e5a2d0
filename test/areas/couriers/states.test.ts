import { expect, test } from 'vitest'
import { canMoveDelivery, DELIVERY_STATUSES } from '../../../src/areas/couriers/states.ts'

/** The table of `contract.md` B4, repeated by hand. */
const EDGES = [
  'pending assigned',
  'pending cancelled',
  'assigned arrived_at_pickup',
  'assigned pending',
  'assigned cancelled',
  'arrived_at_pickup picked_up',
  'arrived_at_pickup pending',
  'arrived_at_pickup cancelled',
  'picked_up arrived_at_dropoff',
  'arrived_at_dropoff delivered',
  'arrived_at_dropoff returning',
  'returning returned',
]

test('a delivery goes along the edges of the table and no others', () => {
  const found = DELIVERY_STATUSES.flatMap((from) =>
    DELIVERY_STATUSES.filter((to) => canMoveDelivery(from, to)).map((to) => `${from} ${to}`),
  )
  expect(found.toSorted()).toEqual(EDGES.toSorted())
})

test('delivered, returned and cancelled are final', () => {
  const over = DELIVERY_STATUSES.filter((from) => !DELIVERY_STATUSES.some((to) => canMoveDelivery(from, to)))
  expect(over).toEqual(['delivered', 'returned', 'cancelled'])
})
