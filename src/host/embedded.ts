import { parseServiceTime, readFacts, withOperationTypes, withControlTypes } from '../client/client.ts'
import type {
  ClientCallOptions,
  CallResult,
  Client,
  ServiceFacts,
  ServiceTime,
  Target,
} from '../client/client.ts'
import { type ClockState, serviceNow, stallOf } from '../core/clock.ts'
import type { Db } from '../core/db.ts'
import { AppError, fromProblem } from '../core/errors.ts'
import type { EventLoop } from '../core/event-loop.ts'
import { isPostgresUrl } from '../core/network.ts'
import { type CallChannel, formatCallSource } from '../core/origin.ts'
import { openStore } from '../db/open.ts'
import type { SqliteOptions } from '../db/sqlite.ts'
import { hasDueEvents } from '../db/timeline.ts'
import { loadWorld } from '../db/world.ts'
import { authenticate, resolveCaller } from '../gateway/credential.ts'
import type { GatewayDeps } from '../gateway/deps.ts'
import type { ForwardWrite } from '../gateway/forwarded-writes.ts'
import { makeGateway } from '../gateway/gateway.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { AccountLimits, RateLimiter } from '../gateway/rate-limit.ts'
import type { GatewayResponse, Credential } from '../gateway/request.ts'
import { load } from '../generated/registry.ts'
import { openRequestLog, withLog } from './request-log.ts'
import type { LoggedRequest } from './request-log.ts'

export type ServiceDeps = {
  now(): number
  random(count: number): Uint8Array
  weakRandomBytes(count: number): Uint8Array
  /** Defaults to that of this process. */
  loop?: EventLoop
  /** The folder for the request log of a PostgreSQL store; without it that log is not kept. */
  paths?: { state: string }
  env: Readonly<Record<string, string | undefined>>
  /** True if this is one of the processes that `dray serve --cluster` started. */
  worker?: boolean
  /** Hands attempts to write to the process that writes for all; not used over PostgreSQL, where every process writes. */
  hand?: ForwardWrite
  /** The patience of an SQLite store with other processes; a command waits for a minute. */
  sqlite?: SqliteOptions
  /** Called once, after a store was created and seeded. */
  firstRun(store: string): void
  debug(line: string): void
  /** Called with a warning for the user: the fact, and the command to type. */
  warn?(line: string): void
}

/** Clocks of several machines over one database differ by less than this. */
const MAX_STALL_MS = 3_600_000

/** The service in this process: one store and the gateway over it. */
export type Service = {
  db: Db
  gateway: Gateway
  store: string
  /** The kind of program that this process's own calls come from. */
  via?: CallChannel | undefined
  /** Returns the latest requests, oldest first; absent for a store in memory. */
  requests?: (() => readonly LoggedRequest[]) | undefined
}

/** Opens the store at a path or postgres:// address; creates and seeds it at first use. */
export async function openService(
  {
    store,
    oneActiveRide = false,
    limits,
    via = 'terminal',
  }: Omit<Extract<Target, { kind: 'embedded' }>, 'kind' | 'account'>,
  deps: ServiceDeps,
): Promise<Service> {
  let seeded = false
  const db = await openStore(store, {
    random: () => (deps.weakRandomBytes(1)[0] ?? 0) / 256,
    sqlite: { ...deps.sqlite, loop: deps.loop },
    seed: async (tx, from) => {
      const { backfillStore, seedStore, seedOptions } = await import('../sandbox/seed.ts')
      if (from > 0) return backfillStore(tx, from, deps.now())
      await seedStore(tx, seedOptions(deps))
      seeded = true
    },
  })
  // Only a committed store was made: a full disk or another process can still undo its seed.
  if (seeded) deps.firstRun(store)
  if (deps.warn !== undefined) await warnOfStall(db, deps.now, deps.warn)
  const gateway = await gatewayOver(db, { store, oneActiveRide, limits }, deps)
  const log = await openRequestLog(store, deps)
  if (log === undefined) return { db, gateway, store, via }
  const close = async (): Promise<void> => {
    log.close()
    await db.close()
  }
  return {
    db: { ...db, close },
    gateway: withLog(gateway, log, { ...deps, ...(via === 'agent' && { transport: 'mcp' }) }),
    store,
    via,
    requests: log.read,
  }
}

type GatewaySettings = Pick<Extract<Target, { kind: 'embedded' }>, 'store' | 'oneActiveRide' | 'limits'>

/** Returns the gateway over a store that is open. */
export async function gatewayOver(
  db: Db,
  { store, oneActiveRide = false, limits }: GatewaySettings,
  deps: Omit<ServiceDeps, 'firstRun' | 'random' | 'env'>,
): Promise<Gateway> {
  const gatewayDeps: GatewayDeps = {
    db,
    now: deps.now,
    weakRandomBytes: deps.weakRandomBytes,
    load,
    hasDue: hasDueEvents,
    async drain(scene, due, limit) {
      const { runDueEvents } = await import('../sandbox/due-events.ts')
      return runDueEvents(scene, due, limit)
    },
    rules: { oneActiveRide },
    limiter: limits === undefined ? undefined : await openLimiter(limits, db, deps),
    onBug: (error, requestId) => deps.debug(`${requestId} ${describe(error)}`),
  }
  return makeGateway(gatewayDeps, isPostgresUrl(store) ? undefined : deps.hand)
}

/** Warns when the sandbox clock stands still because the machine's clock was set back. */
async function warnOfStall(db: Db, now: () => number, warn: (line: string) => void): Promise<void> {
  const { clock } = await db.read(loadWorld)
  const stall = stallOf(clock, now())
  if (stall <= MAX_STALL_MS) return
  const at = new Date(serviceNow(clock, now())).toISOString()
  warn(
    `The sandbox clock is frozen at ${at}: this machine's clock was ahead of its current time. \`dray sandbox clock run\` starts it again.`,
  )
}

async function openLimiter(
  limits: AccountLimits,
  db: Db,
  { worker, debug }: Pick<ServiceDeps, 'worker' | 'debug'>,
): Promise<RateLimiter> {
  const { makeLimiter } = await import('../gateway/rate-limit.ts')
  return makeLimiter(limits, {
    ...(db.query !== undefined && { query: db.query }),
    ...(worker !== undefined && { worker }),
    onError: (error) => debug(`rate limit ${describe(error)}`),
  })
}

function describe(error: unknown): string {
  return error instanceof Error ? String(error.stack) : String(error)
}

/** Opens a client over a service in this process. The account itself is the credential. */
export async function openEmbedded(
  target: Extract<Target, { kind: 'embedded' }>,
  deps: ServiceDeps,
): Promise<Client> {
  return createEmbeddedClient(await openService(target, deps), target.account, deps)
}

/** Returns a client over a service that is already open. Closing the client closes the service. */
export function createEmbeddedClient(service: Service, account: string, deps: ServiceDeps): Client {
  const credential = { account }
  let latestFacts: ServiceFacts | undefined
  const timeOf = (clock: ClockState): ServiceTime => {
    const time = { now: serviceNow(clock, deps.now()), frozen: clock.mode === 'frozen' }
    latestFacts = { time, environment: 'sandbox' }
    return time
  }
  return {
    latestFacts: () => latestFacts,
    call: withOperationTypes(async (operation, input, options = {}) => {
      const answer = await service.gateway.invoke({
        operation,
        credential: credentialOf(options, credential),
        input,
        ...(options.idempotencyKey !== undefined && { idempotencyKey: options.idempotencyKey }),
        ...(options.scenario !== undefined && { scenario: options.scenario }),
        ...(options.fault !== undefined && { fault: options.fault }),
        via: formatCallSource(service.via ?? 'terminal', options),
        beforeChange: options.beforeChange,
        onRow: options.onRow,
      })
      const { 'Service-Time': time, Environment: environment } = answer.headers
      latestFacts = readFacts({ 'service-time': time, environment })
      return toResult(answer, options)
    }),
    whoAmI: (token) =>
      service.db.read(async (tx) => {
        const asked = token === undefined ? credential : { token }
        const sought = await resolveCaller(tx, asked, deps.now())
        timeOf(sought.stored.clock)
        const { account, scopes } = authenticate(asked, sought)
        return { accountId: account.account_id, account: account.handle, scopes }
      }),
    serviceTime: () => service.db.read(async (tx) => timeOf((await loadWorld(tx)).clock)),
    control: withControlTypes(async (name, input) =>
      (await loadControls())(service.db, name, input, { ...deps, requests: service.requests }),
    ),
    async createPageLink(page) {
      const input = { account, ...(page !== undefined && { page }) }
      return (await loadControls())(service.db, 'create_page_link', input, deps)
    },
    ...sharesOver(service, credential, deps),
    async saveSnapshot(keep) {
      const { saveSnapshot } = await import('../sandbox/control/snapshot.ts')
      await saveSnapshot(service.db, deps.now(), keep)
    },
    async loadSnapshot(open) {
      const { loadSnapshot } = await import('../sandbox/control/snapshot.ts')
      return loadSnapshot(service.db, deps, open)
    },
    async media(mediaId, token) {
      const { readMedia } = await import('../gateway/media.ts')
      const asked = token === undefined ? credential : { token }
      return readMedia(service.db, asked, mediaId, deps.now())
    },
    close: () => service.db.close(),
  }
}

async function loadControls() {
  return (await import('../sandbox/control/invoke.ts')).invokeControl
}

/** Returns the calls of shared links. */
function sharesOver(
  service: Service,
  credential: Credential,
  deps: ServiceDeps,
): Pick<Client, 'share' | 'withdraw'> {
  const open = async () => (await import('./shared-links.ts')).openShareBackend(service, deps)
  return {
    async share(resourceId) {
      const { account: _, ...made } = await (await open()).share(credential, resourceId)
      return made
    },
    async withdraw(resourceId) {
      const { resource_id, ended } = await (await open()).withdraw(credential, resourceId)
      return { resource_id, withdrawn: ended.length }
    },
  }
}

function credentialOf({ as, token }: ClientCallOptions, own: Credential): Credential {
  if (token !== undefined) return { token }
  return as === undefined ? own : { account: as }
}

function toResult(answer: GatewayResponse, { idempotencyKey: key }: ClientCallOptions): CallResult {
  if (answer.lost !== undefined) {
    const extra = key === undefined ? {} : { idempotency_key: key }
    throw new AppError('network_error', 'The answer was lost: a fault on order.', { extra })
  }
  const value: unknown = JSON.parse(answer.body)
  if (answer.status >= 400)
    throw fromProblem(value) ?? new AppError('internal_error', 'The response cannot be read.')
  return {
    value,
    status: answer.status,
    replayed: answer.headers['Idempotent-Replayed'] === 'true',
    requestId: answer.headers['Request-Id'] ?? '',
    serviceTime: parseServiceTime(answer.headers['Service-Time']),
  }
}
