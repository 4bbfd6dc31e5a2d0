import { hasChoices, type UnavailableReason } from '../domain/catalog.ts'
import type { ModifierGroup } from '../domain/food.ts'
import type { Money } from '../domain/money.ts'
import type { Row, Tx, Value } from './db.ts'

export type CategoryRecord = {
  category_id: string
  merchant_id: string
  name: string
  /** The name folded: what is unique in a store. */
  name_key: string
  sort_order: number
}

/** What an item holds beyond its searchable columns. What is private has no way to a menu: that is built by allow-list. */
export type ItemDoc = {
  description: string | null
  price: Money
  modifier_groups: ModifierGroup[]
  unavailable_reason: UnavailableReason | null
  dietary_tags: string[]
  allergens: string[]
  image_url: string | null
  /** Private from here on. */
  sku: string | null
  cost: Money | null
  stock: number | null
  supplier_id: string | null
  tax_rate_bps: number | null
}

export type ItemRecord = {
  item_id: string
  seq: number
  merchant_id: string
  category: CategoryRecord
  name: string
  name_key: string
  sort_order: number
  external_ref: string | null
  barcode: string | null
  /** The switch; `domain/catalog.ts` says whether it can be had at an instant. */
  available: boolean
  unavailable_until: number | null
  version: number
  created_at: number
  updated_at: number
  deleted_at: number | null
  doc: ItemDoc
}

const CATEGORY_COLUMNS = ['category_id', 'merchant_id', 'name', 'name_key', 'sort_order'] as const

const ITEM_COLUMNS = [
  'item_id',
  'seq',
  'merchant_id',
  'category_id',
  'name',
  'name_key',
  'sort_order',
  'external_ref',
  'barcode',
  'available',
  'unavailable_until',
  'choosable',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
  'doc',
] as const

const SELECT = `select i.item_id, i.seq, i.merchant_id, i.category_id, i.name, i.name_key, i.sort_order, i.external_ref,
  i.barcode, i.available, i.unavailable_until, i.version, i.created_at, i.updated_at, i.deleted_at, i.doc,
  c.name as category_name, c.name_key as category_key, c.sort_order as category_sort
  from catalog_items i join categories c on c.category_id = i.category_id`

/** The order of a menu. */
const IN_ORDER = 'order by c.sort_order, c.category_id, i.sort_order, i.item_id'

/** Values of one `in (…)`: few lengths of list, so that few statements are kept. */
const CHUNK = 100

export async function insertCategories(tx: Tx, categories: readonly CategoryRecord[]): Promise<void> {
  await tx.insertMany(
    'categories',
    CATEGORY_COLUMNS,
    categories.map((category) => CATEGORY_COLUMNS.map((column) => category[column])),
  )
}

/** A store's sections in the order of its menu, those without an item too. */
export async function listCategories(tx: Tx, merchantId: string): Promise<CategoryRecord[]> {
  const rows = await tx.all(
    `select ${CATEGORY_COLUMNS.join(', ')} from categories where merchant_id = $1 order by sort_order, category_id`,
    merchantId,
  )
  return rows.map((row) => ({
    category_id: String(row['category_id']),
    merchant_id: String(row['merchant_id']),
    name: String(row['name']),
    name_key: String(row['name_key']),
    sort_order: Number(row['sort_order']),
  }))
}

/** The highest place that an item has in each of these sections; a section without items is not in the map. */
export async function findLastSorts(tx: Tx, categoryIds: readonly string[]): Promise<Map<string, number>> {
  const last = new Map<string, number>()
  await inChunks(categoryIds, async (chunk) => {
    const rows = await tx.all(
      `select category_id, max(sort_order) as last from catalog_items
       where deleted_at is null and category_id in (${places(chunk.length, 1)}) group by category_id`,
      ...chunk,
    )
    for (const row of rows) last.set(String(row['category_id']), Number(row['last']))
  })
  return last
}

export async function insertItems(tx: Tx, items: readonly ItemRecord[]): Promise<void> {
  await tx.insertMany(
    'catalog_items',
    ITEM_COLUMNS,
    items.map((item) => {
      const row = toColumns(item)
      return ITEM_COLUMNS.map((column) => row[column])
    }),
  )
}

/** An item that is not deleted. */
export async function findItem(tx: Tx, itemId: string): Promise<ItemRecord | undefined> {
  const row = await tx.get(`${SELECT} where i.item_id = $1 and i.deleted_at is null`, itemId)
  return row && toItem(row)
}

/** Those of the items that are not deleted, in the order of their ids. */
export async function findItems(tx: Tx, itemIds: readonly string[]): Promise<ItemRecord[]> {
  const items: ItemRecord[] = []
  await inChunks([...new Set(itemIds)].toSorted(), async (chunk) => {
    const rows = await tx.all(
      `${SELECT} where i.deleted_at is null and i.item_id in (${places(chunk.length, 1)}) order by i.item_id`,
      ...chunk,
    )
    items.push(...rows.map(toItem))
  })
  return items
}

export type ItemFilters = {
  category_id?: string | undefined
  /** Whether it can be had at the instant `now`. */
  obtainable?: { is: boolean; now: number } | undefined
  /** Folded: part of the name. */
  q?: string | undefined
  updated_since?: number | undefined
}

export type ItemPosition = {
  category_sort: number
  category_id: string
  sort_order: number
  item_id: string
}

/** A store's items that are not deleted, in the order of its menu, after a position; all of them without a limit. */
export async function listItems(
  tx: Tx,
  merchantId: string,
  { category_id, obtainable, q, updated_since }: ItemFilters = {},
  after?: ItemPosition,
  limit?: number,
): Promise<ItemRecord[]> {
  const params: Value[] = []
  const place = (value: Value): string => `$${params.push(value)}`
  let sql = `${SELECT} where i.merchant_id = ${place(merchantId)} and i.deleted_at is null`
  if (category_id !== undefined) sql += ` and i.category_id = ${place(category_id)}`
  if (updated_since !== undefined) sql += ` and i.updated_at >= ${place(updated_since)}`
  // `like` would take some characters of the text for patterns.
  if (q !== undefined) sql += ` and replace(i.name_key, ${place(q)}, '') <> i.name_key`
  if (obtainable !== undefined) {
    const since = place(obtainable.now)
    sql += ` and ${obtainable.is ? '' : 'not '}
      (i.choosable = 1 and (i.available = 1 or coalesce(i.unavailable_until <= ${since}, false)))`
  }
  if (after !== undefined) {
    const { category_sort, category_id: category, sort_order, item_id } = after
    sql += ` and (c.sort_order, c.category_id, i.sort_order, i.item_id)
      > (${[category_sort, category, sort_order, item_id].map(place).join(', ')})`
  }
  sql += ` ${IN_ORDER}`
  if (limit !== undefined) sql += ` limit ${place(limit)}`
  return (await tx.all(sql, ...params)).map(toItem)
}

/** By what an import finds an item again. */
export type KnownItem = Pick<ItemRecord, 'item_id' | 'external_ref' | 'barcode' | 'name_key'> & {
  category_key: string
}

/** The items of a store that have any of these references, barcodes or (folded) names. */
export async function findKnownItems(
  tx: Tx,
  merchantId: string,
  keys: {
    external_ref: readonly string[]
    barcode: readonly string[]
    name_key: readonly string[]
  },
): Promise<KnownItem[]> {
  const found = new Map<string, KnownItem>()
  for (const column of ['external_ref', 'barcode', 'name_key'] as const) {
    await inChunks(keys[column], async (chunk) => {
      const rows = await tx.all(
        `select i.item_id, i.external_ref, i.barcode, i.name_key, c.name_key as category_key
         from catalog_items i join categories c on c.category_id = i.category_id
         where i.merchant_id = $1 and i.deleted_at is null and i.${column} in (${places(chunk.length, 2)})`,
        merchantId,
        ...chunk,
      )
      for (const row of rows) {
        found.set(String(row['item_id']), {
          item_id: String(row['item_id']),
          external_ref: toText(row['external_ref']),
          barcode: toText(row['barcode']),
          name_key: String(row['name_key']),
          category_key: String(row['category_key']),
        })
      }
    })
  }
  // One engine's order is not the other's.
  return [...found.values()].toSorted((a, b) => (a.item_id < b.item_id ? -1 : 1))
}

const CHANGING = [
  'category_id',
  'name',
  'name_key',
  'available',
  'unavailable_until',
  'choosable',
  'version',
  'updated_at',
  'deleted_at',
  'doc',
] as const

/** Writes what an item's life can change. */
export async function updateItem(tx: Tx, item: ItemRecord): Promise<void> {
  const row = toColumns(item)
  await tx.run(
    `update catalog_items set ${CHANGING.map((column, index) => `${column} = $${index + 2}`).join(', ')}
     where item_id = $1`,
    item.item_id,
    ...CHANGING.map((column) => row[column]),
  )
}

async function inChunks(values: readonly string[], work: (chunk: string[]) => Promise<void>): Promise<void> {
  for (let start = 0; start < values.length; start += CHUNK) await work(values.slice(start, start + CHUNK))
}

function places(count: number, first: number): string {
  return Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ')
}

function toColumns(item: ItemRecord): Record<(typeof ITEM_COLUMNS)[number], Value> {
  const { category, available, doc, ...columns } = item
  return {
    ...columns,
    category_id: category.category_id,
    available: available ? 1 : 0,
    choosable: hasChoices(doc.modifier_groups) ? 1 : 0,
    doc: JSON.stringify(doc),
  }
}

function toItem(row: Row): ItemRecord {
  return {
    item_id: String(row['item_id']),
    seq: Number(row['seq']),
    merchant_id: String(row['merchant_id']),
    category: {
      category_id: String(row['category_id']),
      merchant_id: String(row['merchant_id']),
      name: String(row['category_name']),
      name_key: String(row['category_key']),
      sort_order: Number(row['category_sort']),
    },
    name: String(row['name']),
    name_key: String(row['name_key']),
    sort_order: Number(row['sort_order']),
    external_ref: toText(row['external_ref']),
    barcode: toText(row['barcode']),
    available: row['available'] === 1,
    unavailable_until: toNumber(row['unavailable_until']),
    version: Number(row['version']),
    created_at: Number(row['created_at']),
    updated_at: Number(row['updated_at']),
    deleted_at: toNumber(row['deleted_at']),
    doc: JSON.parse(String(row['doc'])) as ItemDoc,
  }
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function toNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
