/** Keeps what each change of an item replaced. */
import type { Tx, SqlValue } from '../../../core/db.ts'
import type { CallChannel } from '../../../core/origin.ts'
import type { Slice } from '../../../core/slice.ts'
import { makeWhere } from '../../../db/lists.ts'
import { defineTable, forEachChunk, formatPlaceholders } from '../../../db/table.ts'
import type { ItemMembers } from '../rules/item-history.ts'
import { REMEMBERED_MS } from '../rules/price-references.ts'

/** A change of an item, with the former values of what it changed; null for its creation. */
export type ItemVersionRecord = {
  item_id: string
  merchant_id: string
  version: number
  at: number
  /** The number of its event; 0 in versions from before this was kept. */
  seq: number
  /** The short name of the account that changed it. */
  account: string
  /** The way by which the change came; null in versions from before this was kept. */
  via: CallChannel | null
  /** The import of a file that it was a part of. */
  import_id: string | null
  what: 'created' | 'updated' | 'availability_changed' | 'deleted'
  replaced: Partial<ItemMembers> | null
}

const VERSIONS = defineTable<ItemVersionRecord>({
  name: 'catalog_item_versions',
  key: 'item_id',
  columns: {
    item_id: 'text',
    merchant_id: 'text',
    version: 'integer',
    at: 'integer',
    seq: 'integer',
    account: 'text',
    via: 'text or null',
    import_id: 'text or null',
    what: 'text',
    replaced: 'json',
  },
})

/** The latest changes of an item that are kept. */
export const KEPT_VERSIONS = 50

/**
 * Adds changes of different items, made at the same time, and lets go of those that are too old. A change of the last day
 * stays: a price is compared with that of a day before.
 */
export async function insertItemVersions(tx: Tx, versions: readonly ItemVersionRecord[]): Promise<void> {
  await VERSIONS.insert(tx, versions)
  const full = versions.filter(({ version }) => version > KEPT_VERSIONS).map(({ item_id }) => item_id)
  await forEachChunk(full, async (chunk) => {
    await tx.runPipelined(
      `delete from catalog_item_versions where item_id in (${formatPlaceholders(chunk.length)}) and version <=
         (select max(last.version) from catalog_item_versions last where last.item_id = catalog_item_versions.item_id)
         - ${KEPT_VERSIONS} and at <= $${chunk.length + 1}`,
      ...chunk,
      (versions[0]?.at ?? 0) - REMEMBERED_MS,
    )
  })
}

/** Returns the latest changes of an item, newest first. */
export async function listItemVersions(tx: Tx, itemId: string, limit: number): Promise<ItemVersionRecord[]> {
  return VERSIONS.list(tx, 'where item_id = $1 order by version desc limit $2', itemId, limit)
}

/** A part of the changes of a menu: those of a time, half-open, or of an import. */
export type ChangeFilters = {
  from?: number | undefined
  to?: number | undefined
  import_id?: string | undefined
}

const NEWEST_FIRST = 'order by at desc, seq desc, item_id desc, version desc'

/** Returns the changes of a store's menu, newest first, after a position. */
export async function listMenuChanges(
  tx: Tx,
  merchantId: string,
  { from, to, import_id }: ChangeFilters,
  { after, limit }: Slice<Pick<ItemVersionRecord, 'at' | 'seq' | 'item_id' | 'version'>>,
): Promise<ItemVersionRecord[]> {
  const params: SqlValue[] = []
  const where = makeWhere(params)
  where.and('merchant_id = ?', merchantId)
  where.and('import_id = ?', import_id)
  where.and('at >= ?', from)
  where.and('at < ?', to)
  const { at, seq, item_id, version } = after ?? {}
  where.and('(at, seq, item_id, version) < (?, ?, ?, ?)', at, seq, item_id, version)
  return VERSIONS.list(tx, `where ${where.text()} ${NEWEST_FIRST} limit $${params.push(limit)}`, ...params)
}

/** Returns the import that changed a store's menu last; undefined if none did. */
export async function findLastImport(tx: Tx, merchantId: string): Promise<string | undefined> {
  const last = 'where merchant_id = $1 and import_id is not null order by at desc, seq desc limit 1'
  return (await VERSIONS.first(tx, last, merchantId))?.import_id ?? undefined
}

/** Returns all changes of these items from an instant on, newest first. */
export async function listChangesSince(
  tx: Tx,
  itemIds: readonly string[],
  from: number,
): Promise<ItemVersionRecord[]> {
  const changes: ItemVersionRecord[] = []
  await forEachChunk(itemIds, async (chunk) => {
    const where = `where item_id in (${formatPlaceholders(chunk.length)}) and at >= $${chunk.length + 1} order by version desc`
    changes.push(...(await VERSIONS.list(tx, where, ...chunk, from)))
  })
  return changes
}

/** Returns what was changed of these items after an instant, by the item, oldest first; not whether they are on sale. */
export async function listReplacedSince(
  tx: Tx,
  itemIds: readonly string[],
  after: number,
): Promise<ReadonlyMap<string, Partial<ItemMembers>[]>> {
  const found = new Map<string, Partial<ItemMembers>[]>()
  await forEachChunk(itemIds, async (chunk) => {
    const last = chunk.length + 1
    const rows = await VERSIONS.list(
      tx,
      `where item_id in (${formatPlaceholders(chunk.length)}) and at > $${last} and what = 'updated' order by item_id, version`,
      ...chunk,
      after,
    )
    for (const { item_id, replaced } of rows)
      if (replaced !== null) found.set(item_id, [...(found.get(item_id) ?? []), replaced])
  })
  return found
}
