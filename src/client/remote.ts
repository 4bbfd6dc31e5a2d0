/** The HTTP transport: one connection pool for one service, deadlines, and retries that do nothing twice. */
import { AppError } from '../core/errors.ts'
import { randomId } from '../core/ids.ts'
import type { Machine } from '../core/machine.ts'
import { isLoopback } from '../core/network.ts'
import { isRead } from '../core/operation.ts'
import { type PageName, PAGES } from '../core/pages.ts'
import { ROUTES } from '../generated/routes.ts'
import { assertFits, contentType, readValue, requestIdOf, toError } from './answers.ts'
import { readFacts, typed, typedControl } from './client.ts'
import type {
  CallOptions,
  CallResult,
  Client,
  Identity,
  ServiceFacts,
  ServiceTime,
  SharedLink,
  Target,
} from './client.ts'
import { openDispatcher, readBase } from './connection.ts'
import { exchange } from './exchange.ts'
import type { Reply } from './exchange.ts'
import { introspectionOf, readIdentity } from './introspection.ts'
import type { Route } from './route.ts'
import { makeSender } from './sender.ts'
import type { Request } from './sender.ts'
import { makeSession } from './session.ts'
import type { LoginStore, Session } from './session.ts'

export type RemoteDeps = Pick<
  Machine,
  'env' | 'paths' | 'now' | 'elapsed' | 'random' | 'weakRandomBytes' | 'sleep'
> & {
  debug(line: string): void
  /** Called with a warning for the user, whatever the verbosity. */
  warn?(line: string): void
  /** The store of the target's login. Without it, a token is not renewed. */
  kept?: LoginStore | undefined
}

type RemoteTarget = Extract<Target, { kind: 'remote' }>

const READ_LIMIT_MS = 30_000
const WRITE_LIMIT_MS = 90_000
/** The timeout of `whoAmI`; it is short, because a command waits for it before it starts. */
const WHO_LIMIT_MS = 5_000
const SNAPSHOT_LIMIT_MS = 600_000
const SNAPSHOT = '/sandbox/snapshot'
const MAX_PICTURE_BYTES = 64 * 1_048_576

/** The request for the time: every caller may make it, and its response is the smallest. */
const CLOCK = { method: 'GET', path: '/v1/me/membership' } as const

/**
 * Opens a client that connects at its first call. Throws `config_error` for an address that must not receive a token.
 */
export async function openRemote(target: RemoteTarget, deps: RemoteDeps): Promise<Client> {
  const base = readBase(target.baseUrl)
  const dispatcher = await openDispatcher(base, deps)
  let latestFacts: ServiceFacts | undefined
  const send = makeSender(
    async (outgoing, limits) => {
      const reply = await exchange(dispatcher, outgoing, limits)
      const facts = readFacts(reply.headers)
      // A response of a proxy has neither fact.
      if (facts.time !== undefined || facts.environment !== undefined) latestFacts = facts
      return reply
    },
    base,
    deps,
  )
  const session = makeSession({
    token: target.token,
    account: target.login?.account,
    kept: deps.kept,
    async renew(login) {
      const { renewLogin } = await import('./oauth.ts')
      const limitMs = limitOf({ target }, true)
      return renewLogin((request, options) => send(request, { ...options, limitMs }), login)
    },
  })
  const remote: Remote = { target, base, deps, send, session, minted: new Map() }
  return {
    call: typed((name, input, options) => call(remote, name, input, options)),
    whoAmI: () => whoAmI(remote),
    serviceTime: (limitMs) => serviceTime(remote, limitMs),
    latestFacts: () => latestFacts,
    control: controlOver(remote),
    createPageLink: (page) => createPageLink(remote, page),
    share: (resourceId) => share(remote, resourceId),
    withdraw: (resourceId) => withdraw(remote, resourceId),
    saveSnapshot: (keep) => saveSnapshot(remote, keep),
    loadSnapshot: (open) => loadSnapshot(remote, open),
    media: (mediaId) => fetchMedia(remote, mediaId),
    close: () => dispatcher.destroy(),
  }
}

/** One service and its connection. */
type Remote = {
  target: RemoteTarget
  base: URL
  deps: RemoteDeps
  send: ReturnType<typeof makeSender>
  session: Session
  /** Tokens of accounts that were used instead of the target's. */
  minted: Map<string, Promise<string>>
}

function limitOf({ target }: Pick<Remote, 'target'>, read: boolean): number {
  return target.timeoutMs ?? (read ? READ_LIMIT_MS : WRITE_LIMIT_MS)
}

async function call(
  remote: Remote,
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<CallResult> {
  const { deps, send } = remote
  const route = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined
  if (route === undefined)
    throw new AppError('route_not_found', `There is no operation ${name.slice(0, 60)}.`)
  const key =
    route.idempotency === 'none'
      ? undefined
      : (options.idempotencyKey ?? randomId('key', deps.now(), deps.random(10)))
  let lost = false
  return withToken(remote, options.as, async (token) => {
    const request = toRequest(route, input, {
      ...bearer(token),
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(options.scenario !== undefined && { 'Sandbox-Scenario': options.scenario }),
    })
    const reply = await send(request, {
      repeatable: true,
      limitMs: limitOf(remote, isRead(route)),
      signal: options.signal,
      key,
    })
    lost ||= reply.afterLoss === true
    const value = readValue(reply)
    assertFits(name, { ...route, ...(await route.loadCheck()) }, input, value)
    return {
      value,
      status: reply.status,
      replayed: reply.headers['idempotent-replayed'] === 'true',
      requestId: requestIdOf(reply),
      serviceTime: timeOf(remote, reply),
    }
  }).catch((error: unknown) => {
    // This also applies when the login could not be renewed after that.
    throw lost && key !== undefined && error instanceof AppError ? inDoubt(error, key) : error
  })
}

function timeOf({ deps }: Remote, { headers }: Reply): ServiceTime {
  // A proxy may have removed the header.
  return readFacts(headers).time ?? { now: deps.now(), frozen: false }
}

/** Returns the service's time, which every response reports, even an error. */
async function serviceTime(remote: Remote, limitMs = Infinity): Promise<ServiceTime> {
  const { method, path } = CLOCK
  const request: Request = { method, path, headers: bearer(await accessToken(remote)) }
  const reply = await remote.send(request, {
    repeatable: true,
    limitMs: Math.min(limitOf(remote, true), limitMs),
  })
  return timeOf(remote, reply)
}

/** Makes a link for a browser that then acts as the account of the token. */
async function createPageLink(
  remote: Remote,
  page: PageName | undefined,
): Promise<{ path: string; expires_in: number }> {
  // A link of a token never opens the page of the sandbox's keeper.
  if (page !== undefined && PAGES[page].need === 'control')
    return controlOver(remote)('create_page_link', { account: await ownAccount(remote), page })
  return withToken(remote, undefined, async (token) => {
    const request: Request = {
      method: 'POST',
      path: '/pages/links',
      headers: { ...bearer(token), 'Content-Type': 'application/json' },
      body: JSON.stringify(page === undefined ? {} : { page }),
    }
    const value = readValue(await remote.send(request, { repeatable: true, limitMs: limitOf(remote, false) }))
    const { path, expires_in } = value as { path?: unknown; expires_in?: unknown }
    if (typeof path !== 'string' || typeof expires_in !== 'number' || !path.startsWith('/pages/'))
      throw new AppError('internal_error', 'The answer of the service is no link.')
    return { path, expires_in }
  })
}

/** Returns the account to act as: the target's, or that of its login, or the one that may do everything. */
async function ownAccount(remote: Remote): Promise<string> {
  if (remote.target.account !== undefined) return remote.target.account
  const hasLogin = (await remote.session.token()) !== undefined
  return (hasLogin ? (await whoAmI(remote)).account : undefined) ?? 'everything'
}

const SHARED_LINKS = '/v1/shared-links'

/** Makes a link. A repeat after a lost answer makes another one; both end together. */
async function share(remote: Remote, resourceId: string): Promise<SharedLink> {
  return withToken(remote, undefined, async (token) => {
    const request: Request = {
      method: 'POST',
      path: SHARED_LINKS,
      headers: { ...bearer(token), 'Content-Type': 'application/json' },
      body: JSON.stringify({ resource_id: resourceId }),
    }
    const value = readValue(await remote.send(request, { repeatable: true, limitMs: limitOf(remote, false) }))
    const { resource_id, path, expires_at } = value as Partial<Record<keyof SharedLink, unknown>>
    if (typeof resource_id !== 'string' || typeof expires_at !== 'string' || typeof path !== 'string')
      throw new AppError('internal_error', 'The answer of the service is no link.')
    if (!path.startsWith('/track/')) throw new AppError('internal_error', 'The service sent a strange link.')
    return { resource_id, path, expires_at }
  })
}

async function withdraw(
  remote: Remote,
  resourceId: string,
): Promise<{ resource_id: string; withdrawn: number }> {
  return withToken(remote, undefined, async (token) => {
    const request: Request = {
      method: 'DELETE',
      path: `${SHARED_LINKS}/${encodeURIComponent(resourceId)}`,
      headers: bearer(token),
    }
    const value = readValue(await remote.send(request, { repeatable: true, limitMs: limitOf(remote, false) }))
    const { resource_id, withdrawn } = value as { resource_id?: unknown; withdrawn?: unknown }
    if (typeof resource_id !== 'string' || typeof withdrawn !== 'number')
      throw new AppError('internal_error', 'The service does not say how many links it withdrew.')
    return { resource_id, withdrawn }
  })
}

/** Returns the function that makes control calls. */
function controlOver(remote: Remote): Client['control'] {
  return typedControl(async (name, input) => {
    const { CONTROL_ROUTES } = await import('../generated/control-routes.ts')
    const route = Object.hasOwn(CONTROL_ROUTES, name) ? CONTROL_ROUTES[name] : undefined
    if (route === undefined)
      throw new AppError('route_not_found', `There is no control call ${name.slice(0, 60)}.`)
    const read = isRead(route)
    const request = toRequest(route, input, bearer(await controlToken(remote)))
    const reply = await remote.send(request, { repeatable: read, limitMs: limitOf(remote, read) })
    const value = readValue(reply)
    // Members of the path are not compared: an account asked for by its name is answered by its id.
    assertFits(name, { ...route, ...(await route.loadCheck()), pathParameters: [] }, input, value)
    return value
  })
}

async function controlToken({ target, base, deps }: Remote): Promise<string> {
  const { findServedToken } = await import('./control-token.ts')
  const port = Number(base.port === '' ? 80 : base.port)
  const token =
    target.controlToken ?? (isLoopback(base.hostname) ? findServedToken(port, deps.paths.state) : undefined)
  if (token !== undefined) return token
  throw new AppError('not_logged_in', `The control token of ${base.origin} is not known here.`, {
    hint: 'Run sandbox commands on the machine, and as the user, that runs `dray serve`.',
  })
}

/** Returns the target's token, or one for the account to use instead. */
async function accessToken(remote: Remote, as = remote.target.account): Promise<string> {
  if (as !== undefined) return tokenOf(remote, as)
  const token = await remote.session.token()
  if (token !== undefined) return token
  throw new AppError('not_logged_in', `There is no token for ${remote.base.origin}.`)
}

/** Runs `work` with the token, and again with a renewed token if that one is rejected. */
async function withToken<T>(
  remote: Remote,
  as: string | undefined,
  work: (token: string) => Promise<T>,
): Promise<T> {
  const token = await accessToken(remote, as)
  try {
    return await work(token)
  } catch (error) {
    const ours = as === undefined && remote.target.account === undefined
    if (!ours || !(error instanceof AppError) || error.code !== 'invalid_token') throw error
    const renewed = await remote.session.renewed(token)
    if (renewed === undefined) throw error
    return work(renewed)
  }
}

function tokenOf(remote: Remote, account: string): Promise<string> {
  const token = remote.minted.get(account) ?? mint(remote, account)
  remote.minted.set(account, token)
  return token
}

async function mint(remote: Remote, account: string): Promise<string> {
  const { token } = await controlOver(remote)('mint_token', { account })
  return token
}

async function whoAmI(remote: Remote): Promise<Identity> {
  return withToken(remote, undefined, async (token) => {
    const request = introspectionOf(token, bearer(token))
    const limitMs = Math.min(limitOf(remote, true), WHO_LIMIT_MS)
    return readIdentity(await remote.send(request, { repeatable: true, limitMs }))
  })
}

async function saveSnapshot(remote: Remote, keep: (chunk: Uint8Array) => void): Promise<void> {
  const headers = bearer(await controlToken(remote))
  const request: Request = { method: 'GET', path: SNAPSHOT, headers, keep }
  const reply = await remote.send(request, { repeatable: false, limitMs: snapshotLimit(remote) })
  if (reply.status !== 200) throw toError(reply)
}

async function loadSnapshot(remote: Remote, open: Parameters<Client['loadSnapshot']>[0]): Promise<unknown> {
  const { Readable } = await import('node:stream')
  const headers = { ...bearer(await controlToken(remote)), 'Content-Type': 'application/x-ndjson' }
  const request: Request = { method: 'PUT', path: SNAPSHOT, headers, body: Readable.from(open()) }
  return readValue(await remote.send(request, { repeatable: false, limitMs: snapshotLimit(remote) }))
}

function snapshotLimit({ target }: Remote): number {
  return target.timeoutMs ?? SNAPSHOT_LIMIT_MS
}

async function fetchMedia(remote: Remote, mediaId: string): ReturnType<Client['media']> {
  const path = `/media/${encodeURIComponent(mediaId)}`
  return withToken(remote, undefined, async (token) => {
    const headers = bearer(token)
    const request: Request = { method: 'GET', path, headers, maxBytes: MAX_PICTURE_BYTES }
    const reply = await remote.send(request, { repeatable: true, limitMs: limitOf(remote, true) })
    if (reply.status !== 200) throw toError(reply)
    return { contentType: contentType(reply), bytes: reply.body }
  })
}

/**
 * Adds the key to an error that says nothing about earlier attempts, so that the caller can repeat the call with it.
 */
function inDoubt(error: AppError, key: string): AppError {
  const { code, message, hint, errors, extra } = error
  return new AppError(code, message, {
    ...(hint !== undefined && { hint }),
    errors,
    extra: { ...extra, idempotency_key: key },
    cause: error,
  })
}

type Addressed = Pick<Route, 'method' | 'path' | 'pathParameters'>

/** Puts each member of the input in its place: the path, the query of a GET, or the body. */
function toRequest(
  { method, path, pathParameters }: Addressed,
  input: Readonly<Record<string, unknown>>,
  headers: Record<string, string>,
): Request {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = toText(input[name])
    // Without it the address is another one, and the service would say that there is no such path.
    if (text === '') throw missing(name)
    return encodeURIComponent(text)
  })
  const rest = Object.entries(input).filter(
    ([name, value]) => !pathParameters.includes(name) && value !== undefined,
  )
  const accept = { ...headers, Accept: 'application/json', 'Accept-Encoding': 'gzip' }
  if (method === 'GET') {
    const query = new URLSearchParams(
      rest.flatMap(([name, value]) => [value].flat().map((one) => [name, toText(one)])),
    )
    return { method, path: query.size === 0 ? filled : `${filled}?${query.toString()}`, headers: accept }
  }
  return {
    method,
    path: filled,
    headers: { ...accept, 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(rest)),
  }
}

function missing(parameter: string): AppError {
  const detail = `${parameter} is required`
  return new AppError('invalid_request', `${detail}.`, { errors: [{ parameter, code: 'required', detail }] })
}

/** Converts a value for a path or a query. The service rejects values that are no text, number or boolean. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function bearer(token: string): Record<string, string> {
  if (/^[\x21-\x7e]+$/.test(token)) return { Authorization: `Bearer ${token}` }
  throw new AppError('config_error', 'The token holds characters that no token has.')
}
