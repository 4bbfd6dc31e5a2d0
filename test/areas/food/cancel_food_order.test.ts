import { describe, expect, test } from 'vitest'
import { control } from '../../support/control.ts'
import { act, both, place, stepUntil, type Action } from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openWorld } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('an order that was not begun is called off and paid back, and both sides see why', async () => {
    const world = await openWorld({ engine })
    const { order_id, total } = await place(world)
    await act(world, order_id, ['accept'])
    const cancelled = await world.ok(
      'cancel_food_order',
      { order_id, reason_code: 'changed_mind', note: 'Sorry' },
      { as: 'member' },
    )
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      cancellable: false,
      cancellation: {
        by: 'customer',
        reason_code: 'changed_mind',
        note: 'Sorry',
        at: '2026-11-20T09:00:00.000Z',
      },
      refund: { status: 'succeeded', destination: 'original_method', amount: total },
    })
    const { business } = await both(world, order_id)
    expect(business).toMatchObject({ status: 'cancelled', allowed_actions: [], refund: cancelled.refund })
  })

  test('a second cancel is refused, and refunds nothing', async () => {
    const world = await openWorld({ engine })
    const { order_id } = await place(world, { method: 'wallet' })
    await world.ok('cancel_food_order', { order_id }, { as: 'member' })
    expect(await world.refused('cancel_food_order', { order_id }, { as: 'member' })).toMatchObject({
      status: 409,
      code: 'not_cancellable',
      current_status: 'cancelled',
    })
    expect((await control(world, 'get_wallet', { account: 'member' })).balance.amount).toBe(5000)
  })

  test('the same call again hears the same', async () => {
    const world = await openWorld({ engine })
    const { order_id } = await place(world)
    const call = () => world.call('cancel_food_order', { order_id }, { as: 'member', key: 'once' })
    const first = await call()
    expect(first.status).toBe(200)
    expect(await call()).toMatchObject({ text: first.text, headers: { 'Idempotent-Replayed': 'true' } })
  })
})

test.each([
  ['preparing', ['accept', 'preparing']],
  ['ready', ['accept', 'ready']],
  ['completed', ['accept', 'complete']],
  ['rejected', ['reject']],
] as const)('an order that is %s can no longer be cancelled', async (status, actions: readonly Action[]) => {
  const world = await openWorld()
  const { order_id } = await place(world)
  await act(world, order_id, actions)
  expect(await world.refused('cancel_food_order', { order_id }, { as: 'member' })).toMatchObject({
    code: 'not_cancellable',
    current_status: status,
  })
})

test.each(['out_for_delivery', 'failed'])('nor one that is %s', async (status) => {
  const world = await openWorld()
  const { order_id } = await place(world, { type: 'delivery', scenario: 'undeliverable' })
  await act(world, order_id, ['accept', 'ready'])
  await stepUntil(world, order_id, status)
  expect(await world.refused('cancel_food_order', { order_id }, { as: 'member' })).toMatchObject({
    code: 'not_cancellable',
    current_status: status,
  })
})

test('another customer’s order cannot be cancelled, and no membership is needed', async () => {
  const world = await openWorld()
  const { order_id } = await place(world)
  expect(await world.refused('cancel_food_order', { order_id }, { as: 'guest' })).toMatchObject({
    code: 'order_not_found',
  })
  await control(world, 'set_membership', { account: 'member', status: 'expired' })
  expect(await world.ok('cancel_food_order', { order_id }, { as: 'member' })).toMatchObject({
    status: 'cancelled',
    cancellation: { reason_code: 'other', note: null },
  })
})
