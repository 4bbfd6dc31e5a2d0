import { gbp } from './money.ts'
import type { TestSandbox } from './world.ts'

/** Returns a valid body of `create_catalog_item`; `over` adds and replaces fields. */
export function makeItem(over: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'Laksa', category: 'Soups', price: gbp(1250), ...over }
}

/** Returns a required group of modifiers with these names, of which one must be chosen. */
export function makeGroup(names: readonly string[], over: Record<string, unknown> = {}) {
  return {
    name: 'Size',
    min_selections: 1,
    max_selections: 1,
    modifiers: names.map((name) => ({ name })),
    ...over,
  }
}

/** Returns rows of an import with different names and references. */
export function makeItems(count: number, mark = 'Dish'): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) =>
    makeItem({
      name: `${mark} ${index + 1}`,
      category: `Section ${index % 9}`,
      price: gbp(100 + index),
      external_ref: `${mark}-${index + 1}`,
      modifier_groups: [makeGroup(['Small', 'Large'])],
    }),
  )
}

/** Returns the only store of an account. */
export async function readStoreId(world: TestSandbox, as = 'everything'): Promise<string> {
  const { data } = await world.ok('list_catalog_items', { limit: 1 }, { as })
  const [item] = data
  if (item === undefined) throw new Error(`the store of ${as} sells nothing`)
  return item.merchant_id
}

/** Returns every row of the catalogue's tables, as text, by table. */
export async function catalogueOf({ db }: Pick<TestSandbox, 'db'>): Promise<Record<string, string[]>> {
  return db.read(async (tx) => {
    const rows = async (sql: string) => (await tx.all(sql)).map((row) => JSON.stringify(row))
    return {
      merchants: await rows('select * from merchants order by merchant_id'),
      categories: await rows('select * from categories order by category_id'),
      catalog_items: await rows('select * from catalog_items order by item_id'),
    }
  })
}
