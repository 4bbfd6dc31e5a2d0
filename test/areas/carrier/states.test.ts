import { describe, expect, test } from 'vitest'
import {
  canMove,
  isTerminal,
  REASON_REQUIRED,
  SHIPMENT_EVENT_CODES,
  SHIPMENT_STATUSES,
} from '../../../src/areas/carrier/states.ts'
import { listAllowedTransitions, listTransitions, PARCEL_TRANSITIONS } from '../../support/state-tables.ts'

describe('a parcel', () => {
  test('goes along the edges of the table and no others', () => {
    expect(listAllowedTransitions(SHIPMENT_STATUSES, canMove)).toEqual(listTransitions(PARCEL_TRANSITIONS))
  })

  test('can be cancelled in every state but delivered and returned, also when it is lost', () => {
    const refused = SHIPMENT_STATUSES.filter((status) => !canMove(status, 'cancelled'))
    // Cancelling a cancelled parcel succeeds without a change.
    expect(refused).toEqual(['delivered', 'returned', 'cancelled'])
  })

  test('ends delivered, returned, lost or cancelled', () => {
    expect(SHIPMENT_STATUSES.filter(isTerminal)).toEqual(['delivered', 'returned', 'lost', 'cancelled'])
  })

  test('says why when something went wrong', () => {
    expect(REASON_REQUIRED.every((code) => SHIPMENT_EVENT_CODES.includes(code))).toBe(true)
    expect(REASON_REQUIRED).toHaveLength(5)
  })
})
