/** The connections of one process to a PostgreSQL server, which may stop responding at any time. */
import pg from 'pg'
import type { Row, Value } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import type { Deadline } from './deadline.ts'

/**
 * The timeouts of the server, in milliseconds. Their sum stays below the deadline of a request. `begin` is shorter
 * than `connect`, so that a caller in the queue behind dead connections still gets a new one.
 */
export type SilenceLimits = {
  /** Waiting for a free connection, or for a new one. */
  connect: number
  /** Beginning or ending a transaction without changes, which costs the server no work. */
  begin: number
  /** A statement without a limit of its own. */
  statement: number
  /** A statement of a library. */
  library: number
  /** Waiting for running work when the store closes. */
  close: number
}

const SILENCE_LIMITS: SilenceLimits = {
  connect: 6000,
  begin: 3000,
  statement: 10_000,
  library: 5000,
  close: 5000,
}

/** An idle connection is probed after this time, so that a dead peer is noticed while a statement waits. */
const KEEP_ALIVE_DELAY = 10_000

export type Answer = Pick<pg.QueryResult<Row>, 'rows' | 'rowCount' | 'command'>

export type Connection = {
  /** Sends a statement. Without a response after `ms`, the connection is closed and counts as `lost`. */
  send(statement: pg.QueryConfig<unknown[]>, ms: number): Promise<Answer>
  /** Closes the connection at once. `reason` becomes the error of a pending statement. */
  cut(reason: Error): void
  /** Returns true if the connection failed or must not be used again. */
  lost(): boolean
  markLost(): void
  /** Returns the connection to the pool, or closes a lost one. */
  release(): void
}

export type Connections = {
  /** Host and database, never the password. */
  database: string
  limits: SilenceLimits
  /** Reserves a connection for the caller. Throws the driver's error when none is free in time. */
  take(deadline: Deadline): Promise<Connection>
  /** Waits until `running` has settled, then closes all connections. Both steps have a timeout. */
  close(running: Iterable<Promise<unknown>>): Promise<void>
}

/** Opens a pool of connections to the server of a URL. Throws `store_error` for an invalid URL. */
export function makeConnections(
  url: string,
  { max = 10, limits: given = {} }: { max?: number | undefined; limits?: Partial<SilenceLimits> | undefined },
): Connections {
  const database = describe(url)
  const limits = { ...SILENCE_LIMITS, ...given }
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'dray',
    max,
    connectionTimeoutMillis: limits.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
    allowExitOnIdle: true,
    types: { getTypeParser: (oid: number) => PARSERS.get(oid) ?? String },
  })
  // An idle connection that breaks must not end the process; the next statement on it fails.
  pool.on('error', () => {})

  // Connections that were open when another one stopped responding are no longer trusted.
  let generation = 0
  const born = new WeakMap<pg.PoolClient, number>()
  const open = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    born.set(client, generation)
    open.add(client)
  })
  pool.on('remove', (client) => open.delete(client))
  const distrust = (): void => void (generation += 1)

  async function take(deadline: Deadline): Promise<Connection> {
    for (;;) {
      const client = await connect(pool, deadline)
      if (born.get(client) === generation) return makeConnection(client, distrust)
      client.release(true)
      client.connection.stream.destroy()
    }
  }

  async function close(running: Iterable<Promise<unknown>>): Promise<void> {
    const cutAll = (): void => {
      for (const { connection } of open) connection.stream.destroy(new Error('the store was closed'))
    }
    const late = setInterval(cutAll, limits.close)
    try {
      // The pool alone would never settle transactions that still wait for a connection.
      await Promise.allSettled(running)
      await pool.end()
    } finally {
      clearInterval(late)
    }
  }

  return { database, limits, take, close }
}

/** Returns host and database of a URL, as the driver reads it; never the password. */
function describe(url: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: url })
    return `The PostgreSQL database ${database ?? '(default)'} at ${host}:${port}`
  } catch {
    // The cause is left out, because it quotes the whole URL.
    throw new AppError('store_error', 'The address of the store is not a valid postgres:// URL.')
  }
}

function connect(pool: pg.Pool, deadline: Deadline): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    let late = false
    deadline.listen(() => {
      late = true
      reject(new Error('no connection in time'))
    })
    pool.connect().then((client) => (late ? client.release() : resolve(client)), reject)
  })
}

function makeConnection(client: pg.PoolClient, onSilence: () => void): Connection {
  let lost = false
  // Without a listener, a connection that breaks between two statements would end the process.
  const markLost = (): void => void (lost = true)
  client.on('error', markLost)

  function cut(reason: Error): void {
    markLost()
    client.connection.stream.destroy(reason)
  }

  return {
    cut,
    async send(statement, ms) {
      const timer = setTimeout(() => {
        onSilence()
        cut(new Error(`no answer within ${ms / 1000} s`))
      }, ms)
      try {
        return await client.query<Row>(statement)
      } finally {
        clearTimeout(timer)
      }
    },
    lost: () => lost,
    markLost,
    release() {
      client.off('error', markLost)
      client.release(lost)
    },
  }
}

/**
 * Parsers by type OID (`pg_type`). They return the values that SQLite returns for the same statement. Other types
 * stay text.
 */
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
