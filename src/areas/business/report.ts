/** The counts of a store's report: pure, over the orders of a list. */
import type { Static } from 'typebox'
import { bucketIndex, formatTimeRange, type TimeRange } from '../../core/period.ts'
import { FULFILLMENT_TYPES, type FulfillmentType } from '../merchants/rules.ts'
import { isAwaitingCustomerAnswer } from '../orders/rules/wrong-words.ts'
import {
  LOST_ORDER_STATUSES,
  ORDER_STATUSES,
  type OrderStatus,
  type OrderRejectReason,
} from '../orders/states.ts'
import { countsAsPaid, PAYMENT_METHODS, type PaymentMethod } from '../payments/rules/payment.ts'
import { sum } from '../payments/rules/price.ts'
import type { businessOrderSummary } from './schema.ts'

/** The fields of an order that its report reads. */
export type ReportedOrder = Pick<
  Static<typeof businessOrderSummary>,
  'status' | 'fulfillment_type' | 'lines' | 'payment' | 'refunds' | 'prep' | 'rejection' | 'placed_at'
> & { adjustments?: Static<typeof businessOrderSummary>['adjustments'] }

type OrderCount = { orders: number }

export type ItemSales = { item_id: string; name: string; quantity: number }

/** The time that something took: half of the orders took no longer than the median, nine of ten no longer than p90. */
export type DurationPercentiles = {
  orders: number
  median_seconds: number | null
  p90_seconds: number | null
}

/** The activity of one period, as `--json` prints it. It holds no money: that is in the store's statement alone. */
export type OrderSums = {
  from: string
  to: string
  /** All orders placed in the period: sales, and those that ended without one. */
  ordered: OrderCount
  /** Orders that are completed or still open, and those that failed and were paid. */
  sales: OrderCount
  /** Refunds made in the period, whenever their orders were placed. */
  refunds: { count: number; of_earlier_orders: { count: number } }
  /** All orders, by the state that they are in now. */
  by_status: (OrderCount & { status: OrderStatus })[]
  /** Rejected orders by reason, the most frequent first. */
  rejected: (OrderCount & { reason_code: OrderRejectReason })[]
  /** Sales by the way to the customer, and by the way of paying. */
  by_fulfillment: (OrderCount & { fulfillment_type: FulfillmentType })[]
  by_payment: (OrderCount & { method: PaymentMethod })[]
  /** The units of every item sold, the most frequent first. */
  items: ItemSales[]
  accept: DurationPercentiles
  ready: DurationPercentiles
  /** Sales by the hour, day, week or month in which they were placed. */
  timeline: (OrderCount & { from: string; to: string })[]
}

/** The running counts of one period. */
type Tallies = {
  period: TimeRange
  parts: readonly TimeRange[]
  statuses: Map<OrderStatus, number>
  reasons: Map<OrderRejectReason, number>
  ways: Map<FulfillmentType, number>
  methods: Map<PaymentMethod, number>
  times: Map<number, number>
  items: Map<string, { name: string; quantity: number }>
  sales: number
  refunds: number
  earlierRefunds: number
  accepted: number[]
  ready: number[]
}

/** Begins the counts of a period with a timeline of these parts. */
export function startOrderTallies(period: TimeRange, parts: readonly TimeRange[]): Tallies {
  return {
    period,
    parts,
    statuses: new Map(),
    reasons: new Map(),
    ways: new Map(),
    methods: new Map(),
    times: new Map(),
    items: new Map(),
    sales: 0,
    refunds: 0,
    earlierRefunds: 0,
    accepted: [],
    ready: [],
  }
}

/** Adds an order that was placed in the period, without the units that were removed before its payment. */
export function addOrder(tallies: Tallies, order: ReportedOrder): void {
  increase(tallies.statuses, order.status)
  if (!isUnsold(order)) addSale(tallies, order)
  if (order.rejection !== null) increase(tallies.reasons, order.rejection.reason_code)
  tallies.refunds += countRefunds(order, tallies.period)
  const { accepted_at, ready_at } = order.prep
  if (accepted_at === null) return
  tallies.accepted.push(Date.parse(accepted_at) - Date.parse(order.placed_at))
  if (ready_at !== null) tallies.ready.push(Date.parse(ready_at) - Date.parse(accepted_at))
}

/** Returns whether nothing is left of a sale. A failed order counts where no recipient was at the door. */
function isUnsold({ status, payment }: ReportedOrder): boolean {
  return (
    (LOST_ORDER_STATUSES as readonly OrderStatus[]).includes(status) &&
    !(status === 'failed' && countsAsPaid(payment))
  )
}

/** Adds the refunds of an order that was placed before the period, if they were made in it. */
export function addEarlierRefunds(tallies: Tallies, order: Pick<ReportedOrder, 'refunds'>): void {
  tallies.earlierRefunds += countRefunds(order, tallies.period)
}

function addSale(tallies: Tallies, order: ReportedOrder): void {
  const { ways, methods, times, parts, items } = tallies
  tallies.sales += 1
  increase(ways, order.fulfillment_type)
  increase(methods, order.payment.method)
  const part = bucketIndex(parts, Date.parse(order.placed_at))
  if (part !== undefined) increase(times, part)
  const { off, replaced } = changedLines(order)
  for (const { line_id, item_id, name, quantity } of [...order.lines, ...replaced]) {
    const item = items.get(item_id) ?? { name, quantity: 0 }
    items.set(item_id, { ...item, quantity: item.quantity + quantity - (off.get(line_id) ?? 0) })
  }
}

/** Returns the units that went without a refund, by line, and the lines in their place. */
function changedLines({ adjustments = [] }: ReportedOrder) {
  const lines = adjustments.flatMap((each) =>
    each.refund_id === null && !isAwaitingCustomerAnswer(each) ? each.lines : [],
  )
  const off = new Map<string, number>()
  for (const { line_id, quantity } of lines) increase(off, line_id, quantity)
  const replaced = lines.flatMap(({ quantity, replacement }) =>
    replacement ? [{ ...replacement, quantity }] : [],
  )
  return { off, replaced }
}

/** Returns the counts so far. */
export function toOrderSums(tallies: Tallies): OrderSums {
  const { period, parts, statuses, reasons, ways, methods, times, refunds, earlierRefunds } = tallies
  const of = <K>(map: ReadonlyMap<K, number>, key: K): OrderCount => ({ orders: map.get(key) ?? 0 })
  return {
    ...formatTimeRange(period),
    ordered: { orders: sum([...statuses.values()]) },
    sales: { orders: tallies.sales },
    refunds: { count: refunds + earlierRefunds, of_earlier_orders: { count: earlierRefunds } },
    by_status: ORDER_STATUSES.map((status) => ({ status, ...of(statuses, status) })),
    rejected: [...reasons]
      .toSorted(([, a], [, b]) => b - a)
      .map(([reason_code, orders]) => ({ reason_code, orders })),
    by_fulfillment: FULFILLMENT_TYPES.map((type) => ({ fulfillment_type: type, ...of(ways, type) })),
    by_payment: PAYMENT_METHODS.map((method) => ({ method, ...of(methods, method) })),
    items: [...tallies.items]
      .map(([item_id, item]) => ({ item_id, ...item }))
      .toSorted((a, b) => b.quantity - a.quantity),
    accept: toWaiting(tallies.accepted),
    ready: toWaiting(tallies.ready),
    timeline: parts.map((part, at) => ({ ...formatTimeRange(part), ...of(times, at) })),
  }
}

/** Counts the refunds that were made in the period; one that failed paid nothing back. */
function countRefunds({ refunds }: Pick<ReportedOrder, 'refunds'>, { from, to }: TimeRange): number {
  return refunds.filter(({ status, created_at }) => {
    const at = Date.parse(created_at)
    return status !== 'failed' && at >= from && at < to
  }).length
}

function toWaiting(spans: readonly number[]): DurationPercentiles {
  const sorted = spans.toSorted((a, b) => a - b)
  const at = (share: number): number | null => {
    const span = sorted[Math.ceil(sorted.length * share) - 1]
    return span === undefined ? null : Math.round(span / 1000)
  }
  return { orders: sorted.length, median_seconds: at(0.5), p90_seconds: at(0.9) }
}

function increase<K>(map: Map<K, number>, key: K, by = 1): void {
  map.set(key, (map.get(key) ?? 0) + by)
}
