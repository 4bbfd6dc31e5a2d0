import { describe, expect, test } from 'vitest'
import {
  canMove,
  isTerminal,
  NEXT,
  REASON_REQUIRED,
  SHIPMENT_EVENT_CODES,
  SHIPMENT_STATUSES,
  type ShipmentStatus,
} from '../../../src/areas/carrier/states.ts'

describe('a parcel', () => {
  test('can be cancelled in every state but delivered and returned, also when it is lost', () => {
    const refused = SHIPMENT_STATUSES.filter((status) => !canMove(status, 'cancelled'))
    // Cancelling a cancelled parcel succeeds without a change.
    expect(refused).toEqual(['delivered', 'returned', 'cancelled'])
  })

  test('ends delivered, returned, lost or cancelled', () => {
    expect(SHIPMENT_STATUSES.filter(isTerminal)).toEqual(['delivered', 'returned', 'lost', 'cancelled'])
  })

  test.each([
    ['pre_transit', 'delivered'],
    ['pre_transit', 'lost'],
    ['in_transit', 'delivered'],
    ['delivery_attempted', 'delivered'],
    ['delivered', 'returning'],
    ['cancelled', 'in_transit'],
    ['returning', 'delivered'],
    ['lost', 'in_transit'],
  ] as const)('never goes from %s to %s', (from, to) => {
    expect(canMove(from, to)).toBe(false)
  })

  test('is delivered from the van or over the counter only', () => {
    expect(SHIPMENT_STATUSES.filter((status) => canMove(status, 'delivered'))).toEqual([
      'out_for_delivery',
      'available_for_pickup',
    ])
  })

  test('can get from its start to every other state', () => {
    const reached = new Set<ShipmentStatus>(['pre_transit'])
    for (const status of reached) for (const next of NEXT[status]) reached.add(next)
    expect([...reached].toSorted()).toEqual([...SHIPMENT_STATUSES].toSorted())
  })

  test('says why when something went wrong', () => {
    expect(REASON_REQUIRED.every((code) => SHIPMENT_EVENT_CODES.includes(code))).toBe(true)
    expect(REASON_REQUIRED).toHaveLength(5)
  })
})
