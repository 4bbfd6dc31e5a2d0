/** The servers of an address with several hosts: which of them is used, after a failover too. */
import pg from 'pg'
import {
  formatHostPort,
  type PostgresAddress,
  type PostgresHost,
  type ServerKind,
} from '../core/postgres-url.ts'
import { sqlState } from './postgres-errors.ts'

/** The state of a server when a connection begins. */
export type ServerState = {
  /** The connection is the server's own, and not lent by a pooler. */
  isDirect: boolean
  isStandby: boolean
  isReadOnly: boolean
  /** The number of promotions of its history; 0 for a standby, and where there is only one host. */
  timeline: number
}

export type Hosts = {
  /** Returns the host of new connections. */
  current(): PostgresHost
  /**
   * Asks all hosts at once, and makes the best one the current one. Returns whether it is another one. Throws when none
   * may be used.
   */
  choose(): Promise<boolean>
  /** Returns why a server must not be used; undefined for one that may be. */
  unfit(greeting: ServerState): string | undefined
}

/** The others are waited for so long once one server may be used: one with a newer history goes first. */
const GRACE_MS = 1000

/** The outcome of asking a host. */
type HostProbe = { host: PostgresHost } & ({ greeting: ServerState } | { error: unknown })

type HostLimits = { connectMs: number; answerMs: number }

export function makeHosts(address: PostgresAddress, limits: HostLimits): Hosts {
  const { hosts, wanted } = address
  let current = hosts[0] as PostgresHost
  /** The newest history that was seen. A primary with an older one was replaced, and may not know it. */
  let newest = 0

  function unfit({ isStandby, isReadOnly, timeline }: ServerState): string | undefined {
    if (!isStandby && timeline < newest) return 'was replaced as primary by another one'
    return MISFITS[wanted]({ isStandby, isReadOnly })
  }

  async function choose(): Promise<boolean> {
    const asked = await askAll(address, limits, unfit)
    for (const one of asked) if ('greeting' in one) newest = Math.max(newest, one.greeting.timeline)
    const fit = asked.flatMap((one) => ('greeting' in one && unfit(one.greeting) === undefined ? [one] : []))
    const [best] = fit.toSorted((a, b) => rank(wanted, b.greeting) - rank(wanted, a.greeting))
    if (best === undefined) throw noServer(asked, unfit)
    const isOther = best.host !== current
    current = best.host
    return isOther
  }

  return { current: () => current, choose, unfit }
}

/** Returns why a server is not of the wanted kind. */
const MISFITS: Readonly<
  Record<ServerKind, (state: Pick<ServerState, 'isStandby' | 'isReadOnly'>) => string | undefined>
> = {
  any: () => undefined,
  'prefer-standby': () => undefined,
  'read-write': ({ isStandby, isReadOnly }) =>
    isStandby ? 'is a standby' : isReadOnly ? 'is read-only' : undefined,
  primary: ({ isStandby }) => (isStandby ? 'is a standby' : undefined),
  'read-only': ({ isReadOnly }) => (isReadOnly ? undefined : 'takes changes'),
  standby: ({ isStandby }) => (isStandby ? undefined : 'is the primary'),
}

function rank(wanted: ServerKind, { isStandby, timeline }: ServerState): number {
  return wanted === 'prefer-standby' && isStandby ? Number.MAX_VALUE : wanted === 'any' ? 0 : timeline
}

/** Asks all hosts. Returns what is known when all have answered, or a moment after one that fits. */
function askAll(address: PostgresAddress, limits: HostLimits, unfit: Hosts['unfit']): Promise<HostProbe[]> {
  const asked: HostProbe[] = []
  const closing: (() => void)[] = []
  return new Promise((resolve) => {
    let grace: NodeJS.Timeout | undefined
    const end = (): void => {
      clearTimeout(grace)
      for (const close of closing) close()
      resolve(asked.toSorted((a, b) => address.hosts.indexOf(a.host) - address.hosts.indexOf(b.host)))
    }
    for (const host of address.hosts) {
      const { answer, close } = ask(address.urlOf(host), limits)
      closing.push(close)
      void answer
        .then(
          (greeting) => asked.push({ host, greeting }),
          (error: unknown) => asked.push({ host, error }),
        )
        .then(() => {
          const last = asked.at(-1)
          if (asked.length === address.hosts.length) end()
          else if (last !== undefined && 'greeting' in last && unfit(last.greeting) === undefined)
            grace ??= setTimeout(end, GRACE_MS)
        })
    }
  })
}

/** Asks one server, on a connection of its own. */
function ask(
  url: string,
  { connectMs, answerMs }: HostLimits,
): { answer: Promise<ServerState>; close: () => void } {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'dray',
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
  })
  client.on('error', () => {})
  const close = (): void => void client.connection.stream.destroy()
  const answer = client
    .connect()
    .then(() => client.query(greetingOf(client, true)))
    .then(({ rows }) => toGreeting(rows[0]))
    .finally(close)
  return { answer, close }
}

/** Returns the question to a server. `hasRivals` asks for its history too, which not every offer of PostgreSQL has. */
export function greetingOf(
  client: pg.Client | pg.PoolClient,
  hasRivals: boolean,
  { settings, isOwn }: { settings: string; isOwn: boolean } = { settings: '', isOwn: false },
): string {
  // A connection that a pooler lends has another process number than it told.
  const { processID } = client as { processID?: number | null }
  const isDirect = `pg_backend_pid() = ${Number(processID ?? 0)}`
  const timeline = hasRivals
    ? `case when pg_is_in_recovery() then 0
         else cast(cast('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as bit(32)) as bigint) end`
    : '0'
  return `select cast(${isDirect} as int) as direct, cast(pg_is_in_recovery() as int) as standby,
    cast(current_setting('transaction_read_only') = 'on' as int) as closed, ${timeline} as timeline
    ${settings === '' ? '' : `, case when ${isOwn ? 'true' : isDirect} then ${settings} end as set`}`
}

export function toGreeting(row: Readonly<Record<string, unknown>> | undefined): ServerState {
  const number = (name: string): number => Number(row?.[name])
  return {
    isDirect: number('direct') === 1,
    isStandby: number('standby') === 1,
    isReadOnly: number('closed') === 1,
    timeline: number('timeline'),
  }
}

/** Returns the error of hosts of which none may be used. A rejected login is told as it is. */
function noServer(asked: readonly HostProbe[], unfit: Hosts['unfit']): unknown {
  const errors = asked.flatMap((one) => ('error' in one ? [one.error] : []))
  const refusal = errors.find((error) => /^(?:28|3D|42)/.test(sqlState(error) ?? ''))
  if (refusal !== undefined && errors.length === asked.length) return refusal
  const reasons = asked.map((one) =>
    'error' in one
      ? `${formatHostPort(one.host)} does not respond: ${reasonOf(one.error)}`
      : `${formatHostPort(one.host)} ${unfit(one.greeting) ?? 'fits'}`,
  )
  return new Error(reasons.join('; '))
}

function reasonOf(error: unknown): string {
  const { message = '', code = '' } = error as { message?: string; code?: string }
  return message || code
}
