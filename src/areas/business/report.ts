/** The sums of a store's report: pure, over the orders of a list. */
import type { Static } from 'typebox'
import type { Money } from '../../core/money.ts'
import { partOf, showStretch, type Stretch } from '../../core/period.ts'
import { FULFILLMENT_TYPES, type FulfillmentType } from '../merchants/rules.ts'
import { isAsked, takenOff } from '../orders/rules/wrong-words.ts'
import { ORDER_STATUSES, type OrderStatus, type RejectReason } from '../orders/states.ts'
import { countsAsPaid, PAYMENT_METHODS, type PaymentMethod } from '../payments/rules/payment.ts'
import { sum } from '../payments/rules/price.ts'
import type { businessOrderSummary } from './schema.ts'

/** The members of an order that its report reads. */
export type ReportedOrder = Pick<
  Static<typeof businessOrderSummary>,
  | 'status'
  | 'fulfillment_type'
  | 'lines'
  | 'subtotal'
  | 'fees_total'
  | 'discount_total'
  | 'tax_total'
  | 'prices_include_tax'
  | 'total'
  | 'payment'
  | 'refunds'
  | 'prep'
  | 'rejection'
  | 'placed_at'
> & { adjustments?: Static<typeof businessOrderSummary>['adjustments'] }

type Count = { orders: number; total: Money }

export type ItemSales = { item_id: string; name: string; quantity: number; total: Money }

/** The time that something took: half of the orders took no longer than the median, nine of ten no longer than p90. */
export type Waiting = { orders: number; median_seconds: number | null; p90_seconds: number | null }

/** The sums of one period, as `--json` prints them. */
export type OrderSums = {
  from: string
  to: string
  /** All orders placed in the period: sales, and what was lost. */
  ordered: Count
  /** Orders that are completed or still open. Goods, fees and tax, less discounts, are the total. */
  sales: Count & { average: Money | null; goods: Money; fees: Money; discounts: Money; tax_added: Money }
  /** Orders that were rejected or cancelled, or failed and were refunded. */
  lost: Count
  /** Refunds made in the period, whenever their orders were placed. */
  refunds: { count: number; total: Money; of_earlier_orders: { count: number; total: Money } }
  /** All orders, by the state that they are in now. */
  by_status: (Count & { status: OrderStatus })[]
  /** Rejected orders by reason, the most frequent first. */
  rejected: (Count & { reason_code: RejectReason })[]
  /** Sales by the way to the customer, and by the way of paying. */
  by_fulfillment: (Count & { fulfillment_type: FulfillmentType })[]
  by_payment: (Count & { method: PaymentMethod })[]
  /** Every item sold, the best first. Together they are the goods. */
  items: ItemSales[]
  accept: Waiting
  ready: Waiting
  /** Sales by the hour, day, week or month in which they were placed. */
  timeline: (Count & { from: string; to: string })[]
}

const LOST: readonly OrderStatus[] = ['rejected', 'cancelled', 'failed']

type Tally = { orders: number; amount: number }

/** The running sums of one period, in minor units. */
type Tallies = {
  period: Stretch
  parts: readonly Stretch[]
  statuses: Map<OrderStatus, Tally>
  reasons: Map<RejectReason, Tally>
  ways: Map<FulfillmentType, Tally>
  methods: Map<PaymentMethod, Tally>
  times: Map<number, Tally>
  items: Map<string, Tally & { name: string }>
  price: { goods: number; fees: number; discounts: number; tax_added: number }
  lost: Tally
  refunds: Tally
  earlierRefunds: Tally
  accepted: number[]
  ready: number[]
}

/** Begins the sums of a period, whose timeline has these parts. All amounts must be in one currency. */
export function startTallies(period: Stretch, parts: readonly Stretch[]): Tallies {
  return {
    period,
    parts,
    statuses: new Map(),
    reasons: new Map(),
    ways: new Map(),
    methods: new Map(),
    times: new Map(),
    items: new Map(),
    price: { goods: 0, fees: 0, discounts: 0, tax_added: 0 },
    lost: tally(),
    refunds: tally(),
    earlierRefunds: tally(),
    accepted: [],
    ready: [],
  }
}

/** Adds an order that was placed in the period, without what was taken off before its payment. */
export function addOrder(tallies: Tallies, order: ReportedOrder): void {
  const amount = saleOf(order)
  count(tallies.statuses, order.status, amount)
  if (isLost(order)) increase(tallies.lost, amount)
  else addSale(tallies, order)
  if (order.rejection !== null) count(tallies.reasons, order.rejection.reason_code, amount)
  addRefunds(tallies.refunds, order, tallies.period)
  const { accepted_at, ready_at } = order.prep
  if (accepted_at === null) return
  tallies.accepted.push(Date.parse(accepted_at) - Date.parse(order.placed_at))
  if (ready_at !== null) tallies.ready.push(Date.parse(ready_at) - Date.parse(accepted_at))
}

/** Returns whether nothing is left of a sale. A failed order is kept where nobody was at the door. */
function isLost({ status, payment }: ReportedOrder): boolean {
  return LOST.includes(status) && !(status === 'failed' && countsAsPaid(payment))
}

/** Adds the refunds of an order that was placed before the period, if they were made in it. */
export function addEarlierRefunds(tallies: Tallies, order: Pick<ReportedOrder, 'refunds'>): void {
  addRefunds(tallies.earlierRefunds, order, tallies.period)
}

function addSale({ ways, methods, times, parts, price, items }: Tallies, order: ReportedOrder): void {
  const amount = saleOf(order)
  count(ways, order.fulfillment_type, amount)
  count(methods, order.payment.method, amount)
  const part = partOf(parts, Date.parse(order.placed_at))
  if (part !== undefined) count(times, part, amount)
  const { off, replaced } = changedLines(order)
  const goodsOff =
    sum([...off.values()].map((each) => each.amount)) - sum(replaced.map(({ total }) => total.amount))
  price.goods += order.subtotal.amount - goodsOff
  price.fees += order.fees_total.amount
  price.discounts += order.discount_total.amount
  price.tax_added += order.prices_include_tax
    ? 0
    : order.tax_total.amount - (order.total.amount - amount - goodsOff)
  for (const { line_id, item_id, name, quantity, total } of [...order.lines, ...replaced]) {
    const item = items.get(item_id) ?? { name, ...tally() }
    const less = off.get(line_id) ?? tally()
    item.orders += quantity - less.orders
    item.amount += total.amount - less.amount
    items.set(item_id, item)
  }
}

/** Returns the total, less what was taken off before the payment. */
function saleOf(order: ReportedOrder): number {
  return order.total.amount - sum(takenOff(order).map(({ amount }) => amount.amount))
}

/** Returns the units and amounts that went without a refund, by line, and the lines in their place. */
function changedLines({ adjustments = [] }: ReportedOrder) {
  const lines = adjustments.flatMap((each) => (each.refund_id === null && !isAsked(each) ? each.lines : []))
  const off = new Map<string, Tally>()
  for (const { line_id, quantity, amount } of lines) {
    const known = off.get(line_id) ?? tally()
    off.set(line_id, { orders: known.orders + quantity, amount: known.amount + amount.amount })
  }
  const replaced = lines.flatMap(({ quantity, replacement }) =>
    replacement ? [{ ...replacement, quantity, total: replacement.amount }] : [],
  )
  return { off, replaced }
}

/** Returns the sums so far. */
export function toSums(tallies: Tallies, currency: string): OrderSums {
  const { period, parts, statuses, reasons, ways, methods, times, refunds, earlierRefunds } = tallies
  const money = (amount: number): Money => ({ amount, currency })
  const shown = ({ orders, amount }: Tally): Count => ({ orders, total: money(amount) })
  const of = <K>(map: ReadonlyMap<K, Tally>, key: K): Count => shown(map.get(key) ?? tally())
  const all = together([...statuses.values()])
  const { lost } = tallies
  return {
    ...showStretch(period),
    ordered: shown(all),
    sales: toSales(tallies, { orders: all.orders - lost.orders, amount: all.amount - lost.amount }, money),
    lost: shown(lost),
    refunds: {
      count: refunds.orders + earlierRefunds.orders,
      total: money(refunds.amount + earlierRefunds.amount),
      of_earlier_orders: { count: earlierRefunds.orders, total: money(earlierRefunds.amount) },
    },
    by_status: ORDER_STATUSES.map((status) => ({ status, ...of(statuses, status) })),
    rejected: [...reasons]
      .toSorted(([, a], [, b]) => b.orders - a.orders || b.amount - a.amount)
      .map(([reason_code, each]) => ({ reason_code, ...shown(each) })),
    by_fulfillment: FULFILLMENT_TYPES.map((type) => ({ fulfillment_type: type, ...of(ways, type) })),
    by_payment: PAYMENT_METHODS.map((method) => ({ method, ...of(methods, method) })),
    items: toItems(tallies, money),
    accept: toWaiting(tallies.accepted),
    ready: toWaiting(tallies.ready),
    timeline: parts.map((part, at) => ({ ...showStretch(part), ...of(times, at) })),
  }
}

type ToMoney = (amount: number) => Money

function toSales({ price }: Tallies, { orders, amount }: Tally, money: ToMoney): OrderSums['sales'] {
  return {
    orders,
    total: money(amount),
    average: orders === 0 ? null : money(Math.round(amount / orders)),
    goods: money(price.goods),
    fees: money(price.fees),
    discounts: money(price.discounts),
    tax_added: money(price.tax_added),
  }
}

function toItems({ items }: Tallies, money: ToMoney): ItemSales[] {
  return [...items]
    .toSorted(([, a], [, b]) => b.amount - a.amount || b.orders - a.orders)
    .map(([item_id, { name, orders, amount }]) => ({ item_id, name, quantity: orders, total: money(amount) }))
}

/** Adds the refunds that were made in the period; one that failed paid nothing back. */
function addRefunds(held: Tally, { refunds }: Pick<ReportedOrder, 'refunds'>, { from, to }: Stretch): void {
  for (const { status, created_at, amount } of refunds) {
    const at = Date.parse(created_at)
    if (status !== 'failed' && at >= from && at < to) increase(held, amount.amount)
  }
}

function toWaiting(spans: readonly number[]): Waiting {
  const sorted = spans.toSorted((a, b) => a - b)
  const at = (share: number): number | null => {
    const span = sorted[Math.ceil(sorted.length * share) - 1]
    return span === undefined ? null : Math.round(span / 1000)
  }
  return { orders: sorted.length, median_seconds: at(0.5), p90_seconds: at(0.9) }
}

function tally(): Tally {
  return { orders: 0, amount: 0 }
}

function increase(held: Tally, amount: number): void {
  held.orders += 1
  held.amount += amount
}

function count<K>(map: Map<K, Tally>, key: K, amount: number): void {
  const held = map.get(key) ?? tally()
  increase(held, amount)
  map.set(key, held)
}

function together(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { orders, amount }) => ({ orders: sum.orders + orders, amount: sum.amount + amount }),
    tally(),
  )
}
