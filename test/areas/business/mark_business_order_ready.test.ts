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
  test('a courier is sent once for a delivery, to the right doors', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id, dropoff } = await placeTestOrder(world, {
      type: 'delivery',
      over: { contact: { name: 'Priya Shah', phone: '+447700900123' } },
    })
    await performAction(world, order_id, ['accept'])
    const input = { order_id, collection_instructions: 'Side door' }
    const ready = await world.ok('mark_business_order_ready', input, { key: 'ready-1' })
    expect(await world.ok('mark_business_order_ready', input, { key: 'ready-1' })).toEqual(ready)
    expect(await refuseAction(world, order_id, 'ready')).toMatchObject({ code: 'invalid_state' })
    const { order, delivery } = await readBothViews(world, order_id)
    expect(ready.delivery).toEqual({ delivery_id: order.delivery_id, status: 'pending', courier: null })
    expect(delivery).toMatchObject({
      order_id,
      doc: {
        pickup: { contact: { name: 'Forno Santa Rosa' }, notes: 'Side door' },
        dropoff: { place: dropoff, contact: { name: 'Priya Shah', phone: '+447700900123' } },
        price: { amount: 0, currency: 'GBP' },
      },
    })
    expect(await world.db.read((tx) => tx.all('select count(*) as n from deliveries'))).toEqual([{ n: 1 }])
  })

  test.each(['pickup', 'dine_in'] as const)('no courier comes for %s', async (type) => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world, { type })
    expect(await performAction(world, order_id, ['accept', 'preparing', 'ready'])).toMatchObject({
      status: 'ready',
      delivery: null,
      allowed_actions: ['reject', 'complete'],
    })
    expect(await world.db.read((tx) => tx.all('select * from deliveries'))).toEqual([])
  })
})

test.each([
  ['placed', []],
  ['ready', ['accept', 'ready']],
  ['completed', ['accept', 'complete']],
  ['rejected', ['reject']],
] as const)('an order that is %s is not marked ready', async (status, actions: readonly StoreAction[]) => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  await performAction(world, order_id, actions)
  expect(await refuseAction(world, order_id, 'ready')).toMatchObject({
    code: 'invalid_state',
    current_status: status,
  })
})
