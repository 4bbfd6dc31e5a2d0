/** Keeps what each change of an item replaced. */
import type { Tx } from '../../../core/db.ts'
import { defineTable, inChunks, places } from '../../../store/table.ts'
import type { ItemMembers } from '../rules/item-history.ts'

/** A change of an item, with the former values of what it changed; null for its creation. */
export type VersionRecord = {
  item_id: string
  version: number
  at: number
  /** The short name of the account that changed it. */
  account: string
  what: 'created' | 'updated' | 'availability_changed' | 'deleted'
  replaced: Partial<ItemMembers> | null
}

const VERSIONS = defineTable<VersionRecord>({
  name: 'catalog_item_versions',
  key: 'item_id',
  columns: {
    item_id: 'text',
    version: 'integer',
    at: 'integer',
    account: 'text',
    what: 'text',
    replaced: 'json',
  },
})

/** The latest changes of an item that are kept. */
export const KEPT_VERSIONS = 50

/** Adds changes of different items, and lets go of those that are too old. */
export async function addVersions(tx: Tx, versions: readonly VersionRecord[]): Promise<void> {
  await VERSIONS.insert(tx, versions)
  const full = versions.filter(({ version }) => version > KEPT_VERSIONS).map(({ item_id }) => item_id)
  await inChunks(full, async (chunk) => {
    await tx.send(
      `delete from catalog_item_versions where item_id in (${places(chunk.length)}) and version <=
         (select max(last.version) from catalog_item_versions last where last.item_id = catalog_item_versions.item_id)
         - ${KEPT_VERSIONS}`,
      ...chunk,
    )
  })
}

/** Returns the latest changes of an item, newest first. */
export async function listVersions(tx: Tx, itemId: string, limit: number): Promise<VersionRecord[]> {
  return VERSIONS.list(tx, 'where item_id = $1 order by version desc limit $2', itemId, limit)
}
