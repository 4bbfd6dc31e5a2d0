import { describe, expect, test } from 'vitest'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { callTestControl } from '../../support/control.ts'
import { readInvoice, type WholeInvoice } from '../../support/invoices.ts'
import { makeParcel } from '../../support/parcel.ts'
import { ENGINES, MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const DAY = 86_400_000

async function make(
  world: TestSandbox,
  reference: string,
  { scenario, ...differences }: Record<string, unknown> & { scenario?: string } = {},
): Promise<string> {
  const body = makeParcel({ reference, ...differences })
  return (await world.ok('create_shipment', body, scenario === undefined ? {} : { scenario })).tracking_number
}

/** The lines as a clerk reads them: the charge, the parcel and the pence. */
const short = ({ lines }: Pick<WholeInvoice, 'lines'>) =>
  lines.map(({ kind, reference, net, vat, total }) => [kind, reference, net.amount, vat.amount, total.amount])

/** The sum of an invoice by another way: what the list of parcels says, one by one. */
async function recompute(world: TestSandbox, month: string): Promise<number> {
  let sum = 0
  for (let cursor: string | null = null, more = true; more;) {
    const page: OperationOutput<'list_shipments'> = await world.ok('list_shipments', {
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
    const world = await openTestSandbox({ engine })
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
    const november = await readInvoice(world, { month: '2026-11' })
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
    const december = await readInvoice(world, { month: '2026-12' })
    expect(short(december)).toEqual([['parcel', 'after the last cut-off', 510, 102, 612]])
    expect(await recompute(world, '2026-11')).toBe(5786)
    expect(await recompute(world, '2026-12')).toBe(612)
  })
})

test('a month begins at midnight of the agreement, in summer too', async () => {
  const world = await openTestSandbox({ at: Date.parse('2026-06-30T22:59:00.000Z') })
  const [june, july] = [await make(world, 'june'), await make(world, 'july')]
  await callTestControl(world, 'scan_shipment', { tracking_number: june, code: 'collected' })
  await world.advance(60_000)
  await callTestControl(world, 'scan_shipment', { tracking_number: july, code: 'collected' })
  for (const [month, reference] of [
    ['2026-06', 'june'],
    ['2026-07', 'july'],
  ] as const) {
    const { lines, closed } = await readInvoice(world, { month })
    expect(lines.map((line) => line.reference)).toEqual([reference])
    expect(closed).toBe(month === '2026-06')
  }
})

test('a month that has not begun is rejected, and so is one that is none', async () => {
  const world = await openTestSandbox()
  const ahead = await world.refused('get_carrier_invoice', { month: '2026-12' })
  expect(ahead.errors).toEqual([expect.objectContaining({ parameter: 'month', code: 'out_of_range' })])
  expect((await world.refused('get_carrier_invoice', { month: '2026-13' })).status).toBe(400)
})

test('a line names the customer of its parcel', async () => {
  const world = await openTestSandbox()
  await make(world, 'theirs', { customer: 'Lefèvre' })
  await make(world, 'ours')
  await world.advance(DAY)
  const { lines } = await readInvoice(world, { month: '2026-11' })
  expect(lines.map(({ reference, customer }) => [reference, customer])).toEqual([
    ['theirs', 'Lefèvre'],
    ['ours', null],
  ])
})

test('an invoice has the parcels of its own agreement alone', async () => {
  const world = await openTestSandbox()
  await make(world, 'mine')
  await world.advance(DAY)
  const theirs = await readInvoice(world, { month: '2026-11' }, { as: 'shipper' })
  expect(theirs).toMatchObject({ lines: [], due: { amount: 0, currency: 'GBP' }, closed: false })
})

test('an invoice of many pages has each parcel once', async () => {
  const world = await openTestSandbox()
  const shipments = Array.from({ length: 500 }, (_, at) => makeParcel({ reference: `M-${at}` }))
  await world.ok('create_shipments_batch', { shipments })
  await world.ok('create_shipments_batch', {
    shipments: shipments.map((row, at) => ({ ...row, reference: `N-${at}` })),
  })
  await world.advance(DAY)
  const { lines, due } = await readInvoice(world, { month: '2026-11' })
  expect(new Set(lines.map(({ tracking_number }) => tracking_number)).size).toBe(1000)
  expect(due.amount).toBe(612 * 1000)
  expect(await recompute(world, '2026-11')).toBe(due.amount)
})

const CUSTOMERS = ['Green Cup', 'Blue Door', ''] as const

/** Returns the sums that an accountant books, in pence: net, VAT and total of each kind, VAT by rate, and what is to be paid. */
function booked({ kinds, vat, billed, due }: OperationOutput<'get_carrier_invoice'>): Record<string, number> {
  return Object.fromEntries([
    ...kinds.flatMap(({ kind, lines, net, vat: tax, total }) =>
      Object.entries({ lines, net: net.amount, vat: tax.amount, total: total.amount }).map(
        ([name, amount]) => [`${kind} ${name}`, amount] as const,
      ),
    ),
    ...vat.flatMap(({ rate_bps, net, vat: tax }) => [
      [`net at ${rate_bps}`, net.amount] as const,
      [`vat at ${rate_bps}`, tax.amount] as const,
    ]),
    ['billed', billed.amount],
    ['due', due.amount],
  ])
}

function addUp(parts: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const part of parts)
    for (const [name, amount] of Object.entries(part)) sums[name] = (sums[name] ?? 0) + amount
  return sums
}

describe.each(ENGINES)('on $name', (engine) => {
  test('the invoices of all customers and of parcels without one add up to the whole, VAT too', async () => {
    const world = await openTestSandbox({ engine })
    for (const [at, customer] of CUSTOMERS.entries()) {
      const own = customer === '' ? {} : { customer }
      const box = { weight_grams: 1234 + at * 1777, length_mm: 300, width_mm: 200, height_mm: 100 }
      const cash = { cash_on_delivery: { amount: 1999 + at, currency: 'GBP' } }
      await make(world, `plain ${at}`, { ...own, parcel: box, service_level: 'economy' })
      await make(world, `cash ${at}`, { ...own, parcel: box, options: cash })
      const broken = await make(world, `broken ${at}`, { ...own, scenario: 'damaged' })
      const back = await make(world, `back ${at}`, own)
      await world.ok('create_return', { tracking_number: back }, { scenario: 'return_sent;after=3d' })
      await world.advance(2 * DAY)
      const value = { amount: 777 * (at + 1), currency: 'GBP' }
      await world.ok('create_claim', { tracking_number: broken, reason_code: 'damaged', value })
    }
    await world.advance(8 * DAY)
    // A claim of the first month is decided in the second.
    for (const month of ['2026-11', '2026-12']) {
      const whole = await readInvoice(world, { month })
      const parts = []
      for (const customer of CUSTOMERS) parts.push(await readInvoice(world, { month, customer }))
      const known = booked(whole)
      const sums = addUp(parts.map(booked))
      for (const [name, amount] of Object.entries(known))
        expect([name, sums[name] ?? 0]).toEqual([name, amount])
      expect(parts.flatMap(({ lines }) => lines).length).toBe(whole.lines.length)
      for (const [at, { lines, customer }] of parts.entries()) {
        const own = CUSTOMERS[at] === '' ? null : CUSTOMERS[at]
        expect(customer).toBe(own)
        expect(lines.every((line) => line.customer === own)).toBe(true)
        expect(lines.reduce((sum, { total }) => sum + total.amount, 0)).toBe(parts[at]?.due.amount)
      }
    }
    expect(booked(await readInvoice(world, { month: '2026-11', customer: 'Nobody' }))).toMatchObject({
      due: 0,
    })
  })

  test('two pages of an invoice are of one moment, whatever is scanned between them', async () => {
    const world = await openTestSandbox({ engine })
    const numbers: string[] = []
    for (const each of ['1', '2', '3', '4', '5']) numbers.push(await make(world, each))
    const scan = async (tracking_number: string | undefined): Promise<unknown> =>
      callTestControl(world, 'scan_shipment', { tracking_number, code: 'collected' })
    for (const number of numbers.slice(0, 3)) await scan(number)
    const later = numbers.slice(3)
    const invoice = await readInvoice(
      world,
      { month: '2026-11', limit: 1 },
      { between: () => scan(later.shift()) },
    )
    expect(later).toEqual([])
    expect(invoice.lines.map(({ reference }) => reference)).toEqual(['1', '2', '3'])
    expect([invoice.kinds[0]?.lines, invoice.due.amount]).toEqual([3, 612 * 3])
    const last = await world.ok('get_carrier_invoice', { month: '2026-11', limit: 1 })
    expect([last.kinds[0]?.lines, last.due.amount, last.lines?.length]).toEqual([5, 612 * 5, 1])
  })

  test('parcels without a customer are listed by an empty customer', async () => {
    const world = await openTestSandbox({ engine })
    for (const reference of ['1', '2', '3', '4'])
      await make(world, reference, Number(reference) % 2 === 0 ? { customer: 'Green Cup' } : {})
    await world.advance(DAY)
    await make(world, '5')
    const references = async (input: object): Promise<unknown[]> =>
      (await world.ok('list_shipments', { customer: '', ...input })).data.map(({ reference }) => reference)
    expect(await references({})).toEqual(['5', '3', '1'])
    expect(await references({ status: ['pre_transit'] })).toEqual(['5'])
    expect(await references({ service_level: 'economy' })).toEqual([])
    expect(await references({ created_to: '2026-11-21' })).toEqual(['3', '1'])
    await world.advance(2 * DAY)
    expect(await references({ delivered_from: '2026-11-20' })).toEqual(['3', '1'])
    const page = await world.ok('list_shipments', { customer: '', limit: 2 })
    expect(page).toMatchObject({ data: [{ reference: '5' }, { reference: '3' }], has_more: true })
  })
})

test('the sums come without lines, of a part of the month too, and its parts add up to the whole', async () => {
  const world = await openTestSandbox()
  await make(world, '1')
  await world.advance(3 * DAY)
  await make(world, '2')
  await make(world, '3')
  await world.advance(DAY)
  const month = '2026-11'
  const whole = await world.ok('get_carrier_invoice', { month, lines: false })
  expect(whole).not.toHaveProperty('lines')
  expect(whole).not.toHaveProperty('next_cursor')
  expect(whole.due.amount).toBe(612 * 3)
  const before = await readInvoice(world, { month, to: '2026-11-21' })
  const after = await readInvoice(world, { month, from: '2026-11-21' })
  expect([before.lines.length, after.lines.length]).toEqual([1, 2])
  expect(addUp([booked(before), booked(after)])).toEqual(booked(whole))
  const none = await world.refused('get_carrier_invoice', { month, from: '2026-12-01' })
  expect(none.errors).toEqual([expect.objectContaining({ parameter: 'from', code: 'out_of_range' })])
})

test('a customer who only looks empty is rejected, and is not taken for none', async () => {
  const world = await openTestSandbox()
  for (const customer of [' ', '\u200b'])
    for (const [operation, input] of [
      ['get_carrier_invoice', { month: '2026-11' }],
      ['list_shipments', {}],
    ] as const)
      expect((await world.refused(operation, { ...input, customer })).status).toBe(400)
})
