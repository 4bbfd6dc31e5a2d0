/** A sandbox in this process, over a world. */
import { listAllAccounts } from '../areas/account/queries/accounts.ts'
import type { Client } from '../client/client.ts'
import { serviceNow } from '../core/clock.ts'
import { sha256Bytes } from '../core/hash.ts'
import { randomId } from '../core/ids.ts'
import { toTimestamp } from '../core/time.ts'
import { loadWorld } from '../db/world.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { NAMES } from '../generated/registry.ts'
import { ROUTES } from '../generated/routes.ts'
import { createEmbeddedClient, gatewayOver } from '../host/embedded.ts'
import type { Service } from '../host/embedded.ts'
import { CONTROLS } from '../sandbox/control/index.ts'
import { recordCalls, type RecordedCall } from './calls-log.ts'
import { makeEventDispatcher, type EventDispatcher } from './events.ts'
import { callsOf, methodsOf } from './methods.ts'
import type {
  CallOptions,
  DiffOptions,
  LoggedCall,
  ResourceLike,
  Sandbox,
  Snapshot,
  SnapshotComparison,
} from './testing-types.ts'
import type { SandboxKey, SandboxDb } from './worlds.ts'

/** The machine's part. */
type SandboxDeps = {
  now(): number
  /** Unpredictable bytes, for tokens: the sandbox may be served. */
  random(count: number): Uint8Array
  /** Bytes that are the same each time, for the ids of calls. */
  newBytes(count: number): Uint8Array
}

const STORE = ':memory:'

/** The parts of a sandbox: the service over its world, and what is told and noted of its calls. */
type Parts = SandboxDeps & {
  service: Service
  client: Client
  teller: EventDispatcher
  heard: readonly RecordedCall[]
  /** Throws what a listener threw during a call over HTTP. */
  rethrow(): void
  /** Returns an id that is the same for the same calls before it. */
  newId(prefix: string): string
  control(name: string, input: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** Opens a sandbox over a world, which ends with it. With `http` it is served, too. */
export async function openSandboxOver(
  { seed, at }: SandboxKey,
  world: SandboxDb,
  deps: SandboxDeps,
  http: boolean,
): Promise<Sandbox> {
  const parts = await openParts(world, deps, (prefix) => randomId(prefix, at, deps.newBytes(10)))
  const { service, client, teller, control } = parts
  const served = http
    ? await (await import('./served.ts')).serveSandbox(service, { ...deps, control })
    : undefined
  const end = async (): Promise<void> => {
    await served?.close()
    await world.end()
    parts.rethrow()
  }
  let ending: Promise<void> | undefined
  const close = (): Promise<void> => (ending ??= end())
  const sandbox = {
    seed,
    url: served?.url,
    controlToken: served?.controlToken,
    as: (account: string) => callsOf<CallOptions>(NAMES, callerOf(parts, account)),
    token: async (account: string) => (await client.control('mint_token', { account })).token,
    control: { ...methodsOf(Object.keys(CONTROLS), control), call: control },
    fault: (input: Readonly<Record<string, unknown>>) => control('add_fault', input),
    clock: clockOf(parts),
    on: teller.on,
    calls: (filter?: Partial<LoggedCall>) => readCalls(parts, filter),
    snapshot: () => collectSnapshot(client),
    diff: async (before: Uint8Array, after?: Uint8Array, options?: DiffOptions) =>
      diffSnapshots(before, after ?? (await collectSnapshot(client)), options),
    coverage: (filter: Readonly<Record<string, unknown>> = {}) => control('get_coverage', filter),
    async restore(snapshot: Uint8Array) {
      await client.loadSnapshot(async function* () {
        yield snapshot
      })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  // Its calls are those of the registry, which also made the types.
  return sandbox as unknown as Sandbox
}

async function collectSnapshot(client: Client): Promise<Snapshot> {
  const chunks: Uint8Array[] = []
  await client.saveSnapshot((chunk) => chunks.push(chunk))
  const bytes = new Uint8Array(Buffer.concat(chunks))
  // Loops over the fields of an array do not find it.
  return Object.defineProperty(bytes, 'digest', { value: sha256Bytes(bytes).toHex() }) as Snapshot
}

async function diffSnapshots(
  before: Uint8Array,
  after: Uint8Array,
  { ignore = [], ignoreTimes = false }: DiffOptions = {},
): Promise<SnapshotComparison> {
  const [{ compareSnapshots, readForComparison }, { readIgnored }] = await Promise.all([
    import('../sandbox/control/compare-snapshots.ts'),
    import('../sandbox/control/ignored-fields.ts'),
  ])
  const isIgnored = readIgnored(ignore, ignoreTimes, 'ignore:')
  const read = (bytes: Uint8Array, shown: string) =>
    readForComparison(
      (async function* () {
        yield bytes
      })(),
      shown,
    )
  return compareSnapshots(await read(before, 'before'), await read(after, 'after'), isIgnored)
}

async function openParts({ db }: SandboxDb, deps: SandboxDeps, newId: Parts['newId']): Promise<Parts> {
  const machine = { ...deps, weakRandomBytes: deps.newBytes, env: {}, firstRun() {}, debug() {} }
  const teller = makeEventDispatcher(db)
  const heard: RecordedCall[] = []
  let failure: { error: unknown } | undefined
  const gateway = recordCalls(await gatewayOver(db, { store: STORE }, machine), async (call) => {
    heard.push(call)
    if (call.transport === 'embedded') return teller.tell()
    // The caller over HTTP is the program under test, and not the test.
    await teller.tell().catch((error: unknown) => (failure ??= { error }))
  })
  const requests = () => heard.map((call) => ({ time: call.service_time ?? '', duration_ms: 0, ...call }))
  const service: Service = { db, gateway, store: STORE, requests }
  const client = createEmbeddedClient({ ...service, gateway: identified(gateway, newId) }, '', machine)
  return {
    ...deps,
    service,
    client,
    teller,
    heard,
    newId,
    rethrow() {
      if (failure !== undefined) throw failure.error
    },
    async control(name, input) {
      const answer = await client.control(name, input)
      await teller.tell()
      return answer
    },
  }
}

/** Gives each call an id that is the same each time. */
function identified(gateway: Gateway, newId: Parts['newId']): Gateway {
  return { ...gateway, invoke: (request) => gateway.invoke({ ...request, requestId: newId('req') }) }
}

/** Returns a function that makes the calls of an account. One that takes a key gets one, as over HTTP. */
function callerOf({ client, newId }: Parts, account: string) {
  return async (
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<unknown> => {
    const takesKey = Object.hasOwn(ROUTES, name) && ROUTES[name]?.idempotency !== 'none'
    const key = takesKey ? { idempotencyKey: newId('key') } : {}
    const { value } = await client.call(name, input, { ...key, ...options, as: account })
    return value
  }
}

function clockOf({ service: { db }, control, teller, now }: Parts) {
  return {
    async now() {
      const { clock } = await db.read(loadWorld)
      return toTimestamp(serviceNow(clock, now()))
    },
    advance: (by: string) => control('advance_clock', { by }),
    to: (instant: string | Date) =>
      control('advance_clock', { to: typeof instant === 'string' ? instant : instant.toISOString() }),
    async until(what: ResourceLike, status: string, { within }: { within?: string } = {}) {
      const { advanceUntil } = await import('./until.ts')
      const event = await advanceUntil({ db, now }, what, status, within)
      await teller.tell()
      return event
    },
  }
}

/** Returns the calls so far, with the names of their accounts. */
async function readCalls(
  { service: { db }, heard }: Parts,
  filter: Partial<LoggedCall> = {},
): Promise<LoggedCall[]> {
  const accounts = await db.read(listAllAccounts)
  const handles = new Map(accounts.map(({ account_id, handle }) => [account_id, handle]))
  const calls = heard.map(
    (call) => ({ ...call, account: handles.get(call.account ?? '') ?? call.account }) as LoggedCall,
  )
  const wanted = Object.entries(filter)
  return calls.filter((call) => wanted.every(([name, value]) => call[name as keyof LoggedCall] === value))
}
