import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../src/client/operations.ts'
import { control } from '../../support/control.ts'
import { makeParcel } from '../../support/parcel.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openWorld, type TestWorld } from '../../support/world.ts'

const DAY = 86_400_000

type Invoice = Answer<'get_carrier_invoice'>

async function make(
  world: TestWorld,
  reference: string,
  { scenario, ...differences }: Record<string, unknown> & { scenario?: string } = {},
): Promise<string> {
  const body = makeParcel({ reference, ...differences })
  return (await world.ok('create_shipment', body, scenario === undefined ? {} : { scenario })).tracking_number
}

/** The lines as a clerk reads them: the charge, the parcel and the pence. */
const short = ({ lines }: Invoice) =>
  lines.map(({ kind, reference, net, vat, total }) => [kind, reference, net.amount, vat.amount, total.amount])

/** The sum of an invoice by another way: what the list of parcels says, one by one. */
async function recompute(world: TestWorld, month: string): Promise<number> {
  let sum = 0
  for (let cursor: string | null = null, more = true; more;) {
    const page: Answer<'list_shipments'> = await world.ok('list_shipments', {
      limit: 100,
      ...(cursor !== null && { cursor }),
    })
    for (const { collected_at, price } of page.data) {
      const local = collected_at === null ? '' : londonDay(collected_at)
      if (local.startsWith(month)) sum += price.total.amount
    }
    cursor = page.next_cursor
    more = page.has_more
  }
  return sum
}

function londonDay(instant: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(new Date(instant))
}

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a month is billed by first scans, whatever became of its parcels', async () => {
    const world = await openWorld({ engine })
    await make(world, 'delivered')
    await make(world, 'second attempt', { scenario: 'attempt_fails;times=1', service_level: 'two_day' })
    await make(world, 'refused', { scenario: 'returned' })
    await make(world, 'lost', {
      scenario: 'lost',
      parcel: {
        weight_grams: 3500,
        length_mm: 300,
        width_mm: 200,
        height_mm: 100,
        declared_value: { amount: 12_000, currency: 'GBP' },
      },
    })
    await make(world, 'damaged', { scenario: 'damaged', service_level: 'economy' })
    await make(world, 'never picked up', { scenario: 'attempt_fails;times=3' })
    await make(world, 'same day', { service_level: 'same_day' })
    const unscanned = await make(world, 'cancelled before the first scan')
    await world.ok('cancel_shipment', { tracking_number: unscanned })
    const stopped = await make(world, 'stopped on its way')
    await world.advanceTo('2026-11-20T18:00:00.000Z')
    await world.ok('cancel_shipment', { tracking_number: stopped })
    await world.advanceTo('2026-11-30T09:00:00.000Z')
    await make(world, 'last day')
    await world.advanceTo('2026-11-30T18:00:00.000Z')
    await make(world, 'after the last cut-off')
    await world.advance(30 * DAY)
    const november = await world.ok('get_carrier_invoice', { month: '2026-11' })
    expect(short(november)).toEqual([
      ['parcel', 'same day', 778, 156, 934],
      ['parcel', 'delivered', 510, 102, 612],
      ['parcel', 'second attempt', 410, 82, 492],
      ['parcel', 'refused', 510, 102, 612],
      ['parcel', 'lost', 759, 152, 911],
      ['parcel', 'damaged', 324, 65, 389],
      ['parcel', 'never picked up', 510, 102, 612],
      ['parcel', 'stopped on its way', 510, 102, 612],
      ['parcel', 'last day', 510, 102, 612],
    ])
    expect(november).toMatchObject({
      closed: true,
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-12-01T00:00:00.000Z',
      timezone: 'Europe/London',
      vat: [{ rate_bps: 2000, net: { amount: 4821 }, vat: { amount: 965 } }],
      billed: { amount: 5786, currency: 'GBP' },
      due: { amount: 5786, currency: 'GBP' },
    })
    expect(november.kinds[0]).toMatchObject({ kind: 'parcel', lines: 9, total: { amount: 5786 } })
    const december = await world.ok('get_carrier_invoice', { month: '2026-12' })
    expect(short(december)).toEqual([['parcel', 'after the last cut-off', 510, 102, 612]])
    expect(await recompute(world, '2026-11')).toBe(5786)
    expect(await recompute(world, '2026-12')).toBe(612)
  })
})

test('a month begins at midnight of the agreement, in summer too', async () => {
  const world = await openWorld({ at: Date.parse('2026-06-30T22:59:00.000Z') })
  const [june, july] = [await make(world, 'june'), await make(world, 'july')]
  await control(world, 'scan_shipment', { tracking_number: june, code: 'collected' })
  await world.advance(60_000)
  await control(world, 'scan_shipment', { tracking_number: july, code: 'collected' })
  for (const [month, reference] of [
    ['2026-06', 'june'],
    ['2026-07', 'july'],
  ] as const) {
    const { lines, closed } = await world.ok('get_carrier_invoice', { month })
    expect(lines.map((line) => line.reference)).toEqual([reference])
    expect(closed).toBe(month === '2026-06')
  }
})

test('a month that has not begun is refused, and so is one that is none', async () => {
  const world = await openWorld()
  const ahead = await world.refused('get_carrier_invoice', { month: '2026-12' })
  expect(ahead.errors).toEqual([expect.objectContaining({ parameter: 'month', code: 'out_of_range' })])
  expect((await world.refused('get_carrier_invoice', { month: '2026-13' })).status).toBe(400)
})

test('a line names the customer of its parcel', async () => {
  const world = await openWorld()
  await make(world, 'theirs', { customer: 'Lefèvre' })
  await make(world, 'ours')
  await world.advance(DAY)
  const { lines } = await world.ok('get_carrier_invoice', { month: '2026-11' })
  expect(lines.map(({ reference, customer }) => [reference, customer])).toEqual([
    ['theirs', 'Lefèvre'],
    ['ours', null],
  ])
})

test('an invoice has the parcels of its own agreement alone', async () => {
  const world = await openWorld()
  await make(world, 'mine')
  await world.advance(DAY)
  const theirs = await world.ok('get_carrier_invoice', { month: '2026-11' }, { as: 'shipper' })
  expect(theirs).toMatchObject({ lines: [], due: { amount: 0, currency: 'GBP' }, closed: false })
})

test('more parcels than are read at once are all billed, once', async () => {
  const world = await openWorld()
  const shipments = Array.from({ length: 500 }, (_, at) => makeParcel({ reference: `M-${at}` }))
  await world.ok('create_shipments_batch', { shipments })
  await world.ok('create_shipments_batch', {
    shipments: shipments.map((row, at) => ({ ...row, reference: `N-${at}` })),
  })
  await world.advance(DAY)
  const { lines, due } = await world.ok('get_carrier_invoice', { month: '2026-11' })
  expect(new Set(lines.map(({ tracking_number }) => tracking_number)).size).toBe(1000)
  expect(due.amount).toBe(612 * 1000)
  expect(await recompute(world, '2026-11')).toBe(due.amount)
})
