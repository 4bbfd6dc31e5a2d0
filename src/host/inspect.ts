/** Looks at a store without opening it for work: nothing is made, migrated or changed. */
import { isPostgresUrl } from '../core/network.ts'
import { inspectPostgres, inspectSqlite, type PostgresFacts, type SqliteFacts } from '../db/inspect.ts'
import { isHeld } from '../db/sqlite-files.ts'
import { SCHEMA_VERSION } from '../db/version.ts'
import type { SeedDeps } from '../sandbox/seed.ts'

export { STANDBY } from '../db/postgres-errors.ts'

export type StoreFacts = { known: number } & (
  | { kind: 'postgres'; facts: PostgresFacts }
  | { kind: 'sqlite'; facts: SqliteFacts | undefined }
)

/** Returns the facts of a store, and the schema that this program knows. Throws AppError when it cannot be looked at. */
export async function inspectStore(location: string): Promise<StoreFacts> {
  const known = SCHEMA_VERSION
  return isPostgresUrl(location)
    ? { known, kind: 'postgres', facts: await inspectPostgres(location) }
    : { known, kind: 'sqlite', facts: await inspectSqlite(location) }
}

/** Throws AppError('config_error') for settings with which no new store can be made. */
export async function assertSeedable(deps: SeedDeps): Promise<void> {
  const { seedOptions } = await import('../sandbox/seed.ts')
  seedOptions(deps)
}

/** Returns whether another process keeps every change from a store that can be opened, for a second. */
export function isStoreHeld(location: string): boolean {
  return !isPostgresUrl(location) && isHeld(location)
}
