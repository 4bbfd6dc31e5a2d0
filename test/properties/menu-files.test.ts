/** A menu that is exported and imported into an empty store stays the same: in CSV and JSON, on both engines. */
import { describe, expect, test } from 'vitest'
import { UNAVAILABLE_REASONS } from '../../src/areas/catalog/rules/catalog.ts'
import { gtinCheckDigit } from '../../src/areas/catalog/rules/gtin.ts'
import type { CatalogItem } from '../../src/client/list-store-items.ts'
import type { MenuFile } from '../../src/commands/business/menu/draft.ts'
import { serializeMenuCsv, serializeMenuJson } from '../../src/commands/business/menu/export.ts'
import { checkJsonItems, readJsonItems } from '../../src/commands/business/menu/json-menu.ts'
import { hiddenIn } from '../../src/core/hidden.ts'
import { readTable } from '../../src/tabular/csv/read.ts'
import { iterations } from '../support/battery.ts'
import { callTestControl } from '../support/control.ts'
import { draftsOf, readMenu } from '../support/menus.ts'
import { gbp } from '../support/money.ts'
import { fc } from '../support/properties.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

/** Texts that could break spreadsheets, CSV, the notation of modifiers or terminals. */
const NASTY = [
  '=HYPERLINK("http://x")',
  '+44',
  '-5',
  '@cmd',
  "'=quoted",
  "''+twice",
  '＝wide',
  'a,b;c|d\te',
  'say "cheese"',
  'two\nlines',
  'two\r\nlines',
  'cr\rx',
  'a\n=b',
  'a,-b',
  'Size[1-1]: *a=1 | b',
  '\\',
  'C:\\x\\',
  'two  spaces',
  'Crème brûlée',
  'ラーメン',
  '🍜🌶️',
  'مرحبا',
  'می\u200cخواهم',
  '1,234',
  '007',
  'NULL',
  '*',
  'yes',
]

const fits = (text: string): boolean =>
  text.trim() !== '' && !/\0|\p{Surrogate}/u.test(text) && hiddenIn(text) === undefined

const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter(fits),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).filter(fits),
)

const amount = fc.integer({ min: 0, max: 1_000_000 }).map(gbp)
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const barcode = fc
  .integer({ min: 0, max: 999_999_999_999 })
  .map((digits) => String(digits).padStart(12, '0'))
  .map((digits) => `${digits}${gtinCheckDigit(digits)}`)

const modifier = fc.record({
  name: text,
  price_delta: amount,
  available: fc.boolean(),
  is_default: fc.boolean(),
})

/** A group whose limits fit its modifiers. */
const group = fc
  .record({
    name: text,
    min_selections: fc.integer({ min: 0, max: 50 }),
    max_selections: fc.option(fc.integer({ min: 1, max: 50 }), { nil: null }),
    allow_repeats: fc.boolean(),
    modifiers: fc.array(modifier, { minLength: 1, maxLength: 4 }),
  })
  .map(({ min_selections: min, max_selections: max, ...rest }) => {
    const modifiers = rest.modifiers.map((each, index) => ({ ...each, name: `${each.name} ${index}` }))
    const most = max === null || rest.allow_repeats ? max : Math.min(max, modifiers.length)
    const least = Math.min(min, most ?? 50, rest.allow_repeats ? 50 : modifiers.length)
    const defaults = most ?? modifiers.length
    return {
      ...rest,
      min_selections: least,
      max_selections: most,
      modifiers: modifiers.map((each, index) => ({
        ...each,
        is_default: each.is_default && index < defaults,
      })),
    }
  })

const item = fc
  .record({
    name: text,
    category: fc.oneof(text, fc.constantFrom('Soups', 'soups', 'Noodles')),
    price: amount,
    description: optional(text),
    modifier_groups: optional(fc.array(group, { maxLength: 3 })),
    available: optional(fc.boolean()),
    unavailable_until: optional(fc.constantFrom('2026-11-20T10:00:00.123Z', '2030-01-01T00:00:00+01:00')),
    unavailable_reason: optional(fc.constantFrom(...UNAVAILABLE_REASONS)),
    dietary_tags: optional(fc.array(text, { maxLength: 4 })),
    allergens: optional(fc.array(text, { maxLength: 4 })),
    image_url: optional(text.map((path) => `https://cdn.example.com/${path}`)),
    sku: optional(text),
    external_ref: optional(text),
    barcode: optional(barcode),
    cost: optional(amount),
    stock: optional(fc.integer({ min: 0, max: 1_000_000_000 })),
    supplier_id: optional(text),
    tax_rate_bps: optional(fc.integer({ min: 0, max: 10_000 })),
    sort_order: optional(fc.integer({ min: 0, max: 1_000_000 })),
    category_sort: optional(fc.integer({ min: 0, max: 1_000_000 })),
  })
  .map(({ unavailable_until, modifier_groups, ...rest }) => ({
    ...rest,
    ...(rest.available === false && { unavailable_until }),
    modifier_groups: modifier_groups?.map((each, index) => ({ ...each, name: `${each.name} ${index}` })),
  }))

/** Items that do not duplicate each other. */
const menu = fc.array(item, { minLength: 1, maxLength: 8 }).map((items) =>
  items.map((each, index) => ({
    ...each,
    name: `${each.name} ${index}`,
    external_ref: each.external_ref && `${each.external_ref} ${index}`,
    barcode:
      items.findIndex(({ barcode: other }) => other === each.barcode) === index ? each.barcode : undefined,
  })),
)

const FORMULA = /^[=+\-@\t\r＝＋－＠]/

describe.each(ENGINES)('on $name', (engine) => {
  test('an exported menu makes the same menu in an empty store', async () => {
    const world = await openTestSandbox({ engine })
    let stores = 0
    const open = async (): Promise<string> => {
      const handle = `store-${++stores}`
      await callTestControl(world, 'add_account', { handle, business: true })
      return handle
    }
    await fc.assert(
      fc.asyncProperty(menu, async (items) => {
        const origin = await open()
        const { results } = await world.ok('import_catalog_items', { items }, { as: origin })
        expect(results.filter(({ result }) => result !== 'created')).toEqual([])
        const listed = await catalogueOf(world, origin)
        const csv = serializeMenuCsv(listed)
        for (const { cells } of readTable(csv).rows)
          for (const cell of cells) expect(cell).not.toMatch(FORMULA)
        for (const file of [
          readMenu(csv),
          await checkJsonItems(
            readJsonItems(serializeMenuJson(listed)),
            { assumed: 'GBP', store: undefined },
            undefined,
          ),
        ]) {
          const copy = await open()
          await importInto(world, copy, file)
          expect(same(await catalogueOf(world, copy))).toEqual(same(listed))
        }
      }),
      { numRuns: engine.name === 'SQLite' ? iterations(50, 120) : iterations(10, 40) },
    )
    expect(stores).toBeGreaterThan(20)
  })
})

async function importInto(world: TestSandbox, as: string, file: MenuFile): Promise<void> {
  const { counts } = await world.ok('import_catalog_items', { items: draftsOf(file) }, { as })
  expect(counts).toMatchObject({ created: file.rows.length, rejected: 0, duplicate: 0 })
}

async function catalogueOf(world: TestSandbox, as: string): Promise<CatalogItem[]> {
  const { data } = await world.ok('list_catalog_items', { limit: 100 }, { as })
  return data
}

/** Returns the items without ids and versions; equal positions are sorted by name. */
function same(items: readonly CatalogItem[]): unknown[] {
  const plain = JSON.parse(
    JSON.stringify(items, (name, value: unknown) =>
      /_id$|^version$|_at$/.test(name) && name !== 'supplier_id' ? undefined : value,
    ),
  ) as CatalogItem[]
  return plain.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
