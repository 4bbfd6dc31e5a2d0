import { beforeEach, describe, expect, test } from 'vitest'
import { findAccount } from '../../../src/areas/account/queries/accounts.ts'
import { findOrder } from '../../../src/areas/orders/queries/orders.ts'
import { insertQuote, lockQuote } from '../../../src/areas/quotes/queries.ts'
import { frozenClock } from '../../../src/core/clock.ts'
import { listRecordedEvents } from '../../../src/db/events.ts'
import { saveClock } from '../../../src/db/world.ts'
import {
  CARD,
  changeStore,
  findStore,
  makeBasketLine,
  makeBasket,
  makePickup,
  newKey,
} from '../../support/food.ts'
import { gbp } from '../../support/money.ts'
import { attend } from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const quote = async (over: Record<string, unknown> = {}, as = 'everything') =>
    world.ok('quote_food_order', await makeBasket(world, over), { as })
  const quotePickup = async (over: Record<string, unknown> = {}, as = 'everything') =>
    world.ok('quote_food_order', await makePickup(world, over), { as })
  const place = async (quote_id: string, over: Record<string, unknown> = {}, options = {}) =>
    world.ok('place_food_order', { quote_id, payment: CARD, ...over }, { key: newKey(), ...options })
  const refused = async (quote_id: string, over: Record<string, unknown> = {}, options = {}) =>
    world.refused('place_food_order', { quote_id, payment: CARD, ...over }, { key: newKey(), ...options })
  const record = async (orderId: string) => {
    const order = await world.db.read((tx) => findOrder(tx, orderId))
    if (order === undefined) throw new Error(`no order ${orderId}`)
    return order
  }
  const isOpen = async (quoteId: string) =>
    (await world.db.read((tx) => lockQuote(tx, quoteId)))?.used_by === null

  test('an order that may be left at the door is not paid there', async () => {
    const left = await quote({ if_absent: 'leave' })
    const usual = await quote()
    expect(usual.if_absent).toBe('return')
    expect(left.payment_methods).toEqual(usual.payment_methods?.filter((method) => method !== 'cash'))
    expect(await refused(left.quote_id, { payment: { method: 'cash' } })).toMatchObject({
      code: 'options_conflict',
      errors: [{ pointer: '/payment/method' }],
    })
    expect(await isOpen(left.quote_id)).toBe(true)
    expect(await place(left.quote_id)).toMatchObject({ if_absent: 'leave' })
    expect(await quotePickup()).toMatchObject({ if_absent: null })
    const pickup = await makePickup(world, { if_absent: 'leave' })
    expect(await world.refused('quote_food_order', pickup)).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/if_absent', code: 'mutually_exclusive' }],
    })
  })

  test('orders the quoted items at the quoted price', async () => {
    const quoted = await quote({ tip: gbp(150) })
    const answer = await world.call(
      'place_food_order',
      {
        quote_id: quoted.quote_id,
        payment: CARD,
        notes: 'ring twice',
        contact: { name: 'Alex', phone: '+447700900123' },
        expected_total: quoted.total,
      },
      { key: newKey() },
    )
    expect(answer.status).toBe(201)
    expect(answer.headers['Location']).toBe(`/v1/food/orders/${String(answer.body['order_id'])}`)
    const { lines, subtotal, fees, fees_total, discounts, discount_total, taxes, tax_total, total } = quoted
    expect(answer.body).toMatchObject({
      quote_id: quoted.quote_id,
      status: 'placed',
      fulfillment_type: 'delivery',
      lines,
      subtotal,
      fees,
      fees_total,
      discounts,
      discount_total,
      taxes,
      tax_total,
      total,
      payment: { method: 'card', status: 'paid', collected_by: 'platform', amount: total },
      refund: null,
      notes: 'ring twice',
      dropoff: quoted.dropoff,
      cancellable: true,
      status_history: [{ status: 'placed', at: '2026-11-20T09:00:00.000Z', by: 'customer', reason: null }],
      estimated_ready_at: '2026-11-20T09:15:00.000Z',
      estimated_delivery_at: quoted.estimated_delivery_window?.starts_at,
    })
    expect(answer.body['display_number']).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}$/)
  })

  test('is in the list of the store in the same instant, at the top', async () => {
    await place((await quotePickup()).quote_id)
    const { order_id, lines, total } = await place((await quote()).quote_id)
    const { data } = await world.ok('list_business_orders', {}, { as: 'owner' })
    expect(data[0]).toMatchObject({ order_id, total, status: 'placed' })
    expect(data[0]?.lines).toHaveLength(lines.length)
    expect(data).toHaveLength(2)
  })

  test('counts the customer’s orders at the store, and records the event', async () => {
    const first = await record((await place((await quotePickup()).quote_id)).order_id)
    const second = await record((await place((await quotePickup()).quote_id)).order_id)
    const other = await quotePickup({}, 'member')
    const theirs = await record((await place(other.quote_id, {}, { as: 'member' })).order_id)
    expect([first, second, theirs].map(({ doc }) => doc.customer.orders_count)).toEqual([1, 2, 1])
    const events = await world.db.read((tx) => listRecordedEvents(tx, 0, 1000))
    const placed = events.filter(({ type }) => type === 'food_order.placed')
    expect(placed.map(({ resource_id }) => resource_id)).toEqual([
      first.order_id,
      second.order_id,
      theirs.order_id,
    ])
    expect(placed[0]).toMatchObject({ from: null, to: 'placed', by: 'customer' })
  })

  test('an order gets another display number if its own is in use that day', async () => {
    const first = await place((await quotePickup()).quote_id)
    await world.db.write((tx) => tx.run(`update ordinals set last = 0 where kind = 'order'`))
    await world.db.write((tx) => tx.run('update orders set ordinal = 1000'))
    const second = await place((await quotePickup()).quote_id)
    expect(second.display_number).not.toBe(first.display_number)
  })

  test('the price stays valid although the menu has changed', async () => {
    const store = await findStore(world)
    const quoted = await quote()
    const item_id = store.item('Chicken Satay').item_id
    await world.ok(
      'update_catalog_item',
      { item_id, price: gbp(9900), name: 'Satay' },
      { as: 'owner', key: newKey() },
    )
    const order = await place(quoted.quote_id)
    expect(order.total).toEqual(quoted.total)
    expect(order.lines).toEqual(quoted.lines.map((line) => ({ ...line, removed: 0, replaced: 0 })))
  })

  test('the kitchen’s time counts from the order, not from the quote', async () => {
    const { quote_id } = await quote()
    await world.advance(10 * 60_000)
    expect(await place(quote_id)).toMatchObject({
      estimated_ready_at: '2026-11-20T09:25:00.000Z',
      estimated_delivery_at: '2026-11-20T09:30:44.000Z',
    })
  })

  test('a quote can be confirmed until the last millisecond', async () => {
    const last = await quotePickup()
    await world.advance(900_000 - 1)
    await place(last.quote_id)
    const late = await quotePickup()
    await world.advance(900_000)
    expect(await refused(late.quote_id)).toMatchObject({
      status: 409,
      code: 'quote_expired',
      quote_operation: 'quote_food_order',
      retryable: false,
    })
  })

  test('a quote is confirmed once, and a second confirm names its order', async () => {
    const { quote_id } = await quotePickup()
    const { order_id } = await place(quote_id)
    expect(await refused(quote_id)).toMatchObject({ status: 409, code: 'quote_already_used', order_id })
    await world.advance(3_600_000)
    expect(await refused(quote_id)).toMatchObject({ code: 'quote_already_used', order_id })
  })

  test('another customer’s quote cannot be confirmed', async () => {
    const { quote_id } = await quotePickup({}, 'member')
    expect(await refused(quote_id)).toMatchObject({ status: 404, code: 'quote_not_found' })
    expect(await refused('quo_none')).toMatchObject({ status: 404, code: 'quote_not_found' })
    expect((await place(quote_id, {}, { as: 'member' })).quote_id).toBe(quote_id)
  })

  test('a quote of another kind has its own error', async () => {
    const now = await world.now()
    await world.db.write(async (tx) => {
      const account = await findAccount(tx, 'everything')
      await insertQuote(tx, {
        quote_id: 'quo_ride',
        account_id: account?.account_id ?? '',
        kind: 'ride',
        created_at: now,
        expires_at: now + 1000,
        used_by: null,
        doc: {},
      })
    })
    expect(await refused('quo_ride')).toMatchObject({ status: 422, code: 'quote_mismatch' })
  })

  test('a price that was not shown is not charged', async () => {
    const { quote_id, total } = await quotePickup()
    for (const wrong of [
      { ...total, amount: total.amount - 1 },
      { ...total, currency: 'EUR' },
    ]) {
      const problem = await refused(quote_id, { expected_total: wrong })
      expect(problem).toMatchObject({ status: 422, code: 'quote_mismatch', total })
    }
    expect(await isOpen(quote_id)).toBe(true)
  })

  test('a caller without a membership may quote, but not order', async () => {
    const { quote_id } = await quotePickup({}, 'guest')
    expect(await refused(quote_id, {}, { as: 'guest' })).toMatchObject({
      status: 403,
      code: 'membership_required',
    })
  })

  test.each([
    ['card', 'tok_ok', 'paid', 'platform'],
    ['card', 'tok_store', 'paid', 'store_processor'],
    ['card', 'tok_pending', 'unpaid', 'platform'],
    ['wallet', undefined, 'paid', 'platform'],
    ['cash', undefined, 'unpaid', 'store'],
  ])('pays by %s %s', async (method, payment_token, status, collected_by) => {
    const { quote_id, total } = await quotePickup()
    const payment = { method, ...(payment_token !== undefined && { payment_token }) }
    expect((await place(quote_id, { payment })).payment).toMatchObject({
      method,
      status,
      collected_by,
      amount: total,
    })
  })

  test('a declined card leaves the quote open for another one', async () => {
    const { quote_id } = await quotePickup()
    for (const payment_token of ['tok_declined', 'tok_unknown']) {
      const problem = await refused(quote_id, { payment: { method: 'card', payment_token } })
      expect(problem).toMatchObject({ status: 402, code: 'payment_declined' })
    }
    expect(await isOpen(quote_id)).toBe(true)
    expect((await place(quote_id)).payment.status).toBe('paid')
  })

  test('a wallet with too little gives its balance', async () => {
    const store = await findStore(world)
    const { quote_id, total } = await quote({ items: [makeBasketLine(store.item('Chicken Satay'), 12)] })
    const payment = { method: 'wallet' }
    const problem = await refused(quote_id, { payment })
    expect(problem).toMatchObject({
      status: 402,
      code: 'insufficient_funds',
      retryable: true,
      balance: gbp(5000),
      total,
    })
    expect(await isOpen(quote_id)).toBe(true)
  })

  test('a due refund is in the wallet already', async () => {
    const items = [makeBasketLine((await findStore(world)).item('Chicken Satay'), 6)]
    const payment = { method: 'wallet' }
    await attend(world, 'owner')
    await place((await quotePickup({ items })).quote_id, { payment })
    const { quote_id } = await quotePickup({ items })
    expect((await refused(quote_id, { payment })).code).toBe('insufficient_funds')
    // The first order is not accepted, and only the clock advances.
    const later = (await world.now()) + 10 * 60_000
    await world.write((tx) => saveClock(tx, frozenClock(later)))
    expect((await place(quote_id, { payment })).payment.status).toBe('paid')
  })

  test.each([
    ['at the table, without one', 'Forno Santa Rosa', 'pay_at_table'],
    ['in cash, where only wallets are taken', 'Quán Sen', 'cash'],
    ['by card, where only wallets are taken', 'Quán Sen', 'card'],
  ])('refuses to be paid %s', async (_what, name, method) => {
    await world.advanceTo('2026-11-20T12:30:00Z')
    const store = await findStore(world, name)
    const items = [makeBasketLine(store.items.find(({ available }) => available) ?? store.item('nothing'))]
    const { quote_id } = await quotePickup({ merchant_id: store.merchant_id, items })
    const payment = method === 'card' ? CARD : { method }
    expect(await refused(quote_id, { payment })).toMatchObject({
      status: 422,
      code: 'payment_method_not_accepted',
      errors: [{ pointer: '/payment/method', code: 'invalid_enum' }],
    })
  })

  test.each([
    [{ payment: { method: 'card' } }, '/payment/payment_token', 'required'],
    [
      { payment: { method: 'cash', payment_token: 'tok_ok' } },
      '/payment/payment_token',
      'mutually_exclusive',
    ],
    [{ quote_id: undefined }, '/quote_id', 'required'],
    [{ payment: undefined }, '/payment', 'required'],
    [{ items: [] }, '/items', 'unknown_member'],
  ])('refuses %j as malformed', async (over, pointer, code) => {
    const { quote_id } = await quotePickup()
    const input = JSON.parse(JSON.stringify({ quote_id, payment: CARD, ...over })) as Record<string, unknown>
    const problem = await world.refused('place_food_order', input, { key: newKey() })
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ pointer, code }] })
  })

  test('needs a key', async () => {
    const { quote_id } = await quotePickup()
    const problem = await world.refused('place_food_order', { quote_id, payment: CARD })
    expect(problem).toMatchObject({ status: 400, code: 'idempotency_key_required' })
  })

  test('an item that became unavailable is rejected, and accepted once it is available again', async () => {
    const { quote_id } = await quotePickup()
    const { item_id } = (await findStore(world)).item('Summer Rolls')
    const switchTo = (available: boolean) =>
      world.ok('set_catalog_item_availability', { item_id, available }, { as: 'owner', key: newKey() })
    await switchTo(false)
    const key = newKey()
    expect(await refused(quote_id, {}, { key })).toMatchObject({
      status: 409,
      code: 'item_unavailable',
      item_ids: [item_id],
    })
    await switchTo(true)
    expect((await place(quote_id, {}, { key })).quote_id).toBe(quote_id)
  })

  test('a deleted item is rejected', async () => {
    const { quote_id } = await quotePickup()
    const { item_id } = (await findStore(world)).item('Summer Rolls')
    await world.ok('delete_catalog_item', { item_id }, { as: 'owner', key: newKey() })
    expect(await refused(quote_id)).toMatchObject({ code: 'item_unavailable', item_ids: [item_id] })
  })

  test('a choice that is no longer available is rejected', async () => {
    const item = (await findStore(world)).item('Thai Iced Tea')
    const { quote_id } = await quotePickup({ items: [makeBasketLine(item)] })
    const modifier_groups = item.doc.modifier_groups.map((group) => ({
      ...group,
      modifiers: group.modifiers.map((each, index) => ({ ...each, available: index > 0 })),
    }))
    await world.ok(
      'update_catalog_item',
      { item_id: item.item_id, modifier_groups },
      { as: 'owner', key: newKey() },
    )
    expect(await refused(quote_id)).toMatchObject({ code: 'item_unavailable', item_ids: [item.item_id] })
  })

  test('a store that has shut since takes no order, a scheduled one it does', async () => {
    await world.advanceTo('2026-11-20T22:59:00Z')
    const now = await quotePickup()
    const later = await quotePickup({ scheduled_for: '2026-11-21T12:00:00Z' })
    await world.advance(60_000)
    expect(await refused(now.quote_id)).toMatchObject({ status: 409, code: 'merchant_closed' })
    expect((await place(later.quote_id)).slot).toEqual({
      starts_at: '2026-11-21T12:00:00.000Z',
      ends_at: '2026-11-21T12:15:00.000Z',
    })
  })

  test('a slot that has begun since is rejected', async () => {
    const { quote_id } = await quotePickup({ scheduled_for: '2026-11-20T09:15:00Z' })
    await world.advance(15 * 60_000 - 1)
    const other = await quotePickup({ scheduled_for: '2026-11-20T09:15:00Z' })
    await world.advance(1)
    expect(await refused(other.quote_id)).toMatchObject({
      code: 'slot_unavailable',
      alternatives: ['2026-11-20T09:30:00.000Z', '2026-11-20T09:45:00.000Z', '2026-11-20T10:00:00.000Z'],
    })
    expect((await refused(quote_id)).code).toBe('quote_expired')
  })

  test('the last of a slot goes to the first to confirm; the other keeps its quote', async () => {
    const { merchant_id } = await findStore(world)
    await changeStore(world, merchant_id, { slot_capacity: 2 })
    const quotes = [1, 2, 3].map(() => quotePickup({ scheduled_for: '2026-11-20T12:00:00Z' }))
    const [first, second, third] = await Promise.all(quotes)
    await place(first?.quote_id ?? '')
    const { order_id } = await place(second?.quote_id ?? '')
    const problem = await refused(third?.quote_id ?? '')
    expect(problem).toMatchObject({ status: 409, code: 'slot_unavailable' })
    expect(problem['alternatives']).toHaveLength(3)
    expect(await isOpen(third?.quote_id ?? '')).toBe(true)
    await world.ok('cancel_food_order', { order_id }, { key: newKey() })
    expect((await place(third?.quote_id ?? '')).slot?.starts_at).toBe('2026-11-20T12:00:00.000Z')
  })

  test('one table is one party’s at a time', async () => {
    const store = await findStore(world, 'Forno Santa Rosa')
    const basket = (table_number: string) => ({
      merchant_id: store.merchant_id,
      fulfillment_type: 'dine_in',
      items: [makeBasketLine(store.item('Focaccia'))],
      table: { table_number },
      scheduled_for: '2026-11-20T19:00:00Z',
    })
    const [mine, theirs, beside] = await Promise.all(
      ['4', '4', '5'].map((number) => world.ok('quote_food_order', basket(number))),
    )
    const payment = { method: 'pay_at_table' }
    await place(mine?.quote_id ?? '', { payment })
    const problem = await refused(theirs?.quote_id ?? '', { payment })
    expect(problem.detail).toMatch(/^Forno Santa Rosa has no table 4 at 2026-11-20 19:00: it is taken\./)
    expect((await place(beside?.quote_id ?? '', { payment })).table).toMatchObject({ table_number: '5' })
  })

  test.each([
    ['store_auto', { auto: true }],
    ['store_manual', { auto: false }],
    ['happy', { auto: false, scenario: null }],
    [
      'store_rejects;reason=too_busy',
      { scenario: { name: 'store_rejects', options: { reason: 'too_busy' } } },
    ],
    ['no_courier', { scenario: { name: 'no_courier', options: {} } }],
    ['courier_cancels;at=assigned', { scenario: { name: 'courier_cancels', options: { at: 'assigned' } } }],
    ['courier_delay;seconds=90', { scenario: { name: 'courier_delay', options: { seconds: '90' } } }],
    ['undeliverable;reason=refused', { scenario: { name: 'undeliverable', options: { reason: 'refused' } } }],
  ])('keeps the scenario %s', async (scenario, doc) => {
    const { order_id } = await place((await quote()).quote_id, {}, { scenario })
    expect((await record(order_id)).doc).toMatchObject(doc)
  })

  test('the scenario of a card that takes its time leaves the order unpaid for two minutes', async () => {
    const { quote_id } = await quote()
    const { order_id, payment } = await place(quote_id, {}, { scenario: 'payment_pending' })
    expect(payment.status).toBe('unpaid')
    await world.advance(120_000 - 1)
    expect((await world.ok('get_food_order', { order_id })).payment.status).toBe('unpaid')
    await world.advance(1)
    expect((await world.ok('get_food_order', { order_id })).payment.status).toBe('paid')
  })

  test.each([
    'explodes',
    'store_rejects;reason=because',
    'courier_cancels;at=home',
    'courier_delay;seconds=0',
    'courier_delay;minutes=1',
    'happy;toString=1',
  ])('refuses the scenario %s', async (scenario) => {
    const { quote_id } = await quotePickup()
    expect((await refused(quote_id, {}, { scenario })).code).toBe('scenario_not_allowed')
  })
})
