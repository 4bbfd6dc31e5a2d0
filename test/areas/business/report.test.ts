import { expect, test } from 'vitest'
import {
  addEarlierRefunds,
  addOrder,
  startOrderTallies,
  toOrderSums,
} from '../../../src/areas/business/report.ts'
import { FULFILLMENT_TYPES } from '../../../src/areas/merchants/rules.ts'
import { ORDER_STATUSES } from '../../../src/areas/orders/states.ts'
import { PAYMENT_METHODS } from '../../../src/areas/payments/rules/payment.ts'
import { splitRange } from '../../../src/core/period.ts'
import { gbp } from '../../support/money.ts'
import { makeStoreOrder } from '../../support/orders.ts'

const DAY = { from: Date.parse('2026-11-20T00:00:00Z'), to: Date.parse('2026-11-21T00:00:00Z') }
const PARTS = splitRange(DAY, 'hour', { kind: 'calendar', timezone: 'Europe/London' })
const HOUR = 3_600_000

const instant = (ms: number) => new Date(ms).toISOString()
const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)
const orders = (counts: readonly { orders: number }[]) => sum(counts.map((count) => count.orders))

/** Returns an order of the day, whose every field follows from its number. */
function orderOf(at: number) {
  const status = ORDER_STATUSES[(at * 7) % ORDER_STATUSES.length] ?? 'placed'
  const [first, second] = [100 + ((at * 37) % 900), 50 + ((at * 91) % 700)]
  const [fees, discount] = [(at * 13) % 300, (at * 11) % 120]
  const placed = DAY.from + ((at * 7_919_003) % (DAY.to - DAY.from))
  const line = makeStoreOrder('X').lines[0]
  if (line === undefined) throw new Error('an order has lines')
  return makeStoreOrder(String(at), {
    status,
    fulfillment_type: FULFILLMENT_TYPES[at % 3] ?? 'pickup',
    lines: [
      {
        ...line,
        item_id: `itm_${at % 5}`,
        name: `Dish ${at % 5}`,
        quantity: 1 + (at % 3),
        total: gbp(first),
      },
      { ...line, item_id: `itm_${5 + (at % 7)}`, name: 'Side', quantity: 1, total: gbp(second) },
    ],
    subtotal: gbp(first + second),
    fees_total: gbp(fees),
    discount_total: gbp(discount),
    tax_total: gbp(10),
    prices_include_tax: true,
    total: gbp(first + second + fees - discount),
    payment: {
      method: PAYMENT_METHODS[at % 4] ?? 'card',
      status: at % 3 === 0 ? 'refunded' : 'paid',
      collected_by: 'platform',
    },
    prep: { accepted_at: null, ready_at: null },
    rejection:
      status === 'rejected'
        ? {
            reason_code: at % 2 === 0 ? 'too_busy' : 'not_accepted_in_time',
            note: null,
            at: instant(placed),
            item_ids: [],
          }
        : null,
    placed_at: instant(placed),
  })
}

test('every list of the report adds up to its total, which counts the orders, and none has money', () => {
  const all = Array.from({ length: 500 }, (_, at) => orderOf(at))
  const tallies = startOrderTallies(DAY, PARTS)
  for (const order of all) addOrder(tallies, order)
  const sums = toOrderSums(tallies)
  // A failed order that was not refunded is a sale: nobody was at the door.
  const isKept = ({ status, payment }: (typeof all)[number]) =>
    status === 'failed' && payment.status === 'paid'
  const sold = all.filter(
    (order) => isKept(order) || !['rejected', 'cancelled', 'failed'].includes(order.status),
  )

  expect(sums.ordered).toEqual({ orders: 500 })
  expect(sums.sales).toEqual({ orders: sold.length })
  for (const list of [sums.by_fulfillment, sums.by_payment, sums.timeline])
    expect(orders(list)).toBe(sold.length)
  expect(orders(sums.by_status)).toBe(500)
  expect(orders(sums.rejected)).toBe(all.filter(({ status }) => status === 'rejected').length)
  expect(sum(sums.items.map(({ quantity }) => quantity))).toBe(
    sum(sold.flatMap(({ lines }) => lines.map(({ quantity }) => quantity))),
  )
  expect(sums.items.map(({ quantity }) => quantity)).toEqual(
    sums.items.map(({ quantity }) => quantity).toSorted((a, b) => b - a),
  )
  expect(JSON.stringify(sums)).not.toMatch(/amount|currency/)
})

test('a refund counts on its own day, whenever its order was placed, unless it failed', () => {
  const refund = (at: number, status: 'succeeded' | 'pending' | 'failed' = 'succeeded') => ({
    refund_id: 'rfd_1',
    status,
    destination: 'original_method' as const,
    amount: gbp(500),
    reason: 'rejected',
    borne_by: 'store' as const,
    created_at: instant(at),
    settled_at: null,
  })
  const tallies = startOrderTallies(DAY, PARTS)
  addOrder(tallies, { ...orderOf(2), refunds: [refund(DAY.from + HOUR)] })
  addOrder(tallies, { ...orderOf(3), refunds: [refund(DAY.to)] })
  addOrder(tallies, { ...orderOf(4), refunds: [refund(DAY.from + HOUR, 'failed')] })
  addEarlierRefunds(tallies, { refunds: [refund(DAY.from, 'pending')] })
  addEarlierRefunds(tallies, { refunds: [refund(DAY.from - 1)] })
  expect(toOrderSums(tallies).refunds).toEqual({ count: 2, of_earlier_orders: { count: 1 } })
})

test('the report gives the median and the ninth decile of waiting', () => {
  const tallies = startOrderTallies(DAY, PARTS)
  for (let minutes = 1; minutes <= 10; minutes++) {
    const placed = DAY.from + HOUR
    const [accepted, ready] = [placed + minutes * 60_000, placed + 3 * minutes * 60_000]
    addOrder(tallies, {
      ...orderOf(minutes),
      placed_at: instant(placed),
      prep: {
        ...orderOf(1).prep,
        accepted_at: instant(accepted),
        ready_at: minutes === 10 ? null : instant(ready),
      },
    })
  }
  const { accept, ready } = toOrderSums(tallies)
  expect(accept).toEqual({ orders: 10, median_seconds: 300, p90_seconds: 540 })
  expect(ready).toEqual({ orders: 9, median_seconds: 600, p90_seconds: 1080 })
})

test('a day without orders has sums of nothing', () => {
  const sums = toOrderSums(startOrderTallies(DAY, PARTS))
  expect(sums.sales).toEqual({ orders: 0 })
  expect([sums.items, sums.accept.median_seconds, sums.timeline.length]).toEqual([[], null, 24])
})
