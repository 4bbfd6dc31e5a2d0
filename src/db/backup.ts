/**
 * Copies of an SQLite store as one file, made and brought back while other processes use the store. SQLite's online
 * backup copies one instant, and brings a copy back as one transaction: readers see the old content until it has ended.
 */
import { chmodSync, closeSync, fsyncSync, openSync, readSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { AppError } from '../core/errors.ts'
import { isSqliteBusy, toOpenError } from './sqlite-errors.ts'
import { openReadOnly, type ReadOnly } from './sqlite-files.ts'
import { APPLICATION_ID, assertNotNewer, WITH_GENERATIONS } from './version.ts'

export type CopyOptions = {
  /** The file that an error names, where the copy gets its name later. */
  shown?: string
  /** Called now and then with the pages that are done, and all of them. */
  onProgress?: (done: number, total: number) => void
}

/** So many pages take some milliseconds. */
const PAGES_AT_ONCE = 1000
/** The time that a copy waits for the writer before it, in milliseconds. */
const PATIENCE = 60_000
const PAUSE = 10

/**
 * Copies a store as it is at this moment to a file that does not exist, closed to other users and synced. Throws
 * `store_error` or `storage_full`; the file is then gone.
 */
export async function copyStore(store: string, to: string, options: CopyOptions = {}): Promise<void> {
  const source = openStoreFile(store)
  try {
    // Held open, so that a write of another process does not make the copy begin again.
    source.exec('begin')
    source.prepare('select count(*) from sqlite_schema').get()
    createPrivately(to)
    await copyPages(source, to, options)
    toSingleFile(to)
  } catch (error) {
    rmSync(to, { force: true })
    throw toOpenError(error, options.shown ?? to)
  } finally {
    source.close()
  }
}

/**
 * Puts the content of a file in the place of a store's, in one transaction. Other processes go on with the new content.
 * Throws `store_error`, `storage_full` or `service_unavailable`; the store is then as it was.
 */
export async function replaceStore(from: string, store: string, options: CopyOptions = {}): Promise<void> {
  const source = openStoreFile(from)
  try {
    await copyPages(source, store, options)
  } catch (error) {
    throw toOpenError(error, store)
  } finally {
    source.close()
  }
}

/** Takes the generation out of a copy: a copy is of none, and what is made of it begins its own. */
export function deleteGeneration(path: string): void {
  const db = new DatabaseSync(path)
  try {
    const { user_version } = db.prepare('pragma user_version').get() as { user_version: number }
    if (user_version >= WITH_GENERATIONS) db.exec(`update world set generation = '', generation_from = 0`)
  } finally {
    db.close()
  }
}

/** Returns whether a file begins like a store: an SQLite database with the mark of this program. */
export function isStoreFile(path: string): boolean {
  const head = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  return head.toString('latin1', 0, 16) === 'SQLite format 3\0' && head.readUInt32BE(68) === APPLICATION_ID
}

/** Reads a whole copy. Throws `store_error` for one that is damaged. */
export function assertWhole(path: string, shown: string): void {
  inspect(path, shown, (db) => damageText(db.damage()))
}

/**
 * Reads a whole file that may be another's. Throws `store_error` for one that is newer or no store, whose schema is not
 * that of a store of its version, that is damaged, or whose rows contradict the schema. Runs no statement of the file.
 */
export function assertValidBackup(path: string, shown: string): void {
  inspect(path, shown, (db) => {
    if (db.number('application_id') !== APPLICATION_ID) return 'it is not a store of dray'
    assertNotNewer(db.number('user_version'), `The backup ${shown}`)
    return db.schemaDifference() ?? damageText(db.contradiction())
  })
}

/** Throws `store_error` for a file whose schema is not that of a store of its version. */
export function assertSchema(path: string, shown: string): void {
  inspect(path, shown, (db) => db.schemaDifference())
}

function damageText(damage: string | undefined): string | undefined {
  return damage && `it is damaged (${damage})`
}

function inspect(path: string, shown: string, find: (db: ReadOnly) => string | undefined): void {
  try {
    using db = openReadOnly(path)
    const why = find(db)
    if (why !== undefined) throw refused(shown, why)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refused(shown, 'it is damaged', error)
  }
}

function refused(path: string, why: string, cause?: unknown): AppError {
  return new AppError('store_error', `${path} cannot be restored: ${why}. Nothing was changed.`, { cause })
}

function openStoreFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: PATIENCE })
  } catch (error) {
    throw toOpenError(error, path)
  }
}

async function copyPages(source: DatabaseSync, to: string, { onProgress }: CopyOptions): Promise<void> {
  const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }): void =>
    onProgress?.(totalPages - remainingPages, totalPages)
  for (let waited = 0; ; waited += PAUSE) {
    try {
      await backup(source, to, { rate: PAGES_AT_ONCE, progress })
      return
    } catch (error) {
      if (!isHeldByOthers(error) || waited >= PATIENCE) throw error
    }
    // In real time, as the copy itself: Node makes it in other threads, whose steps no `Loop` can order.
    await new Promise((wake) => {
      setTimeout(wake, PAUSE)
    })
  }
}

/** Node reports a store that another process writes to as an error without a code. */
function isHeldByOthers(error: unknown): boolean {
  return isSqliteBusy(error) || (error as { errcode?: number }).errcode === 0
}

function createPrivately(path: string): void {
  closeSync(openSync(path, 'wx', 0o600))
  // The system may take bits away, but never adds them.
  chmodSync(path, 0o600)
}

/** Makes a copy one file, without the two that SQLite keeps beside a store in use, and syncs it. */
function toSingleFile(path: string): void {
  const db = new DatabaseSync(path)
  try {
    db.exec('pragma journal_mode = delete')
  } finally {
    db.close()
  }
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
