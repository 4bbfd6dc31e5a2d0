/**
 * Two sides change one order in different ways at the same moment: exactly one succeeds
 * (docs/rules/failure-model.md#rivals-never-both-succeed).
 */
import { describe, expect, test } from 'vitest'
import { findStore } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { performAction, FORNO, placeTestOrder } from '../support/order-life.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const ROUNDS = 12

/** Makes both calls at once; returns their statuses. */
async function race(...calls: (() => Promise<{ status: number }>)[]): Promise<number[]> {
  return (await Promise.all(calls.map((call) => call()))).map(({ status }) => status)
}

const statusOf = async (world: TestSandbox, order_id: string) =>
  (await world.ok('get_food_order', { order_id }, { as: 'member' })).status

describe.each(ENGINES)('on $name', (engine) => {
  const by = (world: TestSandbox, operation: string, order_id: string, as: string) => () =>
    world.call(operation, { order_id }, { as })

  test('a cancel and a rejection: one of them, and one refund', async () => {
    const world = await openTestSandbox({ engine })
    for (let round = 0; round < ROUNDS; round++) {
      const { order_id } = await placeTestOrder(world, { token: round % 2 === 0 ? 'tok_ok' : 'tok_store' })
      const statuses = await race(
        by(world, 'cancel_food_order', order_id, 'member'),
        by(world, 'reject_business_order', order_id, 'everything'),
      )
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(await statusOf(world, order_id)).toBe(statuses[0] === 200 ? 'cancelled' : 'rejected')
    }
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('a cancel and an accept: accepted before it is cancelled, or not at all', async () => {
    const world = await openTestSandbox({ engine })
    for (let round = 0; round < ROUNDS; round++) {
      const { order_id } = await placeTestOrder(world, { method: 'cash' })
      const [cancel, accept] = await race(
        by(world, 'cancel_food_order', order_id, 'member'),
        by(world, 'accept_business_order', order_id, 'everything'),
      )
      expect(cancel).toBe(200)
      const { status_history } = await world.ok('get_food_order', { order_id }, { as: 'member' })
      expect(status_history.map(({ status }) => status)).toEqual(
        accept === 200 ? ['placed', 'accepted', 'cancelled'] : ['placed', 'cancelled'],
      )
    }
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('a cancel and the beginning of the kitchen: one of them', async () => {
    const world = await openTestSandbox({ engine })
    for (let round = 0; round < ROUNDS; round++) {
      const { order_id } = await placeTestOrder(world)
      await performAction(world, order_id, ['accept'])
      const statuses = await race(
        by(world, 'cancel_food_order', order_id, 'member'),
        by(world, 'start_business_order_prep', order_id, 'everything'),
      )
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409])
    }
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('a rejection and a courier who collects: one of them, and the order says which', async () => {
    const world = await openTestSandbox({ engine })
    const { callTestControl } = await import('../support/control.ts')
    for (let round = 0; round < ROUNDS; round++) {
      const { order_id } = await placeTestOrder(world, { type: 'delivery' })
      await performAction(world, order_id, ['accept', 'ready'])
      for (let step = 0; step < 2; step++)
        await callTestControl(world, 'step_resource', { resource_id: order_id })
      const collect = async () => {
        const stepped = callTestControl(world, 'step_resource', { resource_id: order_id })
        return stepped.then(
          () => ({ status: 200 }),
          () => ({ status: 409 }),
        )
      }
      const statuses = await race(collect, by(world, 'reject_business_order', order_id, 'everything'))
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(await statusOf(world, order_id)).toBe(statuses[0] === 200 ? 'out_for_delivery' : 'rejected')
    }
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('everybody looks while the clock goes on: all see the same in the end', async () => {
    const world = await openTestSandbox({ engine })
    const { merchant_id } = await findStore(world, FORNO)
    for (let index = 0; index < 4; index++)
      await placeTestOrder(world, { type: 'delivery', scenario: 'store_auto' })
    await world.write(async (tx) => {
      const { frozenClock } = await import('../../src/core/clock.ts')
      const { saveClock } = await import('../../src/db/world.ts')
      await saveClock(tx, frozenClock(Date.parse('2026-11-20T12:00:00.000Z')))
    })
    const answers = await Promise.all([
      world.call('list_food_orders', {}, { as: 'member' }),
      world.call('list_business_orders', { merchant_id }),
      world.call('list_food_orders', { status: ['completed'] }, { as: 'member' }),
      world.call('list_business_orders', { active: true }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { data } = await world.ok('list_food_orders', {}, { as: 'member' })
    expect(data.map(({ status }) => status)).toEqual(data.map(() => 'completed'))
    expect(await checkInvariants(world.db)).toEqual([])
  })
})
