import { beforeEach, describe, expect, test } from 'vitest'
import { makeGroup, makeItem } from '../../support/items.ts'
import { gbp } from '../../support/money.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const create = (over: Record<string, unknown> = {}) => world.ok('create_catalog_item', makeItem(over))
  const menuVersion = async (merchant_id: string) =>
    (await world.ok('get_restaurant_menu', { merchant_id })).menu_version

  test('changes only the named members, and raises the version', async () => {
    const item = await create({
      sku: 'S',
      external_ref: 'R',
      stock: 4,
      description: 'Hot',
      modifier_groups: [makeGroup(['A'])],
    })
    const before = await menuVersion(item.merchant_id)
    await world.advance(60_000)
    const changed = await world.ok('update_catalog_item', { item_id: item.item_id, price: gbp(1300) })
    expect(changed).toEqual({
      ...item,
      price: gbp(1300),
      version: 2,
      updated_at: '2026-11-20T09:01:00.000Z',
    })
    expect(await menuVersion(item.merchant_id)).toBe(before + 1)
    const again = await world.ok('update_catalog_item', {
      item_id: item.item_id,
      name: ' Laksa lemak ',
      description: ' ',
    })
    expect(again).toEqual({ ...changed, name: 'Laksa lemak', description: null, version: 3 })
    expect((await world.ok('list_catalog_items', { q: 'lemak' })).data).toEqual([again])
  })

  test('an update without a difference keeps the versions', async () => {
    const item = await create({ modifier_groups: [makeGroup(['A', 'B'])] })
    const before = await menuVersion(item.merchant_id)
    const { name, price, description, modifier_groups } = item
    const same = { item_id: item.item_id, name, price, description, modifier_groups, category: 'SOUPS' }
    expect(await world.ok('update_catalog_item', same)).toEqual(item)
    expect(await menuVersion(item.merchant_id)).toBe(before)
  })

  test('moves to another category, new or not, by name or id', async () => {
    const item = await create()
    const other = await create({ name: 'Pho', category: 'Mains' })
    const moved = await world.ok('update_catalog_item', { item_id: item.item_id, category: 'mains' })
    expect(moved.category).toEqual(other.category)
    const back = { item_id: item.item_id, category: item.category.category_id }
    expect((await world.ok('update_catalog_item', back)).category).toEqual(item.category)
    const fresh = await world.ok('update_catalog_item', { item_id: item.item_id, category: 'Brand new' })
    expect(fresh.category.name).toBe('Brand new')
    expect(fresh.category.sort_order).toBe(other.category.sort_order + 1)
  })

  test('groups are replaced whole; those named by their ids stay the same', async () => {
    const item = await create({
      modifier_groups: [makeGroup(['Small', 'Large']), makeGroup(['Egg'], { name: 'Extras' })],
    })
    const [size] = item.modifier_groups
    const [, large] = size?.modifiers ?? []
    const changed = await world.ok('update_catalog_item', {
      item_id: item.item_id,
      modifier_groups: [
        makeGroup(['Mild', 'Hot'], { name: 'Heat' }),
        {
          modifier_group_id: size?.modifier_group_id,
          name: 'Size',
          modifiers: [
            { modifier_id: large?.modifier_id, name: 'Huge', price_delta: gbp(300) },
            { name: 'Tiny' },
          ],
        },
      ],
    })
    expect(changed.modifier_groups.map(({ name }) => name)).toEqual(['Heat', 'Size'])
    const [heat, kept] = changed.modifier_groups
    expect(kept).toMatchObject({
      modifier_group_id: size?.modifier_group_id,
      min_selections: 0,
      max_selections: null,
      modifiers: [{ modifier_id: large?.modifier_id, name: 'Huge', price_delta: gbp(300) }, { name: 'Tiny' }],
    })
    const ids = (groups: typeof item.modifier_groups) =>
      groups.flatMap((group) => [group.modifier_group_id, ...group.modifiers.map((each) => each.modifier_id)])
    const old = new Set(ids(item.modifier_groups))
    expect(ids(heat ? [heat] : []).filter((id) => old.has(id))).toEqual([])
    expect(new Set(ids(changed.modifier_groups)).size).toBe(6)
    const none = await world.ok('update_catalog_item', { item_id: item.item_id, modifier_groups: [] })
    expect(none.modifier_groups).toEqual([])
  })

  test('ids of another item’s groups are rejected', async () => {
    const [item, other] = [await create(), await create({ name: 'Pho', modifier_groups: [makeGroup(['A'])] })]
    const [group] = other.modifier_groups
    for (const modifier_groups of [
      [makeGroup(['A'], { modifier_group_id: group?.modifier_group_id })],
      [{ name: 'Size', modifiers: [{ name: 'A', modifier_id: group?.modifiers[0]?.modifier_id }] }],
    ]) {
      expect(
        await world.refused('update_catalog_item', { item_id: item.item_id, modifier_groups }),
      ).toMatchObject({ status: 422, code: 'invalid_modifier_group' })
    }
  })

  test('with a version, only the version that was read is changed', async () => {
    const { item_id } = await create()
    const change = (version: number, price: number) => ({ item_id, version, price: gbp(price) })
    expect((await world.ok('update_catalog_item', change(1, 1))).version).toBe(2)
    expect(await world.refused('update_catalog_item', change(1, 2))).toMatchObject({
      status: 409,
      code: 'version_conflict',
      current_version: 2,
    })
    const racing = await Promise.all(
      [3, 4, 5].map((price) => world.call('update_catalog_item', change(2, price))),
    )
    expect(racing.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  })

  test.each([
    [{}, 400, 'invalid_request'],
    [{ version: 1 }, 400, 'invalid_request'],
    [{ available: false }, 400, 'invalid_request'],
    [{ sku: 'x' }, 400, 'invalid_request'],
    [{ external_ref: 'x' }, 400, 'invalid_request'],
    [{ price: gbp(1_000_001) }, 400, 'invalid_request'],
    [{ price: { amount: 1, currency: 'EUR' } }, 422, 'currency_mismatch'],
    [{ modifier_groups: [makeGroup(['A', 'a'])] }, 422, 'invalid_modifier_group'],
    [{ name: 'Pho' }, 409, 'duplicate_item'],
    [{ name: 'Cola', category: 'Drinks' }, 409, 'duplicate_item'],
    [{ category: 'cat_01m7vkystgef38d6j5p56t9yfw' }, 400, 'invalid_request'],
  ])('%j is refused and the item stays as it was', async (changes, status, code) => {
    const item = await create()
    await create({ name: 'Pho' })
    await create({ name: 'Cola', category: 'Drinks' })
    const refused = await world.refused('update_catalog_item', { item_id: item.item_id, ...changes })
    expect(refused).toMatchObject({ status, code })
    expect((await world.ok('list_catalog_items', { q: 'laksa' })).data).toEqual([item])
  })

  test('an item keeps its own name in another spelling', async () => {
    const { item_id } = await create()
    expect((await world.ok('update_catalog_item', { item_id, name: 'LAKSA' })).name).toBe('LAKSA')
  })

  test('an item that is another store’s, deleted or unknown is not there', async () => {
    const { item_id } = await create()
    const change = { item_id, price: gbp(1) }
    const theirs = await world.refused('update_catalog_item', change, { as: 'owner' })
    expect(theirs).toMatchObject({ status: 404, code: 'item_not_found' })
    await world.ok('delete_catalog_item', { item_id })
    const deleted = await world.refused('update_catalog_item', change)
    expect({ ...deleted, instance: '', request_id: '' }).toEqual({ ...theirs, instance: '', request_id: '' })
    const unknown = await world.refused('update_catalog_item', { ...change, item_id: 'cat_1' })
    expect(unknown.code).toBe('item_not_found')
  })
})
