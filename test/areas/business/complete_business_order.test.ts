import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
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
  test('a collected order has ended, and cash is paid', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world, { method: 'cash' })
    await performAction(world, order_id, ['accept', 'ready'])
    const completed = await world.ok('complete_business_order', { order_id, collected_by_name: 'Priya' })
    expect(completed).toMatchObject({ status: 'completed', payment: { status: 'paid' }, allowed_actions: [] })
    const { order } = await readBothViews(world, order_id)
    expect(order).toMatchObject({ completed_at: '2026-11-20T09:00:00.000Z', payment: { status: 'paid' } })
  })

  test('guests pay before they are completed, and the same key may ask again', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id, total } = await placeTestOrder(world, { type: 'dine_in', method: 'pay_at_table' })
    await performAction(world, order_id, ['accept', 'preparing', 'ready'])
    const complete = () => world.call('complete_business_order', { order_id }, { key: 'bill' })
    expect(await complete()).toMatchObject({
      status: 409,
      body: { code: 'table_check_open', balance: total, check_id: expect.stringMatching(/^chk_/) },
    })
    await callTestControl(world, 'settle_check', { check_id: order_id })
    expect(await complete()).toMatchObject({ status: 200, body: { status: 'completed' } })
  })
})

test.each([
  ['placed', []],
  ['completed', ['accept', 'complete']],
  ['rejected', ['reject']],
] as const)('an order that is %s is not completed', async (status, actions: readonly StoreAction[]) => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  await performAction(world, order_id, actions)
  expect(await refuseAction(world, order_id, 'complete')).toMatchObject({
    code: 'invalid_state',
    current_status: status,
  })
})

test('a store cannot complete a delivered order', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world, { type: 'delivery' })
  expect(await refuseAction(world, order_id, 'complete')).toMatchObject({
    status: 409,
    code: 'fulfillment_type_mismatch',
    retryable: false,
  })
})
