import type { SqlRow, Tx, SqlValue } from '../../../core/db.ts'
import { normalizeIdentifier } from '../../../core/identifiers.ts'
import type { Money } from '../../../core/money.ts'
import type { Slice } from '../../../core/slice.ts'
import { makeWhere, scanPage, type Where } from '../../../db/lists.ts'
import { findStoredForms } from '../../../db/old-codes.ts'
import { cached } from '../../../db/read-cache.ts'
import { defineRow, defineTable, forEachChunk, formatPlaceholders } from '../../../db/table.ts'
import { readIntegerColumn } from '../../../db/values.ts'
import { hasChoices, type UnavailableReason } from '../rules/catalog.ts'
import type { ModifierGroup } from '../rules/modifiers.ts'
import type { AgreedPrices } from '../rules/price-references.ts'
import { isWithinWeek } from '../rules/schedule.ts'
import { type Stock, computeStockDay } from '../rules/stock.ts'
import { listSchedules } from './schedules.ts'

export type CategoryRecord = {
  category_id: string
  merchant_id: string
  name: string
  /** The folded name, unique in a store. */
  name_key: string
  sort_order: number
  /** The packed week in which its items are on sale; null: at any time. */
  schedule: string | null
}

/**
 * The fields of an item that are not searchable columns. Menus copy named fields only, so private ones are never shown.
 */
export type ItemDoc = {
  description: string | null
  price: Money
  modifier_groups: ModifierGroup[]
  unavailable_reason: UnavailableReason | null
  dietary_tags: string[]
  allergens: string[]
  image_url: string | null
  /** The fields below are private. */
  sku: string | null
  cost: Money | null
  supplier_id: string | null
  tax_rate_bps: number | null
  /** The prices that a person decided last, where programs have changed them since. */
  agreed?: AgreedPrices | undefined
}

export type ItemRecord = Stock & {
  item_id: string
  seq: number
  merchant_id: string
  category: CategoryRecord
  name: string
  name_key: string
  sort_order: number
  external_ref: string | null
  barcode: string | null
  /** The store's switch; `rules/catalog.ts` decides whether the item can be ordered at an instant. */
  available: boolean
  unavailable_until: number | null
  /** The packed week in which it is on sale, within that of its section; null: at any time. */
  schedule: string | null
  version: number
  created_at: number
  updated_at: number
  deleted_at: number | null
  doc: ItemDoc
}

const CATEGORIES = defineTable<CategoryRecord>({
  name: 'categories',
  key: 'category_id',
  columns: {
    category_id: 'text',
    merchant_id: 'text',
    name: 'text',
    name_key: 'text',
    sort_order: 'integer',
    schedule: 'text or null',
  },
})

const SELECT = `select i.item_id, i.seq, i.merchant_id, i.category_id, i.name, i.name_key, i.sort_order, i.external_ref,
  i.barcode, i.available, i.unavailable_until, i.stock, i.restock, i.stock_day, i.schedule, i.version, i.created_at, i.updated_at, i.deleted_at, i.doc,
  c.name as category_name, c.name_key as category_key, c.sort_order as category_sort, c.schedule as category_schedule
  from catalog_items i join categories c on c.category_id = i.category_id`

/** The order of a menu. */
const IN_ORDER = 'order by c.sort_order, c.category_id, i.sort_order, i.item_id'

const ITEMS = defineTable<ItemRecord, 'category_id' | 'choosable'>({
  name: 'catalog_items',
  key: 'item_id',
  columns: {
    item_id: 'text',
    seq: 'integer',
    merchant_id: 'text',
    category: {
      from: defineRow<CategoryRecord>({
        category_id: 'text',
        merchant_id: 'text',
        name: ['text', 'category_name'],
        name_key: ['text', 'category_key'],
        sort_order: ['integer', 'category_sort'],
        schedule: ['text or null', 'category_schedule'],
      }),
    },
    category_id: ({ category }) => category.category_id,
    name: 'text',
    name_key: 'text',
    sort_order: 'integer',
    external_ref: 'text or null',
    barcode: 'text or null',
    available: 'boolean',
    unavailable_until: 'integer or null',
    stock: 'integer or null',
    restock: 'integer or null',
    stock_day: 'integer or null',
    schedule: 'text or null',
    choosable: ({ doc }) => (hasChoices(doc.modifier_groups) ? 1 : 0),
    version: 'integer',
    created_at: 'integer',
    updated_at: 'integer',
    deleted_at: 'integer or null',
    doc: 'json',
  },
  select: SELECT,
})

export async function insertCategories(tx: Tx, categories: readonly CategoryRecord[]): Promise<void> {
  await CATEGORIES.insert(tx, categories)
}

/** Returns a store's sections in the order of its menu, including empty ones. */
export async function listCategories(tx: Tx, merchantId: string): Promise<CategoryRecord[]> {
  return CATEGORIES.list(tx, 'where merchant_id = $1 order by sort_order, category_id', merchantId)
}

/** Finds a section by its id. */
export async function findCategory(tx: Tx, categoryId: string): Promise<CategoryRecord | undefined> {
  return CATEGORIES.find(tx, categoryId)
}

const toCategoryId = defineRow<Pick<CategoryRecord, 'category_id'>>({ category_id: 'text' })

/** Returns the id of a store's section with this (folded) name. */
export async function findCategoryId(
  tx: Tx,
  merchantId: string,
  nameKey: string,
): Promise<string | undefined> {
  const row = await tx.get(
    'select category_id from categories where merchant_id = $1 and name_key = $2',
    merchantId,
    nameKey,
  )
  return row && toCategoryId(row).category_id
}

/** Returns the highest sort order of an item in each of these sections; empty sections are missing. */
export async function findLastSorts(tx: Tx, categoryIds: readonly string[]): Promise<Map<string, number>> {
  const last = new Map<string, number>()
  await forEachChunk(categoryIds, async (chunk) => {
    const rows = await tx.all(
      `select category_id, max(sort_order) as last from catalog_items
       where deleted_at is null and category_id in (${formatPlaceholders(chunk.length)}) group by category_id`,
      ...chunk,
    )
    for (const row of rows) last.set(toCategoryId(row).category_id, readIntegerColumn(row, 'last'))
  })
  return last
}

export async function insertItems(tx: Tx, items: readonly ItemRecord[]): Promise<void> {
  await ITEMS.insert(tx, items)
}

/** Finds an item, deleted or not. */
export async function findItemWithDeleted(tx: Tx, itemId: string): Promise<ItemRecord | undefined> {
  return ITEMS.first(tx, 'where i.item_id = $1', itemId)
}

/** Returns items, deleted ones too. */
export async function findItemsWithDeleted(tx: Tx, itemIds: readonly string[]): Promise<ItemRecord[]> {
  const items: ItemRecord[] = []
  await forEachChunk(itemIds, async (chunk) => {
    items.push(
      ...(await ITEMS.list(tx, `where i.item_id in (${formatPlaceholders(chunk.length)})`, ...chunk)),
    )
  })
  return items
}

/** Finds an item that is not deleted. */
export async function findItem(tx: Tx, itemId: string): Promise<ItemRecord | undefined> {
  return ITEMS.first(tx, 'where i.item_id = $1 and i.deleted_at is null', itemId)
}

/** Returns the items of a store that were deleted after an instant, or got another name then. */
export async function listReplaced(tx: Tx, merchantId: string, after: number): Promise<ItemRecord[]> {
  return ITEMS.list(
    tx,
    `where i.merchant_id = $1 and i.updated_at > $2 and (i.deleted_at is not null or exists (
       select 1 from catalog_item_versions v
       where v.item_id = i.item_id and v.at > $2 and substr(v.replaced, 1, 8) = '{"name":'))
     order by i.item_id`,
    merchantId,
    after,
  )
}

/** Returns those of the items that are not deleted, in the order of their ids. */
export async function findItems(tx: Tx, itemIds: readonly string[]): Promise<readonly ItemRecord[]> {
  const ids = [...new Set(itemIds)].toSorted()
  const key = `items ${ids.join(' ')}`
  return cached(tx, { key, tables: ['catalog_items', 'categories'], holds: () => true, sizeOf }, async () => {
    const items: ItemRecord[] = []
    await forEachChunk(ids, async (chunk) => {
      const where = `where i.deleted_at is null and i.item_id in (${formatPlaceholders(chunk.length)}) order by i.item_id`
      items.push(...(await ITEMS.list(tx, where, ...chunk)))
    })
    return items
  })
}

const sizeOf = (items: readonly ItemRecord[]): number => JSON.stringify(items).length

export type ItemFilters = {
  category_id?: string | undefined
  /** Only items that can be ordered at the instant `now`, or only the others. */
  obtainable?: { is: boolean; now: number } | undefined
  /** Folded; a part of the name. */
  q?: string | undefined
  updated_since?: number | undefined
}

export type ItemPosition = {
  category_sort: number
  category_id: string
  sort_order: number
  item_id: string
}

/** `scannedTo` is set when the page ended before it was full: the next page continues from there. */
export type ListedItems = { rows: ItemRecord[]; scannedTo: ItemPosition | undefined }

/** The most items and the most sections that one page reads. */
export type ItemBounds = { items: number; sections: number }

const BOUNDS: ItemBounds = { items: 10_000, sections: 100 }

const toPlace = defineRow<Pick<ItemPosition, 'sort_order' | 'item_id'>>({
  sort_order: 'integer',
  item_id: 'text',
})

/** The columns in the index of a section, beside the sort order of its items. */
const ENTRY_COLUMNS =
  'category_id, sort_order, item_id, name_key, updated_at, choosable, available, unavailable_until, stock, stock_day, schedule'

/** Returns every item of a store that is not deleted, in the order of its menu. */
export async function listMenuItems(tx: Tx, merchantId: string): Promise<ItemRecord[]> {
  return ITEMS.list(tx, `where i.merchant_id = $1 and i.deleted_at is null ${IN_ORDER}`, merchantId)
}

/**
 * Returns a store's items that are not deleted, in the order of its menu, after a position. It reads section by section
 * along an index; one page reads a bounded number of entries.
 */
export async function listItems(
  tx: Tx,
  merchantId: string,
  { category_id, ...filters }: ItemFilters,
  { after, limit, bounds = BOUNDS }: Slice<ItemPosition> & { bounds?: ItemBounds },
): Promise<ListedItems> {
  const sections = await listSections(tx, merchantId, category_id, { after, limit: bounds.sections + 1 })
  const { obtainable, ...more } = filters
  const schedules = obtainable && (await listSchedules(tx, merchantId, obtainable.now))
  const rows: ItemRecord[] = []
  let left = bounds.items
  for (const section of sections.slice(0, bounds.sections)) {
    const { category_id: id, sort_order: category_sort } = section
    const isOff = obtainable !== undefined && !isWithinWeek(section.schedule, obtainable.now)
    if (isOff && obtainable.is) continue
    const page = await scanPage(
      tx,
      {
        table: 'catalog_items',
        select: `select ${ITEMS.columns.join(', ')} from catalog_items`,
        key: 'item_id',
        columns: ENTRY_COLUMNS,
        order: 'order by sort_order, item_id',
        position: ['sort_order', 'item_id'],
      },
      {
        addEntries(where) {
          where.and('category_id = ?', id)
          where.and('deleted_at is null')
          if (after?.category_id === id)
            where.and('(sort_order, item_id) > (?, ?)', after.sort_order, after.item_id)
        },
        // No item of a section that is off its schedule can be ordered.
        addFits: (where) => addItemFilters(where, isOff ? more : { ...filters, schedules }),
      },
      { limit: limit - rows.length, scan: left },
    )
    rows.push(...page.rows.map((row) => ITEMS.map({ ...row, ...sectionColumns(section) })))
    if (rows.length === limit) return { rows, scannedTo: undefined }
    left -= page.looked
    if (page.last !== undefined) {
      return { rows, scannedTo: { category_sort, category_id: id, ...toPlace(page.last) } }
    }
  }
  const next = sections[bounds.sections]
  return { rows, scannedTo: next && beginningOf(next) }
}

/** Returns the position before the first item of a section. */
function beginningOf({ sort_order: category_sort, category_id }: CategoryRecord): ItemPosition {
  return { category_sort, category_id, sort_order: -1, item_id: '' }
}

/** Returns a store's sections in the order of its menu, starting at a position; with a section filter only that one. */
async function listSections(
  tx: Tx,
  merchantId: string,
  categoryId: string | undefined,
  { after, limit }: Slice<ItemPosition>,
): Promise<CategoryRecord[]> {
  const params: SqlValue[] = []
  const where = makeWhere(params)
  where.and('merchant_id = ?', merchantId)
  where.and('category_id = ?', categoryId)
  where.and('(sort_order, category_id) >= (?, ?)', after?.category_sort, after?.category_id)
  const last = `order by sort_order, category_id limit $${params.push(limit)}`
  return CATEGORIES.list(tx, `where ${where.text()} ${last}`, ...params)
}

/** `schedules` are those that have the instant of `obtainable`. */
function addItemFilters(
  where: Where,
  { obtainable, q, updated_since, schedules = [] }: ItemFilters & { schedules?: string[] | undefined },
): void {
  where.and('updated_at >= ?', updated_since)
  // `like` would read some characters of the text as patterns.
  where.and(`replace(name_key, ?, '') <> name_key`, q)
  if (obtainable === undefined) return
  where.and(
    `${obtainable.is ? '' : 'not '}(choosable = 1 and (available = 1 or coalesce(unavailable_until <= ?, false))
       and (stock is null or stock > 0 or coalesce(stock_day < ?, false))
       and (schedule is null${schedules.length === 0 ? '' : ` or schedule in (${schedules.map(() => '?').join(', ')})`}))`,
    obtainable.now,
    computeStockDay(obtainable.now),
    ...schedules,
  )
}

/** The keys of a stored item that an import compares. */
export type KnownItem = Pick<ItemRecord, 'item_id' | 'external_ref' | 'barcode' | 'name_key'> & {
  category_key: string
}

const toKnownItem = defineRow<KnownItem>({
  item_id: 'text',
  external_ref: 'text or null',
  barcode: 'text or null',
  name_key: 'text',
  category_key: 'text',
})

/** Returns the items of a store with any of these references (in their cleaned form), barcodes or (folded) names. */
export async function findItemsByKeys(
  tx: Tx,
  merchantId: string,
  keys: {
    external_ref: readonly string[]
    barcode: readonly string[]
    name_key: readonly string[]
  },
): Promise<KnownItem[]> {
  const found = new Map<string, KnownItem>()
  const asked = { ...keys, external_ref: await findStoredForms(tx, 'item', merchantId, keys.external_ref) }
  for (const column of ['external_ref', 'barcode', 'name_key'] as const) {
    await forEachChunk(asked[column], async (chunk) => {
      const rows = await tx.all(
        `select i.item_id, i.external_ref, i.barcode, i.name_key, c.name_key as category_key
         from catalog_items i join categories c on c.category_id = i.category_id
         where i.merchant_id = $1 and i.deleted_at is null and i.${column} in (${formatPlaceholders(chunk.length, 2)})`,
        merchantId,
        ...chunk,
      )
      for (const row of rows) {
        const { external_ref, ...item } = toKnownItem(row)
        found.set(item.item_id, { ...item, external_ref: external_ref && normalizeIdentifier(external_ref) })
      }
    })
  }
  // SQLite and PostgreSQL sort texts differently.
  return [...found.values()].toSorted((a, b) => (a.item_id < b.item_id ? -1 : 1))
}

const CHANGING = [
  'category_id',
  'name',
  'name_key',
  'available',
  'unavailable_until',
  'schedule',
  'choosable',
  'version',
  'updated_at',
  'deleted_at',
  'doc',
] as const

/** Writes the fields of an item that can change. */
export async function updateItem(tx: Tx, item: ItemRecord): Promise<void> {
  await tx.run(
    `update catalog_items set ${CHANGING.map((column, index) => `${column} = $${index + 2}`).join(', ')}
     where item_id = $1`,
    item.item_id,
    ...ITEMS.valuesOf(item, CHANGING),
  )
}

/** Returns the columns of an item that are copied from its section. */
function sectionColumns({ name, name_key, sort_order, schedule }: CategoryRecord): SqlRow {
  return {
    category_name: name,
    category_key: name_key,
    category_sort: sort_order,
    category_schedule: schedule,
  }
}
