/** Sends the statements of one transaction. A statement without an awaited result travels with the next. */
import type { LockedCounters, SqlValue } from '../core/db.ts'
import { sha256Hex } from '../core/hash.ts'
import { CUSTOM_PLAN_COMMENT } from './lists.ts'
import type { StatementResult, Connection } from './postgres-connection.ts'
import { isConnectionState, READ_ONLY, sqlState } from './postgres-errors.ts'
import type { ReadCache, SnapshotCache } from './read-cache.ts'
import { assertStorable } from './values.ts'
import { COUNTER_TABLES, insertsOf, namedTables, type RowBuffer, writesOf } from './write-buffer.ts'

const KEPT_STATEMENTS = 500

/** The purpose of a transaction. */
export type TransactionMode = {
  readOnly: boolean
  name: StatementNamer
  /** The statements that begin the transaction. */
  begin: string
  /** The timeouts of beginning or ending a transaction without changes, and of any other statement. */
  beginMs: number
  ms: number
  /** The works of several callers share the transaction: each is a `member`. */
  shared?: boolean
  /** Lends the connection of statements without a transaction; present if the first statement may run so. */
  withSharedConnection?: (<T>(use: (connection: Connection) => Promise<T>) => Promise<T>) | undefined
  /** The values that all reads keep, where the first statement tells the state of the store. */
  keptByState?: SnapshotCache
}

/** The stage of a transaction. */
export type TransactionState = TransactionMode & {
  open: () => Promise<Connection>
  isFirst: boolean
  opening: Promise<Connection> | undefined
  connection: Connection | undefined
  begun: boolean
  finished: boolean
  /** The commit was sent. */
  committing: boolean
  /** There was no response to the commit. */
  unknown: boolean
  /** The open savepoints, the innermost last. */
  openSavepoints: Savepoint[]
  /** The number of names for savepoints, and those that are free again. */
  savepoints: number
  freeNames: string[]
  /** The number of statements without a response. */
  pending: number
  /** The failure of a statement without an awaited result. */
  failure: { error: unknown } | undefined
  counters: { held: LockedCounters | undefined }
  /** The rows that are not inserted yet. */
  rows: RowBuffer
  /** The state of the store, once the first statement of a read has told it. */
  state: string | undefined
  /** Values that one caller read: they serve the others until one of them writes their tables. */
  kept: ReadCache | undefined
}

async function connect(course: TransactionState): Promise<Connection> {
  const open = async (): Promise<Connection> => (course.connection = await course.open())
  return course.connection ?? (course.opening ??= open())
}

function begin(course: TransactionState, to: Connection): void {
  if (course.begun) return
  course.begun = true
  later(course, sendControl(course, to, course.begin, course.beginMs))
}

/** Counts a statement until its response. */
export async function trackResponse<T>(course: TransactionState, answer: Promise<T>): Promise<T> {
  course.pending++
  try {
    return await answer
  } finally {
    course.pending--
  }
}

/** Keeps the failure of a statement for a later one, or for the commit. */
function later(course: TransactionState, answer: Promise<unknown>): void {
  trackResponse(course, answer).catch((error: unknown) => {
    course.failure ??= { error }
  })
}

/** Waits for a response. After a failure PostgreSQL rejects every statement; the first failure explains it. */
export async function awaitResponse(
  course: TransactionState,
  answer: Promise<StatementResult>,
): Promise<StatementResult> {
  try {
    return await trackResponse(course, answer)
  } catch (error) {
    throw course.failure === undefined ? error : course.failure.error
  }
}

/** Sends a statement that leads the transaction: it has no parameters. */
export function sendControl(
  kind: TransactionMode,
  to: Connection,
  sql: string,
  limit = kind.ms,
): Promise<StatementResult> {
  return send(to, kind, { sql, params: [], limit })
}

/** Throws when the transaction has ended, or a parameter cannot be stored. */
export function assertCanRun({ finished }: TransactionState, sql: string, params: readonly SqlValue[]): void {
  if (finished) throw new Error(`The transaction is over: ${sql}`)
  params.forEach(assertStorable)
}

/** Returns the connection on which a statement of the transaction may run. */
export async function prepareConnection(
  course: TransactionState,
  sql: string,
  params: readonly SqlValue[],
): Promise<Connection> {
  assertCanRun(course, sql, params)
  course.isFirst = false
  const to = await connect(course)
  begin(course, to)
  const isCounted = course.counters.held !== undefined && COUNTER_TABLES.test(sql)
  const tables = namedTables(course.rows, sql)
  if (isCounted || tables.length > 0 || !READS.test(sql)) setMarks(course, to)
  if (isCounted) writeHeld(course, to)
  for (const table of tables) insertHeld(course, to, table)
  return to
}

/** Inserts the rows of a table that are held, and forgets them. */
function insertHeld(course: TransactionState, to: Connection, table: string): void {
  const held = course.rows.get(table)
  if (held === undefined) return
  course.rows.delete(table)
  for (const { sql, rows } of insertsOf(table, held.columns, held.rows)) {
    // Those who keep values were told of these rows before.
    later(course, send(to, course, { sql, params: rows.flat(), limit: course.ms, effect: () => {} }))
  }
}

/** Writes what is held, and forgets it. */
export function writeHeld(course: TransactionState, to: Connection): void {
  const { counters, ms } = course
  if (counters.held === undefined) return
  for (const { sql, params } of writesOf(counters.held)) {
    later(course, send(to, course, { sql, params, limit: ms }))
  }
  counters.held = undefined
}

/** Runs a statement and waits for its response. Throws the first failure of the transaction. */
export async function runStatement(
  course: TransactionState,
  sql: string,
  params: SqlValue[],
  effect?: Invalidation,
): Promise<StatementResult> {
  if (course.isFirst) return runOnSharedConnection(course, sql, params)
  const to = await prepareConnection(course, sql, params)
  if (course.shared === true && LOCKS_WORLD.test(sql)) return lockWorld(course, to, sql, params)
  return awaitResponse(course, send(to, course, { sql, params, limit: course.ms, effect }))
}

/** Runs a statement on the connection that all callers share, where it may run without a transaction. */
export async function runOnSharedConnection(
  course: TransactionState,
  sql: string,
  params: SqlValue[],
): Promise<StatementResult> {
  const { withSharedConnection: apart, begun, beginMs } = course
  course.isFirst = false
  if (apart === undefined || begun || !SELECT.test(sql)) return runStatement(course, sql, params)
  assertCanRun(course, sql, params)
  const answer = await apart((to) => send(to, course, { sql, params, limit: beginMs }))
  const state = answer.rows[0]?.[STATE]
  if (typeof state === 'string') course.state = state
  return answer
}

/**
 * The transactions that a statement sees, as text. While it stays the same nothing was committed: the number after the
 * last finished transaction grows with each, and one under way is named until it ends.
 */
export const STATE = 'store_state'

/** Runs a statement on the transaction's connection before the transaction begins, where it may run so. */
export async function runBeforeBegin(
  course: TransactionState,
  sql: string,
  params: SqlValue[],
): Promise<StatementResult> {
  const { withSharedConnection: apart, ms } = course
  course.isFirst = false
  const to = apart !== undefined && SELECT.test(sql) ? await connect(course) : undefined
  if (to === undefined || course.begun) return runStatement(course, sql, params)
  assertCanRun(course, sql, params)
  return trackResponse(course, send(to, course, { sql, params, limit: ms }))
}

/** Those who share a transaction wait for no one but the holder of the world's row. */
async function lockWorld(
  course: TransactionState,
  to: Connection,
  sql: string,
  params: SqlValue[],
): Promise<StatementResult> {
  later(course, sendControl(course, to, PATIENT))
  const answer = awaitResponse(course, send(to, course, { sql, params, limit: course.ms }))
  later(course, sendControl(course, to, IMPATIENT))
  return answer
}

/** Sends a statement; its failure is kept for a later one, or for the commit. */
export async function runPipelined(
  course: TransactionState,
  sql: string,
  params: SqlValue[],
  effect?: Invalidation,
): Promise<void> {
  later(
    course,
    send(await prepareConnection(course, sql, params), course, { sql, params, limit: course.ms, effect }),
  )
}

/** A savepoint that is open. It has no name before the first statement that it may have to undo. */
export type Savepoint = {
  name: string | undefined
  /** True if it has its name for itself, and not from the one around it, which began at the same place. */
  isOwn: boolean
}

/** Begins the savepoints that are open and have no name: nothing happened since the first of them, so one serves all. */
function setMarks(course: TransactionState, to: Connection): void {
  const unnamed = course.openSavepoints.filter(({ name }) => name === undefined)
  const [outer] = unnamed
  if (outer === undefined) return
  const name = claimSavepointName(course)
  for (const mark of unnamed) mark.name = name
  outer.isOwn = true
  later(course, sendControl(course, to, `savepoint ${name}`))
}

/** A connection keeps the text of each statement that begins or ends a savepoint, so their names must be few. */
const SAVEPOINT_NAMES = 64

/**
 * Returns a name that no open savepoint has: a failed one would be rolled back to. A name is used again as late as
 * possible.
 */
function claimSavepointName(course: TransactionState): string {
  const free = course.savepoints < SAVEPOINT_NAMES ? undefined : course.freeNames.shift()
  return free ?? `nested_${++course.savepoints}`
}

/** Says what is kept that a statement changes its tables. */
export type Invalidation = () => void

/** Without an `effect` of its own, a statement has that of its text. */
type Statement = { sql: string; params: SqlValue[]; limit: number; effect?: Invalidation | undefined }

/** Sends one statement, and marks the connection as lost when the error says so. */
async function send(
  connection: Connection,
  { name, readOnly, kept }: { name?: StatementNamer; readOnly: boolean; kept?: ReadCache | undefined },
  { sql, params, limit, effect = kept?.effectOf(sql) }: Statement,
): Promise<StatementResult> {
  effect?.()
  try {
    return await connection.send({ ...nameOf(sql, name), text: sql, values: params }, limit)
  } catch (error) {
    const state = sqlState(error)
    if (readOnly && state === READ_ONLY) throw new Error(`A read must not write: ${sql}`, { cause: error })
    if (isConnectionState(state)) connection.markLost()
    throw error
  }
}

/** A statement that writes nothing, with or without a transaction. */
const SELECT = /^\s*select\b/i

/** A statement that changes and locks nothing: an open savepoint need not undo it. */
const READS = /^\s*select\b(?!.*\bfor (?:no key )?update\b)/is

const PREPARED = /^\s*(?:select|with|insert|update|delete)\b/i
/** Statements that lead a transaction, which are prepared under their own text. */
const CONTROL = /^(?:begin|savepoint|release|commit|set)\b[^;]*$/

function nameOf(sql: string, name: StatementNamer | undefined): { name?: string | undefined } {
  if (CONTROL.test(sql)) return { name: sql }
  if (name === undefined || !PREPARED.test(sql) || sql.endsWith(CUSTOM_PLAN_COMMENT)) return {}
  return { name: name(sql) }
}

/** A statement that waits until no other transaction holds the world's row. */
const LOCKS_WORLD = /\bfrom world\b.* for no key update/is
const PATIENT = `set local lock_timeout = '5s'`
export const IMPATIENT = `set local lock_timeout = '50ms'`

export type StatementNamer = (sql: string) => string | undefined

/**
 * Returns a name for each statement, by which a connection keeps it prepared. Statements beyond the limit get none. The
 * same text has the same name in every process: behind a pooler a connection may have been prepared by another one.
 */
export function makeStatementNamer(): StatementNamer {
  const names = new Map<string, string>()
  return (sql) => {
    const found = names.get(sql)
    if (found !== undefined || names.size >= KEPT_STATEMENTS) return found
    const created = `dray_${sha256Hex(sql).slice(0, 32)}`
    names.set(sql, created)
    return created
  }
}
