import type { Db, TransactionOptions, Tx } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { type Deadline, Overdue, startDeadline } from './deadline.ts'
import type { Connection } from './postgres-connection.ts'
import {
  type PostgresConnections,
  makeConnections,
  setLimits,
  type SilenceLimits,
} from './postgres-connections.ts'
import { isRetried, sqlState, toPostgresStoreError, unavailable, unknownOutcome } from './postgres-errors.ts'
import { makeGroupCommit, type GroupWriteOutcome, type GroupWrite } from './postgres-group-commit.ts'
import { makePostgresSession, type PostgresSession } from './postgres-session.ts'
import { IMPATIENT, makeStatementNamer, type StatementNamer } from './postgres-transaction-state.ts'
import { type SnapshotCache, makeSnapshotCache } from './read-cache.ts'
import { makeTally, type TallyCounter } from './tally.ts'
import { readIntegerColumn } from './values.ts'
import { assertNotNewer, type OpenedStore } from './version.ts'

export type PostgresOptions = {
  /** Returns a number from 0 to 1, which spreads the retries of transactions that collided. */
  random: () => number
  /** The most connections of one process. */
  connections?: number
  silence?: Partial<SilenceLimits> | undefined
}

const RETRIES = 5
const RETRY_DELAY = 50
const OLDEST_SERVER = 150_000
/**
 * The server cancels a statement at its limit. If there is no response even a little later, the connection counts as
 * dead.
 */
const SILENCE_FACTOR = 1.2

const READ = 'begin isolation level repeatable read read only'
const WRITE = `begin isolation level read committed; set local lock_timeout = '5s'`

/**
 * Opens a PostgreSQL store by its URL. Throws `service_unavailable` when the server is unreachable, and `store_error`
 * when it rejects the login, is too old, or its schema is newer than this program. Messages show only host and
 * database.
 */
export async function openPostgres(
  url: string,
  { random, connections: max, silence }: PostgresOptions,
): Promise<OpenedStore> {
  const connections = makeConnections(url, { max, limits: silence })
  const store = makeStore(connections, random)
  try {
    const schemaVersion = await store.read((tx) => findVersion(tx, connections.database))
    assertNotNewer(schemaVersion, connections.database)
    return { ...store, schemaVersion }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function findVersion(tx: Tx, database: string): Promise<number> {
  const server = await tx.get(
    `select cast(current_setting('server_version_num') as bigint) as version,
       current_setting('server_encoding') as encoding, to_regclass('schema_version') is not null as migrated`,
  )
  if (readIntegerColumn(server, 'version') < OLDEST_SERVER) {
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
  return row === undefined ? 0 : readIntegerColumn(row, 'version')
}

/** A store with an unchecked schema. */
type UncheckedStore = Omit<OpenedStore, 'schemaVersion'>

function makeStore(connections: PostgresConnections, random: () => number): UncheckedStore {
  const { limits } = connections
  const name = makeStatementNamer()
  const shared = { connections, name, keptByState: makeSnapshotCache(), handed: undefined }
  const running = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined
  const counter = makeTally()
  const { tally, begin, repeat: countRepeat } = counter
  const repeat = makeRepeat(shared, { random, counter, isClosed: () => closed !== undefined })

  const apart = { readOnly: false, statementMs: limits.statement, firstApart: false }
  const inGroup = makeGroupCommit({
    runApart: ({ work, deadline }) => repeat(apart, work, deadline),
    async runGroup(group, on) {
      const done = begin()
      const outcomes = await attemptGroup(shared, group, on)
      const apart = outcomes.filter((outcome) => outcome === 'retry-alone').length
      countRepeat(apart)
      return done(group.length - apart, outcomes)
    },
  })

  async function run<T>(
    readOnly: boolean,
    work: (tx: Tx) => Promise<T>,
    given: TransactionOptions = {},
  ): Promise<T> {
    if (closed !== undefined) throw new Error('The store is closed')
    const {
      statementMs = limits.statement,
      totalMs,
      firstStatementOutsideTransaction: firstApart = false,
    } = given
    const deadline = startDeadline(totalMs)
    // A statement that may take long would hold up the others of a group.
    const isShared = !readOnly && given.statementMs === undefined
    const transaction = isShared
      ? inGroup({ work, deadline })
      : repeat({ readOnly, statementMs, firstApart }, work, deadline)
    running.add(transaction)
    try {
      return (await transaction) as T
    } finally {
      running.delete(transaction)
      deadline.cancel()
    }
  }

  return {
    kind: 'postgres',
    tally,
    read: (work, given) => run(true, work, given),
    write: (work, given) => run(false, work, given),
    query: (statement) => query(connections, statement),
    close: () => (closed ??= connections.close(running)),
  }
}

type RepeatDeps = { random: () => number; counter: TallyCounter; isClosed: () => boolean }

/** Returns the function that runs a transaction, and again while another attempt may help. */
function makeRepeat(shared: TransactionResources, { random, counter, isClosed }: RepeatDeps) {
  const { database } = shared.connections
  return async function repeat<T>(
    kind: AttemptOptions,
    work: (tx: Tx) => Promise<T>,
    deadline: Deadline,
  ): Promise<T> {
    const changes = kind.readOnly ? 0 : 1
    for (let retry = 0; ; retry++) {
      const done = counter.begin()
      const outcome = await attempt(shared, kind, work, deadline)
      if ('result' in outcome) return done(changes, outcome.result)
      const isLast = retry === RETRIES || deadline.passed() || isClosed()
      const error = finalError(outcome, { database, isLast, readOnly: kind.readOnly })
      if (error !== undefined) throw done(outcome.lost ? 0 : changes, error)
      counter.repeat(changes)
      await wait(random() * RETRY_DELAY * 2 ** retry)
    }
  }
}

async function query(
  { take, limits }: PostgresConnections,
  statement: Parameters<NonNullable<Db['query']>>[0],
): Promise<{ rows: unknown[] }> {
  const connection = await take(startDeadline(undefined))
  try {
    return await connection.send(statement, limits.library)
  } catch (error) {
    connection.markLost()
    throw error
  } finally {
    connection.release()
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** The fields that all transactions of a store share. */
type TransactionResources = {
  connections: PostgresConnections
  name: StatementNamer
  keptByState: SnapshotCache
  /** The place where a group has sent its commit: the next one begins behind it, without waiting for the response. */
  handed: Lease | undefined
}

/** The connection of groups of writes, with the number of those that use it. */
type Lease = { connection: Connection; users: number }

type AttemptOptions = { readOnly: boolean; statementMs: number; firstApart: boolean }

/** `lost` means that the connection failed, not the work. `unknown` means that it failed after the commit was sent. */
type Failure = { error: unknown; lost: boolean; unknown: boolean }

/** Returns the error that ends a transaction; undefined when it runs again. */
function finalError(
  { error, lost, unknown }: Failure,
  { database, isLast, readOnly }: { database: string; isLast: boolean; readOnly: boolean },
): unknown {
  if (unknown && !readOnly) return unknownOutcome(database, error)
  const isOver = isLast || !(lost || isRetried(sqlState(error)))
  return isOver ? toPostgresStoreError(error, database, lost) : undefined
}

async function attempt<T>(
  { connections, name, keptByState }: TransactionResources,
  { readOnly, statementMs, firstApart }: AttemptOptions,
  work: (tx: Tx) => Promise<T>,
  deadline: Deadline,
): Promise<{ result: T } | Failure> {
  const { database, limits, take, share } = connections
  const isPooled = connections.isPooled()
  let refused: { reason: unknown } | undefined
  let lostApart = false
  const connected = (opening: Promise<Connection>): Promise<Connection> =>
    opening.catch((reason: unknown) => {
      refused = { reason }
      throw reason
    })
  const open = async (): Promise<Connection> => {
    const connection = await connected(take(deadline))
    deadline.listen(() => connection.cut(new Overdue()))
    return connection
  }
  const lend = async <T>(use: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await connected(share())
    try {
      return await use(connection)
    } finally {
      lostApart = connection.lost()
      connection.release()
    }
  }
  const session = makePostgresSession(open, {
    readOnly,
    name,
    begin: beginOf(readOnly, statementMs, connections),
    beginMs: limits.begin,
    ms: statementMs * SILENCE_FACTOR,
    // The connection of others cannot be cut at the deadline of one. Behind a pooler only a transaction has its limits.
    ...(readOnly &&
      firstApart &&
      !isPooled && { withSharedConnection: (use) => deadline.limit(lend(use)), keptByState }),
  })
  try {
    const result = await work(session.tx)
    await session.commit()
    return { result }
  } catch (error) {
    await session.rollback()
    if (refused !== undefined) return toConnectFailure(refused.reason, database)
    const { lost, unknown } = session.state()
    return { error, lost: lost || lostApart || error instanceof Overdue, unknown }
  } finally {
    session.release()
  }
}

/**
 * Attempts several writes in one transaction, each in its savepoint. Calls `onNext` after each, and `onSent` when the
 * commit is under way. A write that meets a locked row or any other error of the server leaves it, and so do all when the
 * transaction fails.
 */
async function attemptGroup(
  shared: TransactionResources,
  group: readonly GroupWrite[],
  { onNext, onSent }: { onNext: () => void; onSent: () => void },
): Promise<GroupWriteOutcome[]> {
  const { database, limits } = shared.connections
  let lease: Lease
  try {
    lease = await lend(shared)
  } catch {
    return group.map(() => 'retry-alone')
  }
  const { connection } = lease
  for (const { deadline } of group) deadline.listen(() => connection.cut(new Overdue()))
  const session = makePostgresSession(async () => connection, {
    readOnly: false,
    shared: true,
    name: shared.name,
    begin: `${beginOf(false, limits.statement, shared.connections)}; ${IMPATIENT}`,
    beginMs: limits.begin,
    ms: limits.statement * SILENCE_FACTOR,
  })
  const outcomes: GroupWriteOutcome[] = []
  try {
    for (const { work } of group) {
      outcomes.push(await attemptMember(session, work))
      onNext()
    }
    await session.commit(() => {
      shared.handed = lease
      onSent()
    })
    return outcomes
  } catch (error) {
    await session.rollback()
    const isUnknown = session.state().unknown
    return group.map((_, index) => {
      const outcome = outcomes[index] ?? 'retry-alone'
      return isUnknown && outcome !== 'retry-alone' && 'result' in outcome
        ? { error: unknownOutcome(database, error) }
        : 'retry-alone'
    })
  } finally {
    giveBack(shared, lease)
  }
}

async function lend(shared: TransactionResources): Promise<Lease> {
  const { handed } = shared
  shared.handed = undefined
  const lease =
    handed === undefined || handed.connection.lost()
      ? { connection: await shared.connections.take(startDeadline(undefined)), users: 0 }
      : handed
  lease.users++
  return lease
}

function giveBack(shared: TransactionResources, lease: Lease): void {
  if (--lease.users > 0) return
  if (shared.handed === lease) shared.handed = undefined
  lease.connection.release()
}

/** Throws when the transaction has failed. */
async function attemptMember(session: PostgresSession, work: GroupWrite['work']): Promise<GroupWriteOutcome> {
  try {
    return { result: await session.member(work) }
  } catch (error) {
    const { lost, failed } = session.state()
    if (lost || failed) throw error
    return isOfServer(error) ? 'retry-alone' : { error }
  }
}

function isOfServer(error: unknown): boolean {
  return error instanceof Error && (sqlState(error) !== undefined || isOfServer(error.cause))
}

/**
 * Returns the statements that begin a transaction. One without a limit of its own has those of its connection; what a
 * pooler lends has none.
 */
function beginOf(readOnly: boolean, statementMs: number, { limits, isPooled }: PostgresConnections): string {
  const begin = readOnly ? READ : WRITE
  return statementMs === limits.statement && !isPooled() ? begin : `${begin}; ${setLimits(statementMs)}`
}

function toConnectFailure(error: unknown, database: string): Failure {
  if (sqlState(error) !== undefined) return { error, lost: false, unknown: false }
  // Only a timeout has no code at all. It is not retried, because the caller has waited long enough.
  const refused = error instanceof Error && 'code' in error
  return { error: unavailable(database, error), lost: refused, unknown: false }
}
