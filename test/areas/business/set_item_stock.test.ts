/** An item whose stock is counted: orders take from it, and at 0 it cannot be ordered. */
import { describe, expect, test } from 'vitest'
import * as registry from '../../../src/generated/registry.ts'
import { openHome, startAgent } from '../../support/agent.ts'
import { findStore } from '../../support/food.ts'
import { makeItem } from '../../support/items.ts'
import { performAction, attend } from '../../support/order-life.ts'
import { serveStore } from '../../support/served.ts'
import { MINUTE, FRIDAY_NOON_MS, OWNER } from '../../support/store-hours.ts'
import { ENGINES, MAIN_ENGINES } from '../../support/stores.ts'
import { makeSandboxClient, runIn } from '../../support/world-client.ts'
import {
  type TestCallOptions,
  openTestSandbox,
  type TestSandbox,
  sandboxOverStore,
} from '../../support/world.ts'

/** Opens a world in which Forno sells an item of this stock. */
async function sell(engine: (typeof ENGINES)[number], stock: number | null, at = FRIDAY_NOON_MS) {
  return sellIn(await openTestSandbox({ engine, at }), stock)
}

async function sellIn(world: TestSandbox, stock: number | null) {
  const item = await world.ok('create_catalog_item', makeItem({ ...(stock !== null && { stock }) }), OWNER)
  const { merchant_id, item_id } = item
  const basket = (quantity: number) => ({
    merchant_id,
    fulfillment_type: 'pickup',
    items: [
      { item_id, quantity: Math.ceil(quantity / 2) },
      ...(quantity > 1 ? [{ item_id, quantity: Math.floor(quantity / 2), notes: 'hot' }] : []),
    ],
  })
  let keys = 0
  return {
    world,
    item_id,
    basket,
    quote: (quantity: number) => world.ok('quote_food_order', basket(quantity)),
    refused: (quantity: number) => world.refused('quote_food_order', basket(quantity)),
    async order(quantity: number) {
      const { quote_id } = await world.ok('quote_food_order', basket(quantity))
      return confirm(world, quote_id, `order-${++keys}`)
    },
    set: (input: Record<string, unknown>) => world.ok('set_item_stock', { item_id, ...input }, OWNER),
    see: async () => {
      const { data } = await world.ok('list_catalog_items', { q: 'laksa' }, OWNER)
      const menu = await world.ok('get_restaurant_menu', { merchant_id })
      const shown = menu.categories.flatMap(({ items }) => items).find((each) => each.item_id === item_id)
      const [own] = data
      return { own, available: shown?.available, menu_version: menu.menu_version }
    },
  }
}

function confirm(world: TestSandbox, quote_id: string, key: string) {
  const input = { quote_id, payment: { method: 'cash' } }
  return world.ok('place_food_order', input, { key, scenario: 'store_manual' })
}

describe.each(ENGINES)('a counted item on $name', (engine) => {
  test('is taken by orders, sold out at 0, and never changed by a sale', async () => {
    const { world, item_id, order, refused, see } = await sell(engine, 3)
    const before = await see()
    expect(await refused(4)).toMatchObject({
      status: 409,
      code: 'item_unavailable',
      item_ids: [item_id],
      available_quantity: 3,
      detail: 'Only 3 of Laksa are left.',
    })
    await order(2)
    const fewer = await see()
    expect(fewer.own).toEqual({ ...before.own, stock: 1 })
    expect(fewer.menu_version).toBe(before.menu_version)
    await order(1)
    const none = await see()
    expect(none.own).toEqual({ ...before.own, stock: 0, effective_available: false })
    expect(none.own?.availability).toEqual({ available: true, until: null, reason: null })
    expect([none.available, none.menu_version]).toEqual([false, before.menu_version + 1])
    expect(await refused(1)).toMatchObject({ code: 'item_unavailable', item_ids: [item_id] })
    const { data } = await world.ok('list_catalog_items', { q: 'laksa', available: false }, OWNER)
    expect(data).toHaveLength(1)
    const { data: changes } = await world.ok('get_catalog_item_history', { item_id }, OWNER)
    expect(changes).toHaveLength(1)
  })

  test('40 at once for the last 7 of it: exactly 7 get one', async () => {
    const { world, quote, see } = await sell(engine, 7)
    const quotes = await Promise.all(Array.from({ length: 40 }, () => quote(1)))
    const answers = await Promise.all(
      quotes.map(({ quote_id }) =>
        world.call('place_food_order', { quote_id, payment: { method: 'cash' } }, { key: quote_id }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7)
    const codes = answers.filter(({ status }) => status !== 201).map(({ body }) => body['code'])
    expect(new Set(codes)).toEqual(new Set(['item_unavailable']))
    expect((await see()).own?.stock).toBe(0)
  })

  test('comes back with an order that ends before its preparation, and not later', async () => {
    const { world, order, see } = await sell(engine, 5)
    await attend(world)
    const [rejected, cancelled, cooked] = [await order(1), await order(2), await order(2)]
    const { menu_version } = await see()
    await performAction(world, rejected.order_id, ['reject'])
    expect(await see()).toMatchObject({ own: { stock: 1 }, available: true, menu_version: menu_version + 1 })
    await performAction(world, cancelled.order_id, ['accept'])
    await world.ok('reject_business_order', { order_id: cancelled.order_id, reason_code: 'too_busy' }, OWNER)
    expect((await see()).own?.stock).toBe(3)
    await performAction(world, cooked.order_id, ['accept', 'preparing', 'reject'])
    expect((await see()).own?.stock).toBe(3)
  })
})

describe.each(MAIN_ENGINES)('a count on $name', (engine) => {
  test('is set, changed and ended by the store alone', async () => {
    const { set, see, refused, order } = await sell(engine, null)
    const { menu_version } = await see()
    expect((await set({ stock: 12 })).stock).toBe(12)
    expect((await set({ change: -2 })).stock).toBe(10)
    expect((await set({ change: 5 })).stock).toBe(15)
    expect((await see()).menu_version).toBe(menu_version)
    const gone = await set({ stock: 0 })
    expect(gone).toMatchObject({ stock: 0, effective_available: false, version: 1 })
    expect((await see()).menu_version).toBe(menu_version + 1)
    expect((await refused(1)).code).toBe('item_unavailable')
    expect(await set({ stock: null })).toMatchObject({ stock: null, effective_available: true, version: 1 })
    await order(9)
    expect((await see()).own?.stock).toBeNull()
  })

  test.each([
    [{}, '/stock', 'required'],
    [{ stock: 1, change: 1 }, '/stock', 'mutually_exclusive'],
    [{ change: -4 }, '/change', 'out_of_range'],
    [{ change: 1_000_000_000 }, '/change', 'out_of_range'],
  ])('is refused as %j', async (input, pointer, code) => {
    const { world, item_id } = await sell(engine, 3)
    expect(await world.refused('set_item_stock', { item_id, ...input }, OWNER)).toMatchObject({
      errors: [{ pointer, code }],
    })
  })

  test('cannot be changed where there is none', async () => {
    const { world, item_id } = await sell(engine, null)
    expect(await world.refused('set_item_stock', { item_id, change: 1 }, OWNER)).toMatchObject({
      detail: 'Laksa is not counted: give stock.',
    })
  })

  test('of a seeded item is full again when the day starts, unless its owner counts it', async () => {
    const world = await openTestSandbox({ engine, at: FRIDAY_NOON_MS })
    const { merchant_id, items } = await findStore(world, 'Lime Street Noodles')
    const counted = items.filter(({ stock, doc }) => stock !== null && doc.modifier_groups.length === 0)
    const [one, other] = counted
    if (one?.stock === null || one === undefined || other === undefined) throw new Error('nothing is counted')
    const lines = [{ item_id: one.item_id, quantity: one.stock }]
    const basket = { merchant_id, fulfillment_type: 'pickup', items: lines }
    const { quote_id } = await world.ok('quote_food_order', basket)
    const { order_id } = await confirm(world, quote_id, 'all')
    // An order that nobody prepares gives it back.
    await world.ok('accept_business_order', { order_id }, { as: 'owner' })
    await world.ok('start_business_order_prep', { order_id }, { as: 'owner' })
    await world.ok('set_item_stock', { item_id: other.item_id, stock: 0 }, { as: 'owner' })
    const available = async () => {
      const { categories } = await world.ok('get_restaurant_menu', { merchant_id })
      const shown = categories.flatMap((section) => section.items)
      return [one, other].map(({ item_id }) => shown.find((each) => each.item_id === item_id)?.available)
    }
    expect(await available()).toEqual([false, false])
    await world.advanceTo('2026-11-21T04:59:00Z')
    expect(await available()).toEqual([false, false])
    await world.advance(MINUTE)
    expect(await available()).toEqual([true, false])
    await world.advanceTo('2026-11-21T12:00:00Z')
    await world.ok('quote_food_order', basket)
  })

  test('of every item is ignored where supply is unlimited', async () => {
    const { world, order, see } = await sell(engine, 3)
    await world.db.write((tx) => tx.run(`update world set supply = 'unlimited'`))
    await order(9)
    expect((await see()).own?.stock).toBe(3)
  })
})

describe.each(MAIN_ENGINES)('what is left of an item on $name', (engine) => {
  const SECRET = {
    status: 409,
    code: 'item_unavailable',
    detail: 'Laksa is not available in this quantity now.',
    hint: 'Quote again with fewer, or without it.',
  }

  test('is visible to accounts that may order, and to no other', async () => {
    const { world, basket, item_id } = await sell(engine, 3)
    const refused = (options: TestCallOptions) => world.refused('quote_food_order', basket(99), options)
    expect(await refused({ as: 'member' })).toMatchObject({ available_quantity: 3 })
    const looksOnly: TestCallOptions = { credential: { account: 'member', scopes: ['food.read'] } }
    for (const options of [{ as: 'guest' }, { as: 'lapsed' }, looksOnly]) {
      const problem = await refused(options)
      expect(problem).toMatchObject({ ...SECRET, item_ids: [item_id] })
      expect(JSON.stringify(problem)).not.toMatch(/available_quantity|\b3\b/)
    }
  })
})

test('no response to a guest gives the remaining stock: terminal, tool, HTTP', async () => {
  const served = await serveStore({ registry })
  const { world, basket } = await sellIn(sandboxOverStore(served.db), 3)
  const line = "food quote 'Forno Santa Rosa' --fulfillment pickup --item 'Laksa x99' --json"
  const type = (as: string) => runIn(world, `${line} --as ${as}`, 7)
  const ask = async (as: string) => {
    const { home } = await openHome()
    const agent = await startAgent(home, { service: makeSandboxClient(world, as) })
    return (await agent.call('quote_food_order', basket(99))).text
  }
  const post = async (handle: string) => {
    const headers = {
      Authorization: `Bearer ${await served.token(handle)}`,
      'Content-Type': 'application/json',
    }
    const request = { method: 'POST', headers, body: JSON.stringify(basket(99)) }
    return (await fetch(`${served.url}/v1/food/orders/quote`, request)).text()
  }
  for (const from of [type, ask, post]) {
    expect(await from('member')).toMatch(/"available_quantity": ?3/)
    const told = await from('guest')
    expect(told).toContain('Laksa is not available in this quantity now.')
    expect(told).not.toMatch(/available_quantity|Only 3/)
  }
})
