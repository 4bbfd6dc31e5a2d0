/** Back-ups of an embedded SQLite store: see `store/backup.ts`. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../core/errors.ts'
import type { Machine } from '../core/machine.ts'
import { FREE_SPACE } from '../core/write-error.ts'
import { assertWhole, copyStore, type CopyOptions, isStoreFile, replaceStore } from '../store/backup.ts'
import { openStore } from '../store/open.ts'

/** Returns whether a file is a copy of a store, and not a snapshot. Throws `store_error` for a damaged or newer copy. */
export function isBackup(file: string): boolean {
  if (!isStoreFile(file)) return false
  assertWhole(file)
  return true
}

type BackupDeps = Pick<Machine, 'now' | 'pid' | 'weakRandomBytes'>

/** Writes a checked copy of the store to a file, which is complete or as it was. Throws AppError. */
export async function backUpStore(
  store: string,
  file: string,
  deps: BackupDeps,
  options: CopyOptions = {},
): Promise<void> {
  const draft = draftOf(file, deps)
  remove(draft)
  try {
    await copyStore(store, draft, { ...options, shown: file })
    assertWhole(draft, file)
    renameSync(draft, file)
  } catch (error) {
    throw isFull(error) ? unwritten(file, error) : error
  } finally {
    remove(draft)
  }
}

function isFull(error: unknown): boolean {
  return error instanceof AppError && error.code === 'storage_full'
}

/** The store has its space: the copy has none. */
function unwritten(file: string, cause: unknown): AppError {
  return new AppError(
    'output_failed',
    `${file} cannot be written: the disk is full, or a quota or size limit is reached.`,
    {
      hint: FREE_SPACE,
      cause,
    },
  )
}

/**
 * Puts a backup in the place of what the store holds, or makes the store of it. The backup is copied, checked and
 * brought to this program's schema first; the store changes in one transaction at the end. Throws AppError.
 */
export async function restoreStore(
  file: string,
  store: string,
  deps: BackupDeps,
  options: CopyOptions = {},
): Promise<void> {
  const draft = draftOf(store, deps)
  remove(draft)
  try {
    await copyStore(file, draft, { shown: store })
    await bringUpToDate(draft, deps)
    if (existsSync(store)) await replaceStore(draft, store, options)
    else renameSync(draft, store)
  } finally {
    remove(draft)
  }
}

function draftOf(path: string, { pid }: BackupDeps): string {
  return join(dirname(path), `.dray-backup-${pid}.part`)
}

/** Migrates an older copy, as the first command on such a store does. */
async function bringUpToDate(path: string, { now, weakRandomBytes }: BackupDeps): Promise<void> {
  const db = await openStore(path, {
    random: () => (weakRandomBytes(1)[0] ?? 0) / 256,
    async seed(tx, from) {
      if (from === 0) throw new AppError('store_error', `${path} is an empty store.`)
      const { growStore } = await import('../sandbox/seed.ts')
      await growStore(tx, from, now())
    },
  })
  await db.close()
}

function remove(path: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(path + ending, { force: true })
}
