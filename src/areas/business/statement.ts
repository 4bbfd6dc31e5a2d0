/**
 * A store's statement of a stretch of time (`after-the-sale.md` 1): what it sold, the tax in it, what it holds for others, who
 * collected it, and what it is due. Pure; amounts are in minor units. A sale counts when its payment is captured, a refund
 * when it is made.
 */
import type { Money } from '../../core/money.ts'
import { showStretch, type Stretch } from '../../core/period.ts'
import {
  dueOf,
  entriesOf,
  type Entry,
  firstLine,
  goodsOf,
  type LineTaken,
  type Sold,
} from '../orders/rules/shares.ts'
import type { Payment } from '../payments/rules/payment.ts'
import { sum } from '../payments/rules/price.ts'
import type { DayStatement } from './statement-schema.ts'

/** An order of the store with its payment. */
export type Sale = { sold: Sold; payment: Payment }

type Counts = (orderId: string, entry: Entry) => boolean

/** The running sums of a statement. */
export type Book = {
  stretch: Stretch
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

/** Opens the book of a stretch: of all entries in it, or of those that `counts` picks. */
export function openBook(stretch: Stretch, counts: Counts = (_, entry) => isWithin(entry, stretch)): Book {
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

function isWithin({ at }: Entry, { from, to }: Stretch): boolean {
  return at >= from && at < to
}

/** Adds the entries of an order that count; `sectionOf` names the section of an item's menu. */
export function addSale(book: Book, { sold, payment }: Sale, sectionOf: (itemId: string) => string): void {
  for (const entry of entriesOf(sold, payment)) {
    if (!book.counts(payment.resource_id, entry)) continue
    if (entry.kind === 'capture') addCapture(book, sold, entry, sectionOf)
    else if (entry.refund !== undefined) addRefund(book, entry)
    addParts(book, entry)
    // An adjustment without money moves goods between rates of tax only.
    if (entry.kind === 'capture' || entry.refund !== undefined) addMoney(book, entry, payment)
  }
}

function addCapture(book: Book, sold: Sold, { after }: Entry, sectionOf: (itemId: string) => string): void {
  book.orders += 1
  book.discounts.store += after.discounts.store
  // Lines taken off before the payment were never sold.
  const taken = (sold.adjustments ?? []).flatMap(({ refund_id, free_at, lines }) =>
    refund_id === null && free_at === undefined ? lines : [],
  )
  for (const { line_id, item_id, total } of sold.lines) {
    const off = taken.filter((each) => firstLine(each.line_id) === line_id).map(worthOf)
    increase(book.goods, sectionOf(item_id), total.amount - sum(off))
  }
}

function worthOf({ worth, back }: LineTaken): number {
  return worth - (back?.worth ?? 0)
}

function addRefund(book: Book, { before, after, amount, refund }: Entry): void {
  if (refund?.borne_by === 'platform') book.borne += amount
  else increase(book.refunded, refund?.reason ?? 'other', goodsOf(before) - goodsOf(after))
}

function addParts({ vat, held, discounts }: Book, { before, after }: Entry): void {
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

function addMoney(book: Book, entry: Entry, { method, collected_by, share }: Payment): void {
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

/** Returns the statement of a book. */
export function closeBook(book: Book, { merchant_id, currency, unpaid, ...ledger }: Frame): DayStatement {
  const money = (amount: number): Money => ({ amount, currency })
  const net = sum([...book.goods.values()]) - book.discounts.store - sum([...book.refunded.values()])
  return {
    merchant_id,
    ...showStretch(book.stretch),
    currency,
    orders: book.orders,
    opening: money(ledger.opening),
    gross_goods: [...book.goods].map(([section, amount]) => ({ section, amount: money(amount) })),
    discounts: { platform: money(book.discounts.platform), store: money(book.discounts.store) },
    refunded_goods: [...book.refunded].map(([reason, amount]) => ({ reason, amount: money(amount) })),
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
    payments: [...book.payments]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => {
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
