/** A store's statement: the three examples of its rules, with all their figures. */
import { describe, expect, test } from 'vitest'
import type { DayStatement } from '../../../src/areas/business/statement-schema.ts'
import { makeStatement } from '../../../src/areas/business/statement.ts'
import { priceBasket } from '../../../src/areas/food/rules.ts'
import type { EntrySums } from '../../../src/areas/orders/queries/store-entries.ts'
import {
  refundFor,
  type LineAdjustmentRequest,
  computeUnitsTaken,
} from '../../../src/areas/orders/rules/adjust.ts'
import {
  dueOf,
  listOrderBookEntries,
  type LineTaken,
  partsLeft,
  computeOrderParts,
  type PricedOrder,
  sumOrderParts,
} from '../../../src/areas/orders/rules/shares.ts'
import { type EntryPart, toStoreEntry } from '../../../src/areas/orders/rules/store-entries.ts'
import type { Payment, Refund } from '../../../src/areas/payments/rules/payment.ts'
import type { OrderLine } from '../../../src/areas/payments/rules/price.ts'
import { AppError } from '../../../src/core/errors.ts'
import type { TimeRange } from '../../../src/core/period.ts'
import { fc } from '../../support/properties.ts'
import { addUpSales } from '../../support/statement-reference.ts'

const gbp = (amount: number) => ({ amount, currency: 'GBP' })

function lineOf(at: number, quantity: number, price: number, tax_rate_bps = 2000): OrderLine {
  return {
    line_id: `line_${at}`,
    item_id: `itm_${at}`,
    name: 'Dish',
    quantity,
    unit_price: gbp(price),
    modifiers: [],
    notes: null,
    total: gbp(quantity * price),
    tax_rate_bps,
  }
}

type Fees = { delivery?: number; service?: number; tip?: number; discount?: number; added?: boolean }

function sell(
  lines: readonly OrderLine[],
  { delivery, service, tip, discount = 0, added = false }: Fees,
): PricedOrder {
  const fee = (amount?: number) => (amount === undefined ? null : gbp(amount))
  return priceBasket(lines, {
    currency: 'GBP',
    prices_include_tax: !added,
    tax_rate_bps: 2000,
    fee_tax_rate_bps: 2000,
    tax_name: 'VAT',
    delivery_fee: fee(delivery),
    service_fee: fee(service),
    small_order_fee: null,
    courier_tip: fee(tip),
    discount_bps: discount,
  })
}

function paid(amount: number, how: Partial<Payment> = {}): Payment {
  return {
    payment_id: 'pay_1',
    resource_id: 'ord_1',
    account_id: 'acc_1',
    merchant_id: 'mer_1',
    method: 'card',
    status: 'paid',
    collected_by: 'platform',
    amount: gbp(amount),
    created_at: 1,
    paid_at: 1,
    share: 0,
    refunds: [],
    ...how,
  }
}

const refund = (amount: number, more: Partial<Refund> = {}): Refund => ({
  refund_id: 'rfd_1',
  status: 'succeeded',
  destination: 'original_method',
  amount: gbp(amount),
  reason: 'missing',
  borne_by: 'store',
  share: 0,
  created_at: 2,
  settled_at: 2,
  ...more,
})

/** Returns the order with lines removed: by a refund, or before the payment. */
function less(sold: PricedOrder, taken: LineTaken, refund_id: string | null): PricedOrder {
  return { ...sold, adjustments: [...(sold.adjustments ?? []), { lines: [taken], refund_id }] }
}

const FOREVER = { from: 0, to: 100 }

/** Returns the statement of orders by their stored entries, after comparing it with one by the orders themselves. */
function statementOf(sales: readonly [PricedOrder, Payment][], stretch = FOREVER, opening = 0): DayStatement {
  const frame = { stretch, merchant_id: 'mer_1', currency: 'GBP', opening, payouts: 0, unpaid: [] }
  const reference = addUpSales(
    sales.map(([sold, payment]) => ({ sold, payment })),
    () => 'Other',
    frame,
  )
  const statement = makeStatement(sumsOf(sales, stretch), new Map(), {
    ...frame,
    closing: reference.closing.amount,
  })
  expect(statement).toEqual(reference)
  return statement
}

/** Sums the entries of orders in a stretch of time, each apart. */
function sumsOf(sales: readonly [PricedOrder, Payment][], { from, to }: TimeRange): EntrySums {
  const entries = sales.flatMap(([doc, payment]) =>
    listOrderBookEntries(doc, payment)
      .filter(({ at }) => at >= from && at < to)
      .map((entry) => toStoreEntry({ order_id: 'ord_1', merchant_id: 'mer_1', doc }, payment, entry)),
  )
  const parts = new Map<string, EntryPart>()
  for (const { kind, key, net, vat } of entries.flatMap((each) => each.parts)) {
    const known = parts.get(`${kind} ${key}`) ?? { kind, key, net: 0, vat: 0 }
    parts.set(`${kind} ${key}`, { kind, key, net: known.net + net, vat: known.vat + vat })
  }
  return { entries: entries.map((each) => ({ ...each, entries: 1 })), parts: [...parts.values()] }
}

/** Payments less refunds are the parts of store, platform and courier together. */
function assertSums(statement: DayStatement): void {
  const { net_sales, vat, held, discounts, borne_by_platform, payments } = statement
  const money = payments.reduce((sum, { captured, refunded }) => sum + captured.amount - refunded.amount, 0)
  const platform = held.fees.amount - discounts.platform.amount - borne_by_platform.amount
  expect(money).toBe(net_sales.amount + platform + held.tips.amount)
  expect(vat.reduce((sum, { gross }) => sum + gross.amount, 0)).toBe(net_sales.amount)
}

describe('the examples', () => {
  test('A: a dish is missing from a delivery that the platform collected', () => {
    const whole = sell([lineOf(1, 3, 495)], { delivery: 349, service: 175, tip: 1000, discount: 1000 })
    expect(whole.total).toEqual(gbp(2860))
    expect(whole.discounts[0]?.amount).toEqual(gbp(149))
    const sold = less(whole, { line_id: 'line_1', quantity: 1, cost: 445, worth: 495 }, 'rfd_1')
    const statement = statementOf([[sold, paid(2860, { refunds: [refund(445)] })]])
    expect(statement).toMatchObject({
      orders: 1,
      gross_goods: [{ section: 'Other', amount: gbp(1485) }],
      refunded_goods: [{ reason: 'missing', amount: gbp(495) }],
      net_sales: gbp(990),
      vat: [{ rate_bps: 2000, net: gbp(825), vat: gbp(165), gross: gbp(990) }],
      discounts: { platform: gbp(99), store: gbp(0) },
      held: { fees: gbp(524), tips: gbp(1000) },
      payments: [{ method: 'card', collected_by: 'platform', captured: gbp(2860), refunded: gbp(445) }],
      due: gbp(990),
      closing: gbp(990),
    })
    assertSums(statement)
  })

  test('B: the bread at a table goes back through the store’s own processor', () => {
    const lines = [lineOf(1, 2, 1150), lineOf(2, 1, 395, 0)]
    const whole = sell(lines, { service: 135, discount: 1000 })
    expect([whole.total, whole.discount_total]).toEqual([gbp(2560), gbp(270)])
    const how = { collected_by: 'store_processor' } as const
    const before = statementOf([[whole, paid(2560, how)]])
    expect(before).toMatchObject({ net_sales: gbp(2695), due: gbp(135) })
    const sold = less(whole, { line_id: 'line_2', quantity: 1, cost: 355, worth: 395 }, 'rfd_1')
    const back = refund(355, { destination: 'card_via_store_processor', status: 'pending' })
    const statement = statementOf([[sold, paid(2560, { ...how, refunds: [back] })]])
    expect(statement).toMatchObject({
      net_sales: gbp(2300),
      vat: [{ rate_bps: 2000, net: gbp(1917), vat: gbp(383), gross: gbp(2300) }],
      discounts: { platform: gbp(230) },
      held: { fees: gbp(135), tips: gbp(0) },
      payments: [{ collected_by: 'store_processor', captured: gbp(2560), refunded: gbp(355) }],
      due: gbp(95),
    })
    assertSums(statement)
  })

  test('C: one is taken off before it is paid in cash at the counter', () => {
    const whole = sell([lineOf(1, 3, 495)], { service: 175 })
    expect(whole.total).toEqual(gbp(1660))
    const sold = less(whole, { line_id: 'line_1', quantity: 1, cost: 495, worth: 495 }, null)
    const statement = statementOf([[sold, paid(1165, { method: 'cash', collected_by: 'store' })]])
    expect(statement).toMatchObject({
      gross_goods: [{ amount: gbp(990) }],
      refunded_goods: [],
      net_sales: gbp(990),
      vat: [{ net: gbp(825), vat: gbp(165), gross: gbp(990) }],
      held: { fees: gbp(175), tips: gbp(0) },
      payments: [{ method: 'cash', collected_by: 'store', captured: gbp(1165), refunded: gbp(0) }],
      due: gbp(-175),
    })
    assertSums(statement)
  })
})

test('a refund at the cost of the platform leaves goods and tax with the store', () => {
  const sold = sell([lineOf(1, 2, 1000)], { delivery: 300, tip: 100 })
  const statement = statementOf([[sold, paid(2400, { refunds: [refund(2400, { borne_by: 'platform' })] })]])
  expect(statement).toMatchObject({
    net_sales: gbp(2000),
    refunded_goods: [],
    borne_by_platform: gbp(2400),
    due: gbp(2000),
  })
  assertSums(statement)
})

test('a refund counts when it is made, and a sale of the day before does not count again', () => {
  const sold = sell([lineOf(1, 1, 1000)], {})
  const sales: [PricedOrder, Payment][] = [
    [sold, paid(1000, { refunds: [refund(1000, { created_at: 60 })] })],
  ]
  const [first, second] = [
    statementOf(sales, { from: 0, to: 50 }),
    statementOf(sales, { from: 50, to: 100 }, 1000),
  ]
  expect(first).toMatchObject({ orders: 1, net_sales: gbp(1000), due: gbp(1000) })
  expect(second).toMatchObject({ orders: 0, net_sales: gbp(-1000), opening: gbp(1000), due: gbp(0) })
  for (const each of [first, second]) assertSums(each)
})

test('a discount of the store lowers its sales and their tax, one of the platform does not', () => {
  const whole = sell([lineOf(1, 1, 1200)], { discount: 1000 })
  const own = {
    ...whole,
    discounts: whole.discounts.map((each) => ({ ...each, funded_by: 'store' as const })),
  }
  expect(statementOf([[own, paid(1080)]])).toMatchObject({
    net_sales: gbp(1080),
    discounts: { store: gbp(120), platform: gbp(0) },
    vat: [{ gross: gbp(1080), vat: gbp(180) }],
  })
  expect(statementOf([[whole, paid(1080)]])).toMatchObject({ net_sales: gbp(1200), vat: [{ vat: gbp(200) }] })
})

test('a payment from before balances were kept changes none', () => {
  const sold = sell([lineOf(1, 1, 1000)], {})
  expect(statementOf([[sold, paid(1000, { share: null })]])).toMatchObject({
    net_sales: gbp(1000),
    earlier: gbp(1000),
    due: gbp(0),
  })
})

const drawn = fc.record({
  lines: fc.array(
    fc.tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 3000 }),
      fc.constantFrom(0, 500, 2000),
    ),
    { minLength: 1, maxLength: 5 },
  ),
  service: fc.integer({ min: 0, max: 500 }),
  tip: fc.integer({ min: 0, max: 1000 }),
  discount: fc.constantFrom(0, 1000, 3333),
  added: fc.boolean(),
  collected_by: fc.constantFrom('platform' as const, 'store_processor' as const, 'store' as const),
  borne_by: fc.constantFrom('platform' as const, 'store' as const),
})

test('the parts of any order are its total, and of nothing after it all went back', () => {
  fc.assert(
    fc.property(drawn, ({ lines, collected_by, borne_by, ...fees }) => {
      const sold = sell(
        lines.map(([quantity, price, rate], at) => lineOf(at, quantity, price, rate)),
        fees,
      )
      const total = sold.total.amount
      const payment = paid(total, { collected_by })
      expect(sumOrderParts(partsLeft(sold, payment))).toBe(total)
      const back = paid(total, { collected_by, refunds: [refund(total, { borne_by })] })
      expect(sumOrderParts(partsLeft(sold, back))).toBe(0)
      const due = listOrderBookEntries(sold, back).reduce((sum, entry) => sum + dueOf(entry, collected_by), 0)
      const kept = borne_by === 'platform' ? partsLeft(sold, payment).store : 0
      expect(due).toBe(kept - (collected_by === 'platform' ? 0 : total))
    }),
  )
})

const takings = fc.array(
  fc.record({
    line: fc.nat(4),
    quantity: fc.integer({ min: 1, max: 3 }),
    amount: fc.option(fc.integer({ min: 1, max: 2000 }), { nil: undefined }),
    borne_by: fc.constantFrom('platform' as const, 'store' as const),
  }),
  { maxLength: 8 },
)

test('whatever parts go back of any order, the books agree, and no line gives back more than it cost', () => {
  fc.assert(
    fc.property(drawn, takings, ({ lines, collected_by, ...fees }, wishes) => {
      let sold = sell(
        lines.map(([quantity, price, rate], at) => lineOf(at, quantity, price, rate)),
        fees,
      )
      let payment = paid(sold.total.amount, { collected_by })
      for (const [at, { line, quantity, amount, borne_by }] of wishes.entries()) {
        const request = {
          line_id: `line_${line % lines.length}`,
          quantity: amount === undefined ? quantity : undefined,
        }
        const taken = tryTaking(sold, { ...request, amount: amount === undefined ? undefined : gbp(amount) })
        const back = taken && refundFor(sold, taken)
        if (taken === undefined || back === undefined || back.amount === 0) continue
        const refund_id = `rfd_${at}`
        sold = { ...sold, adjustments: [...(sold.adjustments ?? []), { lines: taken, refund_id }] }
        payment = { ...payment, refunds: [...payment.refunds, refund(back.amount, { refund_id, borne_by })] }
      }
      const statement = statementOf([[sold, payment]])
      if (!fees.added) assertSums(statement)
      const refunded = payment.refunds.reduce((all, { amount }) => all + amount.amount, 0)
      expect(sumOrderParts(partsLeft(sold, payment))).toBe(sold.total.amount - refunded)
      expect(refunded).toBeLessThanOrEqual(sumOrderParts(computeOrderParts(sold, [])))
      const due = listOrderBookEntries(sold, payment).reduce(
        (all, entry) => all + dueOf(entry, collected_by),
        0,
      )
      expect(due).toBe(partsLeft(sold, payment).store - (collected_by === 'platform' ? 0 : sold.total.amount))
    }),
    { numRuns: 400 },
  )
})

/** Returns what a request takes; undefined where the rules reject it. */
function tryTaking(sold: PricedOrder, request: LineAdjustmentRequest): LineTaken[] | undefined {
  try {
    return computeUnitsTaken(sold, [request])
  } catch (error) {
    if (error instanceof AppError && error.code === 'amount_exceeds_paid') return undefined
    throw error
  }
}

test('what is swapped for nothing was sold as it was ordered, and what was swapped before the payment was not', () => {
  const sold = sell([lineOf(1, 2, 500)], {})
  const back = { ...lineOf(1, 1, 400), line_id: 'line_1.1', item_id: 'itm_9', cost: 500, worth: 400 }
  const swapped = { line_id: 'line_1', quantity: 1, cost: 500, worth: 500, back }
  const goodsOf = (over: { free_at?: number }) => {
    const doc = { ...sold, adjustments: [{ lines: [swapped], refund_id: null, ...over }] } as PricedOrder
    const [capture] = listOrderBookEntries(doc, paid(1000))
    if (capture === undefined) throw new Error('nothing was paid')
    const { parts } = toStoreEntry({ order_id: 'ord_1', merchant_id: 'mer_1', doc }, paid(1000), capture)
    return parts.filter(({ kind }) => kind === 'goods').map(({ key, net }) => [key, net])
  }
  expect(goodsOf({ free_at: 2 })).toEqual([['itm_1', 1000]])
  expect(goodsOf({})).toEqual([['itm_1', 900]])
})
