/** The shares of a table's bill: they add up to the penny, and every unit is paid by one share (docs/rules/money.md#a-table-is-one-bill). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  divideTableBill,
  listTableBillLines,
  type ShareLine,
  splitTableBill,
  sumTableBill,
  type TableBillOrder,
} from '../../../../src/areas/orders/rules/table-shares.ts'
import { catchError } from '../../../support/caught.ts'

const bill = (order_id: string, amount: number, lines: [quantity: number, cost: number][] = []) => ({
  order_id,
  display_number: order_id.toUpperCase(),
  amount,
  lines: lines.map(([quantity, cost], at) => ({
    line_id: `line_${at + 1}`,
    name: `Dish ${at + 1}`,
    quantity,
    cost,
  })),
})

const TWO = [bill('x7kh', 1066), bill('k2m9', 621)]

test('two orders of 10.66 and 6.21 in three shares: the oldest order is paid first, and the last takes the rest', () => {
  expect(splitTableBill(TWO, 3)).toEqual([
    { amount: 562, orders: [{ order_id: 'x7kh', amount: 562 }] },
    {
      amount: 562,
      orders: [
        { order_id: 'x7kh', amount: 504 },
        { order_id: 'k2m9', amount: 58 },
      ],
    },
    { amount: 563, orders: [{ order_id: 'k2m9', amount: 563 }] },
  ])
})

test('a bill that is not divided is one share of all its orders', () => {
  expect(splitTableBill(TWO, 1)).toEqual([
    {
      amount: 1687,
      orders: [
        { order_id: 'x7kh', amount: 1066 },
        { order_id: 'k2m9', amount: 621 },
      ],
    },
  ])
})

const FED = [
  bill('x7kh', 1100, [
    [2, 600],
    [1, 400],
  ]),
  bill('k2m9', 500, [[1, 500]]),
]

test('by lines each guest pays their dishes and the fees in proportion, rounded down', () => {
  const shares = divideTableBill(FED, [
    [{ order_id: 'x7kh', line_id: 'line_1', quantity: 1 }],
    [
      { order_id: 'x7kh', line_id: 'line_1', quantity: 1 },
      { order_id: 'x7kh', line_id: 'line_2' },
      { order_id: 'k2m9', line_id: 'line_1' },
    ],
  ])
  expect(shares).toEqual([
    { amount: 330, orders: [{ order_id: 'x7kh', amount: 330 }] },
    {
      amount: 1270,
      orders: [
        { order_id: 'x7kh', amount: 770 },
        { order_id: 'k2m9', amount: 500 },
      ],
    },
  ])
})

test.each([
  [
    'a unit in no share',
    [
      [
        { order_id: 'x7kh', line_id: 'line_1', quantity: 1 },
        { order_id: 'x7kh', line_id: 'line_2' },
      ],
      [{ order_id: 'k2m9', line_id: 'line_1' }],
    ],
    { pointer: '/by_lines', detail: '1 unit of Dish 1 (line_1 of order X7KH) is in no share' },
  ],
  [
    'a unit in two shares',
    [[{ order_id: 'x7kh', line_id: 'line_1' }], [{ order_id: 'x7kh', line_id: 'line_1', quantity: 1 }]],
    {
      pointer: '/by_lines/1/0/quantity',
      detail: 'Dish 1 (line_1 of order X7KH) has 2 units on the bill, and the shares name more',
    },
  ],
  [
    'a line that is not there',
    [[{ order_id: 'x7kh', line_id: 'line_9' }]],
    {
      pointer: '/by_lines/0/0/line_id',
      detail: 'line_9 is not on the bill of order X7KH: it has line_1, line_2',
    },
  ],
  [
    'an order of another table',
    [[{ order_id: 'ord_9', line_id: 'line_1' }]],
    { pointer: '/by_lines/0/0/order_id', detail: 'order ord_9 is not on the bill: it is for x7kh, k2m9' },
  ],
] as [string, ShareLine[][], object][])('%s is refused, and named', (_, groups, fault) => {
  const error = catchError(() => divideTableBill(FED, groups))
  expect(error).toMatchObject({ code: 'invalid_shares', errors: [expect.objectContaining(fault)] })
})

test('lines that cost nothing are divided by their units', () => {
  const free = [bill('x7kh', 99, [[3, 0]])]
  const shares = divideTableBill(free, [
    [{ order_id: 'x7kh', line_id: 'line_1', quantity: 1 }],
    [{ order_id: 'x7kh', line_id: 'line_1', quantity: 2 }],
  ])
  expect(shares.map(({ amount }) => amount)).toEqual([33, 66])
})

test('units that were taken off are not on the bill, and their replacement is', () => {
  const line = { item_id: 'itm', unit_price: gbp(500), modifiers: [], notes: null, tax_rate_bps: 2000 }
  const order = {
    lines: [{ ...line, line_id: 'line_1', name: 'Pizza', quantity: 3, total: gbp(1500) }],
    discounts: [],
    fees: [],
    fees_total: gbp(0),
    discount_total: gbp(0),
    taxes: [],
    prices_include_tax: true,
    total: gbp(1500),
    adjustments: [
      {
        lines: [
          {
            line_id: 'line_1',
            quantity: 2,
            cost: 1000,
            worth: 1000,
            back: { ...line, line_id: 'line_1.1', name: 'Calzone', cost: 800, worth: 800, allergens: [] },
          },
        ],
      },
    ],
  }
  expect(listTableBillLines(order)).toEqual([
    { line_id: 'line_1', name: 'Pizza', quantity: 1, cost: 500 },
    { line_id: 'line_1.1', name: 'Calzone', quantity: 2, cost: 800 },
  ])
})

const gbp = (amount: number) => ({ amount, currency: 'GBP' })

const orders = fc
  .array(
    fc.record({
      fees: fc.integer({ min: 0, max: 999 }),
      lines: fc.array(fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 9999 })), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((all): TableBillOrder[] =>
    all.map(({ fees, lines }, at) =>
      bill(`order_${at}`, fees + lines.reduce((sum, [, cost]) => sum + cost, 0), lines),
    ),
  )

/** Checks that shares add up to the bill, and to each of its orders. */
function assertSums(on: readonly TableBillOrder[], shares: ReturnType<typeof splitTableBill>): void {
  expect(sumTableBill(shares)).toBe(sumTableBill(on))
  for (const share of shares) expect(sumTableBill(share.orders)).toBe(share.amount)
  for (const { order_id, amount } of on) {
    const parts = shares.flatMap((share) => share.orders.filter((each) => each.order_id === order_id))
    expect(sumTableBill(parts)).toBe(amount)
    expect(parts.every((part) => part.amount > 0)).toBe(true)
  }
}

test('whatever a table ate, equal shares add up to the penny and differ by less than their number', () => {
  fc.assert(
    fc.property(orders, fc.integer({ min: 1, max: 12 }), (on, count) => {
      const shares = splitTableBill(on, count)
      assertSums(on, shares)
      const each = Math.floor(sumTableBill(on) / count)
      const amounts = shares.map(({ amount }) => amount)
      expect(amounts.slice(0, -1)).toEqual(amounts.slice(0, -1).map(() => each))
      expect((amounts.at(-1) ?? 0) - each).toBeLessThan(count)
    }),
  )
})

test('whoever takes which dishes, shares by lines add up, and no guest before the last pays more than their part', () => {
  fc.assert(
    fc.property(orders, fc.integer({ min: 1, max: 5 }), fc.infiniteStream(fc.nat()), (on, count, choices) => {
      const groups: ShareLine[][] = Array.from({ length: count }, () => [])
      for (const { order_id, amount, lines } of on)
        for (const { line_id, quantity } of amount === 0 ? [] : lines)
          for (let unit = 0; unit < quantity; unit++)
            groups[choices.next().value % count]?.push({ order_id, line_id, quantity: 1 })
      const payable = on.map((each) => (each.amount === 0 ? { ...each, lines: [] } : each))
      const shares = divideTableBill(payable, groups)
      assertSums(on, shares)
      for (const [at, group] of groups.slice(0, -1).entries()) {
        const costs = group.map(({ order_id, line_id }) => unitPrice(on, order_id, line_id))
        expect(shares[at]?.amount).toBeLessThanOrEqual(costs.reduce((sum, cost) => sum + cost, 0) + 1e-6)
      }
    }),
  )
})

/** Returns what a unit costs with its part of the fees, as a fraction. */
function unitPrice(on: readonly TableBillOrder[], orderId: string, lineId: string): number {
  const order = on.find(({ order_id }) => order_id === orderId)
  const line = order?.lines.find(({ line_id }) => line_id === lineId)
  if (order === undefined || line === undefined) throw new Error(`${orderId} has no ${lineId}`)
  const goods = order.lines.reduce((sum, { cost }) => sum + cost, 0)
  const units = order.lines.reduce((sum, { quantity }) => sum + quantity, 0)
  return goods === 0 ? order.amount / units : (order.amount * line.cost) / line.quantity / goods
}
