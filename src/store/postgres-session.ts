/** One transaction on a connection. A statement whose outcome nobody needs travels with the next one. */
import type { Held, Tx, Value } from '../core/db.ts'
import type { Answer, Connection } from './postgres-connections.ts'
import { isConnectionState, READ_ONLY, sqlState } from './postgres-errors.ts'
import { assertStorable } from './values.ts'

const ROWS_PER_INSERT = 100
const KEPT_STATEMENTS = 500

export type Session = {
  tx: Tx
  /** Commits the work, and rejects further statements of it. A read does not wait for the response. */
  commit(): Promise<void>
  /** Rolls the work back, and rejects further statements of it. Never throws. */
  rollback(): Promise<void>
  /** Returns the connection to the pool. */
  release(): void
  /** Says what became of the connection. */
  state(): {
    /** The connection failed, not the work. */
    lost: boolean
    /** The commit was sent, and there was no response to it. */
    unknown: boolean
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
  /** Runs a statement without a transaction; present if the first statement may run so. */
  apart?: (<T>(use: (connection: Connection) => Promise<T>) => Promise<T>) | undefined
}

/** Makes a session. It opens its connection and begins its transaction with its first statement. */
export function makeSession(
  open: () => Promise<Connection>,
  { readOnly, name, begin, beginMs, ms, apart }: Kind,
): Session {
  let isFirst = true
  let opening: Promise<Connection> | undefined
  let connection: Connection | undefined
  let finished = false
  let committing = false
  let depth = 0
  /** The number of statements without a response. */
  let pending = 0
  /** The failure of a statement whose outcome nobody awaits. */
  let failure: { error: unknown } | undefined
  const counters: { held: Held | undefined } = { held: undefined }

  async function start(): Promise<Connection> {
    const opened = await open()
    connection = opened
    later(control(opened, begin, beginMs))
    return opened
  }

  async function track<T>(answer: Promise<T>): Promise<T> {
    pending++
    try {
      return await answer
    } finally {
      pending--
    }
  }

  /** Keeps the failure of a statement for a later one, or for the commit. */
  function later(answer: Promise<unknown>): void {
    track(answer).catch((error: unknown) => {
      failure ??= { error }
    })
  }

  /** Waits for a response. After a failure PostgreSQL refuses every statement; the first failure explains it. */
  async function now(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await track(answer)
    } catch (error) {
      throw failure === undefined ? error : failure.error
    }
  }

  function control(to: Connection, sql: string, limit = ms): Promise<Answer> {
    return send(to, { readOnly }, { sql, params: [], limit })
  }

  function check(sql: string, params: readonly Value[]): void {
    if (finished) throw new Error(`The transaction is over: ${sql}`)
    params.forEach(assertStorable)
  }

  /** Returns the connection on which a statement may run. */
  async function ready(sql: string, params: readonly Value[]): Promise<Connection> {
    check(sql, params)
    isFirst = false
    const to = connection ?? (await (opening ??= start()))
    if (counters.held !== undefined && HELD.test(sql)) writeHeld(to)
    return to
  }

  /** Writes what is held, and forgets it. */
  function writeHeld(to: Connection): void {
    if (counters.held === undefined) return
    for (const { sql, params } of writesOf(counters.held)) {
      later(send(to, { name, readOnly }, { sql, params, limit: ms }))
    }
    counters.held = undefined
  }

  async function statement(sql: string, params: Value[]): Promise<Answer> {
    if (apart !== undefined && isFirst && SELECT.test(sql)) {
      check(sql, params)
      isFirst = false
      return apart((to) => send(to, { name, readOnly }, { sql, params, limit: beginMs }))
    }
    return now(send(await ready(sql, params), { name, readOnly }, { sql, params, limit: ms }))
  }

  async function statementLater(sql: string, params: Value[]): Promise<void> {
    later(send(await ready(sql, params), { name, readOnly }, { sql, params, limit: ms }))
  }

  async function savepoint<T>(work: () => Promise<T>): Promise<T> {
    const nested = `nested_${++depth}`
    const { held } = counters
    const before = held && copy(held)
    await statementLater(`savepoint ${nested}`, [])
    try {
      const result = await work()
      // A statement without a response may still fail; the savepoint is what can undo it.
      if (pending > 0) await statement(`release ${nested}`, [])
      else await statementLater(`release ${nested}`, [])
      return result
    } catch (error) {
      // When the connection is gone, the first error explains it best.
      if (!finished && connection?.lost() === false) {
        await track(control(connection, `rollback to ${nested}; release ${nested}`))
        failure = undefined
        counters.held = before
      }
      throw error
    } finally {
      depth--
    }
  }

  async function commit(): Promise<void> {
    finished = true
    if (connection === undefined) return
    if (readOnly) {
      control(connection, 'commit', beginMs).catch(() => {})
      return
    }
    writeHeld(connection)
    committing = !connection.lost()
    const { command } = await now(control(connection, 'commit'))
    if (failure !== undefined) throw failure.error
    // After a failed statement PostgreSQL answers a commit with a rollback and no error.
    if (command !== 'COMMIT') throw new Error('A statement failed, the work went on: nothing was committed')
  }

  const tx: Tx = {
    // A read-only transaction locks nothing. Keys never change, so this lock does not block transactions that only
    // refer to the row by a foreign key.
    forUpdate: readOnly ? '' : 'for no key update',
    skipLocked: readOnly ? '' : 'skip locked',
    all: async (sql, ...params) => (await statement(sql, params)).rows,
    get: async (sql, ...params) => (await statement(sql, params)).rows[0],
    run: async (sql, ...params) => (await statement(sql, params)).rowCount ?? 0,
    send: (sql, ...params) => statementLater(sql, params),
    insertMany: async (table, columns, rows, { ignoreConflicts = false } = {}) => {
      let inserted = 0
      for (const { sql, params, count } of insertsOf(table, columns, rows, ignoreConflicts)) {
        if (ignoreConflicts) inserted += (await statement(sql, params)).rowCount ?? 0
        else {
          await statementLater(sql, params)
          inserted += count
        }
      }
      return inserted
    },
    savepoint,
    ...(!readOnly && { counters }),
  }
  return {
    tx,
    commit,
    async rollback() {
      finished = true
      if (connection?.lost() !== false) return
      const ended = control(connection, 'rollback', beginMs).catch(() => {})
      if (!readOnly) await ended
    },
    release: () => connection?.release(),
    state: () => ({
      lost: connection?.lost() === true,
      // A statement that failed before the commit lets nothing be committed.
      unknown: committing && connection?.lost() === true && sqlState(failure?.error) === undefined,
    }),
  }
}

/** Sends one statement, and marks the connection as lost when the error says so. */
async function send(
  connection: Connection,
  { name, readOnly }: { name?: Names; readOnly: boolean },
  { sql, params, limit }: { sql: string; params: Value[]; limit: number },
): Promise<Answer> {
  try {
    const named = name === undefined || !PREPARED.test(sql) ? {} : { name: name(sql) }
    return await connection.send({ ...named, text: sql, values: params }, limit)
  } catch (error) {
    const state = sqlState(error)
    if (readOnly && state === READ_ONLY) throw new Error(`A read must not write: ${sql}`, { cause: error })
    if (isConnectionState(state)) connection.markLost()
    throw error
  }
}

/** A statement that may read or write what a transaction holds. */
const HELD = /\b(?:world|ordinals)\b/i

function copy({ changed, ...held }: Held): Held {
  const { world, kinds } = changed
  return { ...held, ordinals: new Map(held.ordinals), changed: { world, kinds: new Set(kinds) } }
}

/** Returns the statements that write what has changed. */
function writesOf({ seq, clockHigh, ordinals, changed }: Held): { sql: string; params: Value[] }[] {
  const kinds = [...changed.kinds]
  return [
    ...(changed.world
      ? [{ sql: 'update world set seq = $1, clock_high = $2 where one = 1', params: [seq, clockHigh] }]
      : []),
    ...(kinds.length > 0
      ? [
          {
            sql: `insert into ordinals (kind, last) values ${toPlaces(kinds.length, 2)}
                  on conflict (kind) do update set last = excluded.last`,
            params: kinds.flatMap((kind) => [kind, ordinals.get(kind) ?? 0]),
          },
        ]
      : []),
  ]
}

/** A statement that writes nothing, with or without a transaction. */
const SELECT = /^\s*select\b/i

const PREPARED = /^\s*(select|with|insert|update|delete)\b/i

/** Returns the statements that insert rows, each with the number of its rows. */
function* insertsOf(
  table: string,
  columns: readonly string[],
  rows: readonly Value[][],
  ignoreConflicts: boolean,
): Generator<{ sql: string; params: Value[]; count: number }> {
  const into = `insert into ${table} (${columns.join(', ')}) values`
  const conflict = ignoreConflicts ? ' on conflict do nothing' : ''
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const chunk = rows.slice(start, start + ROWS_PER_INSERT)
    const sql = `${into} ${toPlaces(chunk.length, columns.length)}${conflict}`
    yield { sql, params: chunk.flat(), count: chunk.length }
  }
}

/** `($1, $2), ($3, $4)` */
function toPlaces(rows: number, columns: number): string {
  const row = (_: unknown, index: number) =>
    `(${Array.from({ length: columns }, (__, column) => `$${index * columns + column + 1}`).join(', ')})`
  return Array.from({ length: rows }, row).join(', ')
}

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
