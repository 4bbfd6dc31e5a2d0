import { beforeEach, describe, expect, test } from 'vitest'
import { listRecordedEvents } from '../../../src/db/events.ts'
import { catalogueOf, makeGroup, makeItem, makeItems } from '../../support/items.ts'
import { gbp } from '../../support/money.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const BARCODE = '5012345678900'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  test('every row is answered in order: created, duplicate or rejected with the reason', async () => {
    const byRef = await world.ok('create_catalog_item', makeItem({ name: 'A', external_ref: 'R1' }))
    const byCode = await world.ok('create_catalog_item', makeItem({ name: 'B', barcode: BARCODE }))
    const byName = await world.ok('create_catalog_item', makeItem({ name: 'C' }))
    const { import_id, counts, categories, results } = await world.ok('import_catalog_items', {
      items: [
        makeItem({ name: ' D ', category: 'New' }),
        makeItem({ name: 'd', category: 'NEW', price: gbp(1) }),
        makeItem({ name: 'E', category: 'Newer', external_ref: 'R1' }),
        makeItem({ name: 'F', category: 'Newer', barcode: BARCODE }),
        makeItem({ name: 'c', category: 'soups', external_ref: 'R9' }),
        makeItem({ name: 'G', category: undefined }),
        makeItem({ name: 'H', category: '  ' }),
        makeItem({ name: 'I', price: gbp(1_000_001) }),
        makeItem({ name: 'J', price: { amount: 1.5, currency: 'GBP' } }),
        makeItem({ name: 'K', price: { amount: 1, currency: 'EUR' } }),
        makeItem({ name: 'L', barcode: '123' }),
        makeItem({ name: 'M', modifier_groups: [makeGroup(['A', 'a'])] }),
        makeItem({ name: 'N', modifier_groups: [{ name: 'x' }] }),
        makeItem({ name: undefined }),
        makeItem({ name: 'O', price: undefined, barcode: 7 }),
        makeItem({ name: 'P', colour: 'red' }),
        makeItem({ name: 'Q', category: 'cat_01m7vkystgef38d6j5p56t9yfw' }),
        makeItem({ name: 'R', category: byRef.category.category_id }),
        makeItem({ name: 'I' }),
        makeItem({ name: 'S', merchant_id: 'mer_other' }),
      ],
    })
    expect(import_id).toMatch(/^imp_/)
    expect(counts).toEqual({ total: 20, created: 3, duplicate: 4, rejected: 13, categories_created: 1 })
    expect(categories).toEqual([
      { category_id: expect.stringMatching(/^cat_/), name: 'New', created: true },
      { category_id: byRef.category.category_id, name: 'Soups', created: false },
    ])
    expect(results.map(({ row }) => row)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(results.map(({ name, result, reason }) => [name, result, reason?.code])).toEqual([
      ['D', 'created', undefined],
      ['d', 'duplicate', 'duplicate_in_file'],
      ['E', 'duplicate', 'already_exists'],
      ['F', 'duplicate', 'already_exists'],
      ['c', 'duplicate', 'already_exists'],
      ['G', 'rejected', 'missing_category'],
      ['H', 'rejected', 'missing_category'],
      ['I', 'rejected', 'invalid_price'],
      ['J', 'rejected', 'invalid_price'],
      ['K', 'rejected', 'invalid_price'],
      ['L', 'rejected', 'invalid_barcode'],
      ['M', 'rejected', 'invalid_modifier_group'],
      ['N', 'rejected', 'invalid_modifier_group'],
      [null, 'rejected', 'invalid_row'],
      ['O', 'rejected', 'invalid_row'],
      ['P', 'rejected', 'invalid_row'],
      ['Q', 'rejected', 'invalid_row'],
      ['R', 'created', undefined],
      // The first I was rejected, so this row does not repeat it.
      ['I', 'created', undefined],
      ['S', 'rejected', 'invalid_row'],
    ])
    const [first, second, third, fourth, fifth] = results
    expect(second).toMatchObject({ item_id: first?.item_id, reason: { duplicate_of_row: 1 } })
    expect([third, fourth, fifth].map((result) => result?.item_id)).toEqual([
      byRef.item_id,
      byCode.item_id,
      byName.item_id,
    ])
    expect(results[11]?.reason?.errors).toMatchObject([
      { pointer: '/modifier_groups/0/modifiers/1/name', code: 'mutually_exclusive' },
    ])
    expect(results[14]?.reason?.errors?.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/barcode',
      '/price',
    ])
    expect(results.flatMap(({ result, item_id }) => (result === 'rejected' ? [item_id] : []))).toEqual(
      Array(13).fill(undefined),
    )
    const created = results.filter(({ result }) => result === 'created').map(({ item_id }) => item_id)
    const { data } = await world.ok('list_catalog_items', { limit: 100 })
    expect(data.map(({ item_id }) => item_id)).toEqual(expect.arrayContaining(created))
    expect(data.filter(({ category }) => category.name === 'Newer')).toEqual([])
    // The section of a created row, in the row's own order of arrival.
    expect(data.filter(({ category }) => category.name === 'Soups').map(({ name }) => name)).toEqual([
      'A',
      'B',
      'C',
      'R',
      'I',
    ])
  })

  test('a rejected row keeps its external_ref: no later row becomes that item', async () => {
    const { results } = await world.ok('import_catalog_items', {
      items: [
        makeItem({ name: 'Pie', external_ref: 'P-1', price: { amount: 1.5, currency: 'GBP' } }),
        makeItem({ name: 'Soup', external_ref: 'P-1' }),
        makeItem({ name: 'Stew', external_ref: 'P-2' }),
      ],
    })
    expect(results.map(({ result, reason }) => [result, reason?.code, reason?.errors?.[0]?.pointer])).toEqual(
      [
        ['rejected', 'invalid_price', '/price/amount'],
        ['rejected', 'invalid_row', '/external_ref'],
        ['created', undefined, undefined],
      ],
    )
    expect(results[1]?.reason?.detail).toBe('Row 1 has the same external_ref, and is rejected.')
  })

  test('two ids of the store are two items, though they share a barcode', async () => {
    await world.ok('create_catalog_item', makeItem({ name: 'Cola', external_ref: 'R1', barcode: BARCODE }))
    const { counts } = await world.ok('import_catalog_items', {
      items: [
        makeItem({ name: 'Cola in a meal', external_ref: 'R2', barcode: BARCODE }),
        makeItem({ name: 'Cola for two', barcode: BARCODE }),
      ],
    })
    expect(counts).toMatchObject({ created: 1, duplicate: 1 })
  })

  test('the import’s defaults fill the gaps of its rows', async () => {
    const { results, categories } = await world.ok('import_catalog_items', {
      default_category: 'Specials',
      default_currency: 'GBP',
      items: [
        makeItem({ name: 'A', category: '', price: { amount: 5 }, cost: { amount: 2 } }),
        makeItem({
          name: 'B',
          modifier_groups: [{ name: 'X', modifiers: [{ name: 'Y', price_delta: { amount: 3 } }] }],
        }),
        makeItem({ name: 'C', price: { amount: 1, currency: 'EUR' } }),
      ],
    })
    expect(results.map(({ result, reason }) => reason?.code ?? result)).toEqual([
      'created',
      'created',
      'invalid_price',
    ])
    expect(categories.map(({ name }) => name)).toEqual(['Specials', 'Soups'])
    const { data } = await world.ok('list_catalog_items', { category: 'Specials' })
    expect(data).toMatchObject([{ name: 'A', price: gbp(5), cost: gbp(2) }])
  })

  test('a second import of the same rows creates nothing and changes no byte', async () => {
    const items = makeItems(60)
    const first = await world.ok('import_catalog_items', { items })
    expect(first.counts).toMatchObject({ total: 60, created: 60, categories_created: 9 })
    const before = await catalogueOf(world)
    await world.advance(60_000)
    const dearer = items.map((item) => ({ ...item, price: gbp(9999), description: 'New' }))
    const second = await world.ok('import_catalog_items', { items: dearer })
    expect(second.counts).toEqual({
      total: 60,
      created: 0,
      duplicate: 60,
      rejected: 0,
      categories_created: 0,
    })
    expect(second.categories).toEqual([])
    expect(second.results.map(({ item_id }) => item_id)).toEqual(first.results.map(({ item_id }) => item_id))
    expect(await catalogueOf(world)).toEqual(before)
    expect(second.import_id).not.toBe(first.import_id)
  })

  test('the menu changes once for all rows, and every item has its event', async () => {
    const { merchant_id } = await world.ok('create_catalog_item', makeItem())
    const { menu_version } = await world.ok('get_restaurant_menu', { merchant_id })
    const { results } = await world.ok('import_catalog_items', { items: makeItems(30) })
    expect((await world.ok('get_restaurant_menu', { merchant_id })).menu_version).toBe(menu_version + 1)
    const events = await world.db.read((tx) => listRecordedEvents(tx, 0, 1000))
    const told = events.filter(({ type }) => type === 'catalog_item.created').slice(-30)
    expect(told.map(({ resource_id }) => resource_id)).toEqual(results.map(({ item_id }) => item_id))
  })

  test('500 rows are taken, 501 are not', async () => {
    const { counts } = await world.ok('import_catalog_items', { items: makeItems(500) })
    expect(counts).toMatchObject({ total: 500, created: 500 })
    const before = await catalogueOf(world)
    expect(await world.refused('import_catalog_items', { items: makeItems(501, 'More') })).toMatchObject({
      status: 422,
      code: 'manifest_too_large',
      limit: 500,
    })
    expect(await catalogueOf(world)).toEqual(before)
  })

  test('the same key gives the same answer and creates nothing more', async () => {
    const input = { items: makeItems(5) }
    const first = await world.call('import_catalog_items', input, { key: 'k' })
    const again = await world.call('import_catalog_items', input, { key: 'k' })
    expect(again.text).toBe(first.text)
    expect(again.headers['Idempotent-Replayed']).toBe('true')
  })

  test('of two that import the same rows at once, one creates them', async () => {
    const items = makeItems(40)
    const answers = await Promise.all([1, 2, 3].map(() => world.ok('import_catalog_items', { items })))
    expect(answers.map(({ counts }) => counts.created).toSorted((a, b) => a - b)).toEqual([0, 0, 40])
    expect((await world.ok('list_catalog_items', { q: 'dish', limit: 100 })).data).toHaveLength(40)
  })

  test('who runs several stores says which', async () => {
    const input = { items: makeItems(2) }
    const refused = await world.refused('import_catalog_items', input, { as: 'chain' })
    expect(refused.errors).toMatchObject([{ pointer: '/merchant_id', code: 'required' }])
    const [merchant_id] = refused.detail.match(/mer_\w+/) ?? []
    const { counts } = await world.ok('import_catalog_items', { ...input, merchant_id }, { as: 'chain' })
    expect(counts.created).toBe(2)
  })

  test('an import without rows is rejected', async () => {
    expect((await world.refused('import_catalog_items', { items: [] })).code).toBe('invalid_request')
  })
})
