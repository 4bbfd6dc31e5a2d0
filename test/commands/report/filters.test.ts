/** Each report by each of its filters: the parts add up to the whole. */
import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/cli/define-command.ts'
import { businessReport } from '../../../src/commands/business/report.command.ts'
import { carrierInvoice } from '../../../src/commands/carrier/invoice.command.ts'
import { carrierList } from '../../../src/commands/carrier/list.command.ts'
import { carrierReport } from '../../../src/commands/carrier/report.command.ts'
import { makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { placeTestOrder } from '../../support/order-life.ts'
import { makeParcel } from '../../support/parcel.ts'
import { runCommand } from '../../support/run-command.ts'
import { makeSandboxClient } from '../../support/world-client.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const DAY = 86_400_000
const CUSTOMERS = ['Green Cup', 'Blue Door', undefined] as const

const BY_CUSTOMER = [['--customer', 'Green Cup'], ['--customer', 'Blue Door'], ['--without-customer']]
const BY_DAY = [
  ['--from', '2026-11-16', '--to', '2026-11-20'],
  ['--from', '2026-11-21', '--to', '2026-11-30'],
]
const WHOLE = ['--from', '2026-11-16', '--to', '2026-11-30']

/** The flags that only say how a report is printed, or by which days. */
const FORMS = ['bookkeeping', 'csv', 'html', 'force', 'timezone', 'parcels', 'orders', 'statement']

/** Stands for the id of the account's store. */
const STORE = 'STORE'

type FilteredReport = { command: Command; whole: string[]; filters: Record<string, string[][]> }

/** The parts of each filter. A currency and a store that are the only ones have everything or nothing. */
const REPORTS: FilteredReport[] = [
  {
    command: carrierReport,
    whole: WHOLE,
    filters: {
      'customer, without-customer': BY_CUSTOMER.map((only) => [...WHOLE, ...only]),
      'from, to': BY_DAY,
      currency: ['GBP', 'EUR'].map((currency) => [...WHOLE, '--currency', currency]),
    },
  },
  {
    command: carrierInvoice,
    whole: ['2026-11'],
    filters: { 'customer, without-customer': BY_CUSTOMER.map((only) => ['2026-11', ...only]) },
  },
  {
    command: businessReport,
    whole: WHOLE,
    filters: {
      'from, to': BY_DAY,
      currency: ['GBP', 'EUR'].map((currency) => [...WHOLE, '--currency', currency]),
      // The account has one store.
      merchant: [[...WHOLE, '--merchant', STORE]],
    },
  },
]

/** Two days: parcels of two customers and of nobody, and paid orders, on each of them. */
async function playDays(): Promise<TestSandbox> {
  const world = await openTestSandbox()
  for (const day of [1, 2]) {
    for (const customer of CUSTOMERS) {
      const options = { cash_on_delivery: { amount: 500 + day, currency: 'GBP' } }
      const own = customer === undefined ? {} : { customer }
      await world.ok('create_shipment', makeParcel({ ...own, options }), { as: 'everything' })
    }
    await placeTestOrder(world)
    await world.advance(3 * DAY)
  }
  return world
}

/** The figures that add up: amounts and counts, by their path. What is late now, averages, shares and balances do not. */
function figuresOf(value: unknown, path = ''): [path: string, figure: number][] {
  if (typeof value === 'number') return ADDS.test(path) ? [[path, value]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, held]) => {
    const row = held as Record<string, unknown>
    const key = ['kind', 'status', 'service_level', 'hub_id', 'attempts', 'section', 'method', 'rate_bps']
      .map((each) => (typeof held === 'object' && held !== null ? row[each] : undefined))
      .find((each) => each !== undefined)
    return figuresOf(held, `${path}/${Array.isArray(value) ? (typeof key === 'string' ? key : name) : name}`)
  })
}

const ADDS =
  /^\/(?:billed|kinds|due|vat|current\/(?:created|delivered|ordered|sales|refunds)|statement\/(?:orders|gross_goods|net_sales|vat|held|payments|payouts))(?!.*\/(?:average|rate_bps|attempts|timeline))/

function sumOf(parts: readonly (readonly [string, number])[][]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [path, figure] of parts.flat()) if (figure !== 0) sums[path] = (sums[path] ?? 0) + figure
  return sums
}

describe('the parts of a report add up to the whole', () => {
  test.each(REPORTS)('by each filter of dray $command.words', async ({ command, whole, filters }) => {
    const declared = command.flags.map(({ flag }) => flag).filter((flag) => !FORMS.includes(flag))
    expect(declared.toSorted()).toEqual(
      Object.keys(filters)
        .flatMap((names) => names.split(', '))
        .toSorted(),
    )
    const world = await playDays()
    using home = makeHome()
    const openClient = async () => makeSandboxClient(world, 'everything')
    const [order] = (await world.ok('list_business_orders', {}, { as: 'everything' })).data
    const read = async (words: readonly string[]) => {
      const argv = words.map((each) => (each === STORE ? String(order?.merchant_id) : each))
      const ran = await runCommand(home, command, [...argv, '--json'], { openClient })
      expect(ran.error).toBeUndefined()
      return figuresOf(ran.json())
    }
    const all = sumOf([await read(whole)])
    expect(Object.keys(all).length).toBeGreaterThan(5)
    for (const [names, parts] of Object.entries(filters)) {
      const figures = []
      for (const part of parts) figures.push(await read(part))
      expect({ names, ...sumOf(figures) }).toEqual({ names, ...all })
    }
  })
})

test('a report of one customer owes what that customer’s parcels cost, on every face, and names the customer', async () => {
  const world = await openTestSandbox()
  for (const name of ['A', 'B'])
    await world.ok('create_shipment', makeParcel({ customer: `Shop ${name}` }), { as: 'everything' })
  await world.advance(DAY)
  using home = makeHome()
  const openClient = async () => makeSandboxClient(world, 'everything')
  const run = (command: Command, words: string[], tty = false) =>
    runCommand(home, command, words, {
      openClient,
      io: memoryIo({ env: home.env, ...(tty && { tty: true, columns: 100 }) }),
    })
  const of = (customer: string) => ['--from', '2026-11-01', '--to', '2026-11-30', '--customer', customer]
  for (const [customer, due] of [
    ['Shop A', 612],
    ['Nobody', 0],
  ] as const) {
    const { billed } = (await run(carrierReport, [...of(customer), '--json'])).json() as {
      billed: { due: { amount: number } }
    }
    expect(billed.due.amount).toBe(due)
    const sheet = (await run(carrierReport, [...of(customer), '--csv'])).out
    expect(sheet).toMatch(new RegExp(`^invoiced,to_pay,,${(due / 100).toFixed(2)},.*,${customer},`, 'm'))
  }
  const plain = ['--color', 'never']
  const screen = (await run(carrierReport, [...of('Shop A'), ...plain], true)).out
  expect(screen).toMatch(/^Parcels of .* for Shop A: /)
  expect(screen).toContain('To pay')
  expect(screen).toContain('£6.12')
  expect((await run(carrierReport, [...of('Nobody'), ...plain], true)).out).not.toContain('To pay')
  const page = (await run(carrierInvoice, ['--customer', 'Shop A', '--html', '-'])).out
  expect(page).toContain('for Shop A')
  expect(page.match(/ZC\d{9}GB/g)).toHaveLength(1)
  const none = await run(carrierInvoice, ['--without-customer', ...plain], true)
  expect(none.out).toMatch(/^Invoice of .* without a customer: /)
  expect(none.out).toContain('0 lines')
  const both = await run(carrierInvoice, ['--without-customer', '--customer', 'Shop A'])
  expect(both.error?.message).toBe('Give --customer or --without-customer, not both.')
})

test('an invoice of several pages is whole in JSON and CSV, and a screen says how many lines there are', async () => {
  const world = await openTestSandbox()
  const shipments = Array.from({ length: 120 }, (_, at) => makeParcel({ reference: `P-${at}` }))
  await world.ok('create_shipments_batch', { shipments }, { as: 'everything' })
  await world.advance(DAY)
  using home = makeHome()
  const openClient = async () => makeSandboxClient(world, 'everything')
  const json = await runCommand(home, carrierInvoice, ['2026-11', '--json'], { openClient })
  expect(json.json()).toMatchObject({ has_more: false, next_cursor: null, due: { amount: 120 * 612 } })
  expect((json.json() as { lines: unknown[] }).lines).toHaveLength(120)
  const csv = await runCommand(home, carrierInvoice, ['2026-11', '--csv'], { openClient })
  expect(new Set(csv.out.match(/P-\d+/g)).size).toBe(120)
  const io = memoryIo({ env: home.env, tty: true, columns: 100 })
  const screen = await runCommand(home, carrierInvoice, ['2026-11'], { openClient, io })
  expect(screen.out).toContain('120 lines: £734.40 billed')
  expect(screen.out).toContain('… and 100 more')
})

test('the list of parcels without a customer is part of the list', async () => {
  const world = await openTestSandbox()
  for (const customer of CUSTOMERS)
    await world.ok('create_shipment', makeParcel(customer === undefined ? {} : { customer }), {
      as: 'everything',
    })
  using home = makeHome()
  const openClient = async () => makeSandboxClient(world, 'everything')
  const count = async (...words: string[]) => {
    const ran = await runCommand(home, carrierList, [...words, '--json'], { openClient })
    return (ran.json() as { data: unknown[] }).data.length
  }
  expect([await count(), await count('--customer', 'Green Cup'), await count('--without-customer')]).toEqual([
    3, 1, 1,
  ])
})
