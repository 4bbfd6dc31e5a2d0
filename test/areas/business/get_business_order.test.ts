import { describe, expect, test } from 'vitest'
import { NEAR } from '../../support/food.ts'
import { FORNO, placeTestOrder, type TestOrderOptions } from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('the store sees the order that its customer placed, with its own numbers', async () => {
    const world = await openTestSandbox({ engine })
    const contact = { name: 'Priya Shah', phone: '+447700900123' }
    const placed = await placeTestOrder(world, { type: 'dine_in', over: { contact, notes: 'No peanuts' } })
    const order = await world.ok('get_business_order', { order_id: placed.order_id })
    const { lines, total, payment, display_number, status_history } = placed
    expect(order).toMatchObject({
      display_number,
      total,
      payment,
      status: 'placed',
      customer: { first_name: 'Priya', phone_masked: '+44•••••••123', orders_count: 1 },
      notes: 'No peanuts',
      table: { table_number: '4', party_size: 2, check: null },
      prep: { accepted_at: null, preparing_at: null, ready_at: null, prep_time_minutes: 18 },
      delivery: null,
      allowed_actions: ['accept', 'reject'],
      placed_at: '2026-11-20T09:00:00.000Z',
      status_history: status_history.map((step) => ({ ...step, note: null })),
    })
    // The plain dish of Forno is bread.
    const own = { sku: expect.stringMatching(/^FSR-/), allergens: ['gluten'] }
    expect(order.lines).toEqual(lines.map((line) => ({ ...line, ...own })))
    const { data } = await world.ok('list_business_orders', { active: true })
    expect(data[0]?.lines[0]?.allergens).toEqual(['gluten'])
  })

  test.each<[string, TestOrderOptions, string]>([
    ['that is paid', {}, '09:10'],
    ['whose payment comes in late', { token: 'tok_pending' }, '09:12'],
    ['for later', { at: '2026-11-20T13:00:00.000Z' }, '12:22'],
    ['that its owner is waited for', { scenario: 'store_manual' }, '09:10'],
  ])('an order %s says until when it may be accepted: then the service rejects it', async (_, wish, end) => {
    const world = await openTestSandbox({ engine })
    // The owner has not looked yet: until then staff would act.
    const { order_id } = await placeTestOrder(world, wish)
    await world.advance(119_000)
    const read = () => world.ok('get_business_order', { order_id })
    const row = async () => (await world.ok('list_business_orders', { limit: 1 })).data[0]
    expect((await row())?.accept_by).toBe((await read()).accept_by)
    // A card that comes in after two minutes moves the end.
    await world.advance(61_000)
    const by = Date.parse(`2026-11-20T${end}:00.000Z`)
    await world.advanceTo(by - 1)
    expect(await read()).toMatchObject({ status: 'placed', accept_by: new Date(by).toISOString() })
    await world.advanceTo(by)
    expect(await read()).toMatchObject({
      status: 'rejected',
      rejection: { reason_code: 'not_accepted_in_time', at: new Date(by).toISOString() },
      accept_by: null,
    })
    expect((await row())?.accept_by).toBeNull()
  })

  test('an order waits for no answer once accepted, or where the sandbox accepts it', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world)
    const accepted = await world.ok('accept_business_order', { order_id })
    expect(accepted).toMatchObject({ status: 'accepted', accept_by: null })
    const auto = await placeTestOrder(world, { scenario: 'store_auto' })
    expect(await world.ok('get_business_order', { order_id: auto.order_id })).toMatchObject({
      status: 'placed',
      accept_by: null,
    })
  })

  test('a customer who comes again is counted', async () => {
    const world = await openTestSandbox({ engine })
    await placeTestOrder(world, { method: 'cash' })
    const { order_id } = await placeTestOrder(world, { method: 'cash' })
    const { customer } = await world.ok('get_business_order', { order_id })
    expect(customer).toEqual({ first_name: 'Priya', phone_masked: null, orders_count: 2 })
  })
})

test('the store sees neither the customer’s address nor the full name', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world, {
    type: 'delivery',
    over: { contact: { name: 'Priya Shah', phone: '+447700900123' } },
  })
  const { text } = await world.call('get_business_order', { order_id })
  for (const secret of [String(NEAR.location.latitude), NEAR.name, 'Shah', '900123'])
    expect(text).not.toContain(secret)
})

test('another store’s order is not there', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world, { store: FORNO })
  expect(await world.refused('get_business_order', { order_id }, { as: 'owner' })).toMatchObject({
    code: 'order_not_found',
    detail: `No order ${order_id}.`,
  })
})
