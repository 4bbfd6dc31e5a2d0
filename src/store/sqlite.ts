import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Row, Tx, Value } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { isRead, type Kept, makeKept } from './kept.ts'
import { makePauses, type Pauses } from './pauses.ts'
import {
  cutOff,
  isBusy,
  isSyncFailure,
  notOurs,
  syncFailure,
  toOpenError,
  toStoreError,
} from './sqlite-errors.ts'
import { type Answer, makeTurns, type Write } from './sqlite-turns.ts'
import { assertStorable } from './values.ts'
import { APPLICATION_ID, assertNotNewer, type OpenedStore, SCHEMA_VERSION } from './version.ts'

export type SqliteOptions = {
  /** How long a transaction waits for another process, in milliseconds. */
  patience?: number
}

const MEMORY = ':memory:'
const PATIENCE = 60_000
/** The pause between two tries while another process opens, repairs or closes the store, in milliseconds. */
const PAUSE = 5
/** The time after which a group takes no further write: the event loop must not be held longer than 50 ms. */
const LONGEST_GROUP = 20
/** Statements differ only in the length of an `in (…)` list; in practice there are far fewer than this. */
const KEPT_STATEMENTS = 500
/**
 * The pages of the write-ahead log after which a commit brings them into the file: 16 MB. Most pages are written again
 * and again, and then brought once; and the copying of this many holds the event loop for less than 50 ms.
 */
const CHECKPOINTED = 4000
/** The memory for pages, in KiB: those of a group and of a manifest fit, so that they are written once. */
const CACHE = 16_384
/** The rows that are deleted at once when a table is emptied: few enough for 50 ms, even with many indexes. */
const CLEARED = 500
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
  const { patience = PATIENCE } = options
  let db: DatabaseSync | undefined
  try {
    if (path !== MEMORY) createPrivately(path)
    const opened = new DatabaseSync(path, {
      // SQLite's own wait would block the event loop, and its pauses grow to 100 ms.
      timeout: 0,
      enableForeignKeyConstraints: true,
      defensive: true,
    })
    db = opened
    const schemaVersion = await retryWhileBusy(patience, () => prepareStore(opened, path))
    return makeStore(opened, path, patience, schemaVersion)
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
 * Creates the file of a new store as private, because SQLite would make it, `-wal` and `-shm` readable for everybody.
 * Throws `store_error` for an empty file: a store is never empty, so its content was lost.
 */
function createPrivately(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  // SQLite would treat a device as an empty file, and its new permissions would lock out everybody else.
  if (found?.isFile() === false) throw notOurs(path, found.isDirectory() ? 'a folder' : 'no plain file')
  if (found?.size === 0) throw cutOff(path)
  if (found !== undefined) return
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}-${++drafts}.new`
  try {
    makeMarked(draft)
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

let drafts = 0

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
  rmSync(path, { force: true })
  closeSync(openSync(path, 'wx', 0o600))
  const db = new DatabaseSync(path)
  try {
    db.exec(`pragma synchronous = full; pragma application_id = ${APPLICATION_ID}`)
  } finally {
    db.close()
  }
}

/** Checks that the file is a store before changing it. Returns its schema version. */
function prepareStore(db: DatabaseSync, path: string): number {
  const version = pragma(db, 'user_version')
  const upToDate = version === SCHEMA_VERSION && pragma(db, 'application_id') === APPLICATION_ID
  if (!upToDate) assertOurs(db, path)
  if (path !== MEMORY) repairModes(path)
  db.exec('pragma synchronous = full; pragma journal_mode = wal')
  db.exec(`pragma wal_autocheckpoint = ${CHECKPOINTED}; pragma cache_size = -${CACHE}`)
  return version
}

function assertOurs(db: DatabaseSync, path: string): void {
  // All reads need one snapshot, because another process may be creating the store.
  db.exec('begin')
  try {
    const version = pragma(db, 'user_version')
    const applicationId = pragma(db, 'application_id')
    const { tables } = db.prepare('select count(*) as tables from sqlite_schema').get() ?? {}
    if (applicationId !== APPLICATION_ID && (applicationId !== 0 || version !== 0 || tables !== 0)) {
      throw notOurs(path, "another program's database")
    }
    // SQLite would overwrite a file that is too short to be a database. The snapshot keeps its size unchanged.
    if (path !== MEMORY && pragma(db, 'page_count') === 0 && statSync(path).size > 0) {
      throw notOurs(path, 'not a database')
    }
    assertNotNewer(version, `The store ${path}`)
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

/** Retries while another process locks the store, so that no user sees "database is locked". */
async function retryWhileBusy<T>(patience: number, work: () => T | Promise<T>): Promise<T> {
  const started = elapsed()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || elapsed() - started >= patience) throw error
      await new Promise((wake) => {
        setTimeout(wake, PAUSE)
      })
    }
  }
}

function elapsed(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function makeStore(db: DatabaseSync, path: string, patience: number, schemaVersion: number): OpenedStore {
  const { within, runWork, runGroup } = makeTransactions(db)
  let failedSync: unknown

  async function commit(group: readonly Write[]): Promise<Answer[]> {
    if (failedSync !== undefined) throw syncFailure(path, failedSync)
    try {
      // A savepoint copies every page that its work changes, by default into a temporary file.
      if (db.isOpen) db.exec('pragma temp_store = memory')
      return await within('begin immediate', () => runGroup(group), 'commit')
    } catch (error) {
      if (!isSyncFailure(error)) throw error
      failedSync = error
      throw syncFailure(path, error)
    } finally {
      // A read may sort more than fits into memory.
      if (db.isOpen) db.exec('pragma temp_store = file')
    }
  }

  const turns = makeTurns({ commit, elapsed, patience })

  async function translated<T>(transaction: Promise<T>): Promise<T> {
    try {
      return await transaction
    } catch (error) {
      throw toStoreError(error, path)
    }
  }

  // A read rolls back, in case it wrote by mistake.
  const read = <T>(work: (tx: Tx) => Promise<T>) =>
    turns.read(() => within('begin', () => runWork('read', work), 'rollback'))

  return {
    kind: 'sqlite',
    schemaVersion,
    read: (work) => translated(retryWhileBusy(patience, () => read(work))),
    write: (work) => translated(turns.write(work)),
    close: () =>
      turns.last(() => {
        if (db.isOpen) db.close()
      }),
  }
}

type Transactions = {
  /** Runs work between two statements. Whatever throws, the transaction is over afterwards. */
  within<T>(begin: string, work: () => Promise<T>, end: string): Promise<T>
  /** Runs work with statements that end with it. */
  runWork<T>(mode: Mode, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs the first writes of a group within one transaction. Returns their answers. */
  runGroup(group: readonly Write[]): Promise<Answer[]>
}

function makeTransactions(db: DatabaseSync): Transactions {
  const statements = makeStatements(db)
  const pauses = makePauses(elapsed)
  const run = (sql: string): unknown => statements.prepare(sql).run()

  async function within<T>(begin: string, work: () => Promise<T>, end: string): Promise<T> {
    if (!db.isOpen) throw new Error('The store is closed')
    run(begin)
    try {
      const result = await work()
      run(end)
      return result
    } catch (error) {
      // After a full disk or an I/O error SQLite has already rolled back; a second rollback would hide the cause.
      if (db.isTransaction) run('rollback')
      throw error
    }
  }

  async function runWork<T>(mode: Mode, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { tx, finish } = makeTx(db, statements, pauses, mode)
    try {
      return await work(tx)
    } finally {
      finish()
    }
  }

  /** Runs a write of a group. One that fails, fails alone, unless it ended the transaction or the disk failed. */
  async function runMember({ work, resolve, reject }: Write): Promise<Answer> {
    run('savepoint member')
    try {
      const result = await runWork('write', work)
      run('release member')
      return () => resolve(result)
    } catch (error) {
      if (!db.isTransaction || isSyncFailure(error) || isBusy(error)) throw error
      run('rollback to member')
      run('release member')
      return () => reject(error)
    }
  }

  async function runGroup(group: readonly Write[]): Promise<Answer[]> {
    const [first] = group
    if (group.length === 1 && first !== undefined) {
      const result = await runWork('write', first.work)
      return [() => first.resolve(result)]
    }
    const answers: Answer[] = []
    const started = elapsed()
    for (const write of group) {
      if (elapsed() - started > LONGEST_GROUP) break
      answers.push(await runMember(write))
    }
    return answers
  }

  return { within, runWork, runGroup }
}

type Mode = 'read' | 'write'

type Known = { statement: StatementSync; effect: (() => void) | undefined; reads: boolean }

type Statements = {
  /** Returns the statement, which must run at once: what is kept of its tables counts as changed. */
  prepare(sql: string, mode?: Mode): StatementSync
  kept: Kept
}

/** Prepares each statement once and keeps it. `$1` becomes `?1`, which node:sqlite binds by position. */
function makeStatements(db: DatabaseSync): Statements {
  const known = new Map<string, Known>()
  const kept = makeKept(() => prepare('pragma data_version').get()?.['data_version'])
  function prepare(sql: string, mode?: Mode): StatementSync {
    let found = known.get(sql)
    if (found === undefined) {
      if (known.size >= KEPT_STATEMENTS) known.clear()
      const statement = db.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'))
      found = { statement, effect: kept.effectOf(sql), reads: isRead(sql) }
      known.set(sql, found)
    }
    if (mode === 'read' && !found.reads) throw new Error(`A read must not write: ${sql}`)
    found.effect?.()
    return found.statement
  }
  return { prepare, kept }
}

function makeTx(
  db: DatabaseSync,
  { prepare, kept }: Statements,
  pauses: Pauses,
  mode: Mode,
): { tx: Tx; finish: () => void } {
  let finished = false

  /** Checks every statement, so that none runs outside of its transaction. */
  function statement(sql: string): StatementSync {
    if (finished || !db.isTransaction) throw new Error(`The transaction is over: ${sql}`)
    return prepare(sql, mode)
  }

  const tx: Tx = {
    forUpdate: '',
    skipLocked: '',
    all: async (sql, ...params) => {
      if (pauses.isDue()) await pauses.take()
      return statement(sql).all(...params.map(toBound)) as Row[]
    },
    get: async (sql, ...params) => {
      if (pauses.isDue()) await pauses.take()
      return statement(sql).get(...params.map(toBound)) as Row | undefined
    },
    run: async (sql, ...params) => {
      if (pauses.isDue()) await pauses.take()
      return Number(statement(sql).run(...params.map(toBound)).changes)
    },
    send: async (sql, ...params) => {
      if (pauses.isDue()) await pauses.take()
      statement(sql).run(...params.map(toBound))
    },
    insertMany: async (table, columns, rows, { ignoreConflicts = false } = {}) => {
      const places = columns.map((_, index) => `$${index + 1}`).join(', ')
      const conflict = ignoreConflicts ? ' on conflict do nothing' : ''
      const sql = `insert into ${table} (${columns.join(', ')}) values (${places})${conflict}`
      let inserted = 0
      for (const row of rows) {
        if (pauses.isDue()) await pauses.take()
        inserted += Number(statement(sql).run(...row.map(toColumn)).changes)
      }
      return inserted
    },
    clear: async (table) => {
      const sql = `delete from ${table} where rowid in (select rowid from ${table} limit ${CLEARED})`
      while ((await tx.run(sql)) === CLEARED) continue
    },
    kept: async (how, read) => {
      if (finished) throw new Error(`The transaction is over: ${how.key}`)
      return kept.get(how, read)
    },
    savepoint: makeSavepoints(statement, () => finished || !db.isTransaction),
  }
  return {
    tx,
    finish: () => void (finished = true),
  }
}

/** Returns a function that runs work of a transaction in a savepoint of its own. */
function makeSavepoints(statement: (sql: string) => StatementSync, isOver: () => boolean): Tx['savepoint'] {
  let depth = 0
  return async (work) => {
    const name = `nested_${++depth}`
    statement(`savepoint ${name}`).run()
    try {
      const result = await work()
      statement(`release ${name}`).run()
      return result
    } catch (error) {
      if (!isOver()) {
        statement(`rollback to ${name}`).run()
        statement(`release ${name}`).run()
      }
      throw error
    } finally {
      depth--
    }
  }
}

/** Returns the value for an insert unchanged: a STRICT column turns a float without a fraction into an integer. */
function toColumn(value: Value): Value {
  assertStorable(value)
  return value
}

/**
 * Converts numbers to bigint, because node:sqlite binds numbers as floats, which divide and print differently from
 * PostgreSQL's integers.
 */
function toBound(value: Value): string | bigint | null | Uint8Array {
  assertStorable(value)
  return typeof value === 'number' ? BigInt(value) : value
}
