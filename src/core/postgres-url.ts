/** Addresses of PostgreSQL, in the forms of its own library: several hosts, and which of them may be used. */
import { AppError } from './errors.ts'
import { bracketed, unbracketed } from './network.ts'

const SERVERS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
const POOLERS = ['transaction', 'session'] as const

/** The kind of server that may be used. */
export type ServerKind = (typeof SERVERS)[number]
/** The way in which a pooler in front of the server lends its connections: for one transaction, or for as long as a client stays. */
export type PoolerMode = (typeof POOLERS)[number]

/** A name, an address without brackets, or a folder of sockets. */
export type PostgresHost = { host: string; port: number }

export type PostgresAddress = {
  hosts: readonly PostgresHost[]
  wanted: ServerKind
  /** The longest time of connecting to one host, in milliseconds; undefined for the default. */
  connectMs: number | undefined
  pooler: PoolerMode | undefined
  /** Returns the address with one of the hosts alone, for the driver. */
  urlOf(host: PostgresHost): string
}

const DEFAULT_PORT = 5432
const MAX_HOSTS = 32
const MAX_CONNECT_TIMEOUT_S = 30

/** Scheme, user with password, hosts, path and parameters. A user ends at the last `@` of its part. */
const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/

/** The parameters that this program reads, and those of the driver or of PostgreSQL's own library. */
const OWN = ['host', 'port', 'target_session_attrs', 'connect_timeout', 'pooler']
const OTHERS =
  'user password passfile require_auth channel_binding client_encoding options application_name fallback_application_name keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout replication gssencmode sslmode requiressl sslnegotiation sslcompression sslcert sslkey sslpassword sslcertmode sslrootcert sslcrl sslcrldir sslsni ssl_min_protocol_version ssl_max_protocol_version min_protocol_version max_protocol_version requirepeer krbsrvname gsslib gssdelegation ssl uselibpqcompat binary statement_timeout lock_timeout query_timeout idle_in_transaction_session_timeout'.split(
    ' ',
  )
/** Parameters that would be ignored, each with what to write instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  dbname: 'Write the database behind the hosts: postgres://host/name.',
  database: 'Write the database behind the hosts: postgres://host/name.',
  hostaddr: 'Write the address as the host.',
  load_balance_hosts: 'Leave it out: dray tries all hosts at once.',
  service: 'Write host, user and database into the address.',
}

/**
 * Reads an address. `name` is its flag, variable or setting, for errors. Throws AppError('usage') that names the wrong
 * part, and never shows user or password.
 */
export function parsePostgresUrl(url: string, name = 'The address of the store'): PostgresAddress {
  const refuse = (problem: string, hint?: string): never => {
    throw new AppError('usage', `${name}: ${problem}.`, hint === undefined ? {} : { hint })
  }
  const { scheme, login, authority, path, query } = splitParts(url) ?? refuseParts(url, refuse)
  const params = readParams(query, refuse)
  const hosts = readHosts(authority, params, refuse)
  const wanted = choose(params, 'target_session_attrs', SERVERS, refuse)
  const pooler = choose(params, 'pooler', POOLERS, refuse)
  const connect = params.get('connect_timeout')
  if (connect !== undefined && !(/^\d{1,3}$/.test(connect) && Number(connect) <= MAX_CONNECT_TIMEOUT_S))
    refuse(
      `connect_timeout is a number of seconds from 0 to ${MAX_CONNECT_TIMEOUT_S}, not ${connect.slice(0, 40)}`,
    )
  const rest = query.split('&').filter((each) => each !== '' && !OWN.includes(each.split('=', 1)[0] ?? ''))
  return {
    hosts,
    wanted: wanted ?? (hosts.length > 1 ? 'read-write' : 'any'),
    connectMs: Number(connect ?? 0) * 1000 || undefined,
    pooler,
    urlOf({ host, port }) {
      if (hosts.length === 1) return url
      const isFolder = host.startsWith('/')
      const more = isFolder ? [...rest, `host=${encodeURIComponent(host)}`, `port=${port}`] : rest
      const place = isFolder ? 'localhost' : `${bracketed(host)}:${port}`
      const user = login === undefined ? '' : `${login}@`
      return `${scheme}${user}${place}${path}${more.length === 0 ? '' : `?${more.join('&')}`}`
    },
  }
}

type Refuse = (problem: string, hint?: string) => never

/** Returns undefined where the parts cannot be told apart. */
function splitParts(url: string) {
  const [found, scheme = '', login, authority = '', path = '', query = ''] = PARTS.exec(url) ?? []
  // An @ behind the hosts is rather the end of a password that has a slash or a question mark.
  const isUnclear = path.includes('@') || (login === undefined && query.includes('@'))
  return found === undefined || isUnclear ? undefined : { scheme, login, authority, path, query }
}

/** Parts cannot be told apart where a character of user or password stands for itself: they may then hold any of it. */
function refuseParts(url: string, refuse: Refuse): never {
  if (url.includes('@'))
    return refuse(
      'a character of the user or the password ends it early',
      'Write / as %2F, ? as %3F, # as %23 and @ as %40 in them.',
    )
  return refuse('it has no form of postgres://user:password@host:port/database')
}

function readParams(query: string, refuse: Refuse): Map<string, string> {
  const params = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(query)) {
    const shown = key.slice(0, 40)
    if (params.has(key)) refuse(`${shown} is in it twice`)
    const instead = INSTEAD[key]
    if (instead !== undefined) refuse(`${shown} is not read`, instead)
    if (!OWN.includes(key) && !OTHERS.includes(key))
      refuse(`${shown} is not a known parameter`, `Its parameters are those of libpq, and pooler.`)
    params.set(key, value)
  }
  return params
}

function choose<Choice extends string>(
  params: ReadonlyMap<string, string>,
  key: string,
  choices: readonly Choice[],
  refuse: Refuse,
): Choice | undefined {
  const given = params.get(key)
  const found = choices.find((choice) => choice === given)
  if (given !== undefined && found === undefined)
    refuse(`${key} is ${choices.join(', ').replace(/, ([^,]*)$/, ' or $1')}, not ${given.slice(0, 40)}`)
  return found
}

/** Reads the hosts before the path, or those of the parameters `host` and `port`, which go first. */
function readHosts(
  authority: string,
  params: ReadonlyMap<string, string>,
  refuse: Refuse,
): readonly PostgresHost[] {
  const places = authority.split(',').map((each) => toPlace(each, refuse))
  const named = params.get('host')?.split(',')
  const hosts = named?.map(unbracketed) ?? places.map(({ host }) => host)
  const ports = params.get('port')?.split(',') ?? places.map(({ port }) => port)
  if (hosts.length > MAX_HOSTS) refuse(`it has ${hosts.length} hosts; the most are ${MAX_HOSTS}`)
  if (ports.length !== 1 && ports.length !== hosts.length)
    refuse(
      `it has ${ports.length} ports for ${hosts.length} hosts`,
      'Give one port for all, or one for each.',
    )
  const found = hosts.map((host, at) => {
    const port = ports[ports.length === 1 ? 0 : at] ?? ''
    checkHost(host, hosts.length, at, refuse)
    return { host, port: port === '' ? DEFAULT_PORT : toPort(port, refuse) }
  })
  const twice = found.find((one, at) => found.findIndex((each) => isSame(each, one)) !== at)
  if (twice !== undefined) refuse(`the host ${twice.host} is in it twice with the port ${twice.port}`)
  return found
}

function isSame(one: PostgresHost, other: PostgresHost): boolean {
  return one.host === other.host && one.port === other.port
}

/** Splits a host from its port. */
function toPlace(text: string, refuse: Refuse): { host: string; port: string } {
  const [, bracketed, plain = '', port = ''] = /^(?:\[([^[\]]*)\]|([^:[\]]*))(?::([^:]*))?$/.exec(text) ?? []
  if (bracketed === undefined && plain === '' && port === '' && text !== '' && text !== ':')
    refuse(`${text.slice(0, 60)} is no host`, 'Put an IPv6 address in brackets: [2001:db8::1]:5432.')
  if (bracketed !== undefined && !bracketed.includes(':'))
    refuse(`[${bracketed.slice(0, 60)}] is no IPv6 address`)
  return { host: bracketed ?? decode(plain, refuse), port }
}

function decode(text: string, refuse: Refuse): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse(`the host ${text.slice(0, 60)} has a % that begins no escape`)
  }
}

function checkHost(host: string, count: number, at: number, refuse: Refuse): void {
  // One that is omitted is that of the driver: PGHOST, or this machine.
  if (host === '' && count > 1) refuse(`the host at place ${at + 1} is empty`)
  if (host === '' || host.startsWith('/')) return
  const isAddress = host.includes(':')
  if (isAddress ? !URL.canParse(`http://[${host.split('%', 1)[0]}]`) : !/^[\p{L}\p{N}._-]+$/u.test(host))
    refuse(`${host.slice(0, 60)} is no host`)
}

function toPort(text: string, refuse: Refuse): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port
  return refuse(`a port is a number from 1 to 65535, not ${text.slice(0, 40)}`)
}

/** Returns host and port for messages. */
export function formatHostPort({ host, port }: PostgresHost): string {
  return `${bracketed(host) || 'localhost'}:${port}`
}

/** Returns an address with its passwords replaced by `mark`, or without them for an empty one. */
export function hidePassword(url: string, mark = '***'): string {
  const parts = splitParts(url)
  if (parts === undefined) return 'postgres://***'
  const { scheme, login, authority, path, query } = parts
  const user = login?.replace(/:.*/s, mark === '' ? '' : `:${mark}`)
  const shown = query.replaceAll(/((?:^|&)(?:ssl)?password=)[^&]*/g, `$1${mark}`)
  return `${scheme}${user === undefined ? '' : `${user}@`}${authority}${path}${shown === '' ? '' : `?${shown}`}`
}

/** Returns an address for PostgreSQL's own programs, which reject a parameter that is ours. */
export function forPsql(url: string): string {
  return url.replace(/([?&])pooler=[^&#]*(&?)/, (_, before: string, after: string) =>
    after === '' ? '' : before,
  )
}
