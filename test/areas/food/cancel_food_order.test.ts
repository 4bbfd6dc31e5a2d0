import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import {
  performAction,
  readBothViews,
  placeTestOrder,
  stepUntil,
  type StoreAction,
} from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('an order that was not begun is called off and paid back, and both sides see why', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id, total } = await placeTestOrder(world)
    await performAction(world, order_id, ['accept'])
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
    const { business } = await readBothViews(world, order_id)
    expect(business).toMatchObject({ status: 'cancelled', allowed_actions: [], refund: cancelled.refund })
  })

  test('a second cancel is rejected, and refunds nothing', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world, { method: 'wallet' })
    await world.ok('cancel_food_order', { order_id }, { as: 'member' })
    expect(await world.refused('cancel_food_order', { order_id }, { as: 'member' })).toMatchObject({
      status: 409,
      code: 'not_cancellable',
      current_status: 'cancelled',
    })
    expect((await callTestControl(world, 'get_wallet', { account: 'member' })).balance.amount).toBe(5000)
  })

  test('the same call again hears the same', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world)
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
] as const)(
  'an order that is %s can no longer be cancelled',
  async (status, actions: readonly StoreAction[]) => {
    const world = await openTestSandbox()
    const { order_id } = await placeTestOrder(world)
    await performAction(world, order_id, actions)
    expect(await world.refused('cancel_food_order', { order_id }, { as: 'member' })).toMatchObject({
      code: 'not_cancellable',
      current_status: status,
    })
  },
)

test.each(['out_for_delivery', 'failed'])('nor one that is %s', async (status) => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world, { type: 'delivery', scenario: 'undeliverable' })
  await performAction(world, order_id, ['accept', 'ready'])
  await stepUntil(world, order_id, status)
  expect(await world.refused('cancel_food_order', { order_id }, { as: 'member' })).toMatchObject({
    code: 'not_cancellable',
    current_status: status,
  })
})

test('another customer’s order cannot be cancelled, and no membership is needed', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  expect(await world.refused('cancel_food_order', { order_id }, { as: 'guest' })).toMatchObject({
    code: 'order_not_found',
  })
  await callTestControl(world, 'set_membership', { account: 'member', status: 'expired' })
  expect(await world.ok('cancel_food_order', { order_id }, { as: 'member' })).toMatchObject({
    status: 'cancelled',
    cancellation: { reason_code: 'other', note: null },
  })
})
