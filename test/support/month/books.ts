/** Checks the books of a month by answers alone, and plants faults in them. It uses no code of the program. */
import { createHash } from 'node:crypto'
import type { OperationOutput, ClientOperationName } from '../../../src/client/operations.ts'
import { canonical } from '../check-days.ts'
import type { Shop } from './play.ts'

type Statement = OperationOutput<'get_business_day'>['statement']
type Day = OperationOutput<'get_business_day'>
type Order = OperationOutput<'list_business_orders'>['data'][number]
type Event = { type: string; occurred_at: string; data: { resource_id?: string } }

/** All that a store's accountant can ask a service for. */
export type Books = {
  stores: { merchant_id: string; orders: Order[]; days: Day[]; month: Statement }[]
  events: Event[]
}

/** Makes a call of a service, and returns its body. */
export type AccountCall = <N extends ClientOperationName>(
  as: string,
  operation: N,
  input: Record<string, unknown>,
) => Promise<OperationOutput<N>>

/** Asks for the books of stores. `events` are those of all payments. */
export async function readBooks(read: AccountCall, shops: readonly Shop[], events: Event[]): Promise<Books> {
  const stores = []
  for (const { keeper, merchant_id } of shops) {
    const orders: Order[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const input = { merchant_id, limit: 100, ...(cursor !== undefined && { cursor }) }
      const page: OperationOutput<'list_business_orders'> = await read(keeper, 'list_business_orders', input)
      orders.push(...page.data)
      cursor = page.next_cursor
    }
    const { data } = await read(keeper, 'list_business_days', { merchant_id, limit: 100 })
    const days: Day[] = []
    for (const { number } of data.toReversed())
      days.push(await read(keeper, 'get_business_day', { merchant_id, number }))
    const stretch = { from: days[0]?.from ?? '', to: days.at(-1)?.to ?? '' }
    stores.push({
      merchant_id,
      orders,
      days,
      month: await read(keeper, 'get_store_statement', { merchant_id, ...stretch }),
    })
  }
  return { stores, events: events.filter(({ type }) => type.startsWith('payment.')) }
}

/** Returns what is wrong with books, in words; nothing when all is right. */
export function listBookProblems({ stores }: Books): string[] {
  return stores.flatMap(({ orders, days, month }, at) => {
    const faults = [...fractionsOf({ days, month }), ...chainFaults(days)]
    for (const statement of [month, ...days.map((day) => day.statement)]) faults.push(...sumFaults(statement))
    faults.push(
      ...differences('days', sumsOf(days.map((day) => day.statement)), sumsOf([month])),
      ...differences('orders', sumsOfOrders(orders), without(sumsOf([month]), ['payouts'])),
    )
    return faults.map((fault) => `store ${at + 1}: ${fault}`)
  })
}

/** Every amount is a whole number of pence. */
function fractionsOf(value: unknown): string[] {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [] : [`${value} is no whole number`]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(fractionsOf) : []
}

function chainFaults(days: readonly Day[]): string[] {
  return days.flatMap((day, at) => {
    const before = days[at - 1]
    const { hash, ...rest } = day
    return [
      ...differences(
        `day ${at + 1}`,
        { number: day.number, previous_hash: day.previous_hash, from: day.from, opening: openingOf(day) },
        {
          number: at + 1,
          previous_hash: before?.hash ?? '0'.repeat(64),
          from: before?.to ?? day.from,
          opening: before?.statement.closing.amount ?? 0,
        },
      ),
      ...differences(`day ${at + 1}`, { hash }, { hash: sha256(canonical(rest)) }),
    ]
  })
}

function openingOf({ statement }: Day): number {
  return statement.opening.amount
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The identities of any stretch of time. */
function sumFaults(statement: Statement): string[] {
  const { net_sales, vat, held, discounts, borne_by_platform, payments, due, closing } = statement
  const money = payments.reduce((sum, { captured, refunded }) => sum + captured.amount - refunded.amount, 0)
  const platform = held.fees.amount - discounts.platform.amount - borne_by_platform.amount
  const gross = vat.reduce((sum, each) => sum + each.gross.amount, 0)
  return differences(
    statement.from,
    { parts: net_sales.amount + platform + held.tips.amount, gross, due: due.amount },
    { parts: money, gross: net_sales.amount, due: closing.amount },
  )
}

type Sums = Record<string, number>

function sumsOf(statements: readonly Statement[]): Sums {
  const sums: Sums = { net: 0, fees: 0, tips: 0, payouts: 0 }
  for (const { net_sales, held, payouts, payments, vat } of statements) {
    for (const { rate_bps, gross } of vat) add(sums, `gross at ${rate_bps}`, gross.amount)
    add(sums, 'net', net_sales.amount)
    add(sums, 'fees', held.fees.amount)
    add(sums, 'tips', held.tips.amount)
    add(sums, 'payouts', payouts.amount)
    for (const { method, collected_by, captured, refunded } of payments) {
      add(sums, `${method} ${collected_by} in`, captured.amount)
      add(sums, `${method} ${collected_by} out`, refunded.amount)
    }
  }
  return sums
}

/** The same from the orders: an order that the store ended keeps nothing, and the platform's refunds leave the sale. */
function sumsOfOrders(orders: readonly Order[]): Sums {
  const sums: Sums = { net: 0, fees: 0, tips: 0 }
  for (const order of orders) {
    const { payment, refunds, fees, status } = order
    if (payment.status === 'unpaid' || payment.status === 'failed') continue
    const key = `${payment.method} ${payment.collected_by}`
    add(sums, `${key} in`, payment.amount.amount)
    add(
      sums,
      `${key} out`,
      total(refunds.filter((each) => each.status !== 'failed').map(({ amount }) => amount)),
    )
    if (status === 'rejected' || status === 'cancelled') continue
    const [tips, rest] = [true, false].map((isTip) =>
      total(fees.flatMap(({ type, amount }) => ((type === 'courier_tip') === isTip ? [amount] : []))),
    )
    for (const [rate, goods] of goodsOf(order)) {
      add(sums, 'net', goods)
      add(sums, `gross at ${rate}`, goods)
    }
    add(sums, 'fees', rest ?? 0)
    add(sums, 'tips', tips ?? 0)
  }
  return sums
}

/** The goods that an order kept, each with the rate of its tax: a replacement has its own. */
function goodsOf({ lines, adjustments }: Order): [rate: number, goods: number][] {
  const own = adjustments.filter(({ borne_by }) => borne_by === 'store').flatMap((each) => each.lines)
  const backs = own.flatMap(({ replacement }) => replacement ?? [])
  const rates = new Map([...lines, ...backs].map(({ line_id, tax_rate_bps }) => [line_id, tax_rate_bps]))
  return [
    ...lines.map(({ tax_rate_bps, total: { amount } }): [number, number] => [tax_rate_bps, amount]),
    ...backs.map(({ tax_rate_bps, goods }): [number, number] => [tax_rate_bps, goods.amount]),
    ...own.map(({ line_id, goods }): [number, number] => [rates.get(line_id) ?? -1, -goods.amount]),
  ]
}

function add(sums: Sums, key: string, amount: number): void {
  sums[key] = (sums[key] ?? 0) + amount
}

function total(amounts: readonly { amount: number }[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0)
}

function without(sums: Sums, names: readonly string[]): Sums {
  return Object.fromEntries(Object.entries(sums).filter(([name]) => !names.includes(name)))
}

function differences(where: string, is: Record<string, unknown>, should: Record<string, unknown>): string[] {
  return [...new Set([...Object.keys(is), ...Object.keys(should)])].flatMap((name) =>
    (is[name] ?? 0) === (should[name] ?? 0)
      ? []
      : [`${where}: ${name} is ${String(is[name])}, not ${String(should[name])}`],
  )
}

/** Returns books in which the month of the first store counts a fee as a sale, with its tax: all identities hold. */
export function plantFee(books: Books): Books {
  const planted = structuredClone(books)
  const month = planted.stores[0]?.month
  const rate = month?.vat.find(({ rate_bps }) => rate_bps === 2000)
  if (month === undefined || rate === undefined) throw new Error('the first store sold nothing')
  month.held.fees.amount -= 120
  month.net_sales.amount += 120
  rate.gross.amount += 120
  rate.net.amount += 100
  rate.vat.amount += 20
  return planted
}

/** Returns books in which a division of the first store's tax left a tenth of a penny. */
export function plantFloat(books: Books): Books {
  const planted = structuredClone(books)
  const rate = planted.stores[0]?.month.vat.find(({ rate_bps }) => rate_bps === 2000)
  if (rate === undefined) throw new Error('the first store sold nothing')
  rate.net.amount += 0.1
  rate.vat.amount -= 0.1
  return planted
}
