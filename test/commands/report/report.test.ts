import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import type { OperationInput } from '../../../src/client/operations.ts'
import type { LoadedStatement } from '../../../src/commands/business/load-statement.ts'
import { businessReport } from '../../../src/commands/business/report.command.ts'
import type { BusinessReport } from '../../../src/commands/business/report/load.ts'
import { carrierInvoice } from '../../../src/commands/carrier/invoice.command.ts'
import { carrierReport } from '../../../src/commands/carrier/report.command.ts'
import type { CarrierReport } from '../../../src/commands/carrier/report/load.ts'
import { AppError } from '../../../src/core/errors.ts'
import { readTable } from '../../../src/tabular/csv/read.ts'
import { toStorePath } from '../../support/agent.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { gbp } from '../../support/money.ts'
import { makeStoreOrder } from '../../support/orders.ts'
import { makeParcel } from '../../support/parcel.ts'
import { partialResponse } from '../../support/part.ts'
import { runCommand } from '../../support/run-command.ts'

type Filters = {
  created_from: string
  created_to: string
  payment_status?: string
  limit: number
  cursor?: string
}
type Order = ReturnType<typeof makeStoreOrder>

/** The service's time in these tests: a Friday noon. */
const NOW = Date.parse('2026-11-20T12:00:00Z')

/** The store of these tests, with a name that is as hostile as others. */
const STORE = 'Santa <b>Rosa'

/** Returns a client of a service that has these orders, and the filters of its calls. */
function serviceWith(
  orders: readonly Order[],
  statement?: LoadedStatement,
): { open: () => Promise<Client>; calls: Filters[] } {
  const calls: Filters[] = []
  const client = partialResponse<Client>({
    serviceTime: async () => ({ now: NOW, frozen: true }),
    close: async () => undefined,
    whoAmI: async () => ({ accountId: 'acc_1', account: 'owner', scopes: [] }),
    control: async () => ({ data: [{ handle: 'owner', name: 'Kitchens Ltd', stores: [STORE] }] }),
    async call(operation: string, input: unknown) {
      if (operation === 'get_store_statement') {
        if (statement === undefined) throw new AppError('route_not_found', 'There is no such path.')
        return { value: statement }
      }
      const { created_from, created_to, payment_status, limit, cursor } = input as Filters
      calls.push(input as Filters)
      const fits = orders.filter(
        ({ placed_at, payment }) =>
          placed_at >= created_from &&
          placed_at < created_to &&
          (payment_status === undefined || payment.status === payment_status),
      )
      const start = Number(cursor ?? 0)
      const has_more = fits.length > start + limit
      const value = {
        data: fits.slice(start, start + limit),
        has_more,
        next_cursor: has_more ? String(start + limit) : null,
      }
      return { value }
    },
  } as unknown as Client)
  return { open: async () => client as Client, calls }
}

function orderAt(at: number, placed: number, over: Partial<Order> = {}): Order {
  return {
    ...makeStoreOrder(`N${at}`),
    status: 'completed',
    total: gbp(1000 + (at % 100)),
    fees_total: gbp(0),
    discount_total: gbp(0),
    tax_total: gbp(0),
    prices_include_tax: true,
    prep: { ...makeStoreOrder('X').prep, accepted_at: null },
    placed_at: new Date(placed).toISOString(),
    ...over,
  }
}

const HOUR = 3_600_000
const TODAY = [
  orderAt(1, NOW - 2 * HOUR, { total: gbp(2000) }),
  orderAt(2, NOW - HOUR, { total: gbp(1000) }),
  // placed at this very moment of a frozen clock
  orderAt(3, NOW, { total: gbp(3000), status: 'placed' }),
  orderAt(4, NOW - HOUR, {
    total: gbp(700),
    status: 'rejected',
    rejection: {
      reason_code: 'not_accepted_in_time',
      note: null,
      at: new Date(NOW).toISOString(),
      item_ids: [],
    },
  }),
]
const YESTERDAY = [
  orderAt(5, NOW - 25 * HOUR, { total: gbp(4000) }),
  // after the time until which yesterday is compared
  orderAt(6, NOW - 22 * HOUR, { total: gbp(9000) }),
]

async function report(
  argv: readonly string[],
  orders: readonly Order[],
  tty?: { columns: number },
  statement?: LoadedStatement,
) {
  using home = makeHome()
  const { open, calls } = serviceWith(orders, statement)
  const io = memoryIo({ env: home.env, ...(tty && { tty: true, columns: tty.columns }) })
  const ran = await runCommand(home, businessReport, argv, { io, openClient: open })
  return { ...ran, calls }
}

/** A day with a refund in part: what an accountant is told of it. */
const STATEMENT: LoadedStatement = {
  merchant_id: 'mer_1',
  from: '2026-11-20T00:00:00.000Z',
  to: '2026-11-20T12:00:00.001Z',
  currency: 'GBP',
  orders: 1,
  opening: gbp(0),
  gross_goods: [{ section: 'Bread', amount: gbp(1485) }],
  discounts: { platform: gbp(99), store: gbp(0) },
  refunded_goods: [{ reason: 'missing', amount: gbp(495) }],
  net_sales: gbp(990),
  vat: [{ rate_bps: 2000, net: gbp(825), vat: gbp(165), gross: gbp(990) }],
  held: { fees: gbp(524), tips: gbp(1000) },
  borne_by_platform: gbp(0),
  payments: [{ method: 'card', collected_by: 'platform', captured: gbp(2860), refunded: gbp(445) }],
  unpaid: [{ order_id: 'ord_2', display_number: '7K2M', method: 'cash', amount: gbp(500) }],
  payouts: gbp(0),
  earlier: gbp(0),
  lost: [{ reason: 'not_accepted_in_time', orders: 1, amount: gbp(700) }],
  due: gbp(-175),
  closing: gbp(-175),
}

describe('a store’s statement', () => {
  test('is a file for an accountant: net sales, VAT by rate, payments and the balance', async () => {
    const { out } = await report(['--statement', '--csv'], TODAY, undefined, STATEMENT)
    const lines = out.trim().split(/\r?\n/)
    expect(out.charAt(0)).toBe('\uFEFF')
    expect(lines[0]).toBe('section,name,rate,net,vat,amount,currency,store,from,to')
    const start = (line: string): string => line.split(',').slice(0, 7).join(',')
    expect(lines.slice(1).map(start)).toEqual([
      'goods,Bread,,,,14.85,GBP',
      'discounts,store,,,,0.00,GBP',
      'refunded_goods,missing,,,,-4.95,GBP',
      'sales,net_sales,,,,9.90,GBP',
      'vat,20%,20,8.25,1.65,9.90,GBP',
      'held,fees,,,,5.24,GBP',
      'held,tips,,,,10.00,GBP',
      'platform,discounts,,,,-0.99,GBP',
      'platform,refunds,,,,0.00,GBP',
      'payments,card by platform,,,,28.60,GBP',
      'refunds,card by platform,,,,-4.45,GBP',
      'unpaid,7K2M,,,,5.00,GBP',
      'lost,not_accepted_in_time,,,,7.00,GBP',
      'balance,opening,,,,0.00,GBP',
      'balance,payouts,,,,0.00,GBP',
      'balance,due,,,,-1.75,GBP',
    ])
  })

  test('is in the report for people, with its sums', async () => {
    const { out } = await report([], TODAY, { columns: 100 }, STATEMENT)
    for (const said of [
      /Net sales .*£9\.90/,
      /20% .*£8\.25.*£1\.65.*£9\.90/,
      /card, collected by the platform .*£28\.60/,
      /Unpaid: 7K2M .*£5\.00/,
      /Net sales .*£9\.90/,
      /Lost to the store .*£7\.00/,
      /not accepted in time +1 +£7\.00/,
      /Due to the platform .*£1\.75/,
      /£9\.90 net sales \+ £5\.24 fees \+ £10\.00 tips - £0\.99 discounts of the platform/,
    ])
      expect(out).toMatch(said)
  })

  test('names what the document of the next day counts, where a day was closed early', async () => {
    const counted_later = {
      entries: [
        {
          order_id: 'ord_9',
          display_number: 'X7KH',
          kind: 'refund' as const,
          at: '2026-11-20T21:00:00.000Z',
          amount: gbp(445),
        },
      ],
      net_sales: gbp(-495),
      vat: gbp(-83),
      captured: gbp(0),
      refunded: gbp(445),
      payouts: gbp(0),
    }
    const late = { ...STATEMENT, counted_later, from_earlier: { ...counted_later, entries: [] } }
    const { out } = await report(['--statement', '--csv'], TODAY, undefined, late)
    expect(out).toContain('\ncounted_later,X7KH refund,,,,-4.45,GBP,')
    expect(out).toContain('\ncounted_later,net_sales,,,,-4.95,GBP,')
    expect(out).not.toContain('from_earlier')
    const screen = await report(['--color', 'never'], TODAY, { columns: 100 }, late)
    expect(screen.out).toMatch(
      /Counted in the document of the next day +Amount\nX7KH refund +-£4\.45\nnet sales +-£4\.95/,
    )
  })

  test('says for how much its VAT columns are blank, where items have no rate of their own', async () => {
    const unrated = { ...STATEMENT, without_rate: { goods: gbp(1485), rate_bps: 2000 } }
    const { out, err } = await report(['--statement', '--csv'], TODAY, undefined, unrated)
    expect(out).toContain('\nwithout_rate,goods,,,,14.85,GBP,')
    const words =
      "£14.85 of the goods are of items without a VAT rate of their own: they count at the store's 20%."
    expect(err).toContain(words)
    const screen = await report(['--color', 'never'], TODAY, { columns: 100 }, unrated)
    expect(screen.out.replaceAll(/\s+/g, ' ')).toContain(words)
  })

  test('leaves the VAT columns of orders blank that have no rate, and says for how much', async () => {
    const [first, ...more] = TODAY
    const lines = structuredClone(first?.lines ?? [])
    for (const line of lines) Reflect.deleteProperty(line, 'tax_rate_bps')
    const older = [{ ...first, lines } as Order, ...more]
    const { out, err } = await report(['--orders', '--csv'], older, undefined, STATEMENT)
    const [head = '', ...rows] = out.trim().split(/\r?\n/)
    const at = head.split(',').indexOf('net')
    expect(
      rows.map((row) => row.split(',').slice(at, at + 3)).filter((cells) => cells.join('') === ''),
    ).toHaveLength(1)
    expect(err).toContain('net, vat and gross are blank for 1 order of £20.00')
    expect((await report(['--orders', '--csv'], TODAY, undefined, STATEMENT)).err).not.toContain('blank')
  })

  test('is missing from an older service, which the report says', async () => {
    const { out } = await report([], TODAY, { columns: 100 })
    expect(out).toContain('This service has no statement of the store')
    expect((await report(['--statement', '--csv'], TODAY)).code).toBe(2)
  })

  test('has each order in a row of its own, with fixed columns', async () => {
    const { out } = await report(['--orders', '--csv'], TODAY, undefined, STATEMENT)
    const [head, ...rows] = out.trim().split(/\r?\n/)
    expect(head?.split(',').slice(8, 19)).toEqual([
      'net',
      'vat',
      'gross',
      'fees',
      'tip',
      'platform_discount',
      'total',
      'paid',
      'refunded',
      'kept',
      'merchant_id',
    ])
    expect(rows).toHaveLength(TODAY.length)
    expect((await report(['--orders', '--csv'], [], undefined, STATEMENT)).out.trim()).toBe(head)
  })
})

describe('a store’s report', () => {
  test('of today includes this moment, and yesterday until the same time', async () => {
    const ran = await report(['--json'], [...TODAY, ...YESTERDAY])
    const { current, previous, currency } = ran.json() as BusinessReport
    expect(currency).toBe('GBP')
    expect(current).toMatchObject({
      ordered: { orders: 4 },
      sales: { orders: 3 },
    })
    expect(previous.sales).toEqual({ orders: 1 })
  })

  test('counts what went back of an earlier order, in part or whole', async () => {
    const { refund, payment } = makeStoreOrder('X')
    const orders = (['refunded', 'partially_refunded'] as const).map((status, at) =>
      orderAt(at, NOW - 72 * HOUR, {
        payment: { ...payment, status },
        refunds: [
          {
            ...partialResponse<NonNullable<typeof refund>>({
              created_at: new Date(NOW - HOUR).toISOString(),
            }),
            status: 'succeeded',
            amount: gbp(at === 0 ? 1000 : 30),
          },
        ],
      }),
    )
    const { current } = (await report(['--json'], orders)).json() as BusinessReport
    expect(current.refunds).toEqual({ count: 2, of_earlier_orders: { count: 2 } })
  })

  test('says it in a sentence first, and fits the terminal', async () => {
    for (const columns of [40, 60, 80, 120]) {
      const { out, err } = await report(['--color', 'never'], [...TODAY, ...YESTERDAY], { columns })
      const words = out.replaceAll(/\s+/g, ' ')
      expect(words).toContain('Sales of Santa <b>Rosa: Today, Fri 20 Nov 2026, until 12:00 (Europe/London)')
      expect(words).toContain('3 orders, 200% more than yesterday until 12:00.')
      expect(words).toContain('1 order expired: not accepted in time.')
      expect(out.split('\n').filter((line) => line.length > columns)).toEqual([])
      expect(err).toContain('Next: dray business report week')
    }
  })

  test('begins all bars at one line, and shows what was lost in its own colour', async () => {
    const named = TODAY.map((order, at) => ({
      ...order,
      lines: order.lines.map((line) => ({ ...line, name: `${'Long '.repeat(at)}dish` })),
    }))
    const { out } = await report(['--color', 'always'], named, { columns: 100 })
    const drawn = out.split('\n').filter((line) => /\[3[16]m[█-▏]/.test(line) && !/[│┤]/.test(line))
    const starts = drawn.map((line) => stripVTControlCharacters(line).search(/[█-▏]/))
    expect(starts.length).toBeGreaterThan(3)
    expect(new Set(starts).size).toBe(1)
    expect(drawn.find((line) => line.startsWith('rejected'))).toContain('\x1b[31m')
    expect(drawn.find((line) => line.startsWith('completed'))).toContain('\x1b[36m')
    const page = await report(['--html', '-'], named)
    expect(page.out.match(/<rect class="lost"/g)).toHaveLength(1)
  })

  test('has no glyphs where nothing is drawn, and says the same', async () => {
    const { out } = await report(['--accessible'], [...TODAY, ...YESTERDAY], { columns: 80 })
    expect(out).not.toMatch(/[▁-█─│┤└·…]/)
    expect(out).toContain('Orders sold: 3; yesterday until 12:00: 1 (+200%)')
    expect(out).toContain('completed: Orders 2')
    expect(out).toContain('12:00: 1 order; yesterday: 0 orders')
  })

  test('of a busy month reads each order once, in parts of bounded number', async () => {
    const from = Date.parse('2026-11-01T05:00:00Z')
    const step = Math.floor((NOW - from) / 10_000)
    const orders = Array.from({ length: 10_000 }, (_, at) => orderAt(at, from + at * step))
    const ran = await report(['month', '--json'], orders)
    const { sales, timeline } = (ran.json() as BusinessReport).current
    expect(sales).toEqual({ orders: 10_000 })
    expect(timeline.reduce((sum, day) => sum + day.orders, 0)).toBe(10_000)
    expect(ran.calls.length).toBeLessThan(200)
  })

  test('of a time without orders says so, and where to look', async () => {
    const { out, err } = await report([], [], { columns: 80 })
    expect(out).toContain('No orders, and none yesterday until 12:00.')
    expect(err).toContain('Next: dray business report month')
    expect((await report(['month'], [])).err).toContain('No orders, and none last month')
  })

  test('adds up one currency, and says what it leaves out', async () => {
    const euros = orderAt(9, NOW - HOUR, { total: { amount: 500, currency: 'EUR' } })
    const both = await report([], [...TODAY, euros])
    expect(both.error?.message).toBe('The orders are in EUR and GBP, which cannot be added up.')
    const one = await report(['--currency', 'gbp', '--json'], [...TODAY, euros])
    expect(one.json()).toMatchObject({ currency: 'GBP', other_currencies: { EUR: 1 } })
  })

  test('has no money but that of the statement, in a pipe and in a spreadsheet: net sales, VAT and losses', async () => {
    const sold = [...TODAY, ...YESTERDAY]
    const { out } = await report(['--csv'], sold, undefined, STATEMENT)
    const lines = out.split('\n')
    expect(lines[0]).toBe(
      '\uFEFFsection,name,orders,quantity,rate,net,vat,amount,seconds,before_orders,before_quantity,before_amount,before_seconds,currency,store,from,to',
    )
    const about = 'Santa <b>Rosa,2026-11-20 05:00,2026-11-20 12:00'
    expect(lines).toContain(`total,sales,3,,,,,,,1,,,,,${about}`)
    expect(lines).toContain(`rejected,not_accepted_in_time,1,,,,,,,,,,,,${about}`)
    expect(lines).toContain(`sales,net_sales,,,,,,9.90,,,,9.90,,GBP,${about}`)
    expect(lines).toContain(`vat,20%,,,20,8.25,1.65,9.90,,,,9.90,,GBP,${about}`)
    expect(lines).toContain(`lost,not_accepted_in_time,1,,,,,7.00,,1,,7.00,,GBP,${about}`)
    expect(out).not.toContain('tax_added')
    // A program gets the same rows without the mark of a spreadsheet's file.
    expect(`\uFEFF${(await report(['--output', 'csv'], sold, undefined, STATEMENT)).out}`).toBe(out)
    const piped = await report([], sold, undefined, STATEMENT)
    expect(piped.out).toContain('\nvat\t20%\t')
    const tokyo = await report(['--csv', '--from', '2026-11-20', '--timezone', 'Asia/Tokyo'], TODAY)
    expect(tokyo.out).toContain('\ntime,2026-11-20 05:00,')
    const fields = ['--fields', 'name,amount', '--output', 'csv']
    expect((await report(fields, TODAY, undefined, STATEMENT)).out).toContain('net_sales,9.90\n')
    expect((await report(['--query', 'current.sales.orders'], TODAY)).out).toBe('3\n')
  })
})

test.each([
  [['--to', '2026-11-02'], '--to needs --from.'],
  [['week', '--from', '2026-11-02'], 'Give week, or --from and --to, not both.'],
  [['fortnight'], 'Unknown period "fortnight".'],
  [['--from', '2026-11-21'], '--from is in the future'],
  [['--from', '2026-11-09', '--to', '2026-11-01'], '--from must be before --to.'],
  [['--from', '2020-01-01'], 'A report covers at most 366 days.'],
  [['--timezone', 'Mars/Base'], '--timezone "Mars/Base" is no time zone.'],
  [['--currency', 'XXX'], '--currency "XXX" is no currency.'],
  [['--csv', '--json'], 'Give --csv or --json, not both.'],
  [['--html', 'week.docx'], '--html week.docx ends with .docx, and what it writes is HTML.'],
  [['--html', '-', '--json'], 'Standard output takes one document: --html - or --json.'],
])('%j is explained, and nothing is read', async (argv, message) => {
  const { error, calls } = await report(argv, [])
  expect(error?.code).toBe('usage')
  expect(error?.message).toContain(message)
  expect(calls).toEqual([])
})

test('--to takes a day whole', async () => {
  const { calls, json } = await report(['--from', '2026-11-18', '--to', '2026-11-19', '--json'], YESTERDAY)
  expect(calls[0]).toMatchObject({
    created_from: '2026-11-18T05:00:00.000Z',
    created_to: '2026-11-20T05:00:00.000Z',
  })
  expect((json() as BusinessReport).current.sales.orders).toBe(2)
})

test.each([
  ['yesterday', ['--from', 'yesterday', '--to', 'yesterday'], 'Thu 19 Nov 2026'],
  [
    'a time of day',
    ['--from', '2026-11-19 22:00', '--to', '2026-11-20 02:00'],
    '19 Nov 2026 22:00 to 20 Nov 2026 02:00',
  ],
])('a report of %s is headed by its days, or by its times', async (_, argv, words) => {
  const night = orderAt(7, Date.parse('2026-11-20T01:30:00Z'))
  const { out } = await report([...argv, '--color', 'never'], [night], { columns: 100 })
  expect(out).toContain(`Santa <b>Rosa: ${words} (Europe/London)`)
  expect(out).toContain('1 order; none')
})

test('each order has its business day in its row', async () => {
  const night = orderAt(7, Date.parse('2026-11-20T01:30:00Z'))
  const { out } = await report(['yesterday', '--orders', '--csv'], [night])
  const [head = '', row = ''] = out.trim().split(/\r?\n/)
  const at = head.split(',').indexOf('business_day')
  expect([row.split(',')[2], row.split(',')[at]]).toEqual(['2026-11-20 01:30', '2026-11-19'])
})

test('the page is one file without script or request, in which names stay text', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'week.html')
  const { open } = serviceWith(
    TODAY.map((order) => ({
      ...order,
      lines: order.lines.map((line) => ({ ...line, name: '<script>alert(1)</script>' })),
    })),
  )
  const ran = await runCommand(home, businessReport, ['--html', path, '--quiet'], { openClient: open })
  expect(ran.error).toBeUndefined()
  const page = readFileSync(path, 'utf8')
  expect(page.replaceAll(' xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
    /<script|https?:|url\(|<link|<img|\sstyle=|\son\w+=/,
  )
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).toContain('Sales of Santa &lt;b&gt;Rosa: Today, Fri 20 Nov 2026, until 12:00')
  const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(page).toContain(`style-src &#39;sha256-${hash}&#39;`)
  // its own page is written again; another file is not
  expect(
    (await runCommand(home, businessReport, ['--html', path], { openClient: open })).error,
  ).toBeUndefined()
  writeFileSync(path, '<p>mine</p>')
  const refused = await runCommand(home, businessReport, ['--html', path], { openClient: open })
  expect(refused.error?.message).toContain('was not written by dray')
})

describe('a sender’s report', () => {
  test('counts what was sent, and says what to do where nothing was', async () => {
    using home = makeHome()
    const openClient = embeddedIn(home)
    const empty = await runCommand(home, carrierReport, ['month'], { openClient })
    expect(empty.err).toContain('No parcels created, and none last month')
    const document = (await runCommand(home, carrierReport, ['--json'], { openClient })).json()
    expect(document).toMatchObject({ report: 'carrier', late_now: { parcels: 0 } })
    expect((document as CarrierReport).hubs?.length).toBeGreaterThan(1)
  })

  test('of one customer has a row for each parcel, and the parts add up to its price', async () => {
    using home = makeHome()
    const openClient = embeddedIn(home)
    const client = await openClient({ kind: 'embedded', store: toStorePath(home), account: 'everything' })
    const insured = { weight_grams: 9000, length_mm: 1100, width_mm: 200, height_mm: 100 }
    const declared_value = { amount: 20_000, currency: 'GBP' }
    const parcels = [
      makeParcel({ reference: 'A-1', customer: 'Green Cup', parcel: { ...insured, declared_value } }),
      makeParcel(
        { reference: 'A-2', customer: 'Green Cup', service_level: 'two_day' },
        { postal_code: 'KW15 1HY', city: 'Kirkwall' },
      ),
      makeParcel({ reference: 'A-3', customer: 'Blue Door' }),
      makeParcel({ reference: 'A-4' }),
    ]
    for (const parcel of parcels)
      await client.call('create_shipment', parcel as OperationInput<'create_shipment'>, {
        idempotencyKey: parcel['reference'] as string,
      })
    await client.close()
    const run = (...words: string[]) => runCommand(home, carrierReport, words, { openClient })
    const all = (await run('--json')).json() as CarrierReport
    const own = (await run('--json', '--customer', 'Green Cup')).json() as CarrierReport
    expect([all.current.created.parcels, own.current.created.parcels, own.customer]).toEqual([
      4,
      2,
      'Green Cup',
    ])
    const { out } = await run('--customer', 'Green Cup', '--parcels', '--csv')
    const { header, rows } = readTable(out.slice(1))
    expect(out.charAt(0)).toBe('\uFEFF')
    expect(header.slice(0, 3)).toEqual(['tracking_number', 'reference', 'customer'])
    const read = rows.map(({ cells }) =>
      Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])),
    )
    expect(read.map(({ reference, customer }) => [reference, customer])).toEqual([
      ['A-1', 'Green Cup'],
      ['A-2', 'Green Cup'],
    ])
    const pence = (text: string | undefined) => Math.round(Number(text) * 100)
    for (const row of read) {
      const parts = [row['subtotal'], row['fuel'], row['remote_area'], row['oversize'], row['insurance']]
      const net = parts.map(pence).reduce((sum, each) => sum + each, 0)
      expect(pence(row['net'])).toBe(net)
      expect(net + pence(row['vat'])).toBe(pence(row['total']))
      expect([row['vat_rate'], row['currency']]).toEqual(['20', 'GBP'])
    }
    expect(read[0]?.['insurance']).toBe('2.00')
    expect(Number(read[1]?.['remote_area'])).toBeGreaterThan(0)
    const sum = read.reduce((total, row) => total + pence(row['total']), 0)
    expect(sum).toBe(own.current.created.total.amount)
  })

  test('says what is to be paid, which its days and the invoice of the month agree on', async () => {
    using home = makeHome()
    const openClient = embeddedIn(home)
    const store = `${home.paths.data}/default/dray.db`
    const client = await openClient({ kind: 'embedded', store, account: 'everything' })
    await client.control('reset', { at: '2026-11-19T09:00:00Z' })
    for (const service_level of ['next_day', 'two_day', 'same_day'])
      await client.call('create_shipment', makeParcel({ service_level }) as never)
    await client.control('advance_clock', { by: '1d' })
    const { value } = await client.call('create_shipment', makeParcel() as never)
    await client.call('create_shipment', makeParcel() as never)
    await client.call('cancel_shipment', { tracking_number: value.tracking_number })
    await client.control('advance_clock', { by: '1d' })
    const { value: invoice } = await client.call('get_carrier_invoice', { month: '2026-11' })
    await client.close()
    const report = async (...words: string[]): Promise<CarrierReport> =>
      (await runCommand(home, carrierReport, [...words, '--json'], { openClient })).json() as CarrierReport
    const due = async (...words: string[]) => (await report(...words)).billed?.due.amount ?? 0
    expect(invoice.due.amount).toBe(612 + 492 + 934 + 612)
    expect(await due('month')).toBe(invoice.due.amount)
    const days = ['19', '20', '21'].map((day) => due('--from', `2026-11-${day}`, '--to', `2026-11-${day}`))
    expect(await Promise.all(days)).toEqual([612 + 492 + 934, 612, 0])
    const sheet = await runCommand(home, carrierInvoice, ['2026-11', '--csv'], { openClient })
    expect(sheet.out.split('\n')[0]).toBe(
      '\uFEFFat,kind,tracking_number,reference,customer,service_level,subtotal,surcharges,net,vat,total,vat_rate,currency,account,from,to',
    )
    expect(sheet.out).toContain(',same_day,7.20,0.58,7.78,1.56,9.34,20,GBP,')
    const table = (await runCommand(home, carrierReport, ['month', '--csv'], { openClient })).out
    expect(table).toMatch(/^invoiced,to_pay,,26\.50,/m)
    const tty = memoryIo({ env: home.env, tty: true, columns: 80 })
    const screen = await runCommand(home, carrierInvoice, [], { io: tty, openClient })
    expect(screen.out).toContain('4 lines: £26.50 billed, £26.50 to pay.')
  })

  test('works without the scope that names hubs, and says which is missing', async () => {
    using home = makeHome()
    const openClient = async (): Promise<Client> =>
      partialResponse<Client>({
        serviceTime: async () => ({ now: NOW, frozen: true }),
        close: async () => undefined,
        // a service elsewhere tells whose the token is, and not the name
        whoAmI: async () => ({ accountId: 'acc_1', account: 'shipper', scopes: [] }),
        control: async () => {
          throw new AppError('route_not_found', 'There is no sandbox.')
        },
        async call(operation: string) {
          if (operation === 'list_hubs') throw new AppError('insufficient_scope', 'coverage.read is missing')
          return { value: { data: [], has_more: false, next_cursor: null } }
        },
      } as unknown as Client) as Client
    const io = memoryIo({ env: home.env, tty: true, columns: 80 })
    const ran = await runCommand(home, carrierReport, [], { io, openClient })
    expect(ran.error).toBeUndefined()
    expect(ran.out).toContain('lacks the scope coverage.read')
    expect(ran.out).toContain('Parcels of shipper: Today, Fri 20 Nov 2026')
  })
})

describe('a day that begins at 01:00, because the clocks skip midnight,', () => {
  /** Parcels of two days, the last of the first and the first of the second within the hour that is skipped. */
  const DAYS: [zone: string, days: [string, string], created: string[]][] = [
    [
      'America/Santiago',
      ['2026-09-05', '2026-09-06'],
      ['2026-09-05T15:00:00Z', '2026-09-06T03:59:59Z', '2026-09-06T04:00:00Z', '2026-09-07T02:59:59Z'],
    ],
    [
      'Asia/Beirut',
      ['2026-03-28', '2026-03-29'],
      ['2026-03-28T15:00:00Z', '2026-03-28T21:59:59Z', '2026-03-28T22:00:00Z', '2026-03-29T20:59:59Z'],
    ],
  ]

  test.each(DAYS)(
    'has its own parcels in %s, and the day before has all of its own',
    async (timezone, days, created) => {
      using home = makeHome()
      const openClient = embeddedIn(home)
      const store = `${home.paths.data}/default/dray.db`
      const client = await openClient({ kind: 'embedded', store, account: 'everything' })
      const [first = '', ...others] = created
      await client.control('reset', { at: first })
      await client.call('create_shipment', makeParcel({ reference: 'A0' }) as never)
      for (const [at, moment] of others.entries()) {
        await client.control('set_clock', { mode: 'frozen', at: moment })
        await client.call('create_shipment', makeParcel({ reference: `A${at + 1}` }) as never)
      }
      await client.close()
      const report = async (...words: string[]): Promise<CarrierReport> => {
        const ran = await runCommand(home, carrierReport, [...words, '--timezone', timezone, '--json'], {
          openClient,
        })
        return ran.json() as CarrierReport
      }
      for (const day of days) {
        const { current } = await report('--from', day, '--to', day)
        expect([day, current.created.parcels]).toEqual([day, 2])
      }
      const today = await report('today')
      expect([today.current.created.parcels, today.previous.created.parcels]).toEqual([2, 2])
      const both = await report('--from', days[0], '--to', days[1])
      expect(both.current.created.parcels).toBe(4)
    },
  )
})
