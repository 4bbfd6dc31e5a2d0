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

  test('an item with everything is kept as sent, names trimmed, and is on the menu at once', async () => {
    const sent = makeItem({
      name: '  Laksa  ',
      category: ' Soups ',
      description: 'Coconut, prawns',
      available: false,
      unavailable_until: '2026-11-21T12:00:00+01:00',
      unavailable_reason: 'seasonal',
      dietary_tags: ['pescatarian', ' pescatarian '],
      allergens: ['crustaceans', 'fish'],
      image_url: 'https://pictures.example/laksa.jpg',
      sku: 'SKU-1',
      external_ref: 'POS-1',
      barcode: '5012345678900',
      cost: gbp(410),
      stock: 12,
      supplier_id: 'SUP-1',
      tax_rate_bps: 2000,
      sort_order: 7,
      category_sort: 3,
      modifier_groups: [
        makeGroup(['Small', 'Large'], { allow_repeats: false }),
        {
          name: 'Extras',
          max_selections: 4,
          allow_repeats: true,
          modifiers: [{ name: 'Egg', price_delta: gbp(120), available: false, is_default: true }],
        },
      ],
    })
    const item = await world.ok('create_catalog_item', sent)
    const plain = { price_delta: gbp(0), available: true, is_default: false }
    expect(item).toEqual({
      item_id: expect.stringMatching(/^itm_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      merchant_id: expect.stringMatching(/^mer_/),
      name: 'Laksa',
      description: 'Coconut, prawns',
      price: gbp(1250),
      category: { category_id: expect.stringMatching(/^cat_/), name: 'Soups', sort_order: 3 },
      modifier_groups: [
        {
          modifier_group_id: expect.stringMatching(/^mgr_/),
          name: 'Size',
          min_selections: 1,
          max_selections: 1,
          allow_repeats: false,
          modifiers: [
            { modifier_id: expect.stringMatching(/^mod_/), name: 'Small', ...plain },
            { modifier_id: expect.stringMatching(/^mod_/), name: 'Large', ...plain },
          ],
        },
        {
          modifier_group_id: expect.stringMatching(/^mgr_/),
          name: 'Extras',
          min_selections: 0,
          max_selections: 4,
          allow_repeats: true,
          modifiers: [
            {
              modifier_id: expect.stringMatching(/^mod_/),
              name: 'Egg',
              price_delta: gbp(120),
              available: false,
              is_default: true,
            },
          ],
        },
      ],
      availability: { available: false, until: '2026-11-21T11:00:00.000Z', reason: 'seasonal' },
      schedule: null,
      category_schedule: null,
      available_from: '2026-11-21T11:00:00.000Z',
      effective_available: false,
      dietary_tags: ['pescatarian'],
      allergens: ['crustaceans', 'fish'],
      image_url: 'https://pictures.example/laksa.jpg',
      sort_order: 7,
      sku: 'SKU-1',
      external_ref: 'POS-1',
      barcode: '5012345678900',
      cost: gbp(410),
      stock: 12,
      supplier_id: 'SUP-1',
      tax_rate_bps: 2000,
      version: 1,
      created_at: '2026-11-20T09:00:00.000Z',
      updated_at: '2026-11-20T09:00:00.000Z',
    })
    const { data } = await world.ok('list_catalog_items', { q: 'laksa' })
    expect(data).toEqual([item])
    const menu = await world.ok('get_restaurant_menu', { merchant_id: item.merchant_id })
    const listed = menu.categories.flatMap(({ items }) => items).map(({ item_id }) => item_id)
    expect(listed).toContain(item.item_id)
  })

  test('an item with only a name, a price and a category comes at the end of both', async () => {
    const before = await world.ok('list_catalog_items', { limit: 100 })
    const last = before.data.at(-1)
    const soup = await world.ok('create_catalog_item', makeItem())
    expect(soup.category.sort_order).toBe((last?.category.sort_order ?? 0) + 1)
    expect([soup.sort_order, soup.effective_available, soup.stock, soup.external_ref]).toEqual([
      1,
      true,
      null,
      null,
    ])
    const next = await world.ok('create_catalog_item', makeItem({ name: 'Pho' }))
    expect([next.category, next.sort_order]).toEqual([soup.category, 2])
    const far = await world.ok('create_catalog_item', makeItem({ name: 'Ramen', sort_order: 40 }))
    expect(far.sort_order).toBe(40)
    expect((await world.ok('create_catalog_item', makeItem({ name: 'Udon' }))).sort_order).toBe(41)
    const { data } = await world.ok('list_catalog_items', { limit: 100 })
    expect(data.slice(-4).map(({ name }) => name)).toEqual(['Laksa', 'Pho', 'Ramen', 'Udon'])
  })

  test('behind the last place there is no other', async () => {
    const last = 1_000_000
    await world.ok('create_catalog_item', makeItem({ sort_order: last, category_sort: last }))
    const item = await world.ok('create_catalog_item', makeItem({ name: 'Pho' }))
    expect(item.sort_order).toBe(last)
    const other = await world.ok('create_catalog_item', makeItem({ category: 'Other' }))
    expect(other.category.sort_order).toBe(last)
  })

  test('why it is off sale is kept only while it is', async () => {
    const item = await world.ok('create_catalog_item', makeItem({ unavailable_reason: 'sold_out' }))
    expect(item.availability).toEqual({ available: true, until: null, reason: null })
  })

  test('a category is meant by its id, or by its name however it is written', async () => {
    const { category } = await world.ok('create_catalog_item', makeItem({ category: 'Crème brûlée' }))
    for (const [index, given] of [category.category_id, 'CREME  BRULEE', ' creme brulee '].entries()) {
      const item = await world.ok('create_catalog_item', makeItem({ name: `No. ${index}`, category: given }))
      expect(item.category).toEqual(category)
    }
    const other = 'cat_01m7vkystgef38d6j5p56t9yfw'
    const refused = await world.refused('create_catalog_item', makeItem({ category: other }))
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(refused.errors.map(({ pointer }) => pointer)).toEqual(['/category'])
  })

  test('an item that is there already is rejected, with its id', async () => {
    const item = await world.ok('create_catalog_item', makeItem({ external_ref: 'A' }))
    const sameRef = makeItem({ name: 'Other', category: 'Other', external_ref: ' A ' })
    const sameName = makeItem({ name: 'LAKSA ', category: 'soups', external_ref: 'B' })
    for (const again of [sameRef, sameName]) {
      expect(await world.refused('create_catalog_item', again)).toMatchObject({
        status: 409,
        code: 'duplicate_item',
        existing_item_id: item.item_id,
      })
    }
    const coded = await world.ok('create_catalog_item', makeItem({ name: 'Coded', barcode: '5012345678900' }))
    for (const ref of [{}, { external_ref: 'C' }]) {
      const sameCode = makeItem({ name: 'Twin', category: 'Other', barcode: '5012345678900', ...ref })
      expect(await world.refused('create_catalog_item', sameCode)).toMatchObject({
        status: 409,
        code: 'duplicate_item',
        detail: `The barcode 5012345678900 is already used by item ${coded.item_id}.`,
        existing_item_id: coded.item_id,
      })
    }
    // A rejected item leaves no category either.
    expect((await world.ok('list_catalog_items', { category: 'Other' })).data).toEqual([])
    await world.ok('create_catalog_item', makeItem({ category: 'Starters' }))
  })

  test('the reference and the name of a deleted item can be used again; its id is not', async () => {
    const body = makeItem({ external_ref: 'A' })
    const first = await world.ok('create_catalog_item', body)
    await world.ok('delete_catalog_item', { item_id: first.item_id })
    const second = await world.ok('create_catalog_item', body)
    expect(second.item_id).not.toBe(first.item_id)
  })

  test('items with different references may share a barcode, and a deleted one has none', async () => {
    const code = { barcode: '5012345678900' }
    const first = await world.ok('create_catalog_item', makeItem({ name: 'Can', external_ref: 'A', ...code }))
    await world.ok('create_catalog_item', makeItem({ name: 'Case', external_ref: 'B', ...code }))
    await world.ok('delete_catalog_item', { item_id: first.item_id })
    const bare = await world.refused('create_catalog_item', makeItem({ name: 'Tin', ...code }))
    expect(bare.code).toBe('duplicate_item')
    await world.ok('create_catalog_item', makeItem({ name: 'Tin', external_ref: 'C', ...code }))
  })

  test('another store may have the same item', async () => {
    const body = makeItem({ external_ref: 'A', barcode: '5012345678900' })
    const mine = await world.ok('create_catalog_item', body)
    const theirs = await world.ok('create_catalog_item', body, { as: 'owner' })
    expect(theirs.merchant_id).not.toBe(mine.merchant_id)
    expect(theirs.category.category_id).not.toBe(mine.category.category_id)
  })

  test.each([
    [{ price: gbp(1_000_001) }, 400, 'invalid_request', '/price/amount'],
    [{ price: { amount: 1, currency: 'EUR' } }, 422, 'currency_mismatch', '/price/currency'],
    [{ cost: { amount: 1, currency: 'EUR' } }, 422, 'currency_mismatch', '/cost/currency'],
    [{ barcode: '5012345678901' }, 422, 'invalid_barcode', '/barcode'],
    [
      { modifier_groups: [makeGroup(['A', 'B'], { min_selections: 2 })] },
      422,
      'invalid_modifier_group',
      '/modifier_groups/0',
    ],
    [
      { modifier_groups: [makeGroup(['A'], { modifier_group_id: 'mgr_other' })] },
      422,
      'invalid_modifier_group',
      '/modifier_groups/0/modifier_group_id',
    ],
    [
      { available: true, unavailable_until: '2026-11-21T00:00:00Z' },
      400,
      'invalid_request',
      '/unavailable_until',
    ],
    [{ name: '   ' }, 400, 'invalid_request', '/name'],
    [{ version: 1 }, 400, 'invalid_request', '/version'],
    [
      { modifier_groups: Array.from({ length: 21 }, () => makeGroup(['A'])) },
      400,
      'invalid_request',
      '/modifier_groups',
    ],
  ])('%j is refused, and nothing is kept of it', async (over, status, code, pointer) => {
    const refused = await world.refused('create_catalog_item', makeItem(over))
    expect(refused).toMatchObject({ status, code })
    expect(refused.errors.map((error) => error.pointer)).toEqual([pointer])
    expect((await world.ok('list_catalog_items', { q: 'laksa' })).data).toEqual([])
  })

  test('an owner of several stores must name one, and the error lists their names', async () => {
    const refused = await world.refused('create_catalog_item', makeItem(), { as: 'chain' })
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(refused.errors).toMatchObject([{ pointer: '/merchant_id', code: 'required' }])
    const stores = refused.detail.match(/mer_\w+/g) ?? []
    expect(stores).toHaveLength(2)
    for (const merchant_id of stores) {
      const item = await world.ok('create_catalog_item', makeItem({ merchant_id }), { as: 'chain' })
      expect(item.merchant_id).toBe(merchant_id)
    }
    const [merchant_id] = stores
    expect(await world.refused('create_catalog_item', makeItem({ merchant_id }))).toMatchObject({
      status: 404,
      code: 'merchant_not_found',
    })
  })

  test('two that make one category at once put both items in it', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `Dish ${index}`)
    const items = await Promise.all(
      names.map((name) => world.ok('create_catalog_item', makeItem({ name, category: 'New' }))),
    )
    expect(new Set(items.map(({ category }) => category.category_id)).size).toBe(1)
    expect(items.map(({ sort_order }) => sort_order).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ])
  })

  test('of many that make one item at once, one does', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.call('create_catalog_item', makeItem())),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array(7).fill(409),
    ])
  })
})
