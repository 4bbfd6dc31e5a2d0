/** Parcels of several senders with every ending, and a second program that recomputes their invoices. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { OperationOutput } from '../../src/client/operations.ts'
import { makeRows } from './parcel.ts'
import type { ServedStore } from './served.ts'
import type { TestSandbox } from './world.ts'

const DAY = 86_400_000
const gbp = (amount: number) => ({ amount, currency: 'GBP' })
const PROGRAM = join(import.meta.dirname, 'invoice.py')

/** The accounts with a carrier agreement; the last one sends for two customers. */
const SENDERS = [
  ['shipper', null],
  ['shipper2', null],
  ['everything', 'Green Cup'],
  ['everything', 'Blue Bowl'],
] as const

const ENDINGS = [
  'happy',
  'attempt_fails;times=1',
  'attempt_fails;times=2',
  'attempt_fails;reason=refused',
  'attempt_fails;times=3',
  'returned',
  'damaged',
  'lost',
  'delayed;hours=48',
  'contents_missing;grams=300',
] as const

/** The place among five of a parcel that is stopped on its way. */
const STOPPED = 3

type CreatedParcels = { as: string; ending: string; numbers: string[] }

/** Plays parcels from their creation until 80 days later: `count` of each sender for each ending. */
export async function playMonths(world: TestSandbox, count: number): Promise<void> {
  const made: CreatedParcels[] = []
  for (const [as, customer] of SENDERS)
    for (const [at, ending] of ENDINGS.entries()) {
      const rows = makeRows(count, `${customer ?? as}-${at}-`).map((row, index) => vary(row, index))
      const input = { shipments: rows, ...(customer !== null && { customer }) }
      const { results, counts } = await world.ok('create_shipments_batch', input, { as, scenario: ending })
      expect(counts, JSON.stringify(results)).toMatchObject({ created: count })
      made.push({ as, ending, numbers: results.map(({ tracking_number: number = '' }) => number) })
    }
  const happy = made.filter(({ ending }) => ending === 'happy')
  await changeEach(world, happy, 0, 'cancel_shipment', {})
  for (const { as } of happy) await world.ok('create_collection_manifest', { hub_id: 'LON1' }, { as })
  await changeEach(world, happy, 1, 'create_return', {}, 'return_sent;after=9d')
  await changeEach(world, happy, 2, 'create_return', {})
  await world.advance(DAY / 2)
  await changeEach(world, made, STOPPED, 'cancel_shipment', {})
  await world.advance(3 * DAY)
  await claimEach(world, made, 'damaged')
  await claimEach(world, made, 'contents_missing;grams=300', 'contents_missing')
  await world.advance(20 * DAY)
  await claimEach(world, made, 'lost')
  await world.advance(57 * DAY)
}

/** Returns a row with cash or insurance on some, and one service after the other. */
function vary(row: Record<string, unknown>, index: number): Record<string, unknown> {
  return {
    ...row,
    service_level: ['next_day', 'two_day', 'economy'][index % 3],
    ...(index % 4 === 1 && { options: { cash_on_delivery: gbp(1000 + index) } }),
    ...(index % 5 === 2 && { parcel: { ...(row['parcel'] as object), declared_value: gbp(20_000) } }),
  }
}

/** Changes the parcels of each batch at one place of every five. */
async function changeEach(
  world: TestSandbox,
  made: readonly CreatedParcels[],
  place: number,
  ...[operation, more, scenario]: [
    operation: 'cancel_shipment' | 'create_return',
    more: object,
    scenario?: string,
  ]
): Promise<void> {
  for (const { as, numbers } of made)
    for (const [at, tracking_number] of numbers.entries())
      if (at % 5 === place)
        await world.ok(
          operation,
          { tracking_number, ...more },
          { as, ...(scenario !== undefined && { scenario }) },
        )
}

async function claimEach(
  world: TestSandbox,
  made: readonly CreatedParcels[],
  ending: string,
  reason_code = ending,
): Promise<void> {
  for (const { as, numbers } of made.filter((each) => each.ending === ending))
    for (const [at, tracking_number] of numbers.entries())
      if (at % 2 === 0 && at % 5 !== STOPPED)
        await world.ok('create_claim', { tracking_number, reason_code, value: gbp(3000) }, { as })
}

/** Compares the invoices of a sender with those that the second program makes of the list of parcels. */
export async function compareInvoices(
  served: ServedStore,
  world: TestSandbox,
  as: string,
  months: readonly string[],
): Promise<void> {
  const token = await served.token(as, { expiresAt: Date.UTC(2030, 0) })
  const { stdout } = await promisify(execFile)('python3', [PROGRAM, served.url, token, ...months])
  const invoices: Record<string, unknown> = {}
  for (const month of months) {
    const { kinds, due } = await world.ok('get_carrier_invoice', { month }, { as })
    const sums = kinds.map(({ kind, lines, net, vat }) => [kind, [lines, net.amount, vat.amount]])
    invoices[month] = { kinds: Object.fromEntries(sums) as unknown, due: due.amount }
  }
  expect(JSON.parse(stdout), as).toEqual(invoices)
}

const ENDS = ['delivered', 'returned', 'lost'] as const

/** Checks all parcels of a sender: no scan after an end, one manifest at most, and all cash that was collected is owed. */
export async function checkParcels(
  world: TestSandbox,
  as: string,
  months: readonly string[],
): Promise<number> {
  let cash = 0
  let count = 0
  const manifests = new Map<string, string>()
  for (let cursor: string | null = null, more = true; more;) {
    const page: OperationOutput<'list_shipments'> = await world.ok(
      'list_shipments',
      { limit: 100, ...(cursor !== null && { cursor }) },
      { as },
    )
    for (const { tracking_number } of page.data) {
      const parcel = await world.ok('get_shipment', { tracking_number }, { as })
      const codes = parcel.scan_history.map(({ code }) => code)
      const end = codes.findIndex((code) => ENDS.some((each) => each === code))
      expect(end === -1 || end === codes.length - 1, `${tracking_number} ${codes.join(' ')}`).toBe(true)
      expect(codes.filter((code) => code === 'manifested').length).toBe(
        parcel.manifest_id === undefined ? 0 : 1,
      )
      if (parcel.manifest_id !== undefined) manifests.set(tracking_number, parcel.manifest_id)
      cash += parcel.proof_of_delivery?.cash_collected?.amount.amount ?? 0
      count += 1
    }
    cursor = page.next_cursor
    more = page.has_more
  }
  for (const manifest_id of new Set(manifests.values())) {
    const { parcels } = await world.ok('get_collection_manifest', { manifest_id }, { as })
    for (const { tracking_number } of parcels) expect(manifests.get(tracking_number)).toBe(manifest_id)
  }
  let owed = 0
  for (const month of months) {
    const { kinds } = await world.ok('get_carrier_invoice', { month }, { as })
    owed -= kinds.find(({ kind }) => kind === 'cash')?.total.amount ?? 0
  }
  expect(owed).toBe(cash)
  return count
}
