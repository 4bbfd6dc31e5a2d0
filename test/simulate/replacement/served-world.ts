/** A service at one address whose world is replaced while it is served. */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Agent, fetch } from 'undici'
import { PROCESS_EVENT_LOOP } from '../../../src/core/event-loop.ts'
import { isPostgresUrl } from '../../../src/core/network.ts'
import { openStore } from '../../../src/db/open.ts'
import { SCHEMA_VERSION } from '../../../src/db/version.ts'
import { backUpStore, restoreStore } from '../../../src/host/backup.ts'
import { openDeviceBackend } from '../../../src/host/device-backend.ts'
import { openService, type Service, type ServiceDeps } from '../../../src/host/embedded.ts'
import { hostedOver } from '../../../src/host/hosting.ts'
import { listControls } from '../../../src/sandbox/control/index.ts'
import { invokeControl } from '../../../src/sandbox/control/invoke.ts'
import { loadSnapshot, saveSnapshot } from '../../../src/sandbox/control/snapshot.ts'
import { type Server, startServer } from '../../../src/server/server.ts'
import { makeRandom, type Random } from '../../adversarial/random.ts'
import { statementsBackTo } from '../../support/older-store.ts'

/** The time at which every world begins: a Friday morning in London. */
const BEGINNING = '2026-11-20T09:00:00.000Z'
const ENV = { DRAY_NOW: BEGINNING, DRAY_SEED: '20261120', TZ: 'Europe/London' }
/** The random numbers of the store that is served first, and of the one that takes its place. */
const STORES = { first: 1, other: 2 } as const
/** The schema that made the first table of resources: an older store has no orders. */
export const OLDEST_VERSION = 3

/** How a world is replaced: from its seed, by how it was when it was saved, by a newer program, or by another store. */
export type Replacement =
  | { way: 'reset' | 'snapshot' | 'backup' | 'store' }
  /** A store of this former schema is opened by this program. */
  | { way: 'upgrade'; version: number }

export type HttpAnswer = {
  status: number
  /** The code of a refusal, or the `error` of OAuth. */
  code: string
  replayed: boolean
  body: Record<string, unknown>
  cookie: string
}

export type HttpCall = {
  path: string
  /** The account that asks by a token of its own. */
  as?: string
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  form?: Readonly<Record<string, string>>
  key?: string
}

export type ServedWorld = {
  url: string
  home: string
  deps: ServiceDeps
  request(call: HttpCall): Promise<HttpAnswer>
  /** Opens a response whose end is not awaited. */
  open(path: string, headers: Readonly<Record<string, string>>): Promise<Response>
  tokenOf(account: string): Promise<string>
  control<T = unknown>(name: string, input?: Readonly<Record<string, unknown>>): Promise<T>
  /** Keeps the world as it is: a snapshot and a backup bring it back. */
  save(): Promise<void>
  replace(replacement: Replacement): Promise<void>
  /** Returns the whole content of the store, to compare it. */
  content(): Promise<string>
  /** Returns the content that it had when it was saved. */
  saved(): string
  close(): Promise<void>
}

/** Where the stores of a run are: files of a folder, or two databases. */
export type StorePlaces = { folder: string; databases?: readonly [string, string] | undefined }

/** Opens a world that is like every other at its beginning. Its random numbers follow from the seed. */
export async function openServedWorld(places: StorePlaces, seed: number): Promise<ServedWorld> {
  const home = join(places.folder, `world-${seed}`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  const deps = depsOf(makeRandom(seed))
  let store = await placeOf(places, 'first', home)
  let service = await openBegun(store, deps)
  let server = await serve(service, deps, 0)
  const { url } = server
  const port = Number(new URL(url).port)
  const http = new Agent({ pipelining: 0 })
  const tokens = new Map<string, string>()
  const kept: { snapshot: Buffer; backup: string } = {
    snapshot: Buffer.alloc(0),
    backup: join(home, 'kept.backup'),
  }
  const control = <T>(name: string, input: Readonly<Record<string, unknown>> = {}) =>
    invokeControl(service.db, name, input, deps) as Promise<T>
  const tokenOf = async (account: string): Promise<string> => {
    const token = tokens.get(account) ?? (await control<{ token: string }>('mint_token', { account })).token
    tokens.set(account, token)
    return token
  }
  const content = async (): Promise<Buffer> => {
    const chunks: Uint8Array[] = []
    await saveSnapshot(service.db, deps.now(), (chunk) => void chunks.push(chunk))
    return Buffer.concat(chunks)
  }
  const reopenAfter = async (work: () => Promise<string>): Promise<void> => {
    await server.close()
    await service.db.close()
    store = await work()
    service = await openService({ store }, deps)
    server = await serve(service, deps, port)
  }
  const ways: Readonly<Record<Replacement['way'], (replacement: Replacement) => Promise<void>>> = {
    async reset() {
      await control('reset', { at: BEGINNING })
    },
    async snapshot() {
      await loadSnapshot(service.db, deps, () =>
        (async function* () {
          yield kept.snapshot
        })(),
      )
    },
    async backup() {
      await restoreStore(kept.backup, store, deps)
    },
    upgrade: (replacement) =>
      reopenAfter(async () => {
        await takeBack(store, replacement.way === 'upgrade' ? replacement.version : SCHEMA_VERSION)
        return store
      }),
    store: () => reopenAfter(() => placeOf(places, 'other', home)),
  }
  return {
    url,
    home,
    deps,
    tokenOf,
    control,
    async request({ path, as, method, headers = {}, body, form, key }) {
      const answer = await fetch(url + path, {
        dispatcher: http,
        redirect: 'manual',
        method: method ?? (body === undefined && form === undefined ? 'GET' : 'POST'),
        headers: {
          ...(as !== undefined && { Authorization: `Bearer ${await tokenOf(as)}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(key !== undefined && { 'Idempotency-Key': key }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(form !== undefined && { body: new URLSearchParams(form) }),
      })
      return readAnswer(answer)
    },
    open: async (path, headers) =>
      (await fetch(url + path, { dispatcher: http, headers })) as unknown as Response,
    async save() {
      kept.snapshot = await content()
      if (!isPostgresUrl(store)) await backUpStore(store, kept.backup, deps)
    },
    async replace(replacement) {
      await ways[replacement.way](replacement)
      tokens.clear()
    },
    content: async () => (await content()).toString(),
    saved: () => kept.snapshot.toString(),
    async close() {
      await http.destroy()
      await server.close()
      await service.db.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function readAnswer(answer: Awaited<ReturnType<typeof fetch>>): Promise<HttpAnswer> {
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') === true
  const body = isJson ? (JSON.parse(text) as Record<string, unknown>) : {}
  return {
    status: answer.status,
    code: [body['code'], body['error']].find((each) => typeof each === 'string') ?? '',
    replayed: answer.headers.get('Idempotent-Replayed') === 'true',
    body,
    cookie: (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '',
  }
}

async function serve(service: Service, deps: ServiceDeps, port: number): Promise<Server> {
  const machine = { ...deps, elapsed: PROCESS_EVENT_LOOP.elapsed, version: '0.0.0-test' }
  const hosted = await hostedOver(service, machine)
  return startServer({
    ...hosted,
    control: {
      token: `dray_ctl_${deps.random(32).toHex()}`,
      calls: await listControls(),
      invoke: (name, input) => invokeControl(service.db, name, input, deps),
    },
    devices: openDeviceBackend(service, machine),
    host: '127.0.0.1',
    port,
    log() {},
    onBug() {},
  })
}

/** Returns the place of a store: a copy of a file that was filled once, or a database. */
async function placeOf(
  { folder, databases }: StorePlaces,
  which: keyof typeof STORES,
  home: string,
): Promise<string> {
  if (databases !== undefined) return databases[which === 'first' ? 0 : 1]
  const original = join(folder, `${which}.db`)
  if (!existsSync(original)) {
    const { db } = await openService({ store: original }, depsOf(makeRandom(STORES[which])))
    await db.close()
  }
  const store = join(home, `${which}.db`)
  copyFileSync(original, store)
  return store
}

/** Opens a store at its beginning. A database may hold the world of the seed before. */
async function openBegun(store: string, deps: ServiceDeps): Promise<Service> {
  const service = await openService({ store }, deps)
  if (isPostgresUrl(store)) await invokeControl(service.db, 'reset', { at: BEGINNING }, deps)
  return service
}

/** Takes a store back to a former schema, as a program of that version would have left it. */
async function takeBack(store: string, version: number): Promise<void> {
  if (!isPostgresUrl(store)) {
    using db = new DatabaseSync(store)
    db.exec(statementsBackTo(version).join(';\n'))
    return
  }
  const db = await openStore(store, { random: () => 0.5, seed: async () => {} })
  try {
    await db.write(async (tx) => {
      for (const statement of statementsBackTo(version, 'postgres')) await tx.run(statement)
    })
  } finally {
    await db.close()
  }
}

function depsOf(draws: Random): ServiceDeps {
  const random = (count: number) => new Uint8Array(count).map(() => draws.number(256))
  return {
    now: () => Date.parse(BEGINNING),
    random,
    weakRandomBytes: random,
    env: ENV,
    firstRun() {},
    debug() {},
  }
}
