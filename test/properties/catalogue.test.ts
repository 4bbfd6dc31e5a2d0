/**
 * Imports keep existing items
 * (docs/rules/food-and-stores.md#an-import-never-changes-an-item), and menus are the catalogue without private fields
 * (docs/rules/food-and-stores.md#the-menu-is-derived-from-the-catalogue).
 */
import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { iterations } from '../support/battery.ts'
import { checkInvariants } from '../support/invariants.ts'
import { catalogueOf, makeGroup, makeItem, readStoreId } from '../support/items.ts'
import { gbp } from '../support/money.ts'
import { fc } from '../support/properties.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const NAMES = ['Laksa', 'LAKSA', ' Pho', 'Crème', 'Creme', 'Ramen', 'Udon', 'Soba']
const CATEGORIES = ['Soups', 'soups ', 'Noodles', 'Crème']
const REFS = ['R1', 'R2', 'R3']
const BARCODES = ['5012345678900', '4006381333931', '96385074']

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

/** Rows that duplicate each other in every way, some of them invalid. */
const rows = fc.array(
  fc.record({
    name: fc.constantFrom<string | undefined>(...NAMES, undefined),
    category: fc.constantFrom<string | undefined>(...CATEGORIES, '', undefined),
    price: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 5000 }).map(gbp) },
      fc.constantFrom({ amount: 1, currency: 'EUR' }, gbp(1_000_001), gbp(-1)),
    ),
    external_ref: optional(fc.constantFrom(...REFS)),
    barcode: optional(fc.constantFrom(...BARCODES, '123')),
    available: optional(fc.boolean()),
    modifier_groups: optional(fc.constantFrom([makeGroup(['A', 'B'])], [makeGroup(['A', 'a'])])),
  }),
  { minLength: 1, maxLength: 25 },
)

describe.each(ENGINES)('on $name', (engine) => {
  test('an import answers every row and alters nothing that was there; a second one creates nothing', async () => {
    const world = await openTestSandbox({ engine })
    const seen = new Set<string>()
    let runs = 0
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (drawn, defaults) => {
        // Some names exist since a few runs ago, others are new.
        const mark = Math.floor(++runs / 3)
        const items = drawn.map(({ name, external_ref: ref, ...row }) => ({
          ...row,
          name: name && `${name} ${mark}`,
          external_ref: ref && `${ref}-${mark}`,
        }))
        const input = { items, ...(defaults && { default_category: 'Specials' }) }
        const before = await catalogueOf(world)
        const { counts, results } = await world.ok('import_catalog_items', input)
        expect(results.map(({ row }) => row)).toEqual(items.map((_, index) => index + 1))
        expect(counts.created + counts.duplicate + counts.rejected).toBe(counts.total)
        expect(counts.total).toBe(items.length)
        const after = await catalogueOf(world)
        // The store's own row counts the change of the menu.
        for (const table of ['categories', 'catalog_items']) {
          expect(after[table]).toEqual(expect.arrayContaining(before[table] ?? []))
        }
        expect(after['catalog_items']).toHaveLength((before['catalog_items'] ?? []).length + counts.created)
        expect(after['categories']).toHaveLength(
          (before['categories'] ?? []).length + counts.categories_created,
        )
        for (const { result, item_id, reason } of results) {
          expect(item_id === undefined).toBe(result === 'rejected')
          seen.add(reason?.code ?? result)
        }
        const again = await world.ok('import_catalog_items', input)
        expect(again.counts).toMatchObject({ created: 0, rejected: counts.rejected, categories_created: 0 })
        expect(await catalogueOf(world)).toEqual(after)
      }),
      { numRuns: iterations(25, 60) },
    )
    expect(await checkInvariants(world.db)).toEqual([])
    // Every possible result of a row occurred.
    expect([...seen].toSorted()).toEqual([
      'already_exists',
      'created',
      'duplicate_in_file',
      'invalid_barcode',
      'invalid_modifier_group',
      'invalid_price',
      'invalid_row',
      'missing_category',
    ])
  })

  test('at every instant the menu is what the catalogue says', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ do: fc.constant('create' as const), row: fc.nat(40) }),
        fc.record({ do: fc.constant('update' as const), at: fc.nat(), price: fc.nat(900) }),
        fc.record({ do: fc.constant('move' as const), at: fc.nat(), to: fc.constantFrom(...CATEGORIES) }),
        fc.record({ do: fc.constant('off' as const), at: fc.nat(), seconds: optional(fc.nat(600)) }),
        fc.record({ do: fc.constant('on' as const), at: fc.nat() }),
        fc.record({ do: fc.constant('choice' as const), at: fc.nat(), available: fc.boolean() }),
        fc.record({ do: fc.constant('delete' as const), at: fc.nat() }),
        fc.record({ do: fc.constant('import' as const), from: fc.nat(40) }),
        fc.record({ do: fc.constant('wait' as const), seconds: fc.nat(600) }),
      ),
      { minLength: 5, maxLength: 25 },
    )
    const world = await openTestSandbox({ engine })
    const merchant_id = await readStoreId(world)
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        let last = await menuOf(world, merchant_id)
        for (const step of taken) {
          await runCatalogueStep(world, step)
          const menu = await menuOf(world, merchant_id)
          expect(menu.categories).toEqual(await project(world))
          const shown = await world.ok('get_restaurant_menu', { merchant_id, available_only: true })
          expect(shown.categories).toEqual(
            menu.categories
              .map((section) => ({ ...section, items: section.items.filter(({ available }) => available) }))
              .filter(({ items }) => items.length > 0),
          )
          const grown = menu.menu_version - last.menu_version
          // Time alone changes no version, and one call changes it at most once.
          expect(grown).toBeGreaterThanOrEqual(0)
          expect(grown).toBeLessThanOrEqual(step.do === 'wait' ? 0 : 1)
          const changed = JSON.stringify(menu.categories) !== JSON.stringify(last.categories)
          const due = changed && step.do !== 'wait' ? 1 : 0
          expect({ step, grown }).toEqual({ step, grown: expect.toSatisfy((count: number) => count >= due) })
          last = menu
        }
      }),
      { numRuns: iterations(5, 12) },
    )
    expect(await checkInvariants(world.db)).toEqual([])
  })
})

type Step =
  | { do: 'create'; row: number }
  | { do: 'update'; at: number; price: number }
  | { do: 'move'; at: number; to: string }
  | { do: 'off'; at: number; seconds: number | undefined }
  | { do: 'on'; at: number }
  | { do: 'choice'; at: number; available: boolean }
  | { do: 'delete'; at: number }
  | { do: 'import'; from: number }
  | { do: 'wait'; seconds: number }

/** Makes one call, which may be rejected. */
async function runCatalogueStep(world: TestSandbox, step: Step): Promise<void> {
  if (step.do === 'wait') {
    await world.advance(step.seconds * 1000)
    return
  }
  if (step.do === 'create') {
    await world.call('create_catalog_item', makeItem({ name: `Dish ${step.row}` }))
    return
  }
  if (step.do === 'import') {
    const items = [0, 1, 2].map((index) =>
      makeItem({ name: `Dish ${step.from + index}`, category: CATEGORIES[index], sort_order: step.from % 5 }),
    )
    await world.call('import_catalog_items', { items })
    return
  }
  const { data } = await world.ok('list_catalog_items', { limit: 100 })
  const { item_id } = data[step.at % data.length] ?? {}
  switch (step.do) {
    case 'update':
      await world.call('update_catalog_item', { item_id, price: gbp(step.price) })
      return
    case 'move':
      await world.call('update_catalog_item', { item_id, category: step.to })
      return
    case 'off': {
      const until = step.seconds && new Date((await world.now()) + step.seconds * 1000).toISOString()
      await world.call('set_catalog_item_availability', {
        item_id,
        available: false,
        ...(until && { until }),
      })
      return
    }
    case 'on':
      await world.call('set_catalog_item_availability', { item_id, available: true })
      return
    case 'choice': {
      const modifiers = [{ name: 'Only', available: step.available }]
      const modifier_groups = [{ name: 'Choice', min_selections: 1, modifiers }]
      await world.call('update_catalog_item', { item_id, modifier_groups })
      return
    }
    case 'delete':
      await world.call('delete_catalog_item', { item_id })
  }
}

function menuOf(world: TestSandbox, merchant_id: string) {
  return world.ok('get_restaurant_menu', { merchant_id })
}

/** Returns the menu computed from the store's view of its items, page by page. */
async function project(world: TestSandbox) {
  const now = await world.now()
  const sections = new Map<
    string,
    { category_id: string; name: string; sort_order: number; items: object[] }
  >()
  for (let cursor: string | undefined; ;) {
    const page = await world.ok('list_catalog_items', { limit: 40, ...(cursor !== undefined && { cursor }) })
    for (const item of page.data) {
      const { category, availability } = item
      const section = sections.get(category.category_id) ?? { ...category, items: [] }
      sections.set(category.category_id, section)
      section.items.push({
        item_id: item.item_id,
        name: item.name,
        description: item.description,
        price: item.price,
        available: item.effective_available,
        unavailable_until:
          availability.until === null || Date.parse(availability.until) <= now ? null : availability.until,
        image_url: item.image_url,
        dietary_tags: item.dietary_tags,
        allergens: item.allergens,
        modifier_groups: item.modifier_groups,
      })
    }
    if (page.next_cursor === null) return [...sections.values()]
    cursor = page.next_cursor
  }
}

/** The store's private fields, with values that occur nowhere else. */
const SECRETS = {
  sku: 'SECRET-SKU',
  external_ref: 'SECRET-REF',
  barcode: '5012345678900',
  cost: gbp(777_771),
  stock: 987_654_321,
  supplier_id: 'SECRET-SUPPLIER',
}
const TOLD = ['SECRET', '5012345678900', '777771', '987654321']
const PRIVATE = [...Object.keys(SECRETS), 'version', 'choosable', 'seq', 'deleted_at']

describe.each(ENGINES)('P12 on $name', (engine) => {
  test('no answer to a customer holds what is the store’s own, at any depth', async () => {
    const world = await openTestSandbox({ engine })
    const merchant_id = await readStoreId(world)
    const { item_id, modifier_groups } = await world.ok(
      'create_catalog_item',
      makeItem({
        ...SECRETS,
        tax_rate_bps: 2000,
        price: gbp(2500),
        modifier_groups: [makeGroup(['A', 'B'])],
      }),
    )
    // The store itself sees these values, so the search below can find them.
    const own = await world.call('list_catalog_items', { q: 'laksa' })
    for (const secret of TOLD) expect(own.text).toContain(secret)
    expect(findMembers(own.body, PRIVATE)).not.toEqual([])

    const modifiers = [{ modifier_id: modifier_groups[0]?.modifiers[0]?.modifier_id }]
    const basket = { merchant_id, fulfillment_type: 'pickup', items: [{ item_id, quantity: 1, modifiers }] }
    const ids: Record<string, unknown> = {}
    const calls: readonly (readonly [string, () => Record<string, unknown>])[] = [
      ['search_restaurants', () => ({ latitude: 51.5129, longitude: -0.0823, radius_m: 20_000, limit: 100 })],
      ['get_restaurant_menu', () => ({ merchant_id })],
      ['quote_food_order', () => basket],
      [
        'place_food_order',
        () => ({ quote_id: ids['quote_id'], payment: { method: 'card', payment_token: 'tok_ok' } }),
      ],
      ['get_food_order', () => ({ order_id: ids['order_id'] })],
      ['list_food_orders', () => ({})],
      ['cancel_food_order', () => ({ order_id: ids['order_id'] })],
    ]
    const food = Object.keys(OPERATIONS).filter((name) => /food|restaurant/.test(name))
    expect(food.filter((name) => !calls.some(([called]) => called === name))).toEqual([])
    await world.advanceTo('2026-11-20T13:00:00Z')
    for (const [name, input] of calls.filter(([called]) => food.includes(called))) {
      const { status, text, body } = await world.call(name, input(), { as: 'member', key: 'k' })
      expect(status, `${name}: ${text}`).toBeLessThan(300)
      Object.assign(ids, body)
      expect(text, name).toContain(merchant_id)
      expect(
        TOLD.filter((secret) => text.includes(secret)),
        name,
      ).toEqual([])
      // An order says the tax of its lines, a menu does not.
      const own = /restaurant/.test(name) ? [...PRIVATE, 'tax_rate_bps'] : PRIVATE
      expect(findMembers(body, own), name).toEqual([])
    }
  })
})

/** Returns the paths of fields with these names, at any depth. */
function findMembers(value: unknown, names: readonly string[], at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...(names.includes(name) ? [`${at}/${name}`] : []),
    ...findMembers(member, names, `${at}/${name}`),
  ])
}
