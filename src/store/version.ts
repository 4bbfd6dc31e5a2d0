import type { Db } from '../core/db.ts'
import { AppError } from '../core/errors.ts'

/**
 * How many migrations there are. Said here too, so that opening a store that is up to date loads no schema;
 * a test keeps it equal to `MIGRATIONS.length`.
 */
export const SCHEMA_VERSION = 9

/** `dray` in ASCII: the mark in an SQLite file's header that it is a store of this program. */
export const APPLICATION_ID = 0x64726179

/** A store as its driver opened it, before migrations. */
export type OpenedStore = Db & {
  /** The schema version that was found; 0 for a store that is still empty. */
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
