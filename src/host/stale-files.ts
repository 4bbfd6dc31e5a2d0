/** Files in progress, and those that killed processes left: see `db/temp-files.ts`. */
import { dirname, join } from 'node:path'
import { makeFolders } from '../core/folders.ts'
import type { Machine } from '../core/machine.ts'
import { isPostgresUrl } from '../core/network.ts'
import {
  type TempFile,
  reserveTempFile,
  sumSwept,
  type RemovedFiles,
  removeStaleTempFiles,
  removeUnnamedStoreFiles,
} from '../db/temp-files.ts'

/** Returns the folder of the snapshots that a service sends or receives. */
export function spoolOf({ state }: Machine['paths']): string {
  return join(state, 'spool')
}

/** Reserves a file in a folder until it is disposed of. Removes those of processes that are gone. Throws AppError. */
export function makeDraftIn(
  folder: string,
  { now, weakRandomBytes }: Pick<Machine, 'now' | 'weakRandomBytes'>,
): TempFile {
  makeFolders(folder, 0o700)
  removeStaleTempFiles(folder, now())
  return reserveTempFile(folder, weakRandomBytes)
}

/** Removes the copies beside a store and the snapshots of services whose processes are gone. */
export function removeStaleFiles(
  store: string,
  { now, paths }: Pick<Machine, 'now' | 'paths'>,
): RemovedFiles {
  const spooled = removeStaleTempFiles(spoolOf(paths), now())
  if (store === ':memory:' || isPostgresUrl(store)) return spooled
  return sumSwept([
    spooled,
    removeStaleTempFiles(dirname(store), now()),
    removeUnnamedStoreFiles(store, now()),
  ])
}
