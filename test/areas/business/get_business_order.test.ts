import { describe, expect, test } from 'vitest'
import { NEAR } from '../../support/food.ts'
import { FORNO, place } from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openWorld } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('the store sees the order that its customer placed, with its own numbers', async () => {
    const world = await openWorld({ engine })
    const contact = { name: 'Priya Shah', phone: '+447700900123' }
    const placed = await place(world, { type: 'dine_in', over: { contact, notes: 'No peanuts' } })
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
    expect(order.lines).toEqual(lines.map((line) => ({ ...line, sku: expect.stringMatching(/^FSR-/) })))
  })

  test('a customer who comes again is counted', async () => {
    const world = await openWorld({ engine })
    await place(world, { method: 'cash' })
    const { order_id } = await place(world, { method: 'cash' })
    const { customer } = await world.ok('get_business_order', { order_id })
    expect(customer).toEqual({ first_name: 'Priya', phone_masked: null, orders_count: 2 })
  })
})

test('the store sees neither the customer’s address nor the full name', async () => {
  const world = await openWorld()
  const { order_id } = await place(world, {
    type: 'delivery',
    over: { contact: { name: 'Priya Shah', phone: '+447700900123' } },
  })
  const { text } = await world.call('get_business_order', { order_id })
  for (const secret of [String(NEAR.location.latitude), NEAR.name, 'Shah', '900123'])
    expect(text).not.toContain(secret)
})

test('another store’s order is not there', async () => {
  const world = await openWorld()
  const { order_id } = await place(world, { store: FORNO })
  expect(await world.refused('get_business_order', { order_id }, { as: 'owner' })).toMatchObject({
    code: 'order_not_found',
    detail: `You have no order ${order_id}.`,
  })
})
