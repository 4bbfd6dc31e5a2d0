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

  test('shows the public members of an item, and no private one', async () => {
    const { item_id, merchant_id, modifier_groups, category } = await world.ok(
      'create_catalog_item',
      makeItem({
        description: 'Coconut',
        sku: 'S',
        external_ref: 'R',
        barcode: '5012345678900',
        cost: gbp(1),
        stock: 2,
        supplier_id: 'U',
        tax_rate_bps: 500,
        dietary_tags: ['vegan'],
        allergens: ['soya'],
        image_url: 'https://pictures.example/a.png',
        modifier_groups: [makeGroup(['A', 'B'])],
      }),
    )
    const menu = await world.ok('get_restaurant_menu', { merchant_id, category: 'soups' }, { as: 'guest' })
    expect(menu).toEqual({
      merchant_id,
      currency: 'GBP',
      menu_version: 2,
      updated_at: '2026-11-20T09:00:00.000Z',
      categories: [
        {
          ...category,
          items: [
            {
              item_id,
              name: 'Laksa',
              description: 'Coconut',
              price: gbp(1250),
              available: true,
              unavailable_until: null,
              image_url: 'https://pictures.example/a.png',
              dietary_tags: ['vegan'],
              allergens: ['soya'],
              modifier_groups,
            },
          ],
        },
      ],
    })
  })

  test('lists a section by its name or id, and only available items', async () => {
    const { merchant_id, category } = await world.ok('create_catalog_item', makeItem({ available: false }))
    await world.ok('create_catalog_item', makeItem({ name: 'Pho' }))
    const shown = async (input: Record<string, unknown>) => {
      const { categories } = await world.ok('get_restaurant_menu', { merchant_id, ...input })
      return categories.map(({ name, items }) => [name, ...items.map((item) => item.name)])
    }
    expect(await shown({ category: ' SOUPS' })).toEqual([['Soups', 'Laksa', 'Pho']])
    expect(await shown({ category: category.category_id })).toEqual([['Soups', 'Laksa', 'Pho']])
    expect(await shown({ category: 'Soups', available_only: true })).toEqual([['Soups', 'Pho']])
    expect(await shown({ category: 'nowhere' })).toEqual([])
    const everything = await shown({})
    const available = await shown({ available_only: true })
    expect(everything.flat().length).toBeGreaterThan(available.flat().length)
    expect(everything).toContainEqual(['Soups', 'Laksa', 'Pho'])
  })

  test('shows at once what has changed, and what is on sale again by the clock alone', async () => {
    const { merchant_id, item_id } = await world.ok('create_catalog_item', makeItem())
    const shown = async (only: boolean) => {
      const input = { merchant_id, category: 'soups', available_only: only }
      const { categories } = await world.ok('get_restaurant_menu', input)
      return categories.flatMap(({ items }) => items.map(({ name, available }) => [name, available]))
    }
    expect(await shown(false)).toEqual([['Laksa', true]])
    const until = '2026-11-20T10:00:00Z'
    await world.ok('set_catalog_item_availability', { item_id, available: false, until })
    for (const _ of [1, 2]) expect(await shown(false)).toEqual([['Laksa', false]])
    for (const _ of [1, 2]) expect(await shown(true)).toEqual([])
    await world.advanceTo(until)
    expect(await shown(false)).toEqual([['Laksa', true]])
    expect(await shown(true)).toEqual([['Laksa', true]])
  })

  test('a closed store shows its menu too', async () => {
    const { merchant_id } = await world.ok('create_catalog_item', makeItem())
    const menu = await world.ok('get_restaurant_menu', { merchant_id })
    await world.advanceTo('2026-11-21T04:00:00Z')
    const later = await world.ok('get_restaurant_menu', { merchant_id })
    expect(later.categories.map(({ name }) => name)).toEqual(menu.categories.map(({ name }) => name))
  })

  test.each(['mer_01m7vkystgef38d6j5p56t9yfw', 'itm_1', 'x'])('there is no store %s', async (merchant_id) => {
    expect(await world.refused('get_restaurant_menu', { merchant_id })).toMatchObject({
      status: 404,
      code: 'merchant_not_found',
    })
  })
})
