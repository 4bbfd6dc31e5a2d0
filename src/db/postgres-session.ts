/** One transaction on a connection, alone or shared by several callers, from its first statement to its end. */
import type { LockedCounters, Tx, SqlValue } from '../core/db.ts'
import type { StatementResult, Connection } from './postgres-connection.ts'
import { isConnectionState, sqlState } from './postgres-errors.ts'
import {
  assertCanRun,
  sendControl,
  type TransactionState,
  type Invalidation,
  type TransactionMode,
  type Savepoint,
  awaitResponse,
  prepareConnection,
  runStatement,
  runBeforeBegin,
  runOnSharedConnection,
  runPipelined,
  STATE,
  trackResponse,
  writeHeld,
} from './postgres-transaction-state.ts'
import { type ReadCache, makeReadCache } from './read-cache.ts'
import {
  copyLockedCounters,
  type BufferedRows,
  bufferRows,
  insertsOf,
  MAX_INSERT_ROWS,
  type RowBuffer,
} from './write-buffer.ts'

export type PostgresSession = {
  tx: Tx
  /** Runs the work of one of several callers. When it throws, only its own writes are rolled back. */
  member<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Commits the work, and rejects further statements of it. Calls `onSent` when the commit is under way: another session
   * may begin on the connection. A read does not wait for the response.
   */
  commit(onSent?: () => void): Promise<void>
  /**
   * Rolls the work back, and rejects further statements of it. Closes a connection whose commit failed and on which
   * another session may have begun. Never throws.
   */
  rollback(): Promise<void>
  /** Returns the connection to the pool. */
  release(): void
  /** Says what became of the connection. */
  state(): {
    /** The connection failed, not the work. */
    lost: boolean
    /** The commit was sent, and there was no response to it. */
    unknown: boolean
    /** A statement without an awaited result failed. */
    failed: boolean
  }
}

/** Makes a session. It opens its connection, and begins its transaction, with the first statement that needs it. */
export function makePostgresSession(open: () => Promise<Connection>, kind: TransactionMode): PostgresSession {
  const course: TransactionState = {
    ...kind,
    open,
    isFirst: true,
    opening: undefined,
    connection: undefined,
    begun: false,
    finished: false,
    committing: false,
    unknown: false,
    openSavepoints: [],
    savepoints: 0,
    freeNames: [],
    pending: 0,
    failure: undefined,
    counters: { held: undefined },
    rows: new Map(),
    state: undefined,
    kept: kind.shared === true ? makeReadCache(() => 'this transaction') : undefined,
  }
  return {
    tx: makeTx(course, () => course.finished),
    member: (work) => runMember(course, work),
    commit: (onSent) => commit(course, onSent),
    async rollback() {
      course.finished = true
      if (!course.begun || course.connection?.lost() !== false) return
      if (course.committing && kind.shared === true) {
        course.connection.cut(new Error('the commit failed'))
        return
      }
      const ended = sendControl(course, course.connection, 'rollback', kind.beginMs).catch(() => {})
      if (!kind.readOnly) await ended
    },
    release: () => course.connection?.release(),
    state() {
      const { connection, unknown, failure } = course
      return { lost: connection?.lost() === true, unknown, failed: failure !== undefined }
    },
  }
}

async function runMember<T>(course: TransactionState, work: (tx: Tx) => Promise<T>): Promise<T> {
  let over = false
  try {
    return await savepoint(course, () => work(makeTx(course, () => over)))
  } finally {
    over = true
  }
}

function makeTx(course: TransactionState, isOver: () => boolean): Tx {
  const { readOnly, counters, withSharedConnection: apart, kept, keptByState } = course
  const check = (sql: string): void => {
    if (isOver()) throw new Error(`The transaction is over: ${sql}`)
  }
  const statement = async (
    sql: string,
    params: SqlValue[],
    effect?: Invalidation,
  ): Promise<StatementResult> => {
    check(sql)
    return runStatement(course, sql, params, effect)
  }
  const send = async (sql: string, params: SqlValue[], effect?: Invalidation): Promise<void> => {
    check(sql)
    return runPipelined(course, sql, params, effect)
  }
  return {
    engine: 'postgres',
    stateColumn: apart === undefined ? '' : `, cast(pg_current_snapshot() as text) as ${STATE}`,
    generation: `w.generation || '.' || w.tableoid`,
    // A read-only transaction locks nothing. Keys never change, so this lock does not block transactions that only
    // refer to the row by a foreign key.
    forUpdate: readOnly ? '' : 'for no key update',
    skipLocked: readOnly ? '' : 'skip locked',
    all: async (sql, ...params) => (await statement(sql, params)).rows,
    get: async (sql, ...params) => (await statement(sql, params)).rows[0],
    run: async (sql, ...params) => (await statement(sql, params)).rowCount ?? 0,
    runPipelined: (sql, ...params) => send(sql, params),
    getUnsnapshotted: async (sql, ...params) => {
      check(sql)
      return (await runOnSharedConnection(course, sql, params)).rows[0]
    },
    allUnsnapshotted: async (sql, ...params) => {
      check(sql)
      return (await runBeforeBegin(course, sql, params)).rows
    },
    insertMany: async (table, columns, rows, options) => {
      check(`insert into ${table}`)
      return insertRows(course, { table, columns, rows }, options)
    },
    clear: async (table) => void (await statement(`delete from ${table}`, [])),
    savepoint: (work) => savepoint(course, work),
    ...(!readOnly && { counters }),
    ...(kept !== undefined && {
      cached: async (how, read) => {
        check(how.key)
        return kept.get(how, read)
      },
    }),
    ...(keptByState !== undefined && {
      cached: async (how, read) => {
        check(how.key)
        return course.state === undefined ? read() : keptByState.get(course.state, how, read)
      },
    }),
  }
}

/** Inserts rows, or holds them for later. Returns the number inserted. */
async function insertRows(
  course: TransactionState,
  { table, columns, rows }: BufferedRows & { table: string },
  { ignoreConflicts = false }: { ignoreConflicts?: boolean } = {},
): Promise<number> {
  const { kept, readOnly } = course
  assertCanRun(course, table, rows.flat())
  if (!readOnly && !ignoreConflicts && bufferRows(course.rows, table, columns, rows)) {
    invalidateRows(kept, table, columns, rows)
    if ((course.rows.get(table)?.rows.length ?? 0) >= MAX_INSERT_ROWS)
      await prepareConnection(course, `insert into ${table}`, [])
    return rows.length
  }
  const ending = ignoreConflicts ? ' on conflict do nothing' : ''
  let inserted = 0
  for (const { sql, rows: chunk } of insertsOf(table, columns, rows, ending)) {
    const effect = (): void => invalidateRows(kept, table, columns, chunk)
    if (ignoreConflicts) inserted += (await runStatement(course, sql, chunk.flat(), effect)).rowCount ?? 0
    else {
      await runPipelined(course, sql, chunk.flat(), effect)
      inserted += chunk.length
    }
  }
  return inserted
}

/** Tells those who keep values that rows are inserted, by their kinds where they have one. */
function invalidateRows(
  kept: ReadCache | undefined,
  table: string,
  columns: readonly string[],
  rows: readonly SqlValue[][],
): void {
  const kind = columns.indexOf('kind')
  if (kind === -1) kept?.effectOf(`insert into ${table}`)?.()
  else for (const row of rows) kept?.inserting(table, row[kind] ?? null)
}

async function savepoint<T>(course: TransactionState, work: () => Promise<T>): Promise<T> {
  const { held } = course.counters
  const before: Before = { held: held && copyLockedCounters(held), rows: new Map(course.rows) }
  const mark: Savepoint = { name: undefined, isOwn: false }
  course.openSavepoints.push(mark)
  if (course.shared !== true) await prepareConnection(course, 'savepoint', [])
  try {
    const result = await work()
    if (mark.isOwn) await release(course, mark)
    return result
  } catch (error) {
    await rollBackTo(course, mark, before)
    throw error
  } finally {
    course.openSavepoints.pop()
    if (mark.isOwn && mark.name !== undefined) course.freeNames.push(mark.name)
  }
}

async function release(course: TransactionState, { name }: Savepoint): Promise<void> {
  // A statement without a response may still fail; the savepoint is what can undo it. Where several callers share
  // the transaction, such a failure ends it for all, and each runs again apart.
  if (course.pending > 0 && course.shared !== true) await runStatement(course, `release ${name}`, [])
  else await runPipelined(course, `release ${name}`, [])
}

/** The memory of a transaction when a savepoint began. */
type Before = { held: LockedCounters | undefined; rows: RowBuffer }

async function rollBackTo(
  course: TransactionState,
  { name, isOwn }: Savepoint,
  { held, rows }: Before,
): Promise<void> {
  const { connection, finished, shared, failure } = course
  // When the connection is gone, the first error explains it best. A failure without an await may be that of
  // another caller.
  if (finished || connection?.lost() === true || (shared === true && failure !== undefined)) return
  if (connection !== undefined && name !== undefined) {
    const undo = `rollback to ${name}${isOwn ? `; release ${name}` : ''}`
    // The savepoint never began if a statement before it failed; then that failure says whether to try again.
    await trackResponse(course, sendControl(course, connection, undo)).catch((error: unknown) => {
      throw course.failure === undefined ? error : course.failure.error
    })
  }
  course.failure = undefined
  course.counters.held = held
  course.rows = rows
}

async function commit(course: TransactionState, onSent?: () => void): Promise<void> {
  for (const table of course.rows.keys()) await prepareConnection(course, `insert into ${table}`, [])
  const { connection, readOnly, beginMs } = course
  course.finished = true
  if (connection === undefined || !course.begun) return
  if (readOnly) {
    sendControl(course, connection, 'commit', beginMs).catch(() => {})
    return
  }
  writeHeld(course, connection)
  course.committing = !connection.lost()
  const answer = awaitResponse(course, sendControl(course, connection, 'commit'))
  onSent?.()
  const { command } = await answer.catch((error: unknown) => {
    // A statement that failed before the commit lets nothing be committed.
    const state = sqlState(course.failure?.error) ?? sqlState(error)
    course.unknown = course.committing && (state === undefined || isConnectionState(state))
    throw error
  })
  if (course.failure !== undefined) throw course.failure.error
  if (connection.isDoubtful()) {
    course.unknown = true
    connection.markLost()
    throw new Error('no standby has confirmed the commit, and the wait for one was ended')
  }
  // After a failed statement PostgreSQL answers a commit with a rollback and no error.
  if (command !== 'COMMIT') throw new Error('A statement failed, the work went on: nothing was committed')
}
