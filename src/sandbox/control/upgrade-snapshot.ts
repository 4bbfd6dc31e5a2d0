/** Brings the rows of an older snapshot to the schema of this program, as an older store is: by its migrations. */
import type { Db } from '../../core/db.ts'
import { migrate } from '../../db/migrate.ts'
import { MIGRATIONS } from '../../db/schema.ts'
import { insertRows, type TableRows } from '../../db/snapshot.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { backfillStore } from '../seed.ts'

/**
 * Returns a store in memory with the rows of a snapshot of schema `version`, at the newest schema. `real` is the machine's clock.
 * Throws for rows that contradict their schema.
 */
export async function openUpgraded(
  version: number,
  pages: AsyncIterable<TableRows>,
  real: number,
): Promise<Db> {
  const store = await openSqlite(':memory:')
  try {
    const fill = { cursorKey: '', real }
    await migrate(store, (tx) => insertRows(tx, pages, fill), MIGRATIONS.slice(0, version))
    await migrate(store, (tx, from) => backfillStore(tx, from, real))
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
