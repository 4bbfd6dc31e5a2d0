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
  test('an accepted order is so for both sides at once', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world)
    const accepted = await world.ok('accept_business_order', {
      order_id,
      prep_time_minutes: 25,
      note: 'Rush',
    })
    expect(accepted).toMatchObject({
      status: 'accepted',
      prep: { accepted_at: '2026-11-20T09:00:00.000Z', estimated_ready_at: '2026-11-20T09:25:00.000Z' },
      allowed_actions: ['reject', 'preparing', 'ready', 'complete'],
    })
    expect(accepted.status_history.at(-1)).toMatchObject({ status: 'accepted', by: 'store', note: 'Rush' })
    const { order } = await readBothViews(world, order_id)
    expect(order).toMatchObject({ status: 'accepted', estimated_ready_at: '2026-11-20T09:25:00.000Z' })
  })

  test('who pays first is accepted only then, with the same key too', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world, { token: 'tok_pending' })
    const accept = () => world.call('accept_business_order', { order_id }, { key: 'accept-1' })
    expect(await accept()).toMatchObject({ status: 402, body: { code: 'payment_required', retryable: true } })
    await callTestControl(world, 'settle_payment', { order_id })
    const accepted = await accept()
    expect(accepted.status).toBe(200)
    expect((await accept()).text).toBe(accepted.text)
  })
})

test.each([
  ['accepted', ['accept']],
  ['preparing', ['accept', 'preparing']],
  ['ready', ['accept', 'ready']],
  ['completed', ['accept', 'complete']],
  ['rejected', ['reject']],
] as const)('an order that is %s is not accepted again', async (status, actions: readonly StoreAction[]) => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  await performAction(world, order_id, actions)
  expect(await refuseAction(world, order_id, 'accept')).toMatchObject({
    status: 409,
    code: 'invalid_state',
    current_status: status,
    allowed_statuses: ['placed'],
  })
})

test('the state is named before the payment: a cancelled order that was not paid', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world, { token: 'tok_pending' })
  await world.ok('cancel_food_order', { order_id }, { as: 'member' })
  expect(await refuseAction(world, order_id, 'accept')).toMatchObject({ code: 'invalid_state' })
})

test('an invalid preparation time is rejected, and another store’s order is not found', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  for (const prep_time_minutes of [0, 181, 1.5])
    expect(await refuseAction(world, order_id, 'accept', { prep_time_minutes })).toMatchObject({
      code: 'invalid_request',
    })
  expect(await refuseAction(world, order_id, 'accept', {}, 'owner')).toMatchObject({
    code: 'order_not_found',
  })
})
