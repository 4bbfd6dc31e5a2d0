/** The connections of one process to a PostgreSQL server, which may stop responding at any time. */
import pg from 'pg'
import type { Value } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { type Column, makeSender, type Sender, type Watch } from './postgres-batch.ts'

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

/** The longest pause between two statements of one transaction, in milliseconds. */
const LONGEST_PAUSE = 60_000

/** An idle connection is probed after this time, so that a dead peer is noticed while a statement waits. */
const KEEP_ALIVE_DELAY = 10_000

export type { Answer } from './postgres-batch.ts'

export type Connection = {
  /**
   * Sends a statement behind those that are under way. Without a response `ms` after its turn has come, the connection
   * is closed and counts as `lost`. Outside of a transaction it is `apart`: its failure is its own.
   */
  send: Sender['send']
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
  /**
   * Returns the connection of the statements outside of transactions. All callers use it together, and it returns to the
   * pool when the last of them has released it.
   */
  share(): Promise<Connection>
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
    // A statement does not wait for the response to the one before it.
    pipeline: true,
    types: { getTypeParser: (oid: number) => PARSERS.get(oid) ?? String },
  })
  // An idle connection that breaks must not end the process; the next statement on it fails.
  pool.on('error', () => {})

  // Connections that were open when another one stopped responding are no longer trusted.
  let generation = 0
  const open = new Map<pg.PoolClient, { connection: Connection; born: number }>()
  const distrust = (): void => void (generation += 1)
  pool.on('connect', (client) => {
    open.set(client, { connection: makeConnection(client, distrust), born: generation })
    // If it fails, so does the connection, which the next statement finds.
    client.query(setLimits(limits.statement, 'session')).catch(() => {})
  })
  pool.on('remove', (client) => open.delete(client))

  async function take(deadline: Deadline): Promise<Connection> {
    for (;;) {
      const client = await connect(pool, deadline)
      const found = open.get(client)
      if (found?.born === generation) return found.connection
      client.release(true)
      client.connection.stream.destroy()
    }
  }

  async function close(running: Iterable<Promise<unknown>>): Promise<void> {
    const cutAll = (): void => {
      for (const { connection } of open.keys()) connection.stream.destroy(new Error('the store was closed'))
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

  return { database, limits, take, share: makeSharing(take), close }
}

/**
 * Returns the statements that set the server's own limits. They free rows and connections when this process is stopped or
 * its packets are lost: one limit for a running statement, the other for an idle transaction.
 */
export function setLimits(statementMs: number, scope: 'session' | 'local'): string {
  const idleMs = Math.min(statementMs, LONGEST_PAUSE)
  return `set ${scope} statement_timeout = ${statementMs}; set ${scope} idle_in_transaction_session_timeout = ${idleMs}`
}

/** A connection that several callers use. */
type Shared = { opening: Promise<Connection>; opened?: Connection; users: number }

function makeSharing(take: Connections['take']): Connections['share'] {
  let shared: Shared | undefined

  return async () => {
    if (shared?.opened?.lost() === true) shared = undefined
    const current = (shared ??= { opening: take(startDeadline(undefined)), users: 0 })
    current.users++
    try {
      const connection = (current.opened = await current.opening)
      return {
        ...connection,
        send: (statement, ms) => connection.send(statement, ms, true),
        release: () => leave(current, connection),
      }
    } catch (error) {
      if (shared === current) shared = undefined
      throw error
    }
  }

  function leave(current: Shared, connection: Connection): void {
    if (--current.users > 0) return
    if (shared === current) shared = undefined
    connection.release()
  }
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

/** Makes the connection of a client, which stays the same until the client ends. */
function makeConnection(client: pg.PoolClient, onSilence: () => void): Connection {
  let lost = false
  // Without a listener, a connection that breaks between two statements would end the process.
  const markLost = (): void => void (lost = true)
  client.on('error', markLost)

  function cut(reason: Error): void {
    markLost()
    client.connection.stream.destroy(reason)
  }

  const watch = makeWatch((ms) => {
    onSilence()
    cut(new Error(`no answer within ${ms / 1000} s`))
  })
  const { send, flush } = makeSender(client, watch, columnsOf)
  return {
    cut,
    send,
    lost: () => lost,
    markLost,
    release() {
      flush()
      client.release(lost)
    },
  }
}

/** Watches that each response comes in its time, which begins when its turn has come. */
function makeWatch(onSilence: (ms: number) => void): Watch {
  let timer: NodeJS.Timeout | undefined
  /** The limits of what is under way, in order. */
  const limits: number[] = []

  function expectResponse(): void {
    clearTimeout(timer)
    const [ms] = limits
    if (ms !== undefined) timer = setTimeout(() => onSilence(ms), ms)
  }

  return {
    begin(ms) {
      limits.push(ms)
      if (limits.length === 1) expectResponse()
    },
    end() {
      limits.shift()
      expectResponse()
    },
  }
}

function columnsOf(fields: readonly pg.FieldDef[]): Column[] {
  return fields.map(({ name, dataTypeID }) => ({ name, parse: PARSERS.get(dataTypeID) ?? String }))
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
