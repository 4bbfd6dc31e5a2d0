/** The stations of a kitchen and the rule to accept, as every screen of the store shares them. */
import { describe, expect, test } from 'vitest'
import { createItem, makeQuoteBody } from '../../support/baskets.ts'
import { performAction, placeTestOrder } from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

/** Returns the dish of test orders with its category. */
async function findDish(world: TestSandbox) {
  const { items } = (await makeQuoteBody(world)) as unknown as { items: { item_id: string }[] }
  const { data } = await world.ok('list_catalog_items', { limit: 100 })
  const dish = data.find(({ item_id }) => item_id === items[0]?.item_id)
  if (dish === undefined) throw new Error('the store sells no dish')
  return dish
}

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a line is at the station of its item, else of its category, else at none', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world)
    const { item_id, name, category } = await findDish(world)
    const { category_id } = category
    const stationsOf = async () => {
      const { kitchen_lines } = await world.ok('get_business_order', { order_id })
      const [listed] = (await world.ok('list_business_orders', { active: true })).data
      expect(listed?.kitchen_lines).toEqual(kitchen_lines)
      return kitchen_lines
    }
    expect(await world.ok('get_store_settings')).toMatchObject({
      version: 0,
      stations: [],
      auto_accept: null,
    })
    expect(await stationsOf()).toEqual([{ line_id: 'line_1', station: null, done: false }])
    const hot = { name: ' Hot ', category_ids: [category_id] }
    const set = await world.ok('set_store_settings', { stations: [hot] })
    expect(set).toMatchObject({
      version: 1,
      stations: [{ name: 'Hot', categories: [{ category_id }], items: [] }],
    })
    expect(set.unassigned_categories.map((each) => each.category_id)).not.toContain(category_id)
    expect(await stationsOf()).toMatchObject([{ station: 'Hot' }])
    const bar = { name: 'Bar', item_ids: [item_id] }
    await world.ok('set_store_settings', { stations: [hot, bar], version: 1 })
    expect(await world.ok('get_store_settings')).toMatchObject({
      stations: [{ name: 'Hot' }, { name: 'Bar', items: [{ item_id, name }] }],
    })
    expect(await stationsOf()).toMatchObject([{ station: 'Bar' }])
    await world.ok('set_store_settings', { stations: [] })
    expect(await stationsOf()).toMatchObject([{ station: null }])
  })

  test('a change that does not know of the last one is refused, and changes nothing', async () => {
    const world = await openTestSandbox({ engine })
    await world.ok('set_store_settings', { stations: [{ name: 'Bar' }], version: 0 })
    expect(await world.refused('set_store_settings', { stations: [], version: 0 })).toMatchObject({
      status: 409,
      code: 'version_conflict',
      current_version: 1,
    })
    // The same again is no change.
    expect((await world.ok('set_store_settings', { stations: [{ name: 'Bar' }] })).version).toBe(1)
    const both = await Promise.all(
      ['Hot', 'Cold'].map((name) => world.call('set_store_settings', { stations: [{ name }], version: 1 })),
    )
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect((await world.ok('get_store_settings')).version).toBe(2)
  })
})

test('a rule has its end, after which the store accepts nothing automatically', async () => {
  const world = await openTestSandbox()
  const rule = { prep_time_minutes: 15, until: '2026-11-20T10:00:00Z' }
  const set = await world.ok('set_store_settings', { auto_accept: rule })
  expect(set.auto_accept).toEqual({ prep_time_minutes: 15, until: '2026-11-20T10:00:00.000Z' })
  await world.advance(3_600_000)
  expect((await world.ok('get_store_settings')).auto_accept).toBeNull()
  expect(await world.refused('set_store_settings', { auto_accept: rule })).toMatchObject({
    errors: [{ pointer: '/auto_accept/until', code: 'out_of_range' }],
  })
})

test('what left the menu leaves its station', async () => {
  const world = await openTestSandbox()
  const item_id = await createItem(world)
  await world.ok('set_store_settings', { stations: [{ name: 'Bar', item_ids: [item_id] }] })
  await world.ok('delete_catalog_item', { item_id })
  expect((await world.ok('get_store_settings')).stations).toEqual([
    { name: 'Bar', categories: [], items: [] },
  ])
})

test.each([
  [{}, '/stations', 'required'],
  [{ stations: [{ name: 'Bar' }, { name: 'BÁR' }] }, '/stations/1/name', 'mutually_exclusive'],
  [
    { stations: [{ name: 'Bar', item_ids: ['itm_1', 'itm_1'] }] },
    '/stations/0/item_ids/1',
    'mutually_exclusive',
  ],
  [{ stations: [{ name: 'Bar', item_ids: ['itm_1'] }] }, '/stations/0/item_ids/0', 'invalid_enum'],
  [{ stations: [{ name: 'Bar', category_ids: ['cat_1'] }] }, '/stations/0/category_ids/0', 'invalid_enum'],
  [{ stations: [{ name: '  ' }] }, '/stations/0/name', 'invalid_format'],
  [{ auto_accept: { prep_time_minutes: 0 } }, '/auto_accept/prep_time_minutes', 'out_of_range'],
] as const)('settings %j are refused with the place of the error', async (input, pointer, code) => {
  const world = await openTestSandbox()
  expect(await world.refused('set_store_settings', input)).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer, code }],
  })
  expect((await world.ok('get_store_settings')).version).toBe(0)
})

test('another store’s item is not on the menu', async () => {
  const world = await openTestSandbox()
  const item_id = await createItem(world, 'owner')
  const stations = [{ name: 'Bar', item_ids: [item_id] }]
  expect(await world.refused('set_store_settings', { stations })).toMatchObject({
    errors: [{ pointer: '/stations/0/item_ids/0', code: 'invalid_enum' }],
  })
})

test('an item that moved to another category keeps the station of its orders', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  const { item_id, category } = await findDish(world)
  await world.ok('set_store_settings', { stations: [{ name: 'Hot', category_ids: [category.category_id] }] })
  await world.ok('update_catalog_item', { item_id, category: 'Elsewhere' })
  expect(await performAction(world, order_id, ['accept'])).toMatchObject({
    kitchen_lines: [{ line_id: 'line_1', station: 'Hot' }],
  })
})
