/** Back-ups of an embedded SQLite store: see `db/backup.ts`. */
import { existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { listWebhookTargetUrls } from '../areas/account/queries/webhooks.ts'
import { AppError } from '../core/errors.ts'
import { makeFolders } from '../core/folders.ts'
import type { Machine } from '../core/machine.ts'
import { FREE_SPACE } from '../core/write-error.ts'
import {
  assertSchema,
  assertValidBackup,
  assertWhole,
  copyStore,
  type CopyOptions,
  deleteGeneration,
  isStoreFile,
  replaceStore,
} from '../db/backup.ts'
import { assertIntegrity } from '../db/integrity.ts'
import { openStore } from '../db/open.ts'
import { beginGeneration } from '../db/world.ts'
import { endApprovals } from '../oauth/approvers.ts'
import { makeDraftIn } from './stale-files.ts'

/** Returns whether a file is a copy of a store, and not a snapshot. */
export function isBackup(file: string): boolean {
  return isStoreFile(file)
}

type BackupDeps = Pick<Machine, 'now' | 'weakRandomBytes'>

/** Writes a checked copy of the store to a file, which is complete or as it was. Throws AppError. */
export async function backUpStore(
  store: string,
  file: string,
  deps: BackupDeps,
  options: CopyOptions = {},
): Promise<void> {
  try {
    using draft = makeDraftIn(dirname(file), deps)
    await copyStore(store, draft.path, { ...options, shown: file })
    deleteGeneration(draft.path)
    assertWhole(draft.path, file)
    renameSync(draft.path, file)
  } catch (error) {
    throw isFull(error) ? unwritten(file, error) : error
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

/** The use of a backup, and the messages in the meantime. */
type RestoreOptions = CopyOptions & {
  /** Checks that it can be restored, and changes nothing. */
  dryRun?: boolean
}

/**
 * Puts a backup in the place of what the store holds, or makes the store of it. The backup is copied; the copy is checked,
 * brought to this program's schema, and checked again; the store changes in one transaction at the end. Browsers that
 * control the sandbox or approve logins do so by another control token, so that their rights are not restored. Returns the
 * addresses of the webhook endpoints that came along. Throws AppError.
 */
export async function restoreStore(
  file: string,
  store: string,
  deps: BackupDeps,
  { dryRun = false, ...options }: RestoreOptions = {},
): Promise<string[]> {
  makeFolders(dirname(store), 0o700)
  using draft = makeDraftIn(dirname(store), deps)
  try {
    await copyStore(file, draft.path, { shown: store })
  } catch (error) {
    // A damaged file breaks its copy off; the error then has to name it.
    assertWhole(file, file)
    throw error
  }
  assertValidBackup(draft.path, file)
  const targets = await bringUpToDate(draft.path, file, deps)
  assertSchema(draft.path, file)
  if (dryRun) return targets
  if (existsSync(store)) await replaceStore(draft.path, store, options)
  else renameSync(draft.path, store)
  return targets
}

/** Migrates an older copy, as the first command on such a store does, and checks its sums. Returns where its webhooks go. */
async function bringUpToDate(
  path: string,
  shown: string,
  { now, weakRandomBytes }: BackupDeps,
): Promise<string[]> {
  const db = await openStore(path, {
    random: () => (weakRandomBytes(1)[0] ?? 0) / 256,
    async seed(tx, from) {
      if (from === 0) throw new AppError('store_error', `${shown} is an empty store.`)
      const { backfillStore } = await import('../sandbox/seed.ts')
      await backfillStore(tx, from, now())
    },
  })
  try {
    const [{ PLANNED_EVENTS }, { makeGeneration }] = await Promise.all([
      import('../sandbox/due-events.ts'),
      import('../sandbox/seed.ts'),
    ])
    await endApprovals(db)
    await db.read((tx) =>
      assertIntegrity(tx, db.kind, PLANNED_EVENTS, (why) => {
        return new AppError('store_error', `${shown} cannot be restored: ${why}. Nothing was changed.`)
      }),
    )
    await db.write((tx) => beginGeneration(tx, makeGeneration(weakRandomBytes)))
    return await db.read(listWebhookTargetUrls)
  } finally {
    await db.close()
  }
}
