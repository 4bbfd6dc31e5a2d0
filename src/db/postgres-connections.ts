/** The connections of one process to a PostgreSQL server, or to several of which one may be written to. */
import pg from 'pg'
import { AppError } from '../core/errors.ts'
import {
  parsePostgresUrl,
  formatHostPort,
  type PostgresAddress,
  type PostgresHost,
} from '../core/postgres-url.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { type Connection, makeConnection, PARSERS, type Reports } from './postgres-connection.ts'
import { greetingOf, type Hosts, makeHosts, toGreeting } from './postgres-hosts.ts'

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
const MAX_STATEMENT_PAUSE_MS = 60_000

/** An idle connection is probed after this time, so that a dead peer is noticed while a statement waits. */
const KEEP_ALIVE_DELAY = 10_000

export type PostgresConnections = {
  /** Host and database, never the password. */
  database: string
  limits: SilenceLimits
  /**
   * Returns true if a pooler lends connections for one transaction: nothing may be prepared, and what is set for longer
   * than a transaction would stay behind for others.
   */
  isPooled(): boolean
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

/** The longest time of connecting to one of several hosts, in milliseconds: its packets may be dropped. */
const CONNECT_TO_ONE = 2000
/** Several hosts are asked again after this pause while none may be used. */
const ASK_AGAIN = 200
/** So often a call asks which of several hosts may be used, when the one that was found fails. */
const MAX_HOST_FAILURES = 3

/** Opens a pool of connections to the servers of a URL. Throws `usage` for an invalid URL. */
export function makeConnections(
  url: string,
  { max = 10, limits: given = {} }: { max?: number | undefined; limits?: Partial<SilenceLimits> | undefined },
): PostgresConnections {
  const address = parsePostgresUrl(url)
  const limits = { ...SILENCE_LIMITS, ...given }
  const connectMs = address.connectMs ?? (isSettled(address) ? limits.connect : CONNECT_TO_ONE)
  const hosts = makeHosts(address, { connectMs, answerMs: limits.begin })
  const { pool, hostOf } = makePool(address, hosts, { max, connectMs, limits })
  const open = new Map<pg.PoolClient, OpenConnection>()
  const state: State = {
    address,
    limits,
    hosts,
    pool,
    open,
    pooled: address.pooler === 'transaction',
    generation: 0,
    doubted: !isSettled(address),
    choosing: undefined,
  }
  const on: Reports = {
    isPooled: () => state.pooled,
    onSlow: () => {
      if (!isSettled(address)) chooseOnce(state).catch(() => {})
    },
    onSilence: () => void (state.generation += 1),
    onLost: () => void (state.doubted = !isSettled(address)),
    onNotPrepared: () => void (state.pooled = true),
  }
  pool.on('connect', (client) => {
    const connection = makeConnection(client, on)
    open.set(client, { connection, born: state.generation, host: hostOf(client), isGreeted: false })
  })
  pool.on('remove', (client) => open.delete(client))
  const takeOne = (deadline: Deadline): Promise<Connection> => acquireConnection(state, deadline)
  return {
    database: describe(address),
    limits,
    isPooled: on.isPooled,
    take: takeOne,
    share: makeSharing(takeOne),
    close: (running) => close(state, running),
  }
}

/** Returns whether there is one host, and it may be used as it is. */
function isSettled({ hosts, wanted }: PostgresAddress): boolean {
  return hosts.length === 1 && wanted === 'any'
}

/** An open connection, the host it is to, and the number of silences before it. */
type OpenConnection = { connection: Connection; born: number; host: PostgresHost; isGreeted: boolean }

type State = {
  address: PostgresAddress
  limits: SilenceLimits
  hosts: Hosts
  pool: pg.Pool
  open: Map<pg.PoolClient, OpenConnection>
  pooled: boolean
  /** Connections that were open when another one stopped responding are no longer trusted: those of a lower number. */
  generation: number
  /** Another one of several hosts may be the primary now. */
  doubted: boolean
  choosing: Promise<void> | undefined
}

function makePool(
  address: PostgresAddress,
  hosts: Hosts,
  { max, connectMs, limits }: { max: number; connectMs: number; limits: SilenceLimits },
): { pool: pg.Pool; hostOf(client: pg.Client): PostgresHost } {
  /** The hosts of the clients: another one may be used by the time that a client has connected. */
  const places = new WeakMap<pg.Client, PostgresHost>()
  /** A client of the host that is used when it is made. */
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      const host = hosts.current()
      super({ ...config, connectionString: address.urlOf(host), connectionTimeoutMillis: connectMs })
      places.set(this, host)
    }
  }
  const pool = new pg.Pool({
    Client,
    application_name: 'dray',
    max,
    connectionTimeoutMillis: Math.max(limits.connect, connectMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
    allowExitOnIdle: true,
    // A statement does not wait for the response to the one before it.
    pipeline: true,
    types: { getTypeParser: (oid: number) => PARSERS.get(oid) ?? String },
  })
  // An idle connection that breaks must not end the process; the next statement on it fails.
  pool.on('error', () => {})
  return { pool, hostOf: (client) => places.get(client) ?? hosts.current() }
}

/** Lends a connection to the host that may be used. Of several hosts, it looks for another one when that fails. */
async function acquireConnection(state: State, deadline: Deadline): Promise<Connection> {
  const { address, pool, hosts, open } = state
  for (let failures = 0; ;) {
    if (state.doubted || state.choosing !== undefined) {
      await deadline.limit(chooseOnce(state))
    }
    try {
      const client = await connect(pool, deadline)
      const found = open.get(client)
      if (found?.born === state.generation && found.host === hosts.current()) {
        if (!found.isGreeted) await greet(state, client, found)
        return found.connection
      }
      drop(client)
    } catch (error) {
      // A full pool says nothing of the hosts.
      if (isSettled(address) || deadline.passed() || isOfFullPool(error) || ++failures > MAX_HOST_FAILURES)
        throw error
      state.doubted = true
    }
  }
}

/** Finds the host that may be used; all who ask at the same time wait for one response. */
function chooseOnce(state: State): Promise<void> {
  return (state.choosing ??= choose(state).finally(() => (state.choosing = undefined)))
}

/** Finds the host that may be used, for as long as a connection is waited for, and cuts what is under way on another. */
async function choose(state: State): Promise<void> {
  const { hosts, open, limits } = state
  const patience = startDeadline(limits.connect)
  try {
    for (;;) {
      try {
        const isOther = await hosts.choose()
        for (const { connection, host } of isOther ? open.values() : [])
          if (host !== hosts.current()) connection.cut(new Error('another server is used now'))
        // Those that were cut must not make it doubtful again.
        state.doubted = false
        return
      } catch (error) {
        state.doubted = true
        if (patience.passed()) throw error
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN))
      }
    }
  } finally {
    patience.cancel()
  }
}

/** Sets the limits of a new connection. Throws when its server must not be used; the connection is then closed. */
async function greet(state: State, client: pg.PoolClient, found: OpenConnection): Promise<void> {
  const { address, limits, hosts } = state
  const settled = isSettled(address)
  const settings = state.pooled ? '' : settingsOf(limits.statement)
  const text = greetingOf(client, !settled, { settings, isOwn: address.pooler === 'session' })
  try {
    const { rows } = await found.connection.send({ text }, limits.begin)
    const greeting = toGreeting(rows[0])
    state.pooled ||= !greeting.isDirect && address.pooler === undefined
    found.isGreeted = true
    const misfit = settled ? undefined : hosts.unfit(greeting)
    if (misfit !== undefined) throw new Error(`${formatHostPort(found.host)} ${misfit}`)
  } catch (error) {
    drop(client)
    throw error
  }
}

/** Closes an idle connection. */
function drop(client: pg.PoolClient): void {
  client.release(true)
  client.connection.stream.destroy()
}

/** Returns whether an error is that of a pool with all connections in use. */
function isOfFullPool(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

async function close({ open, limits, pool }: State, running: Iterable<Promise<unknown>>): Promise<void> {
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

/**
 * Returns the server's own limits. They free rows and connections when this process is stopped or its packets are lost:
 * one limit for a running statement, the other for an idle transaction.
 */
function limitsOf(statementMs: number): readonly [name: string, ms: number][] {
  return [
    ['statement_timeout', statementMs],
    ['idle_in_transaction_session_timeout', Math.min(statementMs, MAX_STATEMENT_PAUSE_MS)],
  ]
}

/** Returns the statements that set the server's limits for a transaction. */
export function setLimits(statementMs: number): string {
  return limitsOf(statementMs)
    .map(([name, ms]) => `set local ${name} = ${ms}`)
    .join('; ')
}

/** Returns the expression that sets them for a connection. */
function settingsOf(statementMs: number): string {
  return limitsOf(statementMs)
    .map(([name, ms]) => `set_config('${name}', '${ms}', false)`)
    .join(' || ')
}

/** A connection that several callers use. */
type SharedConnection = { opening: Promise<Connection>; opened?: Connection; users: number }

function makeSharing(take: PostgresConnections['take']): PostgresConnections['share'] {
  let shared: SharedConnection | undefined

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

  function leave(current: SharedConnection, connection: Connection): void {
    if (--current.users > 0) return
    if (shared === current) shared = undefined
    connection.release()
  }
}

/** Returns hosts and database of a URL, as the driver reads it; never the password. */
function describe({ hosts, urlOf }: PostgresAddress): string {
  try {
    const { host, port, database } = new pg.Client({
      connectionString: urlOf(hosts[0] as PostgresHost),
    })
    const place = hosts.length === 1 ? `${host}:${port}` : hosts.map(formatHostPort).join(' and ')
    return `The PostgreSQL database ${database ?? '(default)'} at ${place}`
  } catch {
    // The cause is omitted, because it quotes the whole URL.
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
