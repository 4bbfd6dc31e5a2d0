import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { NEAR } from '../../support/food.ts'
import { performAction, FORNO, placeTestOrder, stepUntil } from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('an order shows its lines, its store and its payment', async () => {
    const world = await openTestSandbox({ engine })
    const placed = await placeTestOrder(world, { type: 'delivery', over: { notes: 'Ring twice' } })
    const order = await world.ok('get_food_order', { order_id: placed.order_id }, { as: 'member' })
    expect(order).toEqual(placed)
    expect(order).toMatchObject({
      status: 'placed',
      merchant: { name: FORNO, phone: '+442079460103' },
      fulfillment_type: 'delivery',
      dropoff: NEAR,
      notes: 'Ring twice',
      payment: { method: 'card', status: 'paid', collected_by: 'platform', amount: order.total },
      refund: null,
      courier: null,
      delivery_id: null,
      cancellable: true,
      status_history: [{ status: 'placed', at: '2026-11-20T09:00:00.000Z', by: 'customer', reason: null }],
    })
  })

  test('due events happen before the order is read', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world, { type: 'delivery', scenario: 'store_auto' })
    await world.write(async (tx) => {
      const { frozenClock } = await import('../../../src/core/clock.ts')
      const { saveClock } = await import('../../../src/db/world.ts')
      await saveClock(tx, frozenClock(Date.parse('2026-11-20T12:00:00.000Z')))
    })
    const order = await world.ok('get_food_order', { order_id }, { as: 'member' })
    expect(order.status).toBe('completed')
    expect(Date.parse(order.completed_at ?? '')).toBeLessThan(Date.parse('2026-11-20T10:30:00.000Z'))
  })
})

test('an order of another customer, or an unknown one, is not found', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  for (const id of [order_id, 'ord_01m7vkystgfp1b10jk5dh9yvxy', 'x']) {
    expect(await world.refused('get_food_order', { order_id: id }, { as: 'guest' })).toMatchObject({
      code: 'order_not_found',
      detail: `No order ${id}.`,
    })
  }
})

test('an order stays readable when the membership ends', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  await callTestControl(world, 'set_membership', { account: 'member', status: 'expired' })
  expect(await world.ok('get_food_order', { order_id }, { as: 'member' })).toMatchObject({ status: 'placed' })
})

test('a courier is followed on the way and named afterwards, with the proof', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world, { type: 'delivery' })
  const show = () => world.ok('get_food_order', { order_id }, { as: 'member' })
  await performAction(world, order_id, ['accept', 'ready'])
  expect((await show()).courier).toBeNull()
  await callTestControl(world, 'step_resource', { resource_id: order_id })
  const coming = (await show()).courier
  expect(coming).toMatchObject({
    courier_id: expect.stringMatching(/^cou_/),
    status: 'assigned',
    phone_masked: expect.stringMatching(/^\+44•+\d{3}$/),
    eta_at: expect.any(String) as string,
  })
  // The estimate has the courier's minute at the door, too.
  const { estimated_delivery_at } = await show()
  const door = Date.parse(estimated_delivery_at ?? '') - Date.parse(coming?.eta_at ?? '')
  expect(door / 1000).toBeGreaterThanOrEqual(48)
  expect(door / 1000).toBeLessThanOrEqual(72)
  await stepUntil(world, order_id, 'completed')
  const { courier, proof_of_delivery } = await show()
  expect(courier).toEqual({ ...coming, status: 'delivered', location: null, eta_at: null })
  const media = proof_of_delivery?.media[0]
  expect(media?.url).toBe(`/media/${media?.media_id}`)
})
