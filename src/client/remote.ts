/** The HTTP transport: one connection pool for one service, deadlines, and retries that do nothing twice. */
import { AppError } from '../core/errors.ts'
import { randomId } from '../core/ids.ts'
import { isRead } from '../core/operation.ts'
import { formatCallSource } from '../core/origin.ts'
import { ROUTES } from '../generated/routes.ts'
import {
  assertResponseMatchesCall,
  contentType,
  inDoubt,
  readResponseObject,
  requestIdOf,
  toError,
} from './answers.ts'
import { readBase } from './base.ts'
import { readFacts, withOperationTypes } from './client.ts'
import type { ClientCallOptions, CallResult, Client, ServiceFacts, ServiceTime } from './client.ts'
import { openDispatcher } from './connection.ts'
import { exchange } from './exchange.ts'
import type { ExchangeResponse } from './exchange.ts'
import { formatProxySuffix } from './proxy.ts'
import {
  accessToken,
  controlOver,
  controlToken,
  limitOf,
  type Remote,
  type RemoteDeps,
  type RemoteTarget,
  whoAmI,
  withToken,
} from './remote-access.ts'
import { makeBearerHeader, toRequest } from './remote-request.ts'
import { FAULT_HEADER, makeSender } from './sender.ts'
import type { SenderRequest } from './sender.ts'
import { makeTokenSession } from './session.ts'

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
    { ...deps, through: formatProxySuffix(base, deps.env) },
  )
  const session = makeTokenSession({
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
    call: withOperationTypes((name, input, options) => call(remote, name, input, options)),
    whoAmI: () => whoAmI(remote),
    serviceTime: (limitMs) => serviceTime(remote, limitMs),
    latestFacts: () => latestFacts,
    control: controlOver(remote),
    createPageLink: async (page) => (await import('./remote-links.ts')).requestPageLink(remote, page),
    share: async (resourceId) => (await import('./remote-links.ts')).requestSharedLink(remote, resourceId),
    withdraw: async (resourceId) => (await import('./remote-links.ts')).withdraw(remote, resourceId),
    saveSnapshot: (keep) => saveSnapshot(remote, keep),
    loadSnapshot: (open) => loadSnapshot(remote, open),
    media: (mediaId) => fetchMedia(remote, mediaId),
    close: () => dispatcher.destroy(),
  }
}

async function call(
  remote: Remote,
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: ClientCallOptions = {},
): Promise<CallResult> {
  const { deps, send } = remote
  const route = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined
  if (route === undefined) throw new AppError('route_not_found', `Unknown operation ${name.slice(0, 60)}.`)
  const key =
    route.idempotency === 'none'
      ? undefined
      : (options.idempotencyKey ?? randomId('key', deps.now(), deps.random(10)))
  let lost = false
  return withToken(remote, options.as, async (token) => {
    const request = toRequest(route, input, {
      ...makeBearerHeader(token),
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(options.scenario !== undefined && { 'Sandbox-Scenario': options.scenario }),
      ...(options.fault !== undefined && { [FAULT_HEADER]: options.fault }),
      'Dray-Via': formatCallSource(remote.target.via ?? 'terminal', options),
    })
    options.beforeChange?.()
    const reply = await send(request, {
      repeatable: true,
      limitMs: limitOf(remote, isRead(route)),
      signal: options.signal,
      key,
    })
    lost ||= reply.afterLoss === true
    const value = readResponseObject(reply)
    assertResponseMatchesCall(name, { ...route, ...(await route.loadCheck()) }, input, value)
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

function timeOf({ deps }: Remote, { headers }: ExchangeResponse): ServiceTime {
  // A proxy may have removed the header.
  return readFacts(headers).time ?? { now: deps.now(), frozen: false }
}

/** Returns the service's time, which every response reports, even an error. */
async function serviceTime(remote: Remote, limitMs = Infinity): Promise<ServiceTime> {
  const { method, path } = CLOCK
  const request: SenderRequest = { method, path, headers: makeBearerHeader(await accessToken(remote)) }
  const reply = await remote.send(request, {
    repeatable: true,
    limitMs: Math.min(limitOf(remote, true), limitMs),
  })
  return timeOf(remote, reply)
}

async function saveSnapshot(remote: Remote, keep: (chunk: Uint8Array) => void): Promise<void> {
  const headers = makeBearerHeader(await controlToken(remote))
  const request: SenderRequest = { method: 'GET', path: SNAPSHOT, headers, keep }
  const reply = await remote.send(request, { repeatable: false, limitMs: snapshotLimit(remote) })
  if (reply.status !== 200) throw toError(reply)
}

async function loadSnapshot(remote: Remote, open: Parameters<Client['loadSnapshot']>[0]): Promise<unknown> {
  const { Readable } = await import('node:stream')
  const headers = { ...makeBearerHeader(await controlToken(remote)), 'Content-Type': 'application/x-ndjson' }
  const request: SenderRequest = { method: 'PUT', path: SNAPSHOT, headers, body: Readable.from(open()) }
  return readResponseObject(await remote.send(request, { repeatable: false, limitMs: snapshotLimit(remote) }))
}

function snapshotLimit({ target }: Remote): number {
  return target.timeoutMs ?? SNAPSHOT_LIMIT_MS
}

async function fetchMedia(remote: Remote, mediaId: string): ReturnType<Client['media']> {
  const path = `/media/${encodeURIComponent(mediaId)}`
  return withToken(remote, undefined, async (token) => {
    const headers = makeBearerHeader(token)
    const request: SenderRequest = { method: 'GET', path, headers, maxBytes: MAX_PICTURE_BYTES }
    const reply = await remote.send(request, { repeatable: true, limitMs: limitOf(remote, true) })
    if (reply.status !== 200) throw toError(reply)
    return { contentType: contentType(reply), bytes: reply.body }
  })
}
