/** The surfaces of a store's money: of a business day, and of all days, in which each part must add up to the whole. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { DAY_DOCUMENTS } from './day-documents.ts'
import { type Facts, stripColours, toMinorUnits } from './facts.ts'
import { runPiped } from './reading.ts'
import { findStoreId } from './store-id.ts'
import type { Subject, Surface } from './surface.ts'
import type { SurfaceWorld } from './world.ts'

/** The days of a story: nothing that is told in it is later. */
const FIRST_DAY = '2026-11-20'
const DAYS = 8

/** Returns the day that begins so many days after the first one, such as `2026-11-21`. */
function dayAfter(count: number): string {
  return new Date(Date.parse(FIRST_DAY) + count * 86_400_000).toISOString().slice(0, 10)
}

type Amount = { amount: number }
type Statement = {
  net_sales: Amount
  vat: readonly { vat: Amount }[]
  held: { fees: Amount; tips: Amount }
  payments: readonly { captured: Amount; refunded: Amount }[]
  discounts: { platform: Amount }
  borne_by_platform: Amount
  opening: Amount
  due: Amount
}

/** Returns what was kept by its parts: sales, and what is not the store's. */
function readParts({ net_sales, held, discounts, borne_by_platform }: Statement): Facts {
  const platform = held.fees.amount - discounts.platform.amount - borne_by_platform.amount
  return { sums: { kept: net_sales.amount + held.tips.amount + platform } }
}

function readStatement({ net_sales, vat, held, payments, opening, due }: Statement): Facts {
  const captured = addUp(payments.map((each) => each.captured.amount))
  const refunded = addUp(payments.map((each) => each.refunded.amount))
  return {
    sums: {
      netSales: net_sales.amount,
      vat: addUp(vat.map((each) => each.vat.amount)),
      fees: held.fees.amount,
      tips: held.tips.amount,
      captured,
      refunded,
      kept: captured - refunded,
      due: due.amount,
      earned: due.amount - opening.amount,
    },
  }
}

function addUp(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

/** The rows of a report or a statement for a spreadsheet. */
function readStatementRows(text: string): Facts {
  const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
  const sumOf = (section: string, column: string, name?: string): number =>
    addUp(
      rows
        .filter((row) => row['section'] === section && (name === undefined || row['name'] === name))
        .map((row) => toMinorUnits(row[column]) ?? 0),
    )
  const captured = sumOf('payments', 'amount')
  const refunded = -sumOf('refunds', 'amount')
  return {
    sums: {
      netSales: sumOf('sales', 'amount', 'net_sales'),
      vat: sumOf('vat', 'vat'),
      fees: sumOf('held', 'amount', 'fees'),
      tips: sumOf('held', 'amount', 'tips'),
      captured,
      refunded: refunded === 0 ? 0 : refunded,
      due: sumOf('balance', 'amount', 'due'),
    },
  }
}

/** A report on a screen. */
function readReportScreen(screen: string): Facts {
  const text = stripColours(screen)
  const amount = (pattern: RegExp) => toMinorUnits(pattern.exec(text)?.[1])
  return {
    sums: {
      netSales: amount(/\bNet sales (-?£[\d,.]+\d)/),
      vat: addUp(
        [...text.matchAll(/^[\d.]+% +\S+ +(-?£[\d,.]+) +\S+$/gm)].map(([, vat]) => toMinorUnits(vat) ?? 0),
      ),
      due: amount(/^Due to the store {2,}(-?£[\d,.]+)$/m),
    },
  }
}

/** A report as a page. */
function readReportPage(page: string): Facts {
  const amount = (label: string) => {
    const row = new RegExp(`<th scope="row">${label}</th>\\s*<td class="number">(-?£[\\d,.]+)</td>`)
    return toMinorUnits(row.exec(page)?.[1])
  }
  return { sums: { netSales: amount('Net sales'), due: amount('Due to the store') } }
}

type OfDay = (...words: readonly string[]) => string[]

function ofDay(
  name: string,
  read: (world: SurfaceWorld, subject: Subject, dray: OfDay) => Promise<Facts | undefined>,
): Surface {
  return {
    of: 'day',
    name,
    isSlow: false,
    read: (world, subject) =>
      read(world, subject, (...words) => [
        'business',
        ...words,
        '--merchant',
        subject.store,
        '--as',
        subject.keeper,
      ]),
  }
}

/** A report of days that have not begun is refused. */
const REFUSED = 2

/** Returns the report of a day; undefined for one that has not begun. */
async function runReport(
  world: SurfaceWorld,
  words: readonly string[],
  tty = false,
): Promise<string | undefined> {
  const { code, out, err } = await world.dray(words, { tty })
  if (code !== 0 && code !== REFUSED) throw new Error(`dray ${words.join(' ')} ended with ${code}: ${err}`)
  return code === REFUSED ? undefined : out
}

/** The day after a day, which ends it. */
function endOf({ id }: Subject): string {
  return new Date(Date.parse(id) + 86_400_000).toISOString().slice(0, 10)
}

const OF_DAY: readonly Surface[] = [
  ofDay('business statement --json', async (world, subject, dray) => {
    const words = ['statement', '--from', subject.id, '--to', endOf(subject), '--json']
    return readStatement(JSON.parse(await runPiped(world, dray(...words))) as Statement)
  }),
  ofDay('the parts of a statement', async (world, subject, dray) => {
    const words = ['statement', '--from', subject.id, '--to', endOf(subject), '--json']
    return readParts(JSON.parse(await runPiped(world, dray(...words))) as Statement)
  }),
  ofDay('business report --json', async (world, { id }, dray) => {
    const text = await runReport(world, dray('report', '--from', id, '--to', id, '--json'))
    return text === undefined
      ? undefined
      : readStatement((JSON.parse(text) as { statement: Statement }).statement)
  }),
  ofDay('business report', async (world, { id }, dray) => {
    const text = await runReport(world, dray('report', '--from', id, '--to', id), true)
    return text === undefined ? undefined : readReportScreen(text)
  }),
  ofDay('business report --csv', async (world, { id }, dray) => {
    const text = await runReport(world, dray('report', '--from', id, '--to', id, '--csv'))
    return text === undefined ? undefined : readStatementRows(text)
  }),
  ofDay('business report --statement --csv', async (world, { id }, dray) => {
    const text = await runReport(world, dray('report', '--from', id, '--to', id, '--statement', '--csv'))
    return text === undefined ? undefined : readStatementRows(text)
  }),
  ofDay('business report --html', async (world, { id }, dray) => {
    const file = world.path('report.html')
    await runReport(world, dray('report', '--from', id, '--to', id, '--html', file))
    if (!existsSync(file)) return undefined
    const page = readFileSync(file, 'utf8')
    rmSync(file)
    return readReportPage(page)
  }),
  ofDay('business statement --bookkeeping', async (world, subject, dray) => {
    const words = ['statement', '--from', subject.id, '--to', endOf(subject), '--bookkeeping']
    const rows: Record<string, string>[] = parse(await runPiped(world, dray(...words)), {
      columns: true,
      bom: true,
    })
    return { sums: { earned: addUp(rows.map(({ Amount: amount }) => toMinorUnits(amount) ?? Number.NaN)) } }
  }),
  ofDay('the tool get_store_statement', async (world, subject) => {
    const merchant_id = await findStoreId(world, subject)
    const input = { merchant_id, from: subject.id, to: endOf(subject) }
    const text = await world.tool('get_store_statement', input, subject.keeper)
    return text === null ? undefined : readStatement(JSON.parse(text) as Statement)
  }),
]

/** The statement of each of these days. */
async function readDays(world: SurfaceWorld, { store, keeper }: Subject): Promise<Statement[]> {
  const statements: Statement[] = []
  for (let day = 0; day < DAYS; day++) {
    const days = ['--from', dayAfter(day), '--to', dayAfter(day + 1)]
    const words = ['business', 'statement', ...days, '--json', '--merchant', store, '--as', keeper]
    statements.push(JSON.parse(await runPiped(world, words)) as Statement)
  }
  return statements
}

type ListedOrder = {
  charged: Amount
  payment: { status: string; amount: Amount }
  refunds: readonly { status: string; amount: Amount }[]
}

async function listOrders(
  world: SurfaceWorld,
  { store, keeper }: Subject,
  ...filter: readonly string[]
): Promise<ListedOrder[]> {
  const own = ['--merchant', store, '--as', keeper]
  const words = ['business', 'orders', 'list', '--all', '--json', ...filter, ...own]
  return (JSON.parse(await runPiped(world, words)) as { data: ListedOrder[] }).data
}

/** Returns what the orders of a store kept, by their list. */
function readKept(orders: readonly ListedOrder[]): Facts {
  const paid = orders.filter(({ payment }) => isPaid(payment))
  const captured = addUp(paid.map(({ payment }) => payment.amount.amount))
  const back = paid.flatMap(({ refunds }) => refunds.filter(({ status }) => status !== 'failed'))
  return { sums: { kept: captured - addUp(back.map(({ amount }) => amount.amount)) } }
}

function isPaid({ status }: ListedOrder['payment']): boolean {
  return status !== 'unpaid' && status !== 'failed'
}

/** The filters of a list whose parts are the whole. */
const PARTITIONS: Readonly<Record<string, readonly string[]>> = {
  '--fulfillment': ['delivery', 'pickup', 'dine_in'],
  '--payment': ['unpaid', 'paid', 'partially_refunded', 'refund_pending', 'refunded', 'failed'],
  '--status': [
    'placed',
    'accepted',
    'preparing',
    'ready',
    'out_for_delivery',
    'completed',
    'rejected',
    'cancelled',
    'failed',
  ],
}

function ofAllDays(name: string, read: Surface['read']): Surface {
  return { of: 'days', name, isSlow: false, read }
}

const OF_ALL_DAYS: readonly Surface[] = [
  ofAllDays('the statement of all days', async (world, { store, keeper }) => {
    const days = ['--from', FIRST_DAY, '--to', dayAfter(DAYS)]
    const words = ['business', 'statement', ...days, '--json', '--merchant', store, '--as', keeper]
    return readStatement(JSON.parse(await runPiped(world, words)) as Statement)
  }),
  ofAllDays('the statements of each day', async (world, subject) => {
    const days = (await readDays(world, subject)).map(readStatement)
    const sumOf = (name: string): number => addUp(days.map(({ sums }) => sums?.[name] ?? 0))
    const names = ['netSales', 'fees', 'tips', 'captured', 'refunded', 'kept', 'earned']
    return { sums: Object.fromEntries(names.map((name) => [name, sumOf(name)])) }
  }),
  ofAllDays('the list of orders', async (world, subject) => {
    const orders = await listOrders(world, subject)
    return { sums: { orders: orders.length, ...readKept(orders).sums } }
  }),
  ofAllDays('the charges of the orders', async (world, subject) => {
    const paid = (await listOrders(world, subject)).filter(({ payment }) => isPaid(payment))
    return { sums: { kept: addUp(paid.map(({ charged }) => charged.amount)) } }
  }),
  ...Object.entries(PARTITIONS).map(([flag, values]) =>
    ofAllDays(`the list of orders by ${flag}`, async (world, subject) => {
      const parts: ListedOrder[] = []
      for (const value of values) parts.push(...(await listOrders(world, subject, flag, value)))
      return { sums: { orders: parts.length, ...readKept(parts).sums } }
    }),
  ),
  ofAllDays('the list of orders by day', async (world, subject) => {
    const parts = await listOrders(world, subject, '--created-to', FIRST_DAY)
    for (let day = 0; day < DAYS; day++) {
      const days = ['--created-from', dayAfter(day), '--created-to', dayAfter(day + 1)]
      parts.push(...(await listOrders(world, subject, ...days)))
    }
    parts.push(...(await listOrders(world, subject, '--created-from', dayAfter(DAYS))))
    return { sums: { orders: parts.length, ...readKept(parts).sums } }
  }),
  ofAllDays('the statement of all time, in parts', async (world, subject) => {
    const parts = [
      await readStretch(world, subject, '2026-10-01', FIRST_DAY),
      await readStretch(world, subject, FIRST_DAY, dayAfter(DAYS)),
      await readStretch(world, subject, dayAfter(DAYS), '2027-01-01'),
    ]
    const names = ['netSales', 'fees', 'tips', 'captured', 'refunded', 'earned']
    const sumOf = (name: string): number => addUp(parts.map(({ sums }) => sums?.[name] ?? 0))
    return { sums: Object.fromEntries(names.map((name) => [`ever_${name}`, sumOf(name)])) }
  }),
  ofAllDays('the statement of all time', async (world, subject) => {
    const { sums = {} } = await readStretch(world, subject, '2026-10-01', '2027-01-01')
    const { netSales, fees, tips, captured, refunded, earned } = sums
    const ever = { netSales, fees, tips, captured, refunded, earned }
    return { sums: Object.fromEntries(Object.entries(ever).map(([name, sum]) => [`ever_${name}`, sum])) }
  }),
]

async function readStretch(
  world: SurfaceWorld,
  { store, keeper }: Subject,
  from: string,
  to: string,
): Promise<Facts> {
  const days = ['--from', from, '--to', to]
  const words = ['business', 'statement', ...days, '--json', '--merchant', store, '--as', keeper]
  return readStatement(JSON.parse(await runPiped(world, words)) as Statement)
}

export const DAY_SURFACES: readonly Surface[] = [...OF_DAY, ...OF_ALL_DAYS, ...DAY_DOCUMENTS]

/** Returns the days of the stores at which a story ordered, and all of them as one. */
export function listDaySubjects(made: readonly Subject[]): Subject[] {
  const stores = new Map(made.filter(({ kind }) => kind === 'order').map((order) => [order.store, order]))
  return [...stores.values()].flatMap(({ store, keeper }): Subject[] => {
    const about = { number: '', owner: keeper, keeper, store }
    return [
      ...[0, 1].map((count): Subject => {
        const id = dayAfter(count)
        return { ...about, kind: 'day', name: `${store} on ${id}`, id }
      }),
      { ...about, kind: 'days', name: `all days of ${store}`, id: FIRST_DAY },
    ]
  })
}
