import type { Db } from '../core/db.ts'
import { AppError } from '../core/errors.ts'

/**
 * The number of migrations. It is repeated here so that opening an up-to-date store loads no schema; a test compares
 * it with `MIGRATIONS.length`.
 */
export const SCHEMA_VERSION = 33

/**
 * The number of objects in the schema of an SQLite store, and the characters of their texts: another store is compared with
 * a new one before it is used. Repeated here for the same reason, and compared by the same test.
 */
export const SCHEMA_SIZE = { objects: 225, characters: 27_495 }

/** The schema version since which a store has generations. */
export const WITH_GENERATIONS = 28

/** `dray` in ASCII: the mark of a store in the header of an SQLite file. */
export const APPLICATION_ID = 0x64726179

/** A store after its driver opened it, before migrations. */
export type OpenedStore = Db & {
  /** The schema version of the store; 0 for an empty one. */
  readonly schemaVersion: number
}

/** Throws `store_error` when a store's schema is newer than this program. */
export function assertNotNewer(version: number, store: string, known = SCHEMA_VERSION): void {
  if (version <= known) return
  throw new AppError(
    'store_error',
    `${store} was written by a newer dray (schema ${version}; this one knows ${known}). Install the newer one; nothing was changed.`,
  )
}
