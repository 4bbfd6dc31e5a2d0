import type { Db, Tx } from '../core/db.ts'
import { isPostgresUrl } from '../core/network.ts'
import type { SilenceLimits } from './postgres-connections.ts'
import type { PostgresOptions } from './postgres.ts'
import { type OpenedStore, SCHEMA_VERSION } from './version.ts'

export type OpenOptions = {
  /** Fills a new store, in the transaction that creates it, and adds to an older one (of version `from`) what is new. */
  seed: (tx: Tx, from: number) => Promise<void>
  /** A number from 0 to 1: how long to wait before PostgreSQL is asked again. */
  random: () => number
  /** How long a PostgreSQL server may be silent. */
  silence?: Partial<SilenceLimits>
}

/**
 * Opens a store and brings its schema up to date: a path, `:memory:`, or a `postgres://` URL. Loads only what that needs.
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

async function openDriver(location: string, options: PostgresOptions): Promise<OpenedStore> {
  if (isPostgresUrl(location)) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(location, options)
  }
  const { openSqlite } = await import('./sqlite.ts')
  return openSqlite(location)
}
