import { beforeAll, describe, expect, test } from 'vitest'
import { countAgreementShipmentsByStatus } from '../../../../src/areas/carrier/queries/shipment-counts.ts'
import {
  listAgreementShipments,
  type ShipmentFilters,
} from '../../../../src/areas/carrier/queries/shipment-list.ts'
import {
  findCancelledShipmentsByReference,
  findLiveShipmentsByReference,
} from '../../../../src/areas/carrier/queries/shipments.ts'
import { SERVICE_LEVELS } from '../../../../src/areas/carrier/rules/rates.ts'
import type { SqlRow, Tx } from '../../../../src/core/db.ts'
import type { ListPosition } from '../../../../src/core/slice.ts'
import { makeParcel, makeRows } from '../../../support/parcel.ts'
import { plansOf, withoutPages } from '../../../support/plans.ts'
import { ENGINES } from '../../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const LEVELS = SERVICE_LEVELS.map(({ code }) => code)

let world: TestSandbox

beforeAll(async () => {
  world = await openTestSandbox()
})

/** Pretends that parcels were delivered and the scan ended early, so that every statement of the list runs. */
const THERE = { count: 1, first: 1, last: 2, looked: 20_000, created_at: 1, seq: 1 }

function plansOfList(filters: ShipmentFilters, paged: boolean): Promise<string[]> {
  const after = paged ? { created_at: 5, seq: 5 } : undefined
  return plansOf(
    world.db,
    (tx) => listAgreementShipments(tx, 'agr', filters, { after, limit: 26 }),
    () => THERE,
  )
}

const SINGLE: ShipmentFilters[] = [
  { created_from: 1 },
  { created_to: 9 },
  { kinds: { statuses: ['lost'], levels: ['economy', 'next_day'] } },
  { kinds: { statuses: ['lost', 'returned'], levels: ['same_day'] } },
  { reference: 'r' },
  { batch_id: 'b' },
  { customer: 'c' },
  { delivered_from: 1 },
  { delivered_to: 9 },
]
const DELIVERED_NEXT_DAY: ShipmentFilters = {
  delivered_from: 1,
  kinds: { statuses: ['delivered', 'lost'], levels: ['next_day'] },
}
const PAIRS = SINGLE.flatMap((one, at) => SINGLE.slice(at + 1).map((other) => ({ ...one, ...other }))).filter(
  // A delivered parcel has no other status, so no statement is needed.
  ({ kinds, delivered_from: from, delivered_to: to }) => kinds === undefined || (from ?? to) === undefined,
)

describe('a page of parcels is read along indexes, however many parcels there are', () => {
  test.each([{}, ...SINGLE, ...PAIRS, DELIVERED_NEXT_DAY])('%j', async (filters: ShipmentFilters) => {
    for (const paged of [false, true]) {
      const all = await plansOfList(filters, paged)
      const plans = all.filter((plan) => !plan.startsWith('SEARCH old_codes USING INDEX old_codes_by_code'))
      expect(plans.length).toBeGreaterThan(0)
      expect(plans.map(withoutPages).filter((plan) => /SCAN|TEMP B-TREE/.test(plan))).toEqual([])
      for (const plan of plans) expect(plan).toMatch(expectedIndex(filters))
    }
  })

  test('delivered parcels are filtered in an index alone', async () => {
    const [bounds, rows] = await plansOfList({ delivered_from: 1, delivered_to: 9 }, false)
    expect(bounds).toMatch(
      /COVERING INDEX shipments_by_delivery \(agreement_id=\? AND delivered_at>\? AND delivered_at<\?\)/,
    )
    expect(rows).toMatch(/COVERING INDEX shipments_delivered \(agreement_id=\?/)
  })
})

/** Returns the index that serves the most selective filter. */
function expectedIndex({
  reference,
  batch_id,
  customer,
  delivered_from,
  delivered_to,
  kinds,
}: ShipmentFilters): RegExp {
  const delivery = delivered_from === undefined && delivered_to === undefined ? '' : '|by_delivery'
  if (reference !== undefined) return new RegExp(`(by|live)_reference${delivery}`)
  if (batch_id !== undefined) return new RegExp(`by_batch${delivery}`)
  if (customer !== undefined)
    return new RegExp(
      kinds === undefined
        ? `by_customer${delivery}`
        : 'by_customer_kind \\(agreement_id=\\? AND customer=\\? AND status=',
    )
  if (delivery !== '') return /shipments_delivered|by_delivery/
  if (kinds === undefined) return /by_creation \(agreement_id=\?/
  return /by_kind \(agreement_id=\? AND status=\? AND service_level=\?/
}

test.each(ENGINES)(
  'pages of a scan that ends early add up to every parcel that fits, on $name',
  async (engine) => {
    const { db, ok, advance } = await openTestSandbox({ engine })
    await ok('create_shipments_batch', { shipments: makeRows(12) })
    await advance(3 * 86_400_000)
    await ok('create_shipments_batch', { shipments: makeRows(3, 'late'), customer: 'Green Cup' })
    await advance(10 * 86_400_000)
    const all = await db.read((tx) => tx.all('select * from shipments order by created_at desc, seq desc'))
    const owner = String(all[0]?.['agreement_id'])
    const from =
      Math.min(...all.flatMap((row) => (row['delivered_at'] === null ? [] : [Number(row['delivered_at'])]))) +
      1
    const filters: ShipmentFilters[] = [
      { delivered_from: from },
      { delivered_from: from, kinds: { statuses: ['delivered'], levels: ['economy'] } },
      { delivered_from: from, kinds: { statuses: ['lost'], levels: LEVELS } },
      { delivered_to: from },
      { delivered_from: from, customer: 'Green Cup' },
    ]
    for (const filter of filters) {
      const expected = all.filter((row) => fits(row, filter)).map((row) => row['tracking_number'])
      for (const scan of [1, 2, 5, 100]) {
        const found: string[] = []
        let after: ListPosition | undefined
        let pages = 0
        do {
          const page = await db.read((tx) =>
            listAgreementShipments(tx, owner, filter, { after, limit: 3, scan }),
          )
          found.push(...page.rows.map(({ tracking_number }) => tracking_number))
          const last = page.rows.at(-1)
          after = page.rows.length === 3 ? last : page.scannedTo
          pages += 1
        } while (after !== undefined && pages < 100)
        expect(found, JSON.stringify({ filter, scan })).toEqual(expected)
      }
    }
  },
)

function fits(
  row: SqlRow,
  { delivered_from = 0, delivered_to = Infinity, customer, kinds }: ShipmentFilters,
): boolean {
  if (customer !== undefined && row['customer'] !== customer) return false
  const at = row['delivered_at']
  if (typeof at !== 'number' || at < delivered_from || at >= delivered_to) return false
  return (
    kinds === undefined ||
    (kinds.levels.includes(String(row['service_level']) as 'economy') && kinds.statuses.includes('delivered'))
  )
}

test('one page opens no more than five hundred parcels, whatever their references are', async () => {
  const { db, ok } = await openTestSandbox()
  const { tracking_number } = await ok('create_shipment', makeParcel({ reference: 'SAME' }))
  await ok('cancel_shipment', { tracking_number })
  await db.write(async (tx) => {
    const row = await tx.get('select * from shipments')
    const own: Record<string, string> = {
      tracking_number: `'X' || i`,
      seq: 'seq + i',
      ordinal: 'ordinal + i',
    }
    const columns = Object.keys(row ?? {})
    await tx.run(
      `insert into shipments (${columns.join(', ')})
       with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 1200)
       select ${columns.map((column) => own[column] ?? column).join(', ')} from numbers cross join shipments`,
    )
  })
  const wish = { reference: 'SAME', status: ['delivered'] }
  const pages: unknown[] = []
  let next: { cursor?: string } | undefined = {}
  while (next !== undefined && pages.length < 9) {
    const page: { data: unknown[]; has_more: boolean; next_cursor: string | null } = await ok(
      'list_shipments',
      { ...wish, ...next },
    )
    pages.push([page.data.length, page.has_more])
    next = page.next_cursor === null ? undefined : { cursor: page.next_cursor }
  }
  expect(pages).toEqual([
    [0, true],
    [0, true],
    [0, false],
  ])
})

test.each(ENGINES)('a parcel that moves on in the meantime is listed once, on $name', async (engine) => {
  const { db, ok } = await openTestSandbox({ engine })
  const { tracking_number } = await ok('create_shipment', makeParcel())
  const moveOn = (tx: Tx) =>
    tx.run(`update shipments set status = 'in_transit' where tracking_number = $1`, tracking_number)
  const other = db.kind === 'postgres' ? db : undefined
  const listed = await db.write(async (tx) => {
    const owner = await tx.get('select agreement_id from shipments')
    // Pretends that another transaction ran between two statements of this one.
    const all: Tx['all'] = async (sql, ...params) => {
      const rows = await tx.all(sql, ...params)
      await (other === undefined ? moveOn(tx) : other.write(moveOn))
      return rows
    }
    const kinds = { statuses: ['pre_transit', 'in_transit'] as const, levels: LEVELS }
    return listAgreementShipments(
      { ...tx, all, allUnsnapshotted: all },
      String(owner?.['agreement_id']),
      { kinds },
      { limit: 10 },
    )
  })
  expect(listed.rows.map((shipment) => shipment.tracking_number)).toEqual([tracking_number])
})

test('parcels are counted by state along an index, in a span of creation, too', async () => {
  for (const [span, found] of [
    [{}, '(agreement_id=? AND status=?)'],
    [{ created_from: 1 }, '(agreement_id=? AND status=? AND service_level=? AND created_at>?)'],
  ] as const) {
    const plans = await plansOf(world.db, (tx) => countAgreementShipmentsByStatus(tx, 'agr', span))
    const reads = plans.flatMap((plan) => plan.split('; ')).filter((line) => line.includes(' shipments '))
    expect(new Set(reads)).toEqual(
      new Set([`SEARCH shipments USING COVERING INDEX shipments_by_kind ${found}`]),
    )
  }
})

test('the references of a manifest are looked up one by one, however many parcels there are', async () => {
  const references = Array.from({ length: 150 }, (_, index) => `R-${index}`)
  for (const find of [findLiveShipmentsByReference, findCancelledShipmentsByReference]) {
    const plans = await plansOf(world.db, (tx) => find(tx, 'agr', references))
    expect(plans.length).toBeGreaterThan(1)
    for (const plan of plans) {
      expect(plan).not.toMatch(/SCAN|TEMP B-TREE/)
      const reads = plan.split('; ').filter((line) => line.startsWith('SEARCH shipments '))
      expect(reads).toHaveLength(2)
      for (const read of reads)
        expect(read).toMatch(/USING INDEX shipments_\w+_reference \(agreement_id=\? AND reference=\?\)$/)
    }
  }
})
