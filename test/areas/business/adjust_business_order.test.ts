/** A part of an order goes wrong: what the customer gets back, what the store loses, and what is rejected. */
import { describe, expect, test } from 'vitest'
import { assertIntegrity } from '../../../src/db/integrity.ts'
import { PLANNED_EVENTS } from '../../../src/sandbox/due-events.ts'
import { adjustTestOrder, makeAdjustment, gbp, placeTestSale, statementOf } from '../../support/adjusting.ts'
import { callTestControl } from '../../support/control.ts'
import { findStore, newKey } from '../../support/food.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { performAction, readBothViews, FORNO } from '../../support/order-life.ts'
import { ENGINES, MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const DAY_MS = 86_400_000

async function assertBooks(world: TestSandbox): Promise<void> {
  expect(await checkInvariants(world.db)).toEqual([])
  await world.db.read((tx) =>
    assertIntegrity(tx, world.db.kind, PLANNED_EVENTS, (why) => new Error(why) as never),
  )
}

function refuseAdjusting(world: TestSandbox, order_id: string, over: Record<string, unknown> = {}) {
  return world.refused('adjust_business_order', { ...makeAdjustment(order_id), ...over }, { key: newKey() })
}

describe.each(ENGINES)('on $name', (engine) => {
  test('A: a dish is missing from a delivery by card', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id, total } = await placeTestSale(world, { type: 'delivery', tip: 1000 })
    expect(total).toEqual(gbp(2860))
    await performAction(world, order_id, ['accept', 'ready'])
    expect(await adjustTestOrder(world, order_id)).toMatchObject({
      total: gbp(2860),
      payment: { status: 'partially_refunded', amount: gbp(2860) },
      refund: { amount: gbp(445), destination: 'original_method', borne_by: 'store', reason: 'missing' },
      adjustments: [
        {
          kind: 'refunded',
          by: 'store',
          lines: [{ line_id: 'line_1', quantity: 1, amount: gbp(445), goods: gbp(495) }],
          amount: gbp(445),
          borne_by: 'store',
          reason_code: 'missing',
        },
      ],
    })
    const { order, business } = await readBothViews(world, order_id)
    expect(order.adjustments).toEqual(business.adjustments)
    expect(order.adjustments[0]?.refund_id).toBe(order.refund?.refund_id)
    expect(await statementOf(world)).toMatchObject({
      refunded_goods: [{ reason: 'missing', amount: gbp(495) }],
      net_sales: gbp(990),
      vat: [{ rate_bps: 2000, net: gbp(825), vat: gbp(165), gross: gbp(990) }],
      discounts: { platform: gbp(99) },
      held: { fees: gbp(524), tips: gbp(1000) },
      payments: [{ captured: gbp(2860), refunded: gbp(445) }],
      due: gbp(990),
      closing: gbp(990),
    })
    await assertBooks(world)
  })

  test('B: the bread at a table goes back through the store’s own card processor', async () => {
    const world = await openTestSandbox({ engine })
    const made = { category: 'Tests', tax_rate_bps: 2000 }
    const roast = { ...made, name: 'Roast', price: gbp(1150) }
    const bread = { ...made, name: 'Bread', price: gbp(395), tax_rate_bps: 0 }
    for (const item of [roast, bread]) await world.ok('create_catalog_item', item)
    const { order_id, total } = await placeTestSale(world, {
      type: 'dine_in',
      service: 135,
      token: 'tok_store',
      items: {
        Roast: 2,
        Bread: 1,
      },
    })
    expect(total).toEqual(gbp(2560))
    expect(await statementOf(world)).toMatchObject({ net_sales: gbp(2695), due: gbp(135) })
    await performAction(world, order_id, ['accept', 'ready', 'complete'])
    const adjusted = await adjustTestOrder(world, order_id, { lines: [{ line_id: 'line_2' }] })
    expect(adjusted.refund).toMatchObject({
      amount: gbp(355),
      destination: 'card_via_store_processor',
      status: 'pending',
    })
    expect(await statementOf(world)).toMatchObject({
      net_sales: gbp(2300),
      vat: [{ rate_bps: 2000, net: gbp(1917), vat: gbp(383), gross: gbp(2300) }],
      discounts: { platform: gbp(230) },
      held: { fees: gbp(135), tips: gbp(0) },
      payments: [{ captured: gbp(2560), refunded: gbp(355) }],
      due: gbp(95),
      closing: gbp(95),
    })
    await world.advance(120_000)
    expect((await readBothViews(world, order_id)).order.refund?.status).toBe('succeeded')
    await assertBooks(world)
  })

  test('C: one is taken off before it is paid in cash at the counter', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id, total } = await placeTestSale(world, { method: 'cash', whole: true })
    expect(total).toEqual(gbp(1660))
    await performAction(world, order_id, ['accept'])
    const wish = { kind: 'removed', reason_code: 'out_of_stock', expected_amount: gbp(495) }
    expect(await adjustTestOrder(world, order_id, wish)).toMatchObject({
      total: gbp(1660),
      payment: { status: 'unpaid', amount: gbp(1165) },
      refund: null,
      adjustments: [{ kind: 'removed', amount: gbp(495), refund_id: null }],
    })
    await performAction(world, order_id, ['ready', 'complete'])
    expect(await statementOf(world)).toMatchObject({
      gross_goods: [{ amount: gbp(990) }],
      refunded_goods: [],
      net_sales: gbp(990),
      vat: [{ net: gbp(825), vat: gbp(165), gross: gbp(990) }],
      held: { fees: gbp(175), tips: gbp(0) },
      payments: [{ captured: gbp(1165), refunded: gbp(0) }],
      due: gbp(-175),
      closing: gbp(-175),
    })
    await assertBooks(world)
  })

  test('of adjustments, cancellations and rejections at once only so much goes back as was paid', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestSale(world)
    const once = () => world.call('adjust_business_order', makeAdjustment(order_id), { key: newKey() })
    const cancel = () => world.call('cancel_food_order', { order_id }, { as: 'member' })
    const reject = () => world.call('reject_business_order', { order_id })
    const complete = () => world.call('complete_business_order', { order_id })
    const answers = await Promise.all([once(), once(), cancel(), once(), reject(), once(), complete()])
    for (const { status } of answers) expect([200, 409]).toContain(status)
    await assertBooks(world)
    const { order } = await readBothViews(world, order_id)
    const back = order.refunds.reduce((sum, { amount }) => sum + amount.amount, 0)
    expect(back).toBeLessThanOrEqual(order.total.amount)
    expect(order.adjustments.length).toBeLessThanOrEqual(3)
  })
})

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('three single refunds of a line come to the line, and a rejection gives back the rest', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id, total } = await placeTestSale(world, { method: 'wallet' })
    const amounts = []
    for (let unit = 0; unit < 3; unit++)
      amounts.push((await adjustTestOrder(world, order_id)).refund?.amount.amount)
    expect(amounts).toEqual([445, 446, 445])
    expect(await refuseAdjusting(world, order_id)).toMatchObject({
      code: 'amount_exceeds_paid',
      errors: [{ pointer: '/lines/0/quantity' }],
    })
    expect((await performAction(world, order_id, ['reject'])).refund?.amount).toEqual(
      gbp(total.amount - 1336),
    )
    expect(await refuseAdjusting(world, order_id)).toMatchObject({ code: 'adjustment_not_allowed' })
    expect(await statementOf(world)).toMatchObject({ net_sales: gbp(0), due: gbp(0), closing: gbp(0) })
    await assertBooks(world)
  })

  test('a table pays less for removed units, and its bill says so', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestSale(world, { type: 'dine_in', method: 'pay_at_table' })
    await performAction(world, order_id, ['accept'])
    const off = await adjustTestOrder(world, order_id, { kind: 'removed' })
    expect(off.table?.check?.balance).toEqual(off.payment.amount)
    await callTestControl(world, 'settle_check', { check_id: order_id })
    const back = await adjustTestOrder(world, order_id)
    expect(back.refund).toMatchObject({ destination: 'platform_wallet', amount: gbp(446) })
    await performAction(world, order_id, ['ready', 'complete'])
    await assertBooks(world)
  })

  test('where tax is added it goes back with the goods', async () => {
    const world = await openTestSandbox({ engine })
    const { changeStore, findStore } = await import('../../support/food.ts')
    const { merchant_id } = await findStore(world, FORNO)
    await changeStore(world, merchant_id, { prices_include_tax: false })
    const { order_id } = await placeTestSale(world)
    const { adjustments, refund } = await adjustTestOrder(world, order_id)
    expect(adjustments[0]).toMatchObject({ amount: gbp(534), lines: [{ amount: gbp(445) }] })
    expect(refund?.amount).toEqual(gbp(534))
    await assertBooks(world)
  })
})

describe('a line says what left it, and its order what is charged', () => {
  const NOTHING_GONE = { removed: 0, replaced: 0 }

  test('units are removed and replaced, and a replacement is removed in its turn', async () => {
    const world = await openTestSandbox()
    const { order_id, lines, total } = await placeTestSale(world, {
      type: 'delivery',
      over: { substitutions: 'replace' },
    })
    expect(lines).toMatchObject([{ quantity: 3, ...NOTHING_GONE }])
    await performAction(world, order_id, ['accept'])
    const { items } = await findStore(world, FORNO)
    const item_id = items.find(({ name }) => name === 'Burrata')?.item_id
    const one = { line_id: 'line_1', quantity: 1 }
    await adjustTestOrder(world, order_id, { kind: 'removed', lines: [one] })
    await adjustTestOrder(world, order_id, {
      kind: 'replaced',
      lines: [{ ...one, replacement: { item_id } }],
    })
    const line = { quantity: 3, total: gbp(1485), removed: 1, replaced: 1 }
    const { order, business } = await readBothViews(world, order_id)
    for (const view of [order, business]) {
      expect(view).toMatchObject({ lines: [line], total, charged: gbp(total.amount - 445) })
      expect(view.adjustments[1]?.lines[0]?.replacement).toMatchObject({
        line_id: 'line_1.1',
        ...NOTHING_GONE,
      })
    }
    await adjustTestOrder(world, order_id, { kind: 'removed', lines: [{ line_id: 'line_1.1' }] })
    const { data } = await world.ok('list_business_orders', { active: true })
    const [listed] = data
    expect(listed).toMatchObject({ lines: [line], charged: gbp(total.amount - 891) })
    expect(listed?.adjustments[1]?.lines[0]?.replacement).toMatchObject({ removed: 1, replaced: 0 })
    await performAction(world, order_id, ['ready'])
    const { delivery_id } = (await readBothViews(world, order_id)).order
    const run = await world.ok('get_delivery', { delivery_id: delivery_id ?? '' }, { as: 'member' })
    expect(run.parcel.description).toBe('Order 1 × Focaccia')
  })

  test('an unpaid order is charged what is to be paid, and nothing once it is rejected', async () => {
    const world = await openTestSandbox()
    const { order_id, charged } = await placeTestSale(world, { method: 'cash', service: 175, whole: true })
    expect(charged).toEqual(gbp(1660))
    expect(await adjustTestOrder(world, order_id, { kind: 'removed' })).toMatchObject({ charged: gbp(1165) })
    await performAction(world, order_id, ['reject'])
    expect((await readBothViews(world, order_id)).order).toMatchObject({ total: gbp(1660), charged: gbp(0) })
  })

  test('what is refunded left no line, and the units of a question are still there', async () => {
    const world = await openTestSandbox()
    const { order_id, total } = await placeTestSale(world, { over: { substitutions: 'ask' } })
    const { items } = await findStore(world, FORNO)
    const item_id = items.find(({ name }) => name === 'Burrata')?.item_id
    const asked = { line_id: 'line_1', quantity: 1, replacement: { item_id } }
    await adjustTestOrder(world, order_id, { kind: 'replaced', lines: [asked] })
    await performAction(world, order_id, ['accept'])
    expect((await readBothViews(world, order_id)).business).toMatchObject({
      lines: [NOTHING_GONE],
      charged: total,
    })
    await world.advance(6 * 60_000)
    const gone = { lines: [{ removed: 1, replaced: 0 }] }
    expect((await readBothViews(world, order_id)).business).toMatchObject(gone)
    await performAction(world, order_id, ['complete'])
    expect(await adjustTestOrder(world, order_id)).toMatchObject({
      ...gone,
      charged: gbp(total.amount - 891),
    })
  })
})

test('the last line cannot be removed: the whole order is rejected', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestSale(world)
  const problem = await refuseAdjusting(world, order_id, { kind: 'removed', lines: [{ line_id: 'line_1' }] })
  expect(problem).toMatchObject({ code: 'adjustment_not_allowed' })
  expect(problem.hint).toContain('dray business orders reject')
  await adjustTestOrder(world, order_id, { kind: 'removed', lines: [{ line_id: 'line_1', quantity: 2 }] })
  expect(await refuseAdjusting(world, order_id, { kind: 'removed' })).toMatchObject({
    code: 'adjustment_not_allowed',
  })
})

test('an amount is refunded up to the cost of its line, in its currency, and only as a refund', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestSale(world)
  const lines = (amount: object) => ({ lines: [{ line_id: 'line_1', amount }] })
  expect((await adjustTestOrder(world, order_id, lines(gbp(200)))).refund?.amount).toEqual(gbp(200))
  expect(await refuseAdjusting(world, order_id, lines(gbp(1137)))).toMatchObject({
    code: 'amount_exceeds_paid',
    amount: gbp(1136),
    errors: [{ pointer: '/lines/0/amount' }],
  })
  for (const over of [
    lines({ amount: 100, currency: 'EUR' }),
    { ...lines(gbp(100)), kind: 'removed' },
    { lines: [{ line_id: 'line_9' }] },
  ])
    expect(await refuseAdjusting(world, order_id, over)).toMatchObject({ code: 'invalid_request' })
  expect((await adjustTestOrder(world, order_id, { lines: [{ line_id: 'line_1' }] })).refund?.amount).toEqual(
    gbp(1136),
  )
})

test('another amount than the one that was seen is rejected, and nothing changes', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestSale(world)
  expect(await refuseAdjusting(world, order_id, { expected_amount: gbp(446) })).toMatchObject({
    code: 'adjustment_not_allowed',
    amount: gbp(445),
    errors: [{ pointer: '/expected_amount' }],
  })
  expect((await readBothViews(world, order_id)).business).toMatchObject({ adjustments: [], refunds: [] })
})

test('lines leave only before the order does, and refunds end after 30 days', async () => {
  const world = await openTestSandbox()
  const unpaid = await placeTestSale(world, { method: 'cash' })
  expect(await refuseAdjusting(world, unpaid.order_id)).toMatchObject({ code: 'adjustment_not_allowed' })
  const { order_id } = await placeTestSale(world)
  await performAction(world, order_id, ['accept', 'complete'])
  const problem = await refuseAdjusting(world, order_id, { kind: 'removed' })
  expect(problem).toMatchObject({ code: 'adjustment_not_allowed', current_status: 'completed' })
  await world.advance(30 * DAY_MS - 60_000)
  await adjustTestOrder(world, order_id)
  await world.advance(120_000)
  expect(await refuseAdjusting(world, order_id)).toMatchObject({ code: 'adjustment_not_allowed' })
})
