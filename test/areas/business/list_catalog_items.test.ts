import { beforeEach, describe, expect, test } from 'vitest'
import { makeGroup, makeItem, makeItems } from '../../support/items.ts'
import { gbp } from '../../support/money.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const names = async (filters: Record<string, unknown>) =>
    (await world.ok('list_catalog_items', { limit: 100, ...filters })).data.map(({ name }) => name)

  const pageAfter = (cursor: string | undefined) =>
    world.ok('list_catalog_items', { limit: 7, ...(cursor !== undefined && { cursor }) })

  test('items come in the order of the menu, section by section', async () => {
    const rows = [
      ['Z', 'Second', 2, 9001],
      ['Y', 'Second', 1, undefined],
      ['X', 'First', 1, 9000],
      ['W', 'Third', 1, 9001],
    ] as const
    for (const [name, category, sort_order, category_sort] of rows)
      await world.ok('create_catalog_item', makeItem({ name, category, sort_order, category_sort }))
    const { data } = await world.ok('list_catalog_items', { limit: 100 })
    const placed = data.map(({ category, sort_order, item_id }) => [
      category.sort_order,
      category.category_id,
      sort_order,
      item_id,
    ])
    expect(placed).toEqual(placed.toSorted(compare))
    expect(data.map(({ name }) => name).slice(-4)[0]).toBe('X')
    const menu = await world.ok('get_restaurant_menu', { merchant_id: data[0]?.merchant_id })
    expect(menu.categories.flatMap(({ items }) => items.map(({ item_id }) => item_id))).toEqual(
      data.map(({ item_id }) => item_id),
    )
  })

  test('all pages together are the whole list, whatever is added, moved away or deleted between them', async () => {
    await world.ok('import_catalog_items', { items: makeItems(40) })
    const whole = (await names({})).length
    const seen: string[] = []
    for (let cursor: string | undefined; ;) {
      const { data, next_cursor } = await pageAfter(cursor)
      seen.push(...data.map(({ item_id }) => item_id))
      if (seen.length === 7) {
        await world.ok(
          'create_catalog_item',
          makeItem({ name: 'At the top', category_sort: 0, sort_order: 0 }),
        )
        await world.ok('delete_catalog_item', { item_id: seen[0] })
      }
      if (next_cursor === null) break
      cursor = next_cursor
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(whole)
  })

  test('filters keep the matching items', async () => {
    const [a, b, c] = [
      await world.ok('create_catalog_item', makeItem({ name: 'Crème caramel', category: 'Sweets' })),
      await world.ok(
        'create_catalog_item',
        makeItem({ name: 'Ice cream', category: 'Sweets', available: false }),
      ),
      await world.ok('create_catalog_item', makeItem({ name: 'Cream 100% _', category: 'Jars' })),
    ]
    expect(await names({ category: 'sweets' })).toEqual([a.name, b.name])
    expect(await names({ category: a.category.category_id })).toEqual([a.name, b.name])
    expect(await names({ category: 'nowhere' })).toEqual([])
    expect(await names({ category: 'Sweets', available: true })).toEqual([a.name])
    expect(await names({ category: 'Sweets', available: false })).toEqual([b.name])
    expect(await names({ q: 'CREAM' })).toEqual([b.name, c.name])
    expect(await names({ q: 'creme' })).toEqual([a.name])
    expect(await names({ q: '% _' })).toEqual([c.name])
    expect(await names({ q: '%', category: 'Sweets' })).toEqual([])
  })

  test('an item without a required choice counts as unavailable', async () => {
    const modifier = (available: boolean) => ({
      modifier_groups: [makeGroup([], { modifiers: [{ name: 'Only', available }], max_selections: null })],
    })
    const item = await world.ok('create_catalog_item', makeItem(modifier(false)))
    expect(item).toMatchObject({ effective_available: false, availability: { available: true } })
    expect(await names({ category: 'Soups', available: true })).toEqual([])
    expect(await names({ category: 'Soups', available: false })).toEqual(['Laksa'])
    await world.ok('update_catalog_item', { item_id: item.item_id, ...modifier(true) })
    expect(await names({ category: 'Soups', available: true })).toEqual(['Laksa'])
  })

  test('lists the changes since an instant or a business day', async () => {
    const old = await world.ok('create_catalog_item', makeItem({ name: 'Old' }))
    await world.ok('create_catalog_item', makeItem({ name: 'Older' }))
    await world.advanceTo('2026-11-21T05:00:00Z')
    await world.ok('update_catalog_item', { item_id: old.item_id, price: gbp(1) })
    expect(await names({ updated_since: '2026-11-21' })).toEqual(['Old'])
    expect(await names({ updated_since: '2026-11-21T05:00:00.000Z' })).toEqual(['Old'])
    expect(await names({ updated_since: '2026-11-21T05:00:00.001Z' })).toEqual([])
  })

  test('a store sees its own items only; who runs several says which', async () => {
    const mine = await world.ok('create_catalog_item', makeItem())
    const { data } = await world.ok('list_catalog_items', { limit: 100 }, { as: 'owner' })
    expect(data.length).toBeGreaterThan(0)
    expect(data.map(({ merchant_id }) => merchant_id)).not.toContain(mine.merchant_id)
    const refused = await world.refused('list_catalog_items', {}, { as: 'chain' })
    expect(refused).toMatchObject({
      code: 'invalid_request',
      errors: [{ parameter: 'merchant_id', code: 'required' }],
    })
    const foreign = { merchant_id: mine.merchant_id }
    expect((await world.refused('list_catalog_items', foreign, { as: 'chain' })).code).toBe(
      'merchant_not_found',
    )
    expect((await world.ok('list_catalog_items', { ...foreign, q: 'laksa' })).data).toEqual([mine])
  })

  test('a cursor belongs to its filters', async () => {
    const { next_cursor: cursor } = await world.ok('list_catalog_items', { limit: 1 })
    expect((await world.refused('list_catalog_items', { limit: 1, q: 'x', cursor })).code).toBe(
      'invalid_cursor',
    )
  })
})

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((key, index) => key !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1
}
