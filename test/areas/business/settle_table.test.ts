/** One bill for a table: all its orders are paid in one step or none is (docs/rules/money.md#a-table-is-one-bill). */
import { describe, expect, test } from 'vitest'
import { gbp, placeTestSale, statementOf } from '../../support/adjusting.ts'
import { callTestControl } from '../../support/control.ts'
import { newKey } from '../../support/food.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { performAction } from '../../support/order-life.ts'
import { ENGINES, MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const TABLE = '4'

/** Seats a guest at table 4 who orders units of a dish of this price, without fees; the store accepts. */
async function seat(world: TestSandbox, price: number, { units = 1, accept = true } = {}) {
  const item = { name: `Dish of ${newKey()}`, category: 'Tests', price: gbp(price), tax_rate_bps: 2000 }
  const { item_id } = await world.ok('create_catalog_item', item)
  const order = await placeTestSale(world, {
    type: 'dine_in',
    method: 'pay_at_table',
    items: { [item_id]: units },
    service: 0,
    whole: true,
  })
  if (accept) await performAction(world, order.order_id, ['accept'])
  return order
}

const settle = (world: TestSandbox, input: Record<string, unknown> = {}, key = newKey()) =>
  world.call('settle_table', { table_number: TABLE, ...input }, { key })

const bill = async (world: TestSandbox) => (await world.ok('list_tables', { table_number: TABLE })).data[0]

/** Returns whether the bills of orders are open, and how they are paid. */
const paidOf = async (world: TestSandbox, orders: readonly { order_id: string }[]) =>
  Promise.all(
    orders.map(async ({ order_id }) => {
      const { table, payment } = await world.ok('get_business_order', { order_id })
      return `${table?.check?.status} ${payment.status}`
    }),
  )

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('two orders of 10.66 and 6.21 are one bill of 16.87, paid in three shares', async () => {
    const world = await openTestSandbox({ engine })
    const [first, second] = [await seat(world, 1066), await seat(world, 621)]
    const [x, y] = [first.order_id, second.order_id]
    expect(await bill(world)).toMatchObject({
      table_number: TABLE,
      total: gbp(1687),
      orders: [
        { order_id: x, to_pay: gbp(1066) },
        { order_id: y, to_pay: gbp(621) },
      ],
    })
    const shares = [
      { amount: gbp(562), orders: [{ order_id: x, amount: gbp(562) }] },
      {
        amount: gbp(562),
        orders: [
          { order_id: x, amount: gbp(504) },
          { order_id: y, amount: gbp(58) },
        ],
      },
      { amount: gbp(563), orders: [{ order_id: y, amount: gbp(563) }] },
    ]
    expect(await settle(world, { split: 3, expected_total: gbp(1687) })).toMatchObject({
      status: 200,
      body: { table_number: TABLE, total: gbp(1687), shares },
    })
    expect(await bill(world)).toMatchObject({ total: gbp(0), open_since: null })

    for (const { order_id, total } of [first, second])
      expect(await world.ok('get_business_order', { order_id })).toMatchObject({
        payment: { method: 'pay_at_table', status: 'paid', amount: total, collected_by: 'store' },
        table: { check: { status: 'closed', balance: gbp(0), shares } },
      })
    // The customer of an order sees what each share paid of it.
    expect((await world.ok('get_food_order', { order_id: y }, { as: 'member' })).table).toMatchObject({
      shares: [
        { number: 2, of: 3, amount: gbp(58) },
        { number: 3, of: 3, amount: gbp(563) },
      ],
    })
    const { payments, unpaid } = await statementOf(world)
    expect({ payments, unpaid }).toEqual({
      payments: [{ method: 'pay_at_table', collected_by: 'store', captured: gbp(1687), refunded: gbp(0) }],
      unpaid: [],
    })
    for (const { order_id } of [first, second]) await performAction(world, order_id, ['ready', 'complete'])
    const { data } = await world.ok('close_business_day', { through: '2026-11-20', preview: true })
    expect(data[0]?.statement).toMatchObject({ orders: 2, payments })
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('an order that was added since is named, and nothing is paid', async () => {
    const world = await openTestSandbox({ engine })
    const first = await seat(world, 1066)
    const second = await seat(world, 621)
    expect(await settle(world, { expected_total: gbp(1066) })).toMatchObject({
      status: 422,
      body: {
        code: 'quote_mismatch',
        total: gbp(1687),
        orders: [{ order_id: second.order_id, display_number: second.display_number }],
        detail: expect.stringContaining(`it was opened for ${second.display_number} (£6.21) since`),
      },
    })
    expect(await paidOf(world, [first, second])).toEqual(['open unpaid', 'open unpaid'])
  })

  test('the same key settles once, and gives the first answer again', async () => {
    const world = await openTestSandbox({ engine })
    await seat(world, 1066)
    const [one, again] = [
      await settle(world, { split: 2 }, 'once'),
      await settle(world, { split: 2 }, 'once'),
    ]
    expect(again.body).toEqual(one.body)
    expect(again.headers['Idempotent-Replayed']).toBe('true')
    // Later guests of the table have a bill of their own.
    await seat(world, 621)
    expect(await settle(world, {}, 'later')).toMatchObject({ status: 200, body: { total: gbp(621) } })
    expect((await statementOf(world)).payments).toMatchObject([{ captured: gbp(1687) }])
  })
})

test('by lines: every unit in one share, or nothing is paid', async () => {
  const world = await openTestSandbox()
  const [{ order_id }, other] = [await seat(world, 300, { units: 2 }), await seat(world, 621)]
  const mine = { order_id, line_id: 'line_1', quantity: 1 }
  const theirs = { order_id: other.order_id, line_id: 'line_1' }
  const refused = await settle(world, { by_lines: [[mine], [theirs]] })
  expect(refused).toMatchObject({
    status: 422,
    body: {
      code: 'invalid_shares',
      errors: [
        { pointer: '/by_lines', detail: expect.stringMatching(/^1 unit of Dish of .* is in no share$/) },
      ],
    },
  })
  expect(await paidOf(world, [{ order_id }, other])).toEqual(['open unpaid', 'open unpaid'])
  expect(await settle(world, { by_lines: [[mine], [mine, theirs]] })).toMatchObject({
    status: 200,
    body: { shares: [{ amount: gbp(300) }, { amount: gbp(921) }] },
  })
})

test('what was taken off before is not in the sum, and a refund afterwards goes back from its own order', async () => {
  const world = await openTestSandbox()
  const [{ order_id }, other] = [await seat(world, 300, { units: 2 }), await seat(world, 621)]
  const off = { order_id, lines: [{ line_id: 'line_1', quantity: 1 }], reason_code: 'out_of_stock' }
  await world.ok('adjust_business_order', { ...off, kind: 'removed' }, { key: newKey() })
  expect(await bill(world)).toMatchObject({
    total: gbp(921),
    orders: [{ to_pay: gbp(300), lines: [{ quantity: 1, amount: gbp(300) }] }, { to_pay: gbp(621) }],
  })
  expect(await settle(world, { split: 2 })).toMatchObject({ status: 200, body: { total: gbp(921) } })
  await world.ok('adjust_business_order', { ...off, kind: 'refunded' }, { key: newKey() })
  expect(await world.ok('get_business_order', { order_id })).toMatchObject({
    payment: { status: 'refunded' },
    refund: { amount: gbp(300), destination: 'platform_wallet' },
  })
  expect(await paidOf(world, [other])).toEqual(['closed paid'])
})

test('an order that is not accepted yet is shown, and is not on the bill', async () => {
  const world = await openTestSandbox()
  const [first, placed] = [await seat(world, 1066), await seat(world, 621, { accept: false })]
  expect(await bill(world)).toMatchObject({
    total: gbp(1066),
    orders: [
      { order_id: first.order_id, check: { status: 'open' } },
      { order_id: placed.order_id, status: 'placed', check: null, to_pay: gbp(0), lines: [] },
    ],
  })
  expect(await settle(world, { expected_total: gbp(1066) })).toMatchObject({ status: 200 })
  await performAction(world, placed.order_id, ['accept'])
  expect(await bill(world)).toMatchObject({ total: gbp(621) })
})

test.each([
  ['a table that the store does not have', { table_number: '99' }, 404, { code: 'table_not_found' }],
  ['a table without a bill', { table_number: '5' }, 409, { code: 'invalid_state' }],
  [
    'two divisions',
    { split: 2, by_lines: [[{ order_id: 'ord_1', line_id: 'line_1' }]] },
    400,
    {
      errors: [{ pointer: '/by_lines', code: 'mutually_exclusive' }],
    },
  ],
  [
    'another currency',
    { expected_total: { amount: 1066, currency: 'EUR' } },
    422,
    { code: 'quote_mismatch' },
  ],
  ['no shares', { split: 0 }, 400, { code: 'invalid_request' }],
])('%s is refused', async (_, input, status, body) => {
  const world = await openTestSandbox()
  await seat(world, 1066)
  expect(await settle(world, input)).toMatchObject({ status, body })
})

test('a table that was paid already says when, and for which orders', async () => {
  const world = await openTestSandbox()
  const { display_number } = await seat(world, 1066)
  await settle(world)
  expect((await settle(world)).body['detail']).toBe(
    `Table ${TABLE} has no open bill: ${display_number} was paid at 2026-11-20 09:00.`,
  )
})

test('a table of one order comes to the same as its check settled alone', async () => {
  const outcomes = []
  for (const pay of ['table', 'check']) {
    const world = await openTestSandbox()
    const { order_id } = await seat(world, 1066)
    if (pay === 'table') await settle(world)
    else await callTestControl(world, 'settle_check', { check_id: order_id })
    const { payment, table } = await world.ok('get_business_order', { order_id })
    outcomes.push({ payment, table, statement: await statementOf(world) })
  }
  expect(outcomes[0]).toEqual(outcomes[1])
})

/** Makes calls at once; returns their statuses. */
const race = async (...calls: Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status)

describe.each(ENGINES)('at once, on $name', (engine) => {
  const rounds = Array.from({ length: 2 }, (_, round) => round)

  test('two settle one table: it is paid once', async () => {
    const world = await openTestSandbox({ engine })
    for (const _ of rounds) {
      const paid = [await seat(world, 1066), await seat(world, 621)]
      const statuses = await race(settle(world, { split: 2 }), settle(world, { split: 3 }))
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(await paidOf(world, paid)).toEqual(['closed paid', 'closed paid'])
    }
    expect((await statementOf(world)).payments).toMatchObject([{ captured: gbp(2 * 1687) }])
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('a new order is accepted meanwhile: all that is on the bill is paid, or nothing is', async () => {
    const world = await openTestSandbox({ engine })
    for (const _ of rounds) {
      const [first, second] = [await seat(world, 1066), await seat(world, 621, { accept: false })]
      const [settled] = await race(
        settle(world, { expected_total: gbp(1066) }),
        world.call('accept_business_order', { order_id: second.order_id }),
      )
      expect(await paidOf(world, [first, second])).toEqual(
        settled === 200 ? ['closed paid', 'open unpaid'] : ['open unpaid', 'open unpaid'],
      )
      expect([200, 422]).toContain(settled)
      expect((await settle(world)).status).toBe(200)
    }
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('a unit is taken off, an order is cancelled, or its check is settled meanwhile: the sum that was shown is paid, or nothing', async () => {
    const world = await openTestSandbox({ engine })
    const off = { lines: [{ line_id: 'line_1', quantity: 1 }], kind: 'removed', reason_code: 'missing' }
    for (const rival of [
      (order_id: string) => world.call('adjust_business_order', { ...off, order_id }, { key: newKey() }),
      (order_id: string) => world.call('cancel_food_order', { order_id }, { as: 'member' }),
      (order_id: string) =>
        callTestControl(world, 'settle_check', { check_id: order_id }).then(
          () => ({ status: 200 }),
          () => ({ status: 409 }),
        ),
    ]) {
      const orders = [await seat(world, 300, { units: 2 }), await seat(world, 621)]
      const [settled] = await race(
        settle(world, { expected_total: gbp(1221) }),
        rival(orders[0]?.order_id ?? ''),
      )
      const [, second] = await paidOf(world, orders)
      expect([settled, second]).toEqual(settled === 200 ? [200, 'closed paid'] : [422, 'open unpaid'])
      if (settled !== 200) await settle(world)
    }
    expect(await checkInvariants(world.db)).toEqual([])
  })
})
