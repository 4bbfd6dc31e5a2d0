/** One transaction on a connection. A statement whose outcome nobody needs travels with the next one. */
import type { Held, Tx, Value } from '../core/db.ts'
import {
  copyHeld,
  HELD,
  type HeldRows,
  holdRows,
  insertsOf,
  MOST_ROWS,
  namedTables,
  type Rows,
  writesOf,
} from './held.ts'
import { type Kept, type KeptByState, makeKept } from './kept.ts'
import { PLANNED_EACH_TIME } from './lists.ts'
import type { Answer, Connection } from './postgres-connections.ts'
import { isConnectionState, READ_ONLY, sqlState } from './postgres-errors.ts'
import { assertStorable } from './values.ts'

const KEPT_STATEMENTS = 500

export type Session = {
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
    /** A statement failed whose outcome nobody awaited. */
    failed: boolean
  }
}

type Kind = {
  readOnly: boolean
  name: Names
  /** The statements that begin the transaction. */
  begin: string
  /** The timeouts of beginning or ending a transaction without changes, and of any other statement. */
  beginMs: number
  ms: number
  /** The works of several callers share the transaction: each is a `member`. */
  shared?: boolean
  /** Lends the connection of statements without a transaction; present if the first statement may run so. */
  apart?: (<T>(use: (connection: Connection) => Promise<T>) => Promise<T>) | undefined
  /** The values that all reads keep, where the first statement tells the state of the store. */
  keptByState?: KeptByState
}

/** Where a transaction is. */
type Course = Kind & {
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
  marks: Mark[]
  /** The number of names for savepoints, and those that are free again. */
  savepoints: number
  freeNames: string[]
  /** The number of statements without a response. */
  pending: number
  /** The failure of a statement whose outcome nobody awaits. */
  failure: { error: unknown } | undefined
  counters: { held: Held | undefined }
  /** The rows that are not inserted yet. */
  rows: Rows
  /** The state of the store, once the first statement of a read has told it. */
  state: string | undefined
  /** Values that one caller read: they serve the others until one of them writes their tables. */
  kept: Kept | undefined
}

/** Makes a session. It opens its connection, and begins its transaction, with the first statement that needs it. */
export function makeSession(open: () => Promise<Connection>, kind: Kind): Session {
  const course: Course = {
    ...kind,
    open,
    isFirst: true,
    opening: undefined,
    connection: undefined,
    begun: false,
    finished: false,
    committing: false,
    unknown: false,
    marks: [],
    savepoints: 0,
    freeNames: [],
    pending: 0,
    failure: undefined,
    counters: { held: undefined },
    rows: new Map(),
    state: undefined,
    kept: kind.shared === true ? makeKept(() => 'this transaction') : undefined,
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
      const ended = control(course, course.connection, 'rollback', kind.beginMs).catch(() => {})
      if (!kind.readOnly) await ended
    },
    release: () => course.connection?.release(),
    state() {
      const { connection, unknown, failure } = course
      return { lost: connection?.lost() === true, unknown, failed: failure !== undefined }
    },
  }
}

async function runMember<T>(course: Course, work: (tx: Tx) => Promise<T>): Promise<T> {
  let over = false
  try {
    return await savepoint(course, () => work(makeTx(course, () => over)))
  } finally {
    over = true
  }
}

function makeTx(course: Course, isOver: () => boolean): Tx {
  const { readOnly, counters, apart, kept, keptByState } = course
  const check = (sql: string): void => {
    if (isOver()) throw new Error(`The transaction is over: ${sql}`)
  }
  const statement = async (sql: string, params: Value[], effect?: Effect): Promise<Answer> => {
    check(sql)
    return run(course, sql, params, effect)
  }
  const send = async (sql: string, params: Value[], effect?: Effect): Promise<void> => {
    check(sql)
    return runLater(course, sql, params, effect)
  }
  return {
    stateColumn: apart === undefined ? '' : `, cast(pg_current_snapshot() as text) as ${STATE}`,
    // A read-only transaction locks nothing. Keys never change, so this lock does not block transactions that only
    // refer to the row by a foreign key.
    forUpdate: readOnly ? '' : 'for no key update',
    skipLocked: readOnly ? '' : 'skip locked',
    all: async (sql, ...params) => (await statement(sql, params)).rows,
    get: async (sql, ...params) => (await statement(sql, params)).rows[0],
    run: async (sql, ...params) => (await statement(sql, params)).rowCount ?? 0,
    send: (sql, ...params) => send(sql, params),
    beside: async (sql, ...params) => {
      check(sql)
      return (await runBeside(course, sql, params)).rows[0]
    },
    alone: async (sql, ...params) => {
      check(sql)
      return (await runAlone(course, sql, params)).rows
    },
    insertMany: (table, columns, rows, options) => {
      check(`insert into ${table}`)
      return insertRows(course, { table, columns, rows }, options)
    },
    clear: async (table) => void (await statement(`delete from ${table}`, [])),
    savepoint: (work) => savepoint(course, work),
    ...(!readOnly && { counters }),
    ...(kept !== undefined && {
      kept: async (how, read) => {
        check(how.key)
        return kept.get(how, read)
      },
    }),
    ...(keptByState !== undefined && {
      kept: async (how, read) => {
        check(how.key)
        return course.state === undefined ? read() : keptByState.get(course.state, how, read)
      },
    }),
  }
}

async function connect(course: Course): Promise<Connection> {
  const open = async (): Promise<Connection> => (course.connection = await course.open())
  return course.connection ?? (course.opening ??= open())
}

function begin(course: Course, to: Connection): void {
  if (course.begun) return
  course.begun = true
  later(course, control(course, to, course.begin, course.beginMs))
}

async function track<T>(course: Course, answer: Promise<T>): Promise<T> {
  course.pending++
  try {
    return await answer
  } finally {
    course.pending--
  }
}

/** Keeps the failure of a statement for a later one, or for the commit. */
function later(course: Course, answer: Promise<unknown>): void {
  track(course, answer).catch((error: unknown) => {
    course.failure ??= { error }
  })
}

/** Waits for a response. After a failure PostgreSQL refuses every statement; the first failure explains it. */
async function now(course: Course, answer: Promise<Answer>): Promise<Answer> {
  try {
    return await track(course, answer)
  } catch (error) {
    throw course.failure === undefined ? error : course.failure.error
  }
}

function control(kind: Kind, to: Connection, sql: string, limit = kind.ms): Promise<Answer> {
  return send(to, kind, { sql, params: [], limit })
}

function check({ finished }: Course, sql: string, params: readonly Value[]): void {
  if (finished) throw new Error(`The transaction is over: ${sql}`)
  params.forEach(assertStorable)
}

/** Returns the connection on which a statement of the transaction may run. */
async function ready(course: Course, sql: string, params: readonly Value[]): Promise<Connection> {
  check(course, sql, params)
  course.isFirst = false
  const to = await connect(course)
  begin(course, to)
  const isCounted = course.counters.held !== undefined && HELD.test(sql)
  const tables = namedTables(course.rows, sql)
  if (isCounted || tables.length > 0 || !READS.test(sql)) setMarks(course, to)
  if (isCounted) writeHeld(course, to)
  for (const table of tables) insertHeld(course, to, table)
  return to
}

/** Inserts the rows of a table that are held, and forgets them. */
function insertHeld(course: Course, to: Connection, table: string): void {
  const held = course.rows.get(table)
  if (held === undefined) return
  course.rows.delete(table)
  for (const { sql, rows } of insertsOf(table, held.columns, held.rows)) {
    // Those who keep values were told of these rows before.
    later(course, send(to, course, { sql, params: rows.flat(), limit: course.ms, effect: () => {} }))
  }
}

/** Inserts rows, or holds them for later. Returns the number inserted. */
async function insertRows(
  course: Course,
  { table, columns, rows }: HeldRows & { table: string },
  { ignoreConflicts = false }: { ignoreConflicts?: boolean } = {},
): Promise<number> {
  const { kept, readOnly } = course
  if (!readOnly && !ignoreConflicts && holdRows(course.rows, table, columns, rows)) {
    check(course, table, rows.flat())
    noteRows(kept, table, columns, rows)
    if ((course.rows.get(table)?.rows.length ?? 0) >= MOST_ROWS)
      await ready(course, `insert into ${table}`, [])
    return rows.length
  }
  let inserted = 0
  for (const { sql, rows: chunk } of insertsOf(
    table,
    columns,
    rows,
    ignoreConflicts ? ' on conflict do nothing' : '',
  )) {
    const effect = (): void => noteRows(kept, table, columns, chunk)
    if (ignoreConflicts) inserted += (await run(course, sql, chunk.flat(), effect)).rowCount ?? 0
    else {
      await runLater(course, sql, chunk.flat(), effect)
      inserted += chunk.length
    }
  }
  return inserted
}

/** Tells those who keep values that rows are inserted, by their kinds where they have one. */
function noteRows(
  kept: Kept | undefined,
  table: string,
  columns: readonly string[],
  rows: readonly Value[][],
): void {
  const kind = columns.indexOf('kind')
  if (kind === -1) kept?.effectOf(`insert into ${table}`)?.()
  else for (const row of rows) kept?.inserting(table, row[kind] ?? null)
}

/** Writes what is held, and forgets it. */
function writeHeld(course: Course, to: Connection): void {
  const { counters, ms } = course
  if (counters.held === undefined) return
  for (const { sql, params } of writesOf(counters.held)) {
    later(course, send(to, course, { sql, params, limit: ms }))
  }
  counters.held = undefined
}

async function run(course: Course, sql: string, params: Value[], effect?: Effect): Promise<Answer> {
  if (course.isFirst) return runBeside(course, sql, params)
  const to = await ready(course, sql, params)
  if (course.shared === true && LOCKS_WORLD.test(sql)) return lockWorld(course, to, sql, params)
  return now(course, send(to, course, { sql, params, limit: course.ms, effect }))
}

/** Runs a statement on the connection that all callers share, where it may run without a transaction. */
async function runBeside(course: Course, sql: string, params: Value[]): Promise<Answer> {
  const { apart, begun, beginMs } = course
  course.isFirst = false
  if (apart === undefined || begun || !SELECT.test(sql)) return run(course, sql, params)
  check(course, sql, params)
  const answer = await apart((to) => send(to, course, { sql, params, limit: beginMs }))
  const state = answer.rows[0]?.[STATE]
  if (typeof state === 'string') course.state = state
  return answer
}

/**
 * The transactions that a statement sees, as text. While it stays the same nothing was committed: the number after the
 * last finished transaction grows with each, and one under way is named until it ends.
 */
const STATE = 'store_state'

/** Runs a statement on the transaction's connection before the transaction begins, where it may run so. */
async function runAlone(course: Course, sql: string, params: Value[]): Promise<Answer> {
  const { apart, ms } = course
  course.isFirst = false
  const to = apart !== undefined && SELECT.test(sql) ? await connect(course) : undefined
  if (to === undefined || course.begun) return run(course, sql, params)
  check(course, sql, params)
  return track(course, send(to, course, { sql, params, limit: ms }))
}

/** Those who share a transaction wait for nobody but the holder of the world's row. */
async function lockWorld(course: Course, to: Connection, sql: string, params: Value[]): Promise<Answer> {
  later(course, control(course, to, PATIENT))
  const answer = now(course, send(to, course, { sql, params, limit: course.ms }))
  later(course, control(course, to, IMPATIENT))
  return answer
}

async function runLater(course: Course, sql: string, params: Value[], effect?: Effect): Promise<void> {
  later(course, send(await ready(course, sql, params), course, { sql, params, limit: course.ms, effect }))
}

/** A savepoint that is open. It has no name before the first statement that it may have to undo. */
type Mark = {
  name: string | undefined
  /** Whether it has its name for itself, and not from the one around it, which began at the same place. */
  isOwn: boolean
}

async function savepoint<T>(course: Course, work: () => Promise<T>): Promise<T> {
  const { held } = course.counters
  const before = { held: held && copyHeld(held), rows: new Map(course.rows) }
  const mark: Mark = { name: undefined, isOwn: false }
  course.marks.push(mark)
  if (course.shared !== true) await ready(course, 'savepoint', [])
  try {
    const result = await work()
    // A statement without a response may still fail; the savepoint is what can undo it. Where several callers share
    // the transaction, such a failure ends it for all, and each runs again apart.
    if (mark.isOwn && course.pending > 0 && course.shared !== true)
      await run(course, `release ${mark.name}`, [])
    else if (mark.isOwn) await runLater(course, `release ${mark.name}`, [])
    return result
  } catch (error) {
    const { connection, finished } = course
    // When the connection is gone, the first error explains it best. A failure that nobody awaited may be that of
    // another caller.
    const isOthers = course.shared === true && course.failure !== undefined
    if (!finished && !isOthers && connection?.lost() !== true) {
      if (connection !== undefined && mark.name !== undefined) await undo(course, connection, mark)
      course.failure = undefined
      course.counters.held = before.held
      course.rows = before.rows
    }
    throw error
  } finally {
    course.marks.pop()
    if (mark.isOwn && mark.name !== undefined) course.freeNames.push(mark.name)
  }
}

/** Begins the savepoints that are open and have no name: nothing happened since the first of them, so one serves all. */
function setMarks(course: Course, to: Connection): void {
  const unnamed = course.marks.filter(({ name }) => name === undefined)
  const [outer] = unnamed
  if (outer === undefined) return
  const name = takeName(course)
  for (const mark of unnamed) mark.name = name
  outer.isOwn = true
  later(course, control(course, to, `savepoint ${name}`))
}

async function undo(course: Course, to: Connection, { name, isOwn }: Mark): Promise<void> {
  await track(course, control(course, to, `rollback to ${name}${isOwn ? `; release ${name}` : ''}`))
}

/** A connection keeps the text of each statement that begins or ends a savepoint, so their names must be few. */
const SAVEPOINT_NAMES = 64

/**
 * Returns a name that no open savepoint has: a failed one would be rolled back to. A name is used again as late as
 * possible.
 */
function takeName(course: Course): string {
  const free = course.savepoints < SAVEPOINT_NAMES ? undefined : course.freeNames.shift()
  return free ?? `nested_${++course.savepoints}`
}

async function commit(course: Course, onSent?: () => void): Promise<void> {
  for (const table of course.rows.keys()) await ready(course, `insert into ${table}`, [])
  const { connection, readOnly, beginMs } = course
  course.finished = true
  if (connection === undefined || !course.begun) return
  if (readOnly) {
    control(course, connection, 'commit', beginMs).catch(() => {})
    return
  }
  writeHeld(course, connection)
  course.committing = !connection.lost()
  const answer = now(course, control(course, connection, 'commit'))
  onSent?.()
  const { command } = await answer.catch((error: unknown) => {
    // A statement that failed before the commit lets nothing be committed.
    const state = sqlState(course.failure?.error) ?? sqlState(error)
    course.unknown = course.committing && (state === undefined || isConnectionState(state))
    throw error
  })
  if (course.failure !== undefined) throw course.failure.error
  // After a failed statement PostgreSQL answers a commit with a rollback and no error.
  if (command !== 'COMMIT') throw new Error('A statement failed, the work went on: nothing was committed')
}

/** Tells what is kept that a statement changes its tables. */
type Effect = () => void

/** Without an `effect` of its own, a statement has that of its text. */
type Statement = { sql: string; params: Value[]; limit: number; effect?: Effect | undefined }

/** Sends one statement, and marks the connection as lost when the error says so. */
async function send(
  connection: Connection,
  { name, readOnly, kept }: { name?: Names; readOnly: boolean; kept?: Kept | undefined },
  { sql, params, limit, effect = kept?.effectOf(sql) }: Statement,
): Promise<Answer> {
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

function nameOf(sql: string, name: Names | undefined): { name?: string | undefined } {
  if (CONTROL.test(sql)) return { name: sql }
  if (name === undefined || !PREPARED.test(sql) || sql.endsWith(PLANNED_EACH_TIME)) return {}
  return { name: name(sql) }
}

/** A statement that waits until nobody else holds the world's row. */
const LOCKS_WORLD = /\bfrom world\b.* for no key update/is
const PATIENT = `set local lock_timeout = '5s'`
export const IMPATIENT = `set local lock_timeout = '50ms'`

export type Names = (sql: string) => string | undefined

/** Returns a name for each statement, by which a connection keeps it prepared. Statements beyond the limit get none. */
export function makeNames(): Names {
  const names = new Map<string, string>()
  return (sql) => {
    const found = names.get(sql)
    if (found !== undefined || names.size >= KEPT_STATEMENTS) return found
    const created = `dray_${names.size}`
    names.set(sql, created)
    return created
  }
}
