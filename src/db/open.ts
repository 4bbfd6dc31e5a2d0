import type { Db, Tx } from '../core/db.ts'
import { isPostgresUrl } from '../core/network.ts'
import type { SilenceLimits } from './postgres-connections.ts'
import type { PostgresOptions } from './postgres.ts'
import type { SqliteOptions } from './sqlite.ts'
import { type OpenedStore, SCHEMA_VERSION } from './version.ts'

export type OpenOptions = {
  /**
   * Fills a new store, in the transaction that creates it. For a store of the older version `from` it adds the new
   * parts.
   */
  seed: (tx: Tx, from: number) => Promise<void>
  /** Returns a number from 0 to 1 for the wait before PostgreSQL is tried again. */
  random: () => number
  /** The timeouts of a PostgreSQL server. */
  silence?: Partial<SilenceLimits>
  /** The patience of an SQLite store with other processes, and what may undo its transactions. */
  sqlite?: SqliteOptions | undefined
}

/**
 * Opens a store and migrates its schema: a path, `:memory:`, or a `postgres://` URL. Loads only the needed driver.
 * Throws `store_error`, `storage_full` or `service_unavailable`.
 */
export async function openStore(location: string, { seed, ...options }: OpenOptions): Promise<Db> {
  const store = await openDriver(location, options)
  if (store.schemaVersion === SCHEMA_VERSION) return store
  try {
    const { migrate } = await import('./migrate.ts')
    await migrate(store, seed)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openDriver(
  location: string,
  { sqlite, ...options }: PostgresOptions & Pick<OpenOptions, 'sqlite'>,
): Promise<OpenedStore> {
  if (isPostgresUrl(location)) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(location, options)
  }
  const { openSqlite } = await import('./sqlite.ts')
  return openSqlite(location, sqlite)
}
