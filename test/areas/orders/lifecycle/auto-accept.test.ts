/** A store that accepts orders by its rule, without anybody at a screen. */
import { beforeEach, describe, expect, test } from 'vitest'
import { callTestControl } from '../../../support/control.ts'
import { placeTestOrder, readBothViews, type TestOrderOptions } from '../../../support/order-life.ts'
import { FRIDAY_NOON_MS, MINUTE } from '../../../support/store-hours.ts'
import { ENGINES } from '../../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../../support/world.ts'

describe.each(ENGINES)('a store with a rule on $name', (engine) => {
  let world: TestSandbox
  beforeEach(async () => {
    world = await openTestSandbox({ engine, at: FRIDAY_NOON_MS })
    await world.ok('set_store_settings', { auto_accept: { prep_time_minutes: 25 } })
  })
  const statusOf = async (wish: TestOrderOptions) => (await placeTestOrder(world, wish)).status

  test('accepts a paid order in the call that places it, as both sides and the events say', async () => {
    const placed = await placeTestOrder(world)
    expect(placed).toMatchObject({
      status: 'accepted',
      estimated_ready_at: '2026-11-20T12:25:00.000Z',
    })
    const { order_id } = placed
    const { order } = await readBothViews(world, order_id)
    expect(order.status).toBe('accepted')
    expect(await world.ok('get_business_order', { order_id })).toMatchObject({
      auto_accepted: true,
      accept_by: null,
      prep: { accepted_at: '2026-11-20T12:00:00.000Z', prep_time_minutes: 25 },
      status_history: [
        { status: 'placed', by: 'customer' },
        { status: 'accepted', by: 'store', reason: 'auto_accept', at: '2026-11-20T12:00:00.000Z' },
      ],
    })
    const events = await world.db.read((tx) =>
      tx.all(`select type, doc from events where resource_id = $1 order by seq`, order_id),
    )
    expect(events.map(({ type, doc }) => [type, JSON.parse(String(doc)).data.reason])).toEqual([
      ['food_order.placed', undefined],
      ['food_order.accepted', 'auto_accept'],
    ])
    // Nothing rejects it, because it no longer waits.
    await world.advance(15 * MINUTE)
    expect((await world.ok('get_business_order', { order_id })).status).toBe('accepted')
  })

  test('accepts cash and table orders when they are placed, and opens the bill of a table', async () => {
    expect(await statusOf({ method: 'cash' })).toBe('accepted')
    const { order_id } = await placeTestOrder(world, { type: 'dine_in', method: 'pay_at_table' })
    expect(await world.ok('get_business_order', { order_id })).toMatchObject({
      status: 'accepted',
      table: { check: { status: 'open' } },
    })
  })

  test('waits for a pending payment, and accepts with it', async () => {
    const { order_id, status } = await placeTestOrder(world, { token: 'tok_pending' })
    expect(status).toBe('placed')
    await callTestControl(world, 'settle_payment', { order_id })
    expect(await world.ok('get_business_order', { order_id })).toMatchObject({
      status: 'accepted',
      auto_accepted: true,
    })
  })

  test('leaves allergies, later orders and a rejection by scenario to people', async () => {
    const order = await placeTestOrder(world, { over: { notes: 'No peanuts, allergy!' } })
    expect(order.status).toBe('placed')
    expect(await statusOf({ at: '2026-11-20T18:00:00Z' })).toBe('placed')
    expect(await statusOf({ scenario: 'store_rejects' })).toBe('placed')
    expect(await world.ok('get_business_order', { order_id: order.order_id })).toMatchObject({
      auto_accepted: false,
      allowed_actions: ['accept', 'reject'],
    })
    expect(await statusOf({ over: { notes: 'Extra napkins' } })).toBe('accepted')
  })

  test('accepts nothing that is paid while it is paused, or after its rule ended', async () => {
    const pending = await placeTestOrder(world, { token: 'tok_pending' })
    await world.ok('pause_store', { minutes: 5 })
    await callTestControl(world, 'settle_payment', { order_id: pending.order_id })
    expect((await world.ok('get_business_order', { order_id: pending.order_id })).status).toBe('placed')
    await world.ok('resume_store', {})
    await world.ok('set_store_settings', { auto_accept: { until: '2026-11-20T12:30:00Z' } })
    const usual = await placeTestOrder(world)
    expect(usual.status).toBe('accepted')
    await world.advance(30 * MINUTE)
    expect(await statusOf({})).toBe('placed')
    await world.ok('set_store_settings', { auto_accept: {} })
    expect(await statusOf({})).toBe('accepted')
    await world.ok('set_store_settings', { auto_accept: null })
    expect(await statusOf({})).toBe('placed')
  })

  test('adds the minutes of a busy store, and reserves the courier for then', async () => {
    await world.ok('set_store_busy', { minutes: 20 })
    const { order_id } = await placeTestOrder(world, { type: 'delivery' })
    const { prep, status } = await world.ok('get_business_order', { order_id })
    expect([status, prep.prep_time_minutes]).toEqual(['accepted', 45])
  })
})

test('an order that was placed before the rule waits for a person', async () => {
  const world = await openTestSandbox({ at: FRIDAY_NOON_MS })
  const { order_id } = await placeTestOrder(world)
  await world.ok('set_store_settings', { auto_accept: {} })
  expect((await world.ok('get_business_order', { order_id })).status).toBe('placed')
})
