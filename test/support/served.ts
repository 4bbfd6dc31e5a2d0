/** Starts a real server over a real store on a free port, for tests over HTTP. */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAccount, insertToken } from '../../src/areas/account/queries/accounts.ts'
import type { Scope } from '../../src/core/account.ts'
import { SCOPES } from '../../src/core/account.ts'
import { type ClockState, frozenClock } from '../../src/core/clock.ts'
import type { Db } from '../../src/core/db.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { openStore } from '../../src/db/open.ts'
import type { OpenOptions } from '../../src/db/open.ts'
import { hasDueEvents } from '../../src/db/timeline.ts'
import { makeGateway } from '../../src/gateway/gateway.ts'
import { makeLimiter } from '../../src/gateway/rate-limit.ts'
import type { AccountLimits } from '../../src/gateway/rate-limit.ts'
import { openDeviceBackend } from '../../src/host/device-backend.ts'
import type { Service } from '../../src/host/embedded.ts'
import {
  assertReady,
  openLogins,
  readOwnMedia,
  readServiceTime,
  tickService,
  readStoreFacts,
} from '../../src/host/hosting.ts'
import { openPageBackend } from '../../src/host/page-backend.ts'
import { openShareBackend } from '../../src/host/shared-links.ts'
import { makeDraftIn } from '../../src/host/stale-files.ts'
import { listControls } from '../../src/sandbox/control/index.ts'
import { invokeControl } from '../../src/sandbox/control/invoke.ts'
import { loadSnapshot, saveSnapshot } from '../../src/sandbox/control/snapshot.ts'
import { runDueEvents } from '../../src/sandbox/due-events.ts'
import { makeKey, seedStore } from '../../src/sandbox/seed.ts'
import type { LogEntry } from '../../src/server/log.ts'
import { makeMeter, writePage } from '../../src/server/metrics/meter.ts'
import type { OAuthLimits } from '../../src/server/route.ts'
import { startServer } from '../../src/server/server.ts'
import type { Server, ServerDeps } from '../../src/server/server.ts'
import { afterFile } from './after-file.ts'
import { copySeeded } from './originals.ts'
import { ENGINES } from './stores.ts'
import type { Engine } from './stores.ts'

/** The time of a served test store, and of the machine's clock. */
export const NOON_MS = Date.UTC(2026, 10, 20, 12)

export type ServedStore = Server & {
  port: number
  db: Service['db']
  service: Service
  log: LogEntry[]
  /** Unexpected errors; a test that leaves one here fails. */
  bugs: unknown[]
  controlToken: string
  /** Ends the service, does something, and serves the same store at the same address again. */
  restart(meanwhile?: () => Promise<unknown>): Promise<void>
  /** Creates a token of an account; by default with all scopes, for a day. */
  token(handle: string, options?: { scopes?: readonly Scope[]; expiresAt?: number }): Promise<string>
}

type Registry = {
  NAMES: readonly string[]
  load: (name: string) => Promise<{ operation: AnyOperation; check(value: unknown): boolean } | undefined>
}

export type ServedOptions = Partial<
  Pick<
    ServerDeps,
    'host' | 'port' | 'allowedHosts' | 'allowedOrigins' | 'proxies' | 'keepAlive' | 'timeouts' | 'capacity'
  >
> & {
  engine?: Engine
  registry: Registry
  /** True if control calls are enabled; `to all` for callers of other machines, too. */
  control?: boolean | 'to all'
  /** The machine's clock; by default it is at `NOON`. */
  now?: () => number
  /** The clock that measures the duration of requests. */
  elapsed?: () => number
  /** The clock of a new store. */
  clock?: ClockState
  oauthLimits?: OAuthLimits
  /** The rate limits of an account. */
  limits?: AccountLimits
  /** The timeouts of a PostgreSQL server. */
  silence?: OpenOptions['silence']
}

/** A new store, and where it is. */
async function openSeeded(
  engine: Engine,
  { silence, clock = frozenClock(NOON_MS) }: Pick<ServedOptions, 'silence' | 'clock'>,
): Promise<{ store: string; db: Db }> {
  const options = { seed: '1', clock, cursorKey: makeKey(randomBytes) }
  const store = (await copySeeded(engine, options)) ?? (await engine.locate())
  const db = await openStore(store, {
    random: () => 0.5,
    ...(silence && { silence }),
    seed: (tx) => seedStore(tx, options),
  })
  return { store, db }
}

/** Serves a new store until the tests of the file have ended. Its clock is frozen at `NOON`. */
export async function serveStore({
  engine = ENGINES[0] as Engine,
  registry,
  control = true,
  ...options
}: ServedOptions): Promise<ServedStore> {
  const now = options.now ?? (() => NOON_MS)
  const random = (count: number): Uint8Array => randomBytes(count)
  const bugs: unknown[] = []
  const log: LogEntry[] = []
  const onBug = (error: unknown): void => void bugs.push(error)
  const { store, db } = await openSeeded(engine, options)
  const limiter =
    options.limits === undefined
      ? undefined
      : makeLimiter(options.limits, { ...(db.query && { query: db.query }), onError: onBug })
  const service: Service = {
    db,
    store,
    gateway: makeGateway({
      db,
      now,
      weakRandomBytes: random,
      load: registry.load,
      hasDue: hasDueEvents,
      drain: runDueEvents,
      onBug,
      limiter,
    }),
  }
  const controlToken = `dray_ctl_${randomBytes(16).toString('hex')}`
  const listen = async (port: number): Promise<Server> =>
    startServer({
      gateway: service.gateway,
      registry,
      control:
        control !== false
          ? {
              token: controlToken,
              toAll: control === 'to all',
              calls: await listControls(),
              invoke: (name, input) => invokeControl(db, name, input, { now, random, env: {} }),
              snapshots: {
                newFile: () =>
                  makeDraftIn(join(tmpdir(), 'dray-spool-test'), { now, weakRandomBytes: random }),
                save: (keep) => saveSnapshot(db, now(), keep),
                load: (file) => loadSnapshot(db, { now, random }, () => createReadStream(file)),
              },
            }
          : undefined,
      devices: control !== false ? openDeviceBackend(service, { now, random }) : undefined,
      oauth: { logins: openLogins(service, { now, random }), limits: options.oauthLimits },
      media: (credential, mediaId) => readOwnMedia(service, { now }, credential, mediaId),
      pages: openPageBackend(service, { now, random }),
      shares: openShareBackend(service, { now, random }),
      serviceTime: () => readServiceTime(service, { now }),
      ready: () => assertReady(service, { now }),
      tick: () => tickService(service, { now }),
      version: '0.0.0-test',
      host: options.host ?? '127.0.0.1',
      port,
      allowedHosts: options.allowedHosts ?? [],
      allowedOrigins: options.allowedOrigins ?? [],
      ...(options.proxies !== undefined && { proxies: options.proxies }),
      keepAlive: options.keepAlive,
      timeouts: options.timeouts ?? {},
      capacity: options.capacity ?? {},
      now,
      elapsed: options.elapsed ?? (() => performance.now()),
      weakRandomBytes: random,
      metrics: async (accept) => writePage([await meter.report()], accept),
      log(entry) {
        meter.count(entry)
        log.push(entry)
      },
      onBug,
    })
  const meter = makeMeter({
    version: '0.0.0-test',
    store: db,
    activity: () => server.activity(),
    askStore: () => readStoreFacts(service, { now }),
  })
  let server = await listen(options.port ?? 0)
  const served: ServedStore = {
    url: server.url,
    port: Number(new URL(server.url).port),
    db,
    service,
    log,
    bugs,
    controlToken,
    async restart(meanwhile) {
      await server.close()
      await meanwhile?.()
      server = await listen(served.port)
    },
    token: (handle, given = {}) => mintToken(db, handle, given),
    activity: () => server.activity(),
    async close(stop) {
      await server.close(stop)
      await db.close()
    },
  }
  afterFile(() => served.close())
  return served
}

async function mintToken(
  db: Service['db'],
  handle: string,
  { scopes = SCOPES, expiresAt = NOON_MS + 86_400_000 }: { scopes?: readonly Scope[]; expiresAt?: number },
): Promise<string> {
  const token = `dray_sbx_${randomBytes(32).toString('base64url')}`
  await db.write(async (tx) => {
    const account = await findAccount(tx, handle)
    if (account === undefined) throw new Error(`no account ${handle}`)
    await insertToken(tx, {
      token_hash: sha256Hex(token),
      account_id: account.account_id,
      scopes,
      expires_at: expiresAt,
      created_at: NOON_MS,
    })
  })
  return token
}

/** An HTTP response, read byte by byte from a socket. */
export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/**
 * Writes bytes, or parts at once, to a port and returns every response until the other side closes, or until `count` have arrived. With
 * `end` the sending side is closed at once; with `bodiless` responses have no body whatever their length says (HEAD).
 */
export function talk(
  port: number,
  bytes: string | Uint8Array | readonly Uint8Array[],
  {
    count = Infinity,
    end = false,
    bodiless = false,
  }: { count?: number; end?: boolean; bodiless?: boolean } = {},
): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const answers: RawAnswer[] = []
    let rest = ''
    const finish = (): void => {
      socket.destroy()
      resolve(answers)
    }
    socket.on('connect', () => {
      socket.cork()
      for (const part of [bytes].flat()) socket.write(part)
      if (end) socket.end()
      else socket.uncork()
    })
    socket.on('data', (chunk) => {
      rest = parseResponses(rest + chunk.toString('latin1'), bodiless, answers)
      if (answers.length >= count) finish()
    })
    socket.on('end', finish)
    socket.on('close', finish)
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? finish() : reject(error),
    )
  })
}

/** Adds the answers that a text holds whole to `answers`, and gives what is left of it. */
function parseResponses(text: string, bodiless: boolean, answers: RawAnswer[]): string {
  let rest = text
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd === -1) return rest
    const [first = '', ...lines] = rest.slice(0, headEnd).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const status = Number(first.split(' ')[1])
    const length = status < 200 || bodiless ? 0 : Number(headers['content-length'] ?? 0)
    const body = rest.slice(headEnd + 4, headEnd + 4 + length)
    if (body.length < length) return rest
    answers.push({ status, headers, body })
    rest = rest.slice(headEnd + 4 + length)
  }
}
