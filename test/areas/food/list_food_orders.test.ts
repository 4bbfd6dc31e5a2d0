import { beforeAll, describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { findStore, LIME_STREET } from '../../support/food.ts'
import { FORNO, placeTestOrder } from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const MINUTE = 60_000

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox
  const ids: string[] = []

  // Seven orders, a minute apart: three are cancelled, two are at another store.
  beforeAll(async () => {
    world = await openTestSandbox({ engine })
    for (let index = 0; index < 7; index++) {
      const { order_id } = await placeTestOrder(world, {
        store: index % 3 === 0 ? LIME_STREET : FORNO,
        method: 'cash',
        scenario: 'store_manual',
      })
      ids.unshift(order_id)
      if (index % 2 === 1) await world.ok('cancel_food_order', { order_id }, { as: 'member' })
      await world.advance(MINUTE)
    }
    await placeTestOrder(world, { as: 'everything' })
  })

  const list = async (input: Record<string, unknown> = {}) => {
    const { data } = await world.ok('list_food_orders', input, { as: 'member' })
    return data.map(({ order_id }) => order_id)
  }
  const at = (index: number) => ids[index]

  test('lists the caller’s own orders, newest first', async () => {
    expect(await list()).toEqual(ids)
    expect((await world.ok('list_food_orders', {}, { as: 'guest' })).data).toEqual([])
  })

  test('one sees those in some states, of a store, of a span of time', async () => {
    expect(await list({ status: ['cancelled'] })).toEqual([at(1), at(3), at(5)])
    expect(await list({ status: ['cancelled', 'placed', 'placed'] })).toEqual(ids)
    expect(await list({ status: ['failed'] })).toEqual([])
    const { merchant_id } = await findStore(world, LIME_STREET)
    expect(await list({ merchant_id })).toEqual([at(0), at(3), at(6)])
    expect(await list({ merchant_id, status: ['cancelled'] })).toEqual([at(3)])
    const span = { created_from: '2026-11-20T09:02:00Z', created_to: '2026-11-20T09:05:00Z' }
    expect(await list(span)).toEqual([at(2), at(3), at(4)])
    expect(await list({ created_from: '2026-11-20' })).toEqual(ids)
    expect(await list({ created_from: '2026-11-21' })).toEqual([])
  })

  test('pages join without gap or repeat, whatever is placed or cancelled between them', async () => {
    const walk = async (input: Record<string, unknown>, between: () => Promise<unknown>) => {
      const found: string[] = []
      let cursor: string | null = null
      do {
        const query: Record<string, unknown> = { limit: 2, ...input, ...(cursor !== null && { cursor }) }
        const page: { data: { order_id: string }[]; next_cursor: string | null } = await world.ok(
          'list_food_orders',
          query,
          { as: 'member' },
        )
        found.push(...page.data.map(({ order_id }) => order_id))
        cursor = page.next_cursor
        await between()
      } while (cursor !== null)
      return found
    }
    const before = await list()
    const some = await list({ status: ['placed', 'cancelled'], created_to: '2026-11-20T09:06:30Z' })
    expect(await walk({}, () => placeTestOrder(world, { method: 'cash' }))).toEqual(before)
    const span = { status: ['placed', 'cancelled'], created_to: '2026-11-20T09:06:30Z' }
    expect(await walk(span, () => placeTestOrder(world, { method: 'cash' }))).toEqual(some)
  })
})

test('an invalid status, time or cursor is rejected', async () => {
  const world = await openTestSandbox()
  const refused = (input: Record<string, unknown>) =>
    world.refused('list_food_orders', input, { as: 'member' })
  expect(await refused({ status: ['lost'] })).toMatchObject({ code: 'invalid_request' })
  expect(await refused({ created_from: 'yesterday' })).toMatchObject({ code: 'invalid_request' })
  expect(await refused({ limit: 101 })).toMatchObject({ code: 'invalid_request' })
  expect(await refused({ cursor: 'bm9uZQ' })).toMatchObject({ code: 'invalid_cursor' })
})

test('a lapsed member still sees earlier orders', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  await callTestControl(world, 'set_membership', { account: 'member', status: 'expired' })
  const { data } = await world.ok('list_food_orders', {}, { as: 'member' })
  expect(data.map((order) => order.order_id)).toEqual([order_id])
})
