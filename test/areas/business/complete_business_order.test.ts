import { describe, expect, test } from 'vitest'
import { control } from '../../support/control.ts'
import { act, both, place, refuse, type Action } from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openWorld } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('an order that was collected is over, and cash is paid', async () => {
    const world = await openWorld({ engine })
    const { order_id } = await place(world, { method: 'cash' })
    await act(world, order_id, ['accept', 'ready'])
    const completed = await world.ok('complete_business_order', { order_id, collected_by_name: 'Priya' })
    expect(completed).toMatchObject({ status: 'completed', payment: { status: 'paid' }, allowed_actions: [] })
    const { order } = await both(world, order_id)
    expect(order).toMatchObject({ completed_at: '2026-11-20T09:00:00.000Z', payment: { status: 'paid' } })
  })

  test('guests pay before they are completed, and the same key may ask again', async () => {
    const world = await openWorld({ engine })
    const { order_id, total } = await place(world, { type: 'dine_in', method: 'pay_at_table' })
    await act(world, order_id, ['accept', 'preparing', 'ready'])
    const complete = () => world.call('complete_business_order', { order_id }, { key: 'bill' })
    expect(await complete()).toMatchObject({
      status: 409,
      body: { code: 'table_check_open', balance: total, check_id: expect.stringMatching(/^chk_/) },
    })
    await control(world, 'settle_check', { check_id: order_id })
    expect(await complete()).toMatchObject({ status: 200, body: { status: 'completed' } })
  })
})

test.each([
  ['placed', []],
  ['completed', ['accept', 'complete']],
  ['rejected', ['reject']],
] as const)('an order that is %s is not completed', async (status, actions: readonly Action[]) => {
  const world = await openWorld()
  const { order_id } = await place(world)
  await act(world, order_id, actions)
  expect(await refuse(world, order_id, 'complete')).toMatchObject({
    code: 'invalid_state',
    current_status: status,
  })
})

test('a store cannot complete a delivered order', async () => {
  const world = await openWorld()
  const { order_id } = await place(world, { type: 'delivery' })
  expect(await refuse(world, order_id, 'complete')).toMatchObject({
    status: 409,
    code: 'fulfillment_type_mismatch',
    retryable: false,
  })
})
