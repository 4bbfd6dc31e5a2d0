import pg from 'pg'
import { AppError } from '../errors.ts'
import type { Row, Tx, Value } from './db.ts'
import {
  isConnectionState,
  isRetried,
  READ_ONLY,
  sqlState,
  toStoreError,
  unavailable,
  unknownOutcome,
} from './postgres-errors.ts'
import { assertStorable, toInteger } from './values.ts'
import { assertNotNewer, type OpenedStore } from './version.ts'

export type PostgresOptions = {
  /** A number from 0 to 1: spreads the repetitions of transactions that collided. */
  random: () => number
  /** How many connections one process holds at most. */
  connections?: number
  /** How long a statement of a library may take, which waits for locks as any other. */
  patience?: number
}

const RETRIES = 5
const RETRY_DELAY = 50
const CONNECT_TIMEOUT = 10_000
const PATIENCE = 5000
const ROWS_PER_INSERT = 100
const KEPT_STATEMENTS = 500
const OLDEST_SERVER = 150_000

const READ = 'begin isolation level repeatable read read only'
// The second limit ends the transaction of a process that was stopped while it held rows.
const WRITE = `begin isolation level read committed; set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = '60s'`

/**
 * Opens a PostgreSQL store by its URL. Throws `service_unavailable` when the server cannot be reached, `store_error`
 * when it refuses us, is too old, or its schema is newer than this program. Messages name host and database only.
 */
export async function openPostgres(url: string, options: PostgresOptions): Promise<OpenedStore> {
  const database = describe(url)
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'dray',
    max: options.connections ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    allowExitOnIdle: true,
    types: { getTypeParser: (oid: number) => PARSERS.get(oid) ?? String },
  })
  // A connection that breaks while nobody waits for it must not end the process; the next statement on it fails.
  pool.on('error', () => {})

  const store = makeStore(pool, database, options)
  try {
    const schemaVersion = await store.read((tx) => findVersion(tx, database))
    assertNotNewer(schemaVersion, database)
    return { ...store, schemaVersion }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Host and database of a URL, as the driver understands it; never the password. */
function describe(url: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: url })
    return `The PostgreSQL database ${database ?? '(default)'} at ${host}:${port}`
  } catch {
    // Without the cause: it quotes the whole address.
    throw new AppError('store_error', 'The address of the store is not a valid postgres:// URL.')
  }
}

async function findVersion(tx: Tx, database: string): Promise<number> {
  const server = await tx.get(
    `select cast(current_setting('server_version_num') as bigint) as version,
       current_setting('server_encoding') as encoding, to_regclass('schema_version') is not null as migrated`,
  )
  if (toInteger(server, 'version') < OLDEST_SERVER) {
    throw new AppError('store_error', `${database} is served by a PostgreSQL older than 15. Use 15 or newer.`)
  }
  if (server?.['encoding'] !== 'UTF8') {
    throw new AppError(
      'store_error',
      `${database} is not in the encoding UTF8. Create it with: create database … encoding 'UTF8'.`,
    )
  }
  if (server['migrated'] === 0) return 0
  const row = await tx.get('select version from schema_version')
  return row === undefined ? 0 : toInteger(row, 'version')
}

function makeStore(
  pool: pg.Pool,
  database: string,
  { random, patience = PATIENCE }: PostgresOptions,
): Omit<OpenedStore, 'schemaVersion'> {
  const name = makeNames()
  const running = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined

  async function repeat<T>(begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let retry = 0; ; retry++) {
      const outcome = await attempt(pool, database, name, begin, work)
      if ('result' in outcome) return outcome.result
      const { error, lost, unknown } = outcome
      if (unknown && begin === WRITE) throw unknownOutcome(database, error)
      if (retry === RETRIES || !(lost || isRetried(sqlState(error))))
        throw toStoreError(error, database, lost)
      await new Promise((resolve) => {
        setTimeout(resolve, random() * RETRY_DELAY * 2 ** retry)
      })
    }
  }

  async function run<T>(begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (closed !== undefined) throw new Error('The store is closed')
    const transaction = repeat(begin, work)
    running.add(transaction)
    try {
      return await transaction
    } finally {
      running.delete(transaction)
    }
  }

  return {
    kind: 'postgres',
    read: (work) => run(READ, work),
    write: (work) => run(WRITE, work),
    query(statement) {
      const patient = { ...statement, query_timeout: patience }
      return pool.query(patient)
    },
    // The pool itself would leave those that still wait for a connection waiting.
    close: () => (closed ??= Promise.allSettled(running).then(() => pool.end())),
  }
}

/** `lost`: the connection failed, not the work. `unknown`: it failed after the commit was sent. */
type Failure = { error: unknown; lost: boolean; unknown: boolean }

async function attempt<T>(
  pool: pg.Pool,
  database: string,
  name: Names,
  begin: string,
  work: (tx: Tx) => Promise<T>,
): Promise<{ result: T } | Failure> {
  let client: pg.PoolClient
  try {
    client = await pool.connect()
  } catch (error) {
    return toConnectFailure(error, database)
  }
  const session = makeSession(client, name, begin === READ)
  let committing = false
  try {
    await session.query(begin)
    const result = await work(session.tx)
    session.finish()
    committing = !session.lost()
    const { command } = await session.query('commit')
    // PostgreSQL answers a commit after a failed statement politely, with a rollback.
    if (command !== 'COMMIT') throw new Error('A statement failed, the work went on: nothing was committed')
    return { result }
  } catch (error) {
    session.finish()
    if (!session.lost()) await session.query('rollback').catch(() => {})
    return { error, lost: session.lost(), unknown: committing && session.lost() }
  } finally {
    session.release()
  }
}

function toConnectFailure(error: unknown, database: string): Failure {
  if (sqlState(error) !== undefined) return { error, lost: false, unknown: false }
  // Only a time-out has no code at all; who has waited that long once is told so.
  const refused = error instanceof Error && 'code' in error
  return { error: unavailable(database, error), lost: refused, unknown: false }
}

type Session = {
  tx: Tx
  /** Runs after every statement asked for earlier: a client takes one at a time. */
  query(sql: string, params?: Value[]): Promise<pg.QueryResult<Row>>
  /** No statement of the work may follow. */
  finish(): void
  /** True iff the connection failed or must not be used again. */
  lost(): boolean
  /** Gives the connection back, or closes a lost one. */
  release(): void
}

function makeSession(client: pg.PoolClient, name: Names, readOnly: boolean): Session {
  let lost = false
  let finished = false
  let depth = 0
  let tail: Promise<unknown> = Promise.resolve()

  // Without a listener a connection that breaks between two statements would end the process.
  const markLost = () => {
    lost = true
  }
  client.on('error', markLost)

  async function send(sql: string, params: Value[]): Promise<pg.QueryResult<Row>> {
    try {
      return await client.query<Row>({
        ...(params.length > 0 && { name: name(sql) }),
        text: sql,
        values: params,
      })
    } catch (error) {
      const state = sqlState(error)
      if (readOnly && state === READ_ONLY) throw new Error(`A read must not write: ${sql}`, { cause: error })
      if (isConnectionState(state)) markLost()
      throw error
    }
  }

  function query(sql: string, params: Value[] = []): Promise<pg.QueryResult<Row>> {
    const turn = tail.then(() => send(sql, params))
    tail = turn.catch(() => {})
    return turn
  }

  async function statement(sql: string, params: Value[]): Promise<pg.QueryResult<Row>> {
    if (finished) throw new Error(`The transaction is over: ${sql}`)
    params.forEach(assertStorable)
    return query(sql, params)
  }

  const tx: Tx = {
    // A snapshot that is only read has nothing to lock.
    forUpdate: readOnly ? '' : 'for update',
    skipLocked: readOnly ? '' : 'skip locked',
    all: async (sql, ...params) => (await statement(sql, params)).rows,
    get: async (sql, ...params) => (await statement(sql, params)).rows[0],
    run: async (sql, ...params) => (await statement(sql, params)).rowCount ?? 0,
    insertMany: async (table, columns, rows, { ignoreConflicts = false } = {}) => {
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
    },
    savepoint: async (work) => {
      const nested = `nested_${++depth}`
      await statement(`savepoint ${nested}`, [])
      try {
        const result = await work()
        await statement(`release ${nested}`, [])
        return result
      } catch (error) {
        // When the connection is gone the first error is the one that explains it.
        if (!finished && !lost) await query(`rollback to ${nested}; release ${nested}`)
        throw error
      } finally {
        depth--
      }
    },
  }
  return {
    tx,
    query,
    finish: () => {
      finished = true
    },
    lost: () => lost,
    release: () => {
      client.off('error', markLost)
      client.release(lost)
    },
  }
}

/** `($1, $2), ($3, $4)` */
function toPlaces(rows: number, columns: number): string {
  const row = (_: unknown, index: number) =>
    `(${Array.from({ length: columns }, (__, column) => `$${index * columns + column + 1}`).join(', ')})`
  return Array.from({ length: rows }, row).join(', ')
}

type Names = (sql: string) => string | undefined

/** A name per statement, by which a connection keeps it prepared. Rare shapes beyond the limit go without. */
function makeNames(): Names {
  const names = new Map<string, string>()
  return (sql) => {
    const found = names.get(sql)
    if (found !== undefined || names.size >= KEPT_STATEMENTS) return found
    const created = `dray_${names.size}`
    names.set(sql, created)
    return created
  }
}

/** By type OID (`pg_type`): what SQLite would give for the same statement. Everything else is text. */
const PARSERS = new Map<number, (text: string) => Value>([
  [16, (text) => (text === 't' ? 1 : 0)],
  [17, (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))],
  [20, parseInteger],
  [21, parseInteger],
  [23, parseInteger],
  [1700, parseInteger],
])

function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not an integer of at most 53 bits`)
  return value
}
