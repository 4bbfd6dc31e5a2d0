/** A dish is missing: the store replaces it as its customer wished, or asks, and the money adds up. */
import { describe, expect, test } from 'vitest'
import { findOrders } from '../../../src/areas/orders/queries/orders.ts'
import { describeAdjustment } from '../../../src/areas/orders/rules/adjust-words.ts'
import { listOrderBookEntries } from '../../../src/areas/orders/rules/shares.ts'
import { loadPayment } from '../../../src/areas/payments/queries/ledger.ts'
import { assertIntegrity } from '../../../src/db/integrity.ts'
import { PLANNED_EVENTS } from '../../../src/sandbox/due-events.ts'
import {
  adjustTestOrder,
  makeAdjustment,
  gbp,
  type TestSaleOptions,
  placeTestSale,
  statementOf,
} from '../../support/adjusting.ts'
import { findStore, newKey } from '../../support/food.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { performAction, readBothViews, FORNO } from '../../support/order-life.ts'
import { ENGINES } from '../../support/stores.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../../support/world.ts'

const MINUTES = 60_000

/** Makes an item of Forno, by default bread that is cheaper than Focaccia and free of tax. */
async function bake(world: TestSandbox, over: Record<string, unknown> = {}): Promise<string> {
  const { merchant_id } = await findStore(world, FORNO)
  const bread = {
    name: 'Ciabatta',
    price: gbp(395),
    category: 'Bread',
    tax_rate_bps: 0,
    allergens: ['gluten'],
  }
  const { item_id } = await world.ok(
    'create_catalog_item',
    { merchant_id, ...bread, ...over },
    { key: newKey() },
  )
  return item_id
}

const wishing = (substitutions: string, over: Record<string, unknown> = {}): TestSaleOptions => ({
  over: { substitutions, ...over },
})

function replacing(item_id: string, over: Record<string, unknown> = {}): Record<string, unknown> {
  const lines = [{ line_id: 'line_1', quantity: 1, replacement: { item_id } }]
  return { kind: 'replaced', lines, reason_code: 'out_of_stock', ...over }
}

function answer(
  world: TestSandbox,
  order: { order_id: string; adjustments: { adjustment_id: string }[] },
  accept: boolean,
) {
  const { order_id, adjustments } = order
  const input = { order_id, adjustment_id: adjustments.at(-1)?.adjustment_id ?? '', accept }
  return world.call('answer_substitution', input, { as: 'member', key: newKey() })
}

async function assertBooks(world: TestSandbox): Promise<void> {
  expect(await checkInvariants(world.db)).toEqual([])
  await world.db.read((tx) =>
    assertIntegrity(tx, world.db.kind, PLANNED_EVENTS, (why) => new Error(why) as never),
  )
}

describe.each(ENGINES)('on $name', (engine) => {
  test('a cheaper dish costs what it costs, and its tax is at its own rate', async () => {
    const world = await openTestSandbox({ engine })
    const item_id = await bake(world)
    const { order_id } = await placeTestSale(world, wishing('replace'))
    const replaced = await adjustTestOrder(world, order_id, replacing(item_id))
    // A third of the lines, 13.36 with the discount, is 4.45; at 3.95 instead of 4.95 it is 3.55.
    expect(replaced).toMatchObject({
      substitutions: 'replace',
      refund: { amount: gbp(90), reason: 'out_of_stock', borne_by: 'store' },
      adjustments: [
        {
          kind: 'replaced',
          amount: gbp(90),
          answer_by: null,
          answer: null,
          lines: [
            {
              line_id: 'line_1',
              quantity: 1,
              amount: gbp(445),
              replacement: {
                line_id: 'line_1.1',
                item_id,
                name: 'Ciabatta',
                unit_price: gbp(395),
                amount: gbp(355),
                tax_rate_bps: 0,
                allergens: ['gluten'],
              },
            },
          ],
        },
      ],
    })
    const { net_sales, vat } = await statementOf(world)
    expect(net_sales).toEqual(gbp(990 + 395))
    expect(vat).toMatchObject([
      { rate_bps: 2000, gross: gbp(990) },
      { rate_bps: 0, gross: gbp(395), vat: gbp(0) },
    ])
    await assertBooks(world)
    // The new dish can go wrong, too, and is called by its name.
    const question = describeAdjustment(replaced, [{ line_id: 'line_1.1' }])
    expect(question.parts).toEqual([{ taken: '1 ×', name: 'Ciabatta' }])
    const gone = await adjustTestOrder(world, order_id, { kind: 'removed', lines: [{ line_id: 'line_1.1' }] })
    expect(gone.refund).toMatchObject({ amount: gbp(355) })
    expect((await statementOf(world)).net_sales).toEqual(gbp(990))
    await assertBooks(world)
  })

  test('a dearer dish costs no more, before the payment and after it', async () => {
    const world = await openTestSandbox({ engine })
    const item_id = await bake(world, { price: gbp(995) })
    const { order_id } = await placeTestSale(world, wishing('replace'))
    const paid = await adjustTestOrder(world, order_id, replacing(item_id))
    expect(paid).toMatchObject({ refund: null, payment: { status: 'paid', amount: gbp(1511) } })
    expect(paid.adjustments[0]?.lines[0]?.replacement).toMatchObject({
      unit_price: gbp(495),
      amount: gbp(445),
    })
    const unpaid = await placeTestSale(world, { ...wishing('replace'), method: 'cash' })
    expect(await adjustTestOrder(world, unpaid.order_id, replacing(item_id))).toMatchObject({
      payment: { status: 'unpaid', amount: gbp(1511) },
      adjustments: [{ amount: gbp(0), refund_id: null }],
    })
    await performAction(world, unpaid.order_id, ['accept', 'ready', 'complete'])
    expect((await statementOf(world)).vat).toMatchObject([
      { rate_bps: 2000, gross: gbp(2 * 990) },
      { rate_bps: 0, gross: gbp(2 * 495) },
    ])
    await assertBooks(world)
  })

  test('a customer who is asked says yes, says no, or says nothing for five minutes', async () => {
    const world = await openTestSandbox({ engine })
    const item_id = await bake(world)
    const ask = async () => {
      const { order_id } = await placeTestSale(world, wishing('ask'))
      return adjustTestOrder(world, order_id, replacing(item_id))
    }
    const asked = await ask()
    expect(asked).toMatchObject({
      refund: null,
      adjustments: [{ kind: 'replaced', amount: gbp(90), answer: null }],
    })
    expect(Date.parse(asked.adjustments[0]?.answer_by ?? '')).toBe((await world.now()) + 5 * MINUTES)
    expect((await answer(world, asked, true)).body).toMatchObject({
      refund: { amount: gbp(90) },
      adjustments: [{ kind: 'replaced', answer: { by: 'customer', accept: true } }],
    })
    expect(await answer(world, asked, false)).toMatchObject({
      status: 409,
      body: { code: 'adjustment_not_allowed' },
    })
    expect((await answer(world, await ask(), false)).body).toMatchObject({
      refund: { amount: gbp(445) },
      adjustments: [
        { kind: 'removed', answer: { by: 'customer', accept: false }, lines: [{ replacement: null }] },
      ],
    })
    const { order_id } = await ask()
    await world.advance(5 * MINUTES - 1)
    expect((await readBothViews(world, order_id)).order.refund).toBeNull()
    await world.advance(1)
    expect((await readBothViews(world, order_id)).order).toMatchObject({
      refund: { amount: gbp(445) },
      adjustments: [{ kind: 'removed', answer: { by: 'system', accept: false } }],
    })
    await assertBooks(world)
  })

  test('an order that is ready no longer waits for an answer, and one that is prepared does', async () => {
    const world = await openTestSandbox({ engine })
    const item_id = await bake(world)
    const { order_id } = await placeTestSale(world, wishing('ask'))
    await adjustTestOrder(world, order_id, replacing(item_id))
    await performAction(world, order_id, ['accept', 'preparing'])
    expect((await readBothViews(world, order_id)).order.adjustments[0]?.answer).toBeNull()
    await performAction(world, order_id, ['ready'])
    const { order } = await readBothViews(world, order_id)
    expect(order).toMatchObject({ refund: { amount: gbp(445) }, adjustments: [{ answer: { by: 'system' } }] })
    expect(await refuse(world, order_id, replacing(item_id))).toMatchObject({
      code: 'adjustment_not_allowed',
    })
    await performAction(world, order_id, ['complete'])
    await assertBooks(world)
  })

  test('answers, adjustments, cancellations and the end of an order at once give back no penny twice', async () => {
    const world = await openTestSandbox({ engine })
    const item_id = await bake(world, { stock: 4 })
    for (const last of ['cancel_food_order', 'reject_business_order', 'complete_business_order']) {
      const { order_id } = await placeTestSale(world, wishing('ask'))
      const asked = await adjustTestOrder(world, order_id, replacing(item_id))
      await performAction(world, order_id, ['accept'])
      const own = (over: Record<string, unknown>) =>
        world.call('adjust_business_order', { ...makeAdjustment(order_id), ...over }, { key: newKey() })
      const calls = await Promise.all([
        answer(world, asked, true),
        own({ kind: 'removed' }),
        world.call(
          last,
          { order_id },
          { as: last.startsWith('cancel') ? 'member' : 'everything', key: newKey() },
        ),
        answer(world, asked, false),
        own({}),
        own({ kind: 'removed', lines: [{ line_id: 'line_1', quantity: 2 }] }),
      ])
      for (const { status } of calls) expect([200, 409]).toContain(status)
      await world.advance(6 * MINUTES)
      await assertBooks(world)
    }
  })

  test('a question ends once, by its answer, its time, the kitchen or the end of the order, whichever comes first', async () => {
    const world = await openTestSandbox({ engine })
    const item_id = await bake(world, { stock: 12 })
    const stock = async () => (await findStore(world, FORNO)).item('Ciabatta').stock
    for (const accept of [true, false]) {
      for (const last of ['mark_business_order_ready', 'cancel_food_order', 'reject_business_order']) {
        const before = await stock()
        const { order_id } = await placeTestSale(world, wishing('ask'))
        const asked = await adjustTestOrder(world, order_id, replacing(item_id))
        await performAction(world, order_id, ['accept', 'preparing'])
        await world.advance(5 * MINUTES - 1)
        const as = last.startsWith('cancel') ? 'member' : 'everything'
        const [answered, ended] = await Promise.all([
          answer(world, asked, accept),
          world.call(last, { order_id }, { as, key: newKey() }),
          world.advance(1),
        ])
        for (const { status } of [answered, ended]) expect([200, 409]).toContain(status)
        await world.advance(MINUTES)
        const { adjustments, status } = (await readBothViews(world, order_id)).order
        // The end of an order drops a question that is still open.
        const isDropped = adjustments.length === 0 && ['cancelled', 'rejected'].includes(status)
        const by = answered.status === 200 ? { by: 'customer', accept } : { by: 'system', accept: false }
        expect(adjustments).toMatchObject(isDropped && by.by === 'system' ? [] : [{ answer: by }])
        const isKept = adjustments[0]?.kind === 'replaced'
        expect(await stock()).toBe((before ?? 0) - (isKept ? 1 : 0))
        await assertBooks(world)
      }
    }
  })
})

function refuse(world: TestSandbox, order_id: string, over: Record<string, unknown>) {
  return world.refused('adjust_business_order', { ...makeAdjustment(order_id), ...over }, { key: newKey() })
}

test('an order of nothing but the missing dish ends where its customer wants no other', async () => {
  const world = await openTestSandbox()
  const item_id = await bake(world, { stock: 5 })
  const { order_id } = await placeTestSale(world, wishing('ask'))
  const all = replacing(item_id, { lines: [{ line_id: 'line_1', replacement: { item_id } }] })
  const asked = await adjustTestOrder(world, order_id, all)
  const stock = async () => (await findStore(world, FORNO)).item('Ciabatta').stock
  expect(await stock()).toBe(2)
  await performAction(world, order_id, ['accept'])
  expect(await world.refused('mark_business_order_ready', { order_id })).toMatchObject({
    code: 'invalid_state',
  })
  expect((await answer(world, asked, false)).body).toMatchObject({
    status: 'rejected',
    rejection: { reason_code: 'item_unavailable' },
    refund: { amount: gbp(1511), destination: 'platform_wallet' },
  })
  expect(await stock()).toBe(5)
  expect(await answer(world, asked, true)).toMatchObject({ status: 409 })
  await assertBooks(world)
})

test('the end of an order drops its open question, and releases the reserved stock', async () => {
  const world = await openTestSandbox()
  const item_id = await bake(world, { stock: 5 })
  const stock = async () => (await findStore(world, FORNO)).item('Ciabatta').stock
  for (const [last, as] of [
    ['cancel_food_order', 'member'],
    ['reject_business_order', 'everything'],
  ] as const) {
    const { order_id } = await placeTestSale(world, wishing('ask'))
    const asked = await adjustTestOrder(world, order_id, replacing(item_id))
    expect(await stock()).toBe(4)
    await world.ok(last, { order_id }, { as, key: newKey() })
    expect(await stock()).toBe(5)
    expect(await answer(world, asked, true)).toMatchObject({ status: 409 })
    expect((await readBothViews(world, order_id)).order.adjustments).toEqual([])
    await world.advance(6 * MINUTES)
    expect(await stock()).toBe(5)
  }
  await assertBooks(world)
})

test('a customer who would rather cancel gets the whole order cancelled, by removal and by replacement', async () => {
  const world = await openTestSandbox()
  const item_id = await bake(world)
  for (const over of [replacing(item_id), { kind: 'removed' }]) {
    const { order_id } = await placeTestSale(world, wishing('cancel_order'))
    expect(await refuse(world, order_id, { ...over, expected_amount: gbp(445) })).toMatchObject({
      code: 'adjustment_not_allowed',
      amount: gbp(1511),
    })
    expect(await adjustTestOrder(world, order_id, { ...over, expected_amount: gbp(1511) })).toMatchObject({
      status: 'rejected',
      rejection: { reason_code: 'item_unavailable' },
      refund: { amount: gbp(1511) },
      adjustments: [],
    })
  }
  await assertBooks(world)
})

test('who wished for the money back is sold nothing else', async () => {
  const world = await openTestSandbox()
  const item_id = await bake(world)
  for (const sale of [{}, wishing('refund')]) {
    const { order_id, substitutions } = await placeTestSale(world, sale)
    expect(substitutions).toBe('refund')
    expect(await refuse(world, order_id, replacing(item_id))).toMatchObject({
      code: 'adjustment_not_allowed',
    })
  }
})

test.each([
  ['no gluten please', { notes: 'No gluten please' }],
  ['a coeliac', { notes: 'I am cœliac' }],
  ['an allergy without a name', { notes: 'Severe allergy, call me' }],
])('a customer with %s is asked before a dish with it comes instead', async (_, over) => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestSale(world, wishing('replace', over))
  const { adjustments } = await adjustTestOrder(world, order_id, replacing(await bake(world)))
  expect(adjustments).toMatchObject([{ kind: 'replaced', answer: null }])
  expect(adjustments[0]?.answer_by).not.toBeNull()
  const plain = await bake(world, { name: 'Olives', allergens: [] })
  const free = replacing(plain, {
    lines: [{ line_id: 'line_1', quantity: 1, replacement: { item_id: plain } }],
  })
  expect((await adjustTestOrder(world, order_id, free)).adjustments[0]).toMatchObject({
    kind: 'replaced',
    answer_by: null,
  })
})

test('a replacement is an item of the store, on sale, with options that it has, and once for each line', async () => {
  const world = await openTestSandbox()
  const item_id = await bake(world, { stock: 1 })
  const { order_id } = await placeTestSale(world, wishing('replace'))
  const line = (over: Record<string, unknown>) => ({ line_id: 'line_1', quantity: 1, ...over })
  const tried = (over: Record<string, unknown>) => refuse(world, order_id, replacing(item_id, over))
  expect(await tried({ lines: [line({})] })).toMatchObject({
    errors: [{ pointer: '/lines/0/replacement', code: 'required' }],
  })
  expect(await tried({ kind: 'removed' })).toMatchObject({ errors: [{ code: 'mutually_exclusive' }] })
  expect(await tried({ lines: [line({ quantity: 2, replacement: { item_id } })] })).toMatchObject({
    code: 'item_unavailable',
    available_quantity: 1,
  })
  const modifiers = [{ modifier_id: 'mod_none' }]
  expect(await tried({ lines: [line({ replacement: { item_id, modifiers } })] })).toMatchObject({
    code: 'invalid_modifier_selection',
    errors: [{ pointer: '/lines/0/replacement/modifiers/0/modifier_id' }],
  })
  const stranger = (await findStore(world, 'Lime Street Noodles')).item('Prawn Crackers').item_id
  expect(await tried({ lines: [line({ replacement: { item_id: stranger } })] })).toMatchObject({
    code: 'item_not_found',
    errors: [{ pointer: '/lines/0/replacement/item_id' }],
  })
  await world.ok('set_catalog_item_availability', { item_id, available: false })
  expect(await tried({})).toMatchObject({ code: 'item_unavailable', item_ids: [item_id] })
  expect((await readBothViews(world, order_id)).order.adjustments).toEqual([])
})

test('the notes of a line name an allergen as those of the order do', async () => {
  const world = await openTestSandbox()
  const sale = { ...wishing('replace'), items: { Focaccia: 1, Burrata: 1 }, lineNotes: 'no nuts' }
  const { order_id } = await placeTestSale(world, sale)
  const item_id = await bake(world, { name: 'Pesto bread', allergens: ['nuts'] })
  const { adjustments } = await adjustTestOrder(world, order_id, replacing(item_id))
  expect(adjustments).toMatchObject([{ kind: 'replaced', answer: null }])
  expect(adjustments[0]?.answer_by).not.toBeNull()
})

describe('while two dishes wait for the customer’s answer', () => {
  const ofLine = (line_id: string, item_id: string, quantity = 1) =>
    replacing(item_id, { lines: [{ line_id, quantity, replacement: { item_id } }] })

  async function askTwice(world: TestSandbox) {
    const item_id = await bake(world, { stock: 9 })
    const { order_id } = await placeTestSale(world, { ...wishing('ask'), items: { Focaccia: 3, Burrata: 2 } })
    await adjustTestOrder(world, order_id, ofLine('line_1', item_id))
    await world.advance(MINUTES)
    const { adjustments } = await adjustTestOrder(world, order_id, ofLine('line_2', item_id))
    return { order_id, item_id, ids: adjustments.map(({ adjustment_id }) => adjustment_id) }
  }

  test('an answer to one leaves the other open, and that one ends at its own time', async () => {
    const world = await openTestSandbox()
    const { order_id, ids } = await askTwice(world)
    const stock = async () => (await findStore(world, FORNO)).item('Ciabatta').stock
    expect(await stock()).toBe(7)
    const input = { order_id, adjustment_id: ids[0], accept: true }
    await world.ok('answer_substitution', input, { as: 'member', key: newKey() })
    const answers = async () =>
      (await readBothViews(world, order_id)).order.adjustments.map((each) => each.answer?.by ?? null)
    await world.advance(5 * MINUTES - 1)
    expect(await answers()).toEqual(['customer', null])
    await world.advance(1)
    expect(await answers()).toEqual(['customer', 'system'])
    expect(await stock()).toBe(8)
    await assertBooks(world)
  })

  test('each ends at its own time where no answer comes', async () => {
    const world = await openTestSandbox()
    const { order_id } = await askTwice(world)
    const open = async () =>
      (await readBothViews(world, order_id)).order.adjustments.filter(({ answer: given }) => given === null)
    await world.advance(4 * MINUTES)
    expect(await open()).toMatchObject([{ lines: [{ line_id: 'line_2' }] }])
    await world.advance(MINUTES)
    expect(await open()).toEqual([])
    await assertBooks(world)
  })

  test('the units of both are taken: they can be neither removed nor replaced again', async () => {
    const world = await openTestSandbox()
    const { order_id, item_id } = await askTwice(world)
    const remove = (line_id: string, quantity: number) =>
      refuse(world, order_id, { kind: 'removed', lines: [{ line_id, quantity }] })
    expect(await remove('line_1', 3)).toMatchObject({
      code: 'amount_exceeds_paid',
      detail: 'Line_1 has 2 of its 3 units left.',
    })
    expect(await remove('line_2', 2)).toMatchObject({ code: 'amount_exceeds_paid' })
    expect(await refuse(world, order_id, ofLine('line_1', item_id, 3))).toMatchObject({
      code: 'amount_exceeds_paid',
    })
    const { adjustments } = await adjustTestOrder(world, order_id, {
      kind: 'removed',
      lines: [{ line_id: 'line_1', quantity: 2 }],
    })
    expect(
      adjustments.filter(({ answer_by, answer: given }) => answer_by !== null && given === null),
    ).toHaveLength(2)
    await assertBooks(world)
  })
})

test('two questions about one line name two replacements of it', async () => {
  const world = await openTestSandbox()
  const item_id = await bake(world)
  const { order_id } = await placeTestSale(world, wishing('ask'))
  await adjustTestOrder(world, order_id, replacing(item_id))
  const { adjustments } = await adjustTestOrder(world, order_id, replacing(item_id))
  expect(adjustments.map(({ lines }) => lines[0]?.replacement?.line_id)).toEqual(['line_1.1', 'line_1.2'])
  for (const { adjustment_id } of adjustments) {
    const input = { order_id, adjustment_id, accept: true }
    await world.ok('answer_substitution', input, { as: 'member', key: newKey() })
  }
  expect((await readBothViews(world, order_id)).order).toMatchObject({
    lines: [{ quantity: 3, removed: 0, replaced: 2 }],
    refund: { amount: gbp(90) },
  })
  await assertBooks(world)
})

test('a dish that is swapped for nothing after the payment was sold, and its tax moves to the rate of the new one', async () => {
  const world = await openTestSandbox()
  const made = { category: 'Tests', price: gbp(1000) }
  await world.ok('create_catalog_item', { ...made, name: 'Pie', tax_rate_bps: 2000 }, { key: newKey() })
  const item_id = await bake(world, { ...made, name: 'Cold pie', tax_rate_bps: 0 })
  const { order_id, payment } = await placeTestSale(world, { ...wishing('replace'), items: { Pie: 2 } })
  expect(payment.status).toBe('paid')
  const before = await statementOf(world)
  expect(before).toMatchObject({
    gross_goods: [{ section: 'Tests', amount: gbp(2000) }],
    vat: [{ rate_bps: 2000, gross: gbp(2000) }],
  })
  await world.advance(MINUTES)
  await adjustTestOrder(world, order_id, replacing(item_id))
  expect(await statementOf(world)).toEqual({
    ...before,
    vat: [
      { rate_bps: 2000, net: gbp(833), vat: gbp(167), gross: gbp(1000) },
      { rate_bps: 0, net: gbp(1000), vat: gbp(0), gross: gbp(1000) },
    ],
  })
  await assertBooks(world)
  // Books that are written again, from the order alone, have the swap at its own time, too.
  const { doc, payment: paid } = await world.db.read(async (tx) => {
    const order = (await findOrders(tx, [order_id])).get(order_id)
    if (order === undefined) throw new Error('no order')
    return { doc: order.doc, payment: await loadPayment(tx, order_id) }
  })
  expect(listOrderBookEntries(doc, paid).map(({ kind, at, amount }) => [kind, at, amount])).toEqual([
    ['capture', NINE_AM, paid.amount.amount],
    ['refund', NINE_AM + MINUTES, 0],
  ])
})
