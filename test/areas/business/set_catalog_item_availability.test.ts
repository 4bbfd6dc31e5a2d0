import { beforeEach, describe, expect, test } from 'vitest'
import { makeGroup, makeItem } from '../../support/items.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../../support/world.ts'

const NOON = '2026-11-20T12:00:00.000Z'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const create = (over: Record<string, unknown> = {}) => world.ok('create_catalog_item', makeItem(over))
  const menuItem = async (merchant_id: string, item_id: string) => {
    const { categories } = await world.ok('get_restaurant_menu', { merchant_id })
    return categories.flatMap(({ items }) => items).find((item) => item.item_id === item_id)
  }

  test('an unavailable item stays on the menu, marked, and can be made available again', async () => {
    const item = await create({ modifier_groups: [makeGroup(['A'])], stock: 3 })
    const { item_id, merchant_id } = item
    const off = await world.ok('set_catalog_item_availability', {
      item_id,
      available: false,
      reason: 'seasonal',
    })
    expect(off).toEqual({
      ...item,
      touched_orders: null,
      availability: { available: false, until: null, reason: 'seasonal' },
      effective_available: false,
      version: 2,
    })
    expect(await menuItem(merchant_id, item_id)).toMatchObject({ available: false, unavailable_until: null })
    const on = await world.ok('set_catalog_item_availability', { item_id, available: true })
    expect(on).toEqual({ ...item, version: 3, touched_orders: null })
    expect(await menuItem(merchant_id, item_id)).toMatchObject({ available: true })
  })

  test('with until it is back by itself, to the millisecond', async () => {
    const { item_id, merchant_id } = await create()
    await world.ok('set_catalog_item_availability', {
      item_id,
      available: false,
      until: '2026-11-20T13:00:00+01:00',
    })
    expect(await menuItem(merchant_id, item_id)).toMatchObject({ available: false, unavailable_until: NOON })
    await world.advanceTo(Date.parse(NOON) - 1)
    expect(await menuItem(merchant_id, item_id)).toMatchObject({ available: false })
    expect((await world.ok('list_catalog_items', { q: 'laksa', available: true })).data).toEqual([])
    await world.advance(1)
    expect(await menuItem(merchant_id, item_id)).toMatchObject({ available: true, unavailable_until: null })
    const { data } = await world.ok('list_catalog_items', { q: 'laksa', available: true })
    expect(data).toMatchObject([
      { effective_available: true, availability: { available: false, until: NOON } },
    ])
  })

  test('repeating a change has no effect', async () => {
    const { item_id, merchant_id } = await create()
    const off = { item_id, available: false, until: NOON, reason: 'sold_out' }
    const first = await world.ok('set_catalog_item_availability', off)
    const { menu_version } = await world.ok('get_restaurant_menu', { merchant_id })
    await world.advance(1000)
    expect(await world.ok('set_catalog_item_availability', off)).toEqual(first)
    expect((await world.ok('get_restaurant_menu', { merchant_id })).menu_version).toBe(menu_version)
    const other = await world.ok('set_catalog_item_availability', { item_id, available: false })
    expect([other.availability, other.version]).toEqual([{ available: false, until: null, reason: null }, 3])
  })

  test('with the version that was seen, it overwrites no other change', async () => {
    const { item_id, version } = await create()
    const off = { item_id, available: false, reason: 'sold_out', version }
    expect(await world.ok('set_catalog_item_availability', off)).toMatchObject({ version: 2 })
    const late = { item_id, available: true, version }
    const refused = await world.refused('set_catalog_item_availability', late)
    expect(refused).toMatchObject({ code: 'version_conflict', current_version: 2 })
    expect(
      (await world.ok('list_catalog_items', { available: false })).data.map((each) => each.item_id),
    ).toContain(item_id)
    expect(await world.ok('set_catalog_item_availability', { ...late, version: 2 })).toMatchObject({
      version: 3,
    })
  })

  test.each([
    [{ available: true, until: NOON }, '/until', 'mutually_exclusive'],
    [{ available: false, until: new Date(NINE_AM).toISOString() }, '/until', 'out_of_range'],
    [{ available: false, until: 'tomorrow' }, '/until', 'invalid_format'],
    [{ available: false, reason: 'bored' }, '/reason', 'invalid_enum'],
    [{}, '/available', 'required'],
  ])('%j is refused', async (over, pointer, code) => {
    const { item_id } = await create()
    const refused = await world.refused('set_catalog_item_availability', { item_id, ...over })
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ pointer, code }] })
  })

  test('another store’s item is not there', async () => {
    const { item_id } = await create()
    const input = { item_id, available: false }
    expect(await world.refused('set_catalog_item_availability', input, { as: 'owner' })).toMatchObject({
      status: 404,
      code: 'item_not_found',
    })
  })
})
