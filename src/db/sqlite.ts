import { chmodSync, closeSync, constants, copyFileSync, linkSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AppError } from '../core/errors.ts'
import { PROCESS_EVENT_LOOP, type EventLoop } from '../core/event-loop.ts'
import { makeFolders } from '../core/folders.ts'
import {
  type OutcomeCallback,
  makeConnectionQueue,
  type QueuedRead,
  type ConnectionQueue,
  type QueuedWrite,
} from './connection-queue.ts'
import {
  cutOff,
  isSqliteBusy,
  isSyncFailure,
  notAStoreError,
  syncFailure,
  toOpenError,
  toSqliteStoreError,
  RolledBackError,
} from './sqlite-errors.ts'
import { makeTransactions } from './sqlite-transactions.ts'
import { type TallyCounter, makeTally } from './tally.ts'
import { removeUnnamedStoreFiles } from './temp-files.ts'
import { APPLICATION_ID, assertNotNewer, type OpenedStore, SCHEMA_SIZE, SCHEMA_VERSION } from './version.ts'

export type SqliteOptions = {
  /** The time that a transaction waits for another process, in milliseconds. */
  patience?: number
  /** Defaults to that of this process. */
  loop?: EventLoop | undefined
  /** Called when writes begin. The returned function is called before their commit, and throws to undo them. */
  watch?: (() => () => void) | undefined
}

export const MEMORY = ':memory:'
/** The options of every connection. */
export const CONNECTED = {
  // SQLite's own wait would block the event loop, and its pauses grow to 100 ms.
  timeout: 0,
  enableForeignKeyConstraints: true,
  defensive: true,
}
const PATIENCE = 60_000
/** The pause between two tries while another process opens, repairs or closes the store, in milliseconds. */
const PAUSE = 5
/**
 * The pages of the write-ahead log after which a commit brings them into the file: 16 MB. Most pages are written again
 * and again, and then brought once; and the copying of this many holds the event loop for less than 50 ms.
 */
const CHECKPOINTED = 4000
/** The memory for pages, in KiB: those of a group and of a manifest fit, so that they are written once. */
const CACHE = 16_384
/** The same of a store in memory. */
const MEMORY_CACHE = 256
/** Older versions can corrupt files by a bug in WAL reset (sqlite.org/changes.html, 3.51.3). */
const OLDEST_SQLITE = [3, 51, 3] as const

/**
 * Opens an SQLite store, or creates an empty one: a path or `:memory:`. It has one connection and runs one
 * transaction at a time. Throws `store_error` for files that are not a store, are damaged, or were written by a newer
 * version.
 */
export async function openSqlite(location: string, options: SqliteOptions = {}): Promise<OpenedStore> {
  // An absolute path makes messages clear, and SQLite cannot misread it as a special name (`file:…`, or empty).
  const path = location === MEMORY ? MEMORY : resolve(location)
  assertSqliteVersion(process.versions['sqlite'])
  const { patience = PATIENCE, watch, loop = PROCESS_EVENT_LOOP } = options
  let db: DatabaseSync | undefined
  try {
    if (path !== MEMORY) createPrivately(path)
    const opened = new DatabaseSync(path === MEMORY ? path : existing(path), CONNECTED)
    db = opened
    const schemaVersion = await retryWhileBusy({ patience, loop }, () => prepareStore(opened, path))
    return makeStore(opened, path, { patience, watch, loop, schemaVersion })
  } catch (error) {
    db?.close()
    throw toOpenError(error, path)
  }
}

/** Throws `store_error` when this SQLite version is too old to be safe. */
export function assertSqliteVersion(version: string | undefined): void {
  const parts = (version ?? '0').split('.').map(Number)
  const differing = OLDEST_SQLITE.findIndex((part, index) => part !== parts[index])
  if (differing === -1 || (parts[differing] ?? 0) > (OLDEST_SQLITE[differing] ?? 0)) return
  throw new AppError(
    'store_error',
    `This Node carries SQLite ${version}, which can damage a store. Use a Node with SQLite ${OLDEST_SQLITE.join('.')} or newer.`,
  )
}

/**
 * Creates the file of a new store as private, because SQLite would make it, `-wal` and `-shm` readable for every user.
 * Throws `store_error` for an empty file: a store is never empty, so its content was lost.
 */
function createPrivately(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  // SQLite would treat a device as an empty file, and its new permissions would lock out all other users.
  if (found?.isFile() === false)
    throw notAStoreError(path, found.isDirectory() ? 'a folder' : 'no plain file')
  if (found?.size === 0) throw cutOff(path)
  if (found !== undefined) return
  makeFolders(dirname(path), 0o700)
  // Containers share process ids, and never both a process id and a nanosecond.
  const draft = `${path}.${process.pid}-${process.hrtime.bigint()}.new`
  try {
    makeMarked(draft)
    removeUnnamedStoreFiles(path, statSync(draft).mtimeMs)
    // The file gets its final name only when it is complete, so that a crash leaves no empty file.
    publish(draft, path)
  } catch (error) {
    // Another process was faster. The existing file must not be opened here: closing it would drop SQLite's own
    // locks.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Gives a file its final name if no file has that name. Throws EEXIST. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    // Some file systems, such as FAT on memory cards, have no hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error
    copyFileSync(draft, path, constants.COPYFILE_EXCL)
  }
}

/** Creates an empty database with the mark of a store. */
function makeMarked(path: string): void {
  closeSync(openSync(path, 'wx', 0o600))
  const db = new DatabaseSync(path)
  try {
    db.exec(`pragma synchronous = full; pragma application_id = ${APPLICATION_ID}`)
  } finally {
    db.close()
  }
}

/** Checks that the file is a store before changing it. Returns its schema version. */
async function prepareStore(db: DatabaseSync, path: string): Promise<number> {
  const version = pragma(db, 'user_version')
  const upToDate = version === SCHEMA_VERSION && pragma(db, 'application_id') === APPLICATION_ID
  if (!upToDate) assertOurs(db, path)
  if (!(await hasOwnSchema(db, path))) return prepareStore(db, path)
  if (path !== MEMORY) repairModes(path)
  tune(db, path)
  return version
}

/** Makes the settings of a connection that writes. */
export function tune(db: DatabaseSync, path: string): void {
  if (path === MEMORY) {
    // It has no file, and needs no temporary one. Beside the pages themselves, few are copied.
    db.exec(`pragma temp_store = memory; pragma cache_size = -${MEMORY_CACHE}`)
    return
  }
  db.exec('pragma synchronous = full; pragma journal_mode = wal')
  db.exec(`pragma wal_autocheckpoint = ${CHECKPOINTED}; pragma cache_size = -${CACHE}`)
}

/** Returns the URL of a store's file: only by that, SQLite does not create the file of a store that was moved. */
function existing(path: string): URL {
  const url = pathToFileURL(path)
  url.searchParams.set('mode', 'rw')
  return url
}

/**
 * Throws `store_error` for a store that another program gave a trigger, or any other schema. Returns false when another
 * process migrated it in the meantime.
 */
async function hasOwnSchema(db: DatabaseSync, path: string): Promise<boolean> {
  const { version, ...size } = db.prepare(SIZE).get() ?? {}
  if (version === 0) return true
  const { objects, characters } = SCHEMA_SIZE
  const isUsual = size['objects'] === objects && size['characters'] === characters
  if (version === SCHEMA_VERSION && isUsual) return true
  const { assertOwnSchema } = await import('./sqlite-schema.ts')
  return inSnapshot(db, () => {
    const isSame = JSON.stringify(db.prepare(SIZE).get()) === JSON.stringify({ version, ...size })
    if (isSame) assertOwnSchema(db, Number(version), path)
    return isSame
  })
}

/** One statement, so that it sees one instant. */
const SIZE = `select (select user_version from pragma_user_version) as version, count(*) as objects,
  sum(length(sql)) as characters from sqlite_schema`

function assertOurs(db: DatabaseSync, path: string): void {
  inSnapshot(db, () => {
    const version = pragma(db, 'user_version')
    const applicationId = pragma(db, 'application_id')
    const { tables } = db.prepare('select count(*) as tables from sqlite_schema').get() ?? {}
    if (applicationId !== APPLICATION_ID && (applicationId !== 0 || version !== 0 || tables !== 0)) {
      throw notAStoreError(path, "another program's database")
    }
    // SQLite would overwrite a file that is too short to be a database. The snapshot keeps its size unchanged.
    if (path !== MEMORY && pragma(db, 'page_count') === 0 && statSync(path).size > 0) {
      throw notAStoreError(path, 'not a database')
    }
    assertNotNewer(version, `The store ${path}`)
  })
}

/** Returns what all reads of `work` see at one instant, because another process may be creating or migrating the store. */
function inSnapshot<T>(db: DatabaseSync, work: () => T): T {
  db.exec('begin')
  try {
    return work()
  } finally {
    if (db.isTransaction) db.exec('rollback')
  }
}

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id' | 'page_count'): number {
  return Number(db.prepare(`pragma ${name}`).get()?.[name])
}

function repairModes(path: string): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (statSync(file, { throwIfNoEntry: false }) !== undefined) chmodSync(file, 0o600)
  }
}

/** The time that a connection waits for others, and the way. */
type BusyWait = { patience: number; loop: EventLoop }

/** Retries while another process locks the store, so that no user sees "database is locked". */
async function retryWhileBusy<T>({ patience, loop }: BusyWait, work: () => T | Promise<T>): Promise<T> {
  const started = loop.elapsed()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isSqliteBusy(error) || loop.elapsed() - started >= patience) throw error
      await new Promise((wake) => {
        loop.later(() => wake(undefined), PAUSE)
      })
    }
  }
}

type SqliteOpening = BusyWait &
  Pick<SqliteOptions, 'watch'> &
  Pick<OpenedStore, 'schemaVersion'> & {
    /** True if a transaction stays open around all others. */
    nested?: boolean
  }

/** A store, and what its owner may do with the connection. */
export type OwnedStore = OpenedStore & {
  /** Runs a job after everything that waits now, while the connection is idle. */
  between<T>(job: () => T): Promise<T>
  /** Drops the values that are kept: a job brought the store back to an earlier state. */
  forgetKept(): void
}

/** Returns the store over a connection. */
export function makeStore(
  db: DatabaseSync,
  path: string,
  { watch, schemaVersion, nested, ...waiting }: SqliteOpening,
): OwnedStore {
  const second = openSecond(path, waiting)
  // A reader does not wait for a long transaction: in WAL mode another connection sees the store before it.
  const { within, runReads, runGroup, forgetKept } = makeTransactions(db, {
    loop: waiting.loop,
    nested,
    reopen() {
      if (closed) return
      if (!db.isOpen) db.open()
      tune(db, path)
    },
    onPause: () => second.adopt(turns),
  })
  let closed = false
  const { tally, ...counting } = makeTally(waiting.loop)
  const inGroup = (group: readonly QueuedWrite[]) =>
    within('begin immediate', () => runGroup(group), 'commit', watch?.())
  const commit = makeCommit(db, path, counting, inGroup)

  // Reads roll back, in case one wrote by mistake.
  const read = (waiting: QueuedRead[], answer: (answer: OutcomeCallback) => void): Promise<void> =>
    within('begin', () => runReads(waiting, answer), 'rollback')

  const turns = makeConnectionQueue({ read, commit, ...waiting })

  async function translated<T>(transaction: Promise<T>): Promise<T> {
    try {
      return await transaction
    } catch (error) {
      throw toSqliteStoreError(error, path)
    }
  }

  return {
    kind: 'sqlite',
    tally,
    schemaVersion,
    read: (work, { long = false } = {}) =>
      translated(retryWhileBusy(waiting, () => ((long && db.isOpen && second.open()) || turns).read(work))),
    write: (work) => translated(turns.write(work)),
    between: turns.last,
    forgetKept,
    async close() {
      await turns.last(() => {
        closed = true
        if (db.isOpen) db.close()
      })
      await second.close()
    },
  }
}

/** Returns a function that commits a group of writes and counts it. After a failed sync it throws that failure. */
function makeCommit(
  db: DatabaseSync,
  path: string,
  { begin, repeat }: Omit<TallyCounter, 'tally'>,
  run: (group: readonly QueuedWrite[]) => Promise<OutcomeCallback[]>,
): (group: readonly QueuedWrite[]) => Promise<OutcomeCallback[]> {
  let failedSync: unknown
  return async (group) => {
    if (failedSync !== undefined) throw syncFailure(path, failedSync)
    const done = begin()
    try {
      // A savepoint copies every page that its work changes, by default into a temporary file.
      if (db.isOpen && path !== MEMORY) db.exec('pragma temp_store = memory')
      const answers = await run(group)
      return done(answers.length, answers)
    } catch (error) {
      repeat(isSqliteBusy(error) ? 1 : 0)
      if (!isSyncFailure(error)) {
        // A change that is alone was rejected, unless it runs again.
        if (group.length === 1 && !isSqliteBusy(error) && !(error instanceof RolledBackError))
          done(1, undefined)
        throw error
      }
      failedSync = error
      throw syncFailure(path, error)
    } finally {
      // A read may sort more than fits into memory.
      if (db.isOpen && path !== MEMORY) db.exec('pragma temp_store = file')
    }
  }
}

/** A connection for reads that others must not wait for, or that must not wait for others; opened when it is needed. */
type Second = {
  /** Returns its turns; undefined for a store in memory, which only one connection sees. */
  open(): ConnectionQueue | undefined
  /** Takes the reads that wait for the first connection, unless it is in use or cannot be opened. */
  adopt(from: ConnectionQueue): void
  close(): Promise<void>
}

function openSecond(path: string, waiting: BusyWait): Second {
  let db: DatabaseSync | undefined
  let turns: ConnectionQueue | undefined
  function make(): ConnectionQueue | undefined {
    if (path === MEMORY) return undefined
    const opened = new DatabaseSync(existing(path), { timeout: 0, defensive: true })
    db = opened
    const { within, runReads } = makeTransactions(opened, { loop: waiting.loop, reopen: () => opened.open() })
    return makeConnectionQueue({
      read: (waiting, answer) => within('begin', () => runReads(waiting, answer), 'rollback'),
      commit: () => Promise.reject(new Error('the second connection only reads')),
      ...waiting,
    })
  }
  const open = (): ConnectionQueue | undefined => (turns ??= make())
  return {
    open,
    adopt(from) {
      // Behind a long read they might wait longer than for the transaction.
      if (turns?.isIdle() === false) return
      const reads = path === MEMORY ? [] : from.release()
      if (reads.length === 0) return
      try {
        open()?.adopt(reads)
      } catch {
        // Too many files may be open, or the store was moved: they wait after all.
        from.adopt(reads)
      }
    },
    close: async () =>
      turns?.last(() => {
        if (db?.isOpen) db.close()
      }),
  }
}
