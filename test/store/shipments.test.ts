import { beforeAll, describe, expect, test } from 'vitest'
import type { Tx, Value } from '../../src/store/db.ts'
import { findLiveReferences, listShipments, type ShipmentFilters } from '../../src/store/shipments.ts'
import { makeParcel } from '../support/parcel.ts'
import { ENGINES } from '../support/stores.ts'
import { openWorld, type TestWorld } from '../support/world.ts'

let world: TestWorld

beforeAll(async () => {
  world = await openWorld()
})

/** How SQLite would find the rows of each statement that `work` runs. */
async function plansOf(work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  return world.db.write(async (tx) => {
    const statements: [string, Value[]][] = []
    const recording: Tx = {
      ...tx,
      all: async (sql, ...params) => (statements.push([sql, params]), tx.all(sql, ...params)),
      // As if parcels had been delivered, so that the list goes on to look for them.
      get: async (sql, ...params) => (statements.push([sql, params]), { first: 1, last: 2 }),
    }
    await work(recording)
    const plans = statements.map(async ([sql, params]) => {
      const steps = await tx.all(`explain query plan ${sql}`, ...params)
      return steps.map((step) => String(step['detail'])).join('; ')
    })
    return Promise.all(plans)
  })
}

function plansOfList(filters: ShipmentFilters, paged: boolean): Promise<string[]> {
  return plansOf((tx) => listShipments(tx, 'agr', filters, paged ? { created_at: 5, seq: 5 } : undefined, 26))
}

describe('a page of parcels is one walk along an index, however many parcels there are', () => {
  test.each<[ShipmentFilters, RegExp]>([
    [{}, /by_creation \(agreement_id=\?/],
    [{ created_from: 1, created_to: 9 }, /by_creation \(agreement_id=\? AND .*created_at/],
    [{ created_to: 9 }, /by_creation \(agreement_id=\? AND .*created_at/],
    [{ statuses: ['lost'] }, /by_status \(agreement_id=\? AND status=\?/],
    [
      { statuses: ['lost', 'returned'], created_from: 1 },
      /by_status \(agreement_id=\? AND status=\? AND .*created_at/,
    ],
    [{ reference: 'r' }, /by_reference \(agreement_id=\? AND reference=\?/],
    [{ reference: 'r', statuses: ['lost'] }, /by_reference \(agreement_id=\? AND reference=\?/],
    [{ batch_id: 'b' }, /by_batch \(agreement_id=\? AND batch_id=\?/],
    [{ batch_id: 'b', statuses: ['lost'], created_from: 1 }, /by_batch \(agreement_id=\? AND batch_id=\?/],
    [{ delivered_from: 1 }, /by_status \(agreement_id=\? AND status=\?/],
    [{ delivered_from: 1, delivered_to: 9, created_from: 2 }, /by_status \(agreement_id=\? AND status=\?/],
  ])('%j', async (filters, expected) => {
    for (const paged of [false, true]) {
      const plans = await plansOfList(filters, paged)
      expect(plans.length).toBeGreaterThan(0)
      // Of several walks at most a page each is put together.
      const walked = plans.map((plan) => plan.replaceAll(/SCAN walk_\d; USE TEMP B-TREE FOR ORDER BY/g, ''))
      expect(walked.filter((plan) => /SCAN|TEMP B-TREE/.test(plan))).toEqual([])
      expect(plans.at(-1)).toMatch(expected)
    }
  })

  test('the span of creation of what was delivered is read from an index alone', async () => {
    const [bounds] = await plansOfList({ delivered_from: 1, delivered_to: 9 }, false)
    expect(bounds).toMatch(
      /COVERING INDEX shipments_by_delivery \(agreement_id=\? AND delivered_at>\? AND delivered_at<\?\)/,
    )
  })
})

test.each(ENGINES)('a parcel that moves on meanwhile is listed once, on $name', async (engine) => {
  const { db, ok } = await openWorld({ engine })
  const { tracking_number } = await ok('create_shipment', makeParcel())
  const moveOn = (tx: Tx) =>
    tx.run(`update shipments set status = 'in_transit' where tracking_number = $1`, tracking_number)
  const other = db.kind === 'postgres' ? db : undefined
  const listed = await db.write(async (tx) => {
    const owner = await tx.get('select agreement_id from shipments')
    const moving: Tx = {
      ...tx,
      // As if somebody else's transaction came between two statements of this one.
      all: async (sql, ...params) => {
        const rows = await tx.all(sql, ...params)
        await (other === undefined ? moveOn(tx) : other.write(moveOn))
        return rows
      },
    }
    const statuses = ['pre_transit', 'in_transit'] as const
    return listShipments(moving, String(owner?.['agreement_id']), { statuses }, undefined, 10)
  })
  expect(listed.map((shipment) => shipment.tracking_number)).toEqual([tracking_number])
})

test('the references of a manifest are looked up one by one, however many parcels there are', async () => {
  const references = Array.from({ length: 150 }, (_, index) => `R-${index}`)
  const plans = await plansOf((tx) => findLiveReferences(tx, 'agr', references))
  expect(plans.length).toBeGreaterThan(1)
  for (const plan of plans)
    expect(plan).toMatch(/^SEARCH shipments USING INDEX \w+ \(agreement_id=\? AND reference=\?\)$/)
})
