/**
 * The statement of a store by the documents of its orders, entry by entry: what the sums of the stored entries are compared with.
 * Until entries were stored, statements were made this way.
 */
import { expect } from 'vitest'
import type { DayStatement } from '../../src/areas/business/statement-schema.ts'
import { findItemsWithDeleted } from '../../src/areas/catalog/queries/catalog.ts'
import { findOrders } from '../../src/areas/orders/queries/orders.ts'
import {
  dueOf,
  listOrderBookEntries,
  type OrderBookEntry,
  toOrderedLineId,
  goodsOf,
  type LineTaken,
  type PricedOrder,
} from '../../src/areas/orders/rules/shares.ts'
import { findPayments } from '../../src/areas/payments/queries/ledger.ts'
import type { Payment } from '../../src/areas/payments/rules/payment.ts'
import { sum } from '../../src/areas/payments/rules/price.ts'
import type { Money } from '../../src/core/money.ts'
import { formatTimeRange, type TimeRange } from '../../src/core/period.ts'
import type { TestSandbox } from './world.ts'

/** An order of the store with its payment. */
export type ReferenceSale = { sold: PricedOrder; payment: Payment }

type Counts = (orderId: string, entry: OrderBookEntry) => boolean

/** The running sums of a statement. */
type Book = {
  stretch: TimeRange
  /** True if an entry of an order counts here. */
  counts: Counts
  orders: number
  goods: Map<string, number>
  refunded: Map<string, number>
  vat: Map<number, { net: number; tax: number }>
  payments: Map<string, { captured: number; refunded: number }>
  discounts: { platform: number; store: number }
  held: { fees: number; tips: number }
  /** The refunds that the platform bears. */
  borne: number
  due: number
  /** The same of payments from before shares were posted. */
  earlier: number
}

function openBook(stretch: TimeRange, counts: Counts): Book {
  return {
    stretch,
    counts,
    orders: 0,
    goods: new Map(),
    refunded: new Map(),
    vat: new Map(),
    payments: new Map(),
    discounts: { platform: 0, store: 0 },
    held: { fees: 0, tips: 0 },
    borne: 0,
    due: 0,
    earlier: 0,
  }
}

/** Adds the entries of an order that count; `sectionOf` names the section of an item's menu. */
function addSale(book: Book, { sold, payment }: ReferenceSale, sectionOf: (itemId: string) => string): void {
  for (const entry of listOrderBookEntries(sold, payment)) {
    if (!book.counts(payment.resource_id, entry)) continue
    if (entry.kind === 'capture') addCapture(book, sold, entry, sectionOf)
    else if (entry.refund !== undefined) addRefund(book, entry)
    addParts(book, entry)
    // An adjustment without money moves goods between rates of tax only.
    if (entry.kind === 'capture' || entry.refund !== undefined) addMoney(book, entry, payment)
  }
}

function addCapture(
  book: Book,
  sold: PricedOrder,
  { after }: OrderBookEntry,
  sectionOf: (itemId: string) => string,
): void {
  book.orders += 1
  book.discounts.store += after.discounts.store
  // Lines removed before the payment were never sold.
  const taken = (sold.adjustments ?? []).flatMap(({ refund_id, free_at, lines }) =>
    refund_id === null && free_at === undefined ? lines : [],
  )
  for (const { line_id, item_id, total } of sold.lines) {
    const off = taken.filter((each) => toOrderedLineId(each.line_id) === line_id).map(worthOf)
    increase(book.goods, sectionOf(item_id), total.amount - sum(off))
  }
}

function worthOf({ worth, back }: LineTaken): number {
  return worth - (back?.worth ?? 0)
}

function addRefund(book: Book, { before, after, amount, refund }: OrderBookEntry): void {
  if (refund?.borne_by === 'platform') book.borne += amount
  else increase(book.refunded, refund?.reason ?? 'other', goodsOf(before) - goodsOf(after))
}

function addParts({ vat, held, discounts }: Book, { before, after }: OrderBookEntry): void {
  for (const [parts, sign] of [
    [after, 1],
    [before, -1],
  ] as const) {
    held.fees += sign * parts.fees
    held.tips += sign * parts.courier
    discounts.platform += sign * parts.discounts.platform
    for (const [rate, { net, tax }] of parts.vat) {
      const known = vat.get(rate) ?? { net: 0, tax: 0 }
      vat.set(rate, { net: known.net + sign * net, tax: known.tax + sign * tax })
    }
  }
}

function addMoney(book: Book, entry: OrderBookEntry, { method, collected_by, share }: Payment): void {
  const key = `${method} ${collected_by}`
  const { captured, refunded } = book.payments.get(key) ?? { captured: 0, refunded: 0 }
  book.payments.set(
    key,
    entry.kind === 'capture'
      ? { captured: captured + entry.amount, refunded }
      : { captured, refunded: refunded + entry.amount },
  )
  const due = dueOf(entry, collected_by)
  if (share === null) book.earlier += due
  else book.due += due
}

type Frame = {
  merchant_id: string
  currency: string
  /** The balances of the ledger before the stretch, and at its end. */
  opening: number
  closing: number
  payouts: number
  unpaid: DayStatement['unpaid']
}

function closeBook(book: Book, { merchant_id, currency, unpaid, ...ledger }: Frame): DayStatement {
  const money = (amount: number): Money => ({ amount, currency })
  const net = sum([...book.goods.values()]) - book.discounts.store - sum([...book.refunded.values()])
  return {
    merchant_id,
    ...formatTimeRange(book.stretch),
    currency,
    orders: book.orders,
    opening: money(ledger.opening),
    gross_goods: [...book.goods]
      .toSorted(byKey)
      .map(([section, amount]) => ({ section, amount: money(amount) })),
    discounts: { platform: money(book.discounts.platform), store: money(book.discounts.store) },
    refunded_goods: [...book.refunded]
      .toSorted(byKey)
      .map(([reason, amount]) => ({ reason, amount: money(amount) })),
    net_sales: money(net),
    vat: [...book.vat]
      .filter(([, each]) => each.net !== 0 || each.tax !== 0)
      .toSorted(([a], [b]) => b - a)
      .map(([rate_bps, each]) => ({
        rate_bps,
        net: money(each.net),
        vat: money(each.tax),
        gross: money(each.net + each.tax),
      })),
    held: { fees: money(book.held.fees), tips: money(book.held.tips) },
    borne_by_platform: money(book.borne),
    payments: [...book.payments].toSorted(byKey).map(([key, each]) => {
      const [method, collected_by] = key.split(' ') as [Payment['method'], Payment['collected_by']]
      return { method, collected_by, captured: money(each.captured), refunded: money(each.refunded) }
    }),
    unpaid,
    payouts: money(ledger.payouts),
    earlier: money(book.earlier),
    due: money(ledger.opening + book.due - ledger.payouts),
    closing: money(ledger.closing),
  }
}

function increase<K>(map: Map<K, number>, key: K, amount: number): void {
  map.set(key, (map.get(key) ?? 0) + amount)
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

/** Returns the statement of the entries in a stretch of time. `due` is the change since its opening balance, less payouts. */
export function addUpSales(
  sales: readonly ReferenceSale[],
  sectionOf: (itemId: string) => string,
  { stretch, ...frame }: Omit<Frame, 'closing'> & { stretch: TimeRange; closing?: number },
): DayStatement {
  const book = openBook(stretch, (_, { at }) => at >= stretch.from && at < stretch.to)
  for (const sale of sales) addSale(book, sale, sectionOf)
  return closeBook(book, { closing: frame.opening + book.due - frame.payouts, ...frame })
}

/** Returns all orders of a store with their payments, by the documents. */
async function readSales({ db }: TestSandbox, merchantId: string): Promise<ReferenceSale[]> {
  return db.read(async (tx) => {
    const rows = await tx.all('select order_id from orders where merchant_id = $1 order by seq', merchantId)
    const ids = rows.map((row) => String(row['order_id']))
    const [orders, payments] = [await findOrders(tx, ids), await findPayments(tx, ids)]
    return ids.flatMap((id) => {
      const [order, payment] = [orders.get(id), payments.get(id)]
      return order === undefined || payment === undefined ? [] : [{ sold: order.doc, payment }]
    })
  })
}

/** Compares a store's statements of these stretches with those by the documents of its orders. */
export async function compareStatements(
  world: TestSandbox,
  { keeper, merchant_id }: { keeper: string; merchant_id: string },
  stretches: readonly TimeRange[],
): Promise<void> {
  const sales = await readSales(world, merchant_id)
  const items = sales.flatMap(({ sold }) => sold.lines.map(({ item_id }) => item_id))
  const known = await world.db.read((tx) => findItemsWithDeleted(tx, items))
  const sections = new Map(known.map(({ item_id, category }) => [item_id, category.name]))
  for (const stretch of stretches) {
    const asked = { merchant_id, ...formatTimeRange(stretch) }
    const {
      lost: _,
      counted_later: _later,
      from_earlier: _earlier,
      without_rate: _rate,
      ...statement
    } = await world.ok('get_store_statement', asked, { as: keeper })
    const { currency, unpaid, opening, payouts } = statement
    const frame = { stretch, merchant_id, currency, unpaid, opening: opening.amount, payouts: payouts.amount }
    expect(statement).toEqual(addUpSales(sales, (item) => sections.get(item) ?? 'Other', frame))
  }
}
