/** One transaction on a connection. It sends its statements one after the other. */
import type { Tx, Value } from '../core/db.ts'
import type { Answer, Connection } from './postgres-connections.ts'
import { isConnectionState, READ_ONLY, sqlState } from './postgres-errors.ts'
import { assertStorable } from './values.ts'

const ROWS_PER_INSERT = 100
const KEPT_STATEMENTS = 500

export type Session = {
  tx: Tx
  /** Runs a statement after all earlier ones, because a connection takes one at a time. */
  query(sql: string, ms?: number): Promise<Answer>
  /** Rejects further statements of the work. */
  finish(): void
}

/** Makes a session. `ms` is the timeout of each statement. */
export function makeSession(connection: Connection, name: Names, readOnly: boolean, ms: number): Session {
  let finished = false
  let depth = 0
  let tail: Promise<unknown> = Promise.resolve()

  function queue(sql: string, params: Value[], limit: number): Promise<Answer> {
    const turn = tail.then(() => send(connection, { name, readOnly }, { sql, params, limit }))
    tail = turn.catch(() => {})
    return turn
  }

  async function statement(sql: string, params: Value[]): Promise<Answer> {
    if (finished) throw new Error(`The transaction is over: ${sql}`)
    params.forEach(assertStorable)
    return queue(sql, params, ms)
  }

  const tx: Tx = {
    // A read-only transaction locks nothing. Keys never change, so this lock does not block transactions that only
    // refer to the row by a foreign key.
    forUpdate: readOnly ? '' : 'for no key update',
    skipLocked: readOnly ? '' : 'skip locked',
    all: async (sql, ...params) => (await statement(sql, params)).rows,
    get: async (sql, ...params) => (await statement(sql, params)).rows[0],
    run: async (sql, ...params) => (await statement(sql, params)).rowCount ?? 0,
    insertMany: (table, columns, rows, options) => insertInChunks(statement, table, columns, rows, options),
    savepoint: async (work) => {
      const nested = `nested_${++depth}`
      await statement(`savepoint ${nested}`, [])
      try {
        const result = await work()
        await statement(`release ${nested}`, [])
        return result
      } catch (error) {
        // When the connection is gone, the first error explains it best.
        if (!finished && !connection.lost()) await queue(`rollback to ${nested}; release ${nested}`, [], ms)
        throw error
      } finally {
        depth--
      }
    },
  }
  return {
    tx,
    query: (sql, limit = ms) => queue(sql, [], limit),
    finish: () => {
      finished = true
    },
  }
}

/** Sends one statement, and marks the connection as lost when the error says so. */
async function send(
  connection: Connection,
  { name, readOnly }: { name: Names; readOnly: boolean },
  { sql, params, limit }: { sql: string; params: Value[]; limit: number },
): Promise<Answer> {
  try {
    const named = params.length > 0 ? { name: name(sql) } : {}
    return await connection.send({ ...named, text: sql, values: params }, limit)
  } catch (error) {
    const state = sqlState(error)
    if (readOnly && state === READ_ONLY) throw new Error(`A read must not write: ${sql}`, { cause: error })
    if (isConnectionState(state)) connection.markLost()
    throw error
  }
}

type Statement = (sql: string, params: Value[]) => Promise<Answer>

async function insertInChunks(
  statement: Statement,
  table: string,
  columns: readonly string[],
  rows: readonly Value[][],
  { ignoreConflicts = false }: { ignoreConflicts?: boolean } = {},
): Promise<number> {
  const into = `insert into ${table} (${columns.join(', ')}) values`
  const conflict = ignoreConflicts ? ' on conflict do nothing' : ''
  let inserted = 0
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const chunk = rows.slice(start, start + ROWS_PER_INSERT)
    const { rowCount } = await statement(
      `${into} ${toPlaces(chunk.length, columns.length)}${conflict}`,
      chunk.flat(),
    )
    inserted += rowCount ?? 0
  }
  return inserted
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
