/** Transactions on the one connection of an SQLite store, and the statements within them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { LockedCounters, SqlRow, Tx, SqlValue } from '../core/db.ts'
import type { EventLoop } from '../core/event-loop.ts'
import type { OutcomeCallback, QueuedRead, QueuedWrite } from './connection-queue.ts'
import { makeLoopYield, type LoopYield } from './loop-yield.ts'
import type { ReadCache } from './read-cache.ts'
import { isSqliteBusy, isSyncFailure, RolledBackError } from './sqlite-errors.ts'
import { toNestedStatements } from './sqlite-nested.ts'
import { type CachedStatement, makeStatements, type SqliteStatements } from './sqlite-statements.ts'
import { toBound, toColumn } from './sqlite-values.ts'
import { copyLockedCounters, writesOf } from './write-buffer.ts'

/** The time after which a group takes no further read or write: the event loop must not be held longer than 50 ms. */
const MAX_GROUP_MS = 20
const CHANGES_ROWS = /^\s*(?:insert|update|delete)\b/i
/** The rows that are deleted at once when a table is emptied: few enough for 50 ms, even with many indexes. */
const CLEARED = 500

type Transactions = {
  /**
   * Runs work between two statements. `beforeEnd` may throw to undo it. Whatever throws, the transaction has ended
   * afterwards.
   */
  within<T>(begin: string, work: () => Promise<T>, end: string, beforeEnd?: () => void): Promise<T>
  /** Runs the first reads within one transaction, and removes them with their responses. */
  runReads(waiting: QueuedRead[], answer: (answer: OutcomeCallback) => void): Promise<void>
  /** Runs the first writes of a group within one transaction. Returns their responses. */
  runGroup(group: readonly QueuedWrite[]): Promise<OutcomeCallback[]>
  /** Drops the values that are kept, because the store was brought back to an earlier state. */
  forgetKept(): void
}

/** The connection, and what its transactions share. */
type Connection = {
  db: DatabaseSync
  statements: SqliteStatements
  pauses: LoopYield
  /** A monotonic clock in milliseconds. */
  elapsed: () => number
}

export type Surroundings = {
  loop: EventLoop
  /** Opens the connection again, which is closed; throws when the store was closed by its owner. */
  reopen(): void
  /** Called whenever a long transaction lets others run. */
  onPause?(): void
  /** True if all transactions are parts of one that stays open, so that it can undo them. */
  nested?: boolean | undefined
}

export function makeTransactions(db: DatabaseSync, surroundings: Surroundings): Transactions {
  const { loop, reopen, onPause, nested } = surroundings
  const { elapsed } = loop
  const statements = makeStatements(db)
  const connection = { db, statements, pauses: makeLoopYield(loop, onPause), elapsed }
  const lead = (sql: string): void => toNestedStatements(sql, nested).forEach((part) => run(connection, part))
  let lost = false

  /** Undoes the transaction. A disk that refuses even that leaves the connection inside it, so the connection ends. */
  function undo(): void {
    try {
      lead('rollback')
    } catch {
      lost = true
      statements.forget()
      db.close()
    }
  }

  return {
    async within(begin, work, end, beforeEnd) {
      if (lost) reopen()
      lost = false
      if (!db.isOpen) throw new Error('The store is closed')
      lead(begin)
      try {
        const result = await work()
        if (end === 'commit' && connection.pauses.isDue('commit')) await connection.pauses.take()
        beforeEnd?.()
        lead(end)
        return result
      } catch (error) {
        // After a full disk or an I/O error SQLite has already rolled back; a second rollback would hide the cause.
        if (db.isTransaction) undo()
        throw error
      }
    },
    async runReads(waiting, answer) {
      const started = elapsed()
      // A read that meets an unreadable disk ends the transaction.
      while (db.isTransaction && elapsed() - started <= MAX_GROUP_MS) {
        const next = waiting.shift()
        if (next === undefined) return
        await runWork(connection, { work: next.work, guarded: false }, undefined).then(
          (result) => answer(() => next.resolve(result)),
          (error: unknown) => answer(() => next.reject(error)),
        )
      }
    },
    async runGroup(group) {
      // The calls of a group take their numbers one after another.
      const counters: Counters = { held: undefined, writes: 0 }
      const answers = await runMembers(connection, group, counters)
      writeHeld(counters, statements)
      return answers
    },
    forgetKept: () => statements.kept.clear(),
  }
}

function run({ statements }: Connection, sql: string): void {
  statements.prepare(sql).run()
}

/** Runs a read or a write. Throws Undone when a part of it had to be undone and was not guarded, whatever it made of that. */
async function runWork(
  connection: Connection,
  { work, guarded }: Pick<QueuedWrite, 'work' | 'guarded'>,
  counters: Counters | undefined,
): Promise<unknown> {
  const course: SqliteTransactionState = { finished: false, guarded, undone: undefined, ended: undefined }
  try {
    const result = await work(makeTx(connection, counters, course))
    if (course.ended !== undefined) throw course.ended
    if (course.undone === undefined) return result
  } catch (error) {
    if (course.undone === undefined) throw error
  } finally {
    course.finished = true
  }
  throw course.undone
}

async function runMembers(
  connection: Connection,
  group: readonly QueuedWrite[],
  counters: Counters,
): Promise<OutcomeCallback[]> {
  const { elapsed } = connection
  const [first] = group
  if (group.length === 1 && first !== undefined) {
    const result = await runWork(connection, first, counters)
    return [() => first.resolve(result)]
  }
  const answers: OutcomeCallback[] = []
  const started = elapsed()
  for (const write of group) {
    if (elapsed() - started > MAX_GROUP_MS) break
    answers.push(await runMember(connection, write, counters))
  }
  return answers
}

/**
 * Runs a write of a group. One that fails, fails alone, unless it ended the transaction or the disk failed. A savepoint
 * copies every page that is changed, and most that fail do so before they change anything: throws Undone for one that
 * changed something without its savepoint.
 */
async function runMember(
  connection: Connection,
  write: QueuedWrite,
  counters: Counters,
): Promise<OutcomeCallback> {
  const { guarded, resolve, reject } = write
  const { writes } = counters
  const before = counters.held && copyLockedCounters(counters.held)
  if (guarded) run(connection, 'savepoint member')
  try {
    const result = await runWork(connection, write, counters)
    if (guarded) run(connection, 'release member')
    return () => resolve(result)
  } catch (error) {
    if (isForGroup(connection.db, error)) throw error
    if (!guarded && counters.writes > writes) throw new RolledBackError(error)
    if (guarded) {
      run(connection, 'rollback to member')
      run(connection, 'release member')
    }
    counters.held = before
    return () => reject(error)
  }
}

/** Returns whether an error concerns the whole group, not only the write that met it. */
function isForGroup(db: DatabaseSync, error: unknown): boolean {
  return !db.isTransaction || error instanceof RolledBackError || isSyncFailure(error) || isSqliteBusy(error)
}

type Counters = {
  held: LockedCounters | undefined
  /** The number of statements so far that changed something. */
  writes: number
}

/** Writes what is held, and forgets it. */
function writeHeld(counters: Counters, { prepare }: SqliteStatements): void {
  if (counters.held === undefined) return
  for (const { sql, params } of writesOf(counters.held)) {
    prepare(sql).run(...params.map(toBound))
    counters.writes++
  }
  counters.held = undefined
}

/** The course of one read or write. */
type SqliteTransactionState = {
  finished: boolean
  /** True if savepoints are made. Without them, a part that fails after a change ends the write. */
  readonly guarded: boolean
  /** The end of a write that must run again, guarded. */
  undone: RolledBackError | undefined
  /** The error by which SQLite ended the transaction, such as a full disk. Nothing of it is left, whatever the work makes of that. */
  ended: unknown
}

/** The ways to run a statement of one transaction, each checked first. */
function makeRunners(
  { db, statements }: Connection,
  counters: Counters | undefined,
  course: SqliteTransactionState,
) {
  const isOver = (): boolean => course.finished || !db.isTransaction

  /** Checks every statement, so that none runs outside of its transaction. */
  function check(sql: string): CachedStatement {
    if (isOver()) throw course.ended ?? new Error(`The transaction is over: ${sql}`)
    if (course.undone !== undefined) throw course.undone
    const found = statements.find(sql)
    if (counters === undefined && !found.reads) throw new Error(`A read must not write: ${sql}`)
    if (found.isHeld && counters?.held !== undefined) writeHeld(counters, statements)
    return found
  }

  /** Counts a statement that changed rows: it would have to be undone. Returns their number. */
  function note(changes: number): number {
    if (counters !== undefined && changes > 0) counters.writes++
    return changes
  }

  /** Runs a statement. Notes the error when SQLite ended the transaction by it. */
  function attempt<T>(run: () => T): T {
    try {
      return run()
    } catch (error) {
      if (!db.isTransaction) course.ended ??= error
      throw error
    }
  }

  function statement(sql: string): StatementSync {
    const found = check(sql)
    found.effect?.()
    return found.statement
  }

  /** Returns a statement that returns rows, also of those that it changes. */
  function query(sql: string): StatementSync {
    const { reads } = statements.find(sql)
    if (!reads) note(1)
    return statement(sql)
  }

  function change(sql: string, params: readonly SqlValue[]): number {
    const changes = Number(attempt(() => statement(sql).run(...params.map(toBound))).changes)
    // SQLite tells the number of the statement before where one changes no rows but the schema.
    note(CHANGES_ROWS.test(sql) ? changes : 1)
    return changes
  }

  return { check, note, attempt, statement, query, change, isOver }
}

/** Makes the statements of one transaction; one without counters only reads. */
function makeTx(connection: Connection, counters: Counters | undefined, course: SqliteTransactionState): Tx {
  const { db, pauses } = connection
  const { kept } = connection.statements
  const { check, note, attempt, statement, query, change, isOver } = makeRunners(connection, counters, course)
  const tx: Tx = {
    engine: 'sqlite',
    stateColumn: '',
    generation: 'w.generation',
    forUpdate: '',
    skipLocked: '',
    all: async (sql, ...params) => {
      if (pauses.isDue()) await pauses.take()
      return attempt(() => query(sql).all(...params.map(toBound))) as SqlRow[]
    },
    get: async (sql, ...params) => {
      if (pauses.isDue()) await pauses.take()
      return attempt(() => query(sql).get(...params.map(toBound))) as SqlRow | undefined
    },
    run: async (sql, ...params) => {
      if (pauses.isDue()) await pauses.take()
      return change(sql, params)
    },
    runPipelined: async (sql, ...params) => {
      if (pauses.isDue()) await pauses.take()
      change(sql, params)
    },
    insertMany: makeInserts({ check, note, attempt, kept, pauses }),
    clear: async (table) => {
      const sql = `delete from ${table} where rowid in (select rowid from ${table} limit ${CLEARED})`
      while ((await tx.run(sql)) === CLEARED) continue
    },
    getUnsnapshotted: (sql, ...params) => tx.get(sql, ...params),
    allUnsnapshotted: (sql, ...params) => tx.all(sql, ...params),
    cached: async (how, read) => {
      if (course.finished) throw new Error(`The transaction is over: ${how.key}`)
      return kept.get(how, read)
    },
    savepoint:
      counters === undefined || course.guarded
        ? makeSavepoints(statement, isOver, counters)
        : makeUnguarded(db, counters, course),
    ...(counters !== undefined && { counters }),
  }
  return tx
}

type InsertDeps = Pick<ReturnType<typeof makeRunners>, 'check' | 'note' | 'attempt'> & {
  kept: ReadCache
  pauses: LoopYield
}

function makeInserts({ check, note, attempt, kept, pauses }: InsertDeps): Tx['insertMany'] {
  return async (table, columns, rows, { ignoreConflicts = false } = {}) => {
    const sql = insertInto(table, columns) + (ignoreConflicts ? ' on conflict do nothing' : '')
    const kind = columns.indexOf('kind')
    let inserted = 0
    for (const row of rows) {
      if (pauses.isDue()) await pauses.take()
      const { statement, effect } = check(sql)
      if (kind === -1) effect?.()
      else kept.inserting(table, row[kind])
      inserted += note(Number(attempt(() => statement.run(...row.map(toColumn))).changes))
    }
    return inserted
  }
}

/** The last insert of each list of columns: a table has one such list, and most rows come one by one. */
const inserts = new WeakMap<readonly string[], { table: string; sql: string }>()

function insertInto(table: string, columns: readonly string[]): string {
  const known = inserts.get(columns)
  if (known?.table === table) return known.sql
  const places = columns.map((_, index) => `$${index + 1}`).join(', ')
  const sql = `insert into ${table} (${columns.join(', ')}) values (${places})`
  inserts.set(columns, { table, sql })
  return sql
}

/**
 * Returns a function that runs work of a write without a savepoint, which would copy each page that the work changes. Few
 * fail, and most of these before they change anything; the others end the write, which then runs again, guarded.
 */
function makeUnguarded(
  db: DatabaseSync,
  counters: Counters,
  course: SqliteTransactionState,
): Tx['savepoint'] {
  return async (work) => {
    const { writes } = counters
    const before = counters.held && copyLockedCounters(counters.held)
    try {
      return await work()
    } catch (error) {
      if (isForGroup(db, error)) throw error
      if (counters.writes > writes) throw (course.undone = new RolledBackError(error))
      counters.held = before
      throw error
    }
  }
}

/** Returns a function that runs work of a transaction in a savepoint of its own. */
function makeSavepoints(
  statement: (sql: string) => StatementSync,
  isOver: () => boolean,
  counters: Counters | undefined,
): Tx['savepoint'] {
  let depth = 0
  return async (work) => {
    const name = `nested_${++depth}`
    const before = counters?.held && copyLockedCounters(counters.held)
    statement(`savepoint ${name}`).run()
    try {
      const result = await work()
      statement(`release ${name}`).run()
      return result
    } catch (error) {
      if (!isOver()) {
        statement(`rollback to ${name}`).run()
        statement(`release ${name}`).run()
        if (counters !== undefined) counters.held = before
      }
      throw error
    } finally {
      depth--
    }
  }
}
