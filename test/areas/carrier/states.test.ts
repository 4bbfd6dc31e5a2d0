import { describe, expect, test } from 'vitest'
import {
  canMoveShipment,
  canRedirect,
  isShipmentOver,
  REASON_REQUIRED,
  SHIPMENT_EVENT_CODES,
  SHIPMENT_STATUSES,
} from '../../../src/areas/carrier/states.ts'
import { listAllowedTransitions, listTransitions, PARCEL_TRANSITIONS } from '../../support/state-tables.ts'

describe('a parcel', () => {
  test('goes along the edges of the table and no others', () => {
    expect(listAllowedTransitions(SHIPMENT_STATUSES, canMoveShipment)).toEqual(
      listTransitions(PARCEL_TRANSITIONS),
    )
  })

  test('can be cancelled in every state but delivered and returned, also when it is lost', () => {
    const refused = SHIPMENT_STATUSES.filter((status) => !canMoveShipment(status, 'cancelled'))
    // Cancelling a cancelled parcel succeeds without a change.
    expect(refused).toEqual(['delivered', 'returned', 'cancelled'])
  })

  test('ends delivered, returned, lost or cancelled', () => {
    expect(SHIPMENT_STATUSES.filter(isShipmentOver)).toEqual(['delivered', 'returned', 'lost', 'cancelled'])
  })

  test('can be redirected while it is in no van, before its third attempt, and never as a return', () => {
    const redirected = SHIPMENT_STATUSES.filter((status) => canRedirect({ status, attempts: 2 }))
    expect(redirected).toEqual(['pre_transit', 'in_transit', 'delivery_attempted'])
    for (const status of redirected) {
      expect(canRedirect({ status, attempts: 3 })).toBe(false)
      expect(canRedirect({ status, attempts: 0, return_of: {} })).toBe(false)
    }
  })

  test('says why when something went wrong', () => {
    expect(REASON_REQUIRED.every((code) => SHIPMENT_EVENT_CODES.includes(code))).toBe(true)
    expect(REASON_REQUIRED).toHaveLength(5)
  })
})
