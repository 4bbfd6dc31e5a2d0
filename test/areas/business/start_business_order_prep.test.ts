import { describe, expect, test } from 'vitest'
import {
  performAction,
  readBothViews,
  placeTestOrder,
  refuseAction,
  type StoreAction,
} from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('the customer sees that it is being prepared, and when it will be ready', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world)
    await performAction(world, order_id, ['accept'])
    const started = await world.ok('start_business_order_prep', { order_id, prep_time_minutes: 12 })
    expect(started.prep).toMatchObject({
      preparing_at: '2026-11-20T09:00:00.000Z',
      estimated_ready_at: '2026-11-20T09:12:00.000Z',
      prep_time_minutes: 12,
    })
    const { order } = await readBothViews(world, order_id)
    expect(order).toMatchObject({
      status: 'preparing',
      cancellable: false,
      estimated_ready_at: '2026-11-20T09:12:00.000Z',
    })
  })
})

test.each([
  ['placed', []],
  ['preparing', ['accept', 'preparing']],
  ['ready', ['accept', 'ready']],
  ['completed', ['accept', 'complete']],
  ['rejected', ['reject']],
] as const)('nobody prepares an order that is %s', async (status, actions: readonly StoreAction[]) => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  await performAction(world, order_id, actions)
  expect(await refuseAction(world, order_id, 'preparing')).toMatchObject({
    code: 'invalid_state',
    current_status: status,
    allowed_statuses: ['accepted'],
  })
})

test('another store’s order is not there', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  expect(await refuseAction(world, order_id, 'preparing', {}, 'owner')).toMatchObject({
    code: 'order_not_found',
  })
})
