import { Compile, type Validator } from 'typebox/compile'
import { Check } from 'typebox/value'
import { expect } from 'vitest'
import type { OperationOutput, ClientOperationName } from '../../src/client/operations.ts'
import { frozenClock, serviceNow } from '../../src/core/clock.ts'
import type { Db, Tx } from '../../src/core/db.ts'
import type { Problem } from '../../src/core/errors.ts'
import '../../src/gateway/validation-details.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { hasFieldSelection } from '../../src/core/views.ts'
import { MAX_DUE_BATCH_EVENTS, hasDueEvents } from '../../src/db/timeline.ts'
import { loadWorld, saveClock, type StoredWorld } from '../../src/db/world.ts'
import { makeGateway } from '../../src/gateway/gateway.ts'
import type { Credential } from '../../src/gateway/request.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { runDueEvents } from '../../src/sandbox/due-events.ts'
import { DEFAULT_SEED, seedStore } from '../../src/sandbox/seed.ts'
import { copySeeded, ORIGINAL_KEY } from './originals.ts'
import { ENGINES, openTestStore, POSTGRES } from './stores.ts'

/** The default time of tests: a Friday morning. */
export const NINE_AM = Date.parse('2026-11-20T09:00:00.000Z')

export type TestResponse = {
  status: number
  body: Record<string, unknown>
  text: string
  headers: Record<string, string>
}

export type TestCallOptions = {
  as?: string
  key?: string
  scenario?: string
  /** The value of `Dray-Via`. */
  via?: string
  /** A token, or no credential, instead of an account with all its scopes. */
  credential?: Credential | undefined
  /** Called when the change begins. */
  beforeChange?: () => void
}

/** A seeded store with a frozen clock, and the gateway over it. */
export type TestSandbox = {
  db: Db
  call(operation: string, input?: Record<string, unknown>, options?: TestCallOptions): Promise<TestResponse>
  /** As `call`, but fails the test unless it succeeds. Returns the body. */
  ok<N extends ClientOperationName>(
    operation: N,
    input?: Record<string, unknown>,
    options?: TestCallOptions,
  ): Promise<OperationOutput<N>>
  /** As `call`, but fails the test unless it is rejected. Returns the problem document. */
  refused(
    operation: ClientOperationName,
    input?: Record<string, unknown>,
    options?: TestCallOptions,
  ): Promise<Problem>
  now(): Promise<number>
  /** Advances the frozen clock and applies all due events, in the store's order. */
  advanceTo(instant: number | string): Promise<number>
  advance(ms: number): Promise<number>
  write<T>(work: (tx: Tx, stored: StoredWorld, now: number) => Promise<T>): Promise<T>
}

/** The operator's configuration. */
type OperatorOptions = Pick<Parameters<typeof makeGateway>[0], 'rules'>

export async function openTestSandbox({
  engine = ENGINES[0],
  seed = DEFAULT_SEED,
  at = NINE_AM,
  configured = {} as OperatorOptions,
} = {}): Promise<TestSandbox> {
  if (engine === undefined) throw new Error('there is no engine')
  const options = { seed, clock: frozenClock(at), cursorKey: ORIGINAL_KEY }
  const location = await copySeeded(engine, options)
  const db = await openTestStore(engine, {
    seed: (tx) => seedStore(tx, options),
    ...(location !== undefined && { location }),
  })
  return sandboxOverStore(db, configured)
}

/** Opens the default world of `openWorld` on one PostgreSQL as several servers do, each over a pool of its own. */
export async function openServers(count: number): Promise<[TestSandbox, ...TestSandbox[]]> {
  const options = { seed: DEFAULT_SEED, clock: frozenClock(NINE_AM), cursorKey: ORIGINAL_KEY }
  const location = await copySeeded(POSTGRES, options)
  const open = async () =>
    sandboxOverStore(await openTestStore(POSTGRES, location === undefined ? {} : { location }))
  return [await open(), ...(await Promise.all(Array.from({ length: count - 1 }, open)))]
}

/** Returns a world over a store that is already open. */
export function sandboxOverStore(db: Db, configured: OperatorOptions = {}): TestSandbox {
  const bugs: unknown[] = []
  const gateway = makeGateway({
    db,
    now: () => 0,
    weakRandomBytes: (count) => new Uint8Array(count),
    load,
    hasDue: hasDueEvents,
    drain: runDueEvents,
    onBug: (error) => bugs.push(error),
    ...configured,
  })

  const world: TestSandbox = {
    db,
    async call(operation, input = {}, options = {}) {
      const { as = 'everything', key, scenario } = options
      const answer = await gateway.invoke({
        operation,
        credential: 'credential' in options ? options.credential : { account: as },
        input,
        ...(key !== undefined && { idempotencyKey: key }),
        ...(scenario !== undefined && { scenario }),
        ...(options.via !== undefined && { via: options.via }),
        beforeChange: options.beforeChange,
      })
      const bug = bugs.shift()
      if (bug !== undefined) throw bug
      const body = JSON.parse(answer.body) as Record<string, unknown>
      if (answer.status < 300 && !hasFieldSelection(input ?? {})) await assertOutput(operation, body)
      return { status: answer.status, body, text: answer.body, headers: answer.headers }
    },
    async ok<N extends ClientOperationName>(
      operation: N,
      input?: Record<string, unknown>,
      options?: TestCallOptions,
    ) {
      const { status, body } = await world.call(operation, input, options)
      expect({ status, body }).toEqual({ status: expect.toSatisfy((code: number) => code < 300), body })
      return body as OperationOutput<N>
    },
    async refused(operation, input, options) {
      const { status, body } = await world.call(operation, input, options)
      expect({ status, body }).toEqual({ status: expect.toSatisfy((code: number) => code >= 400), body })
      return body as Problem
    },
    now: () => db.read(async (tx) => serviceNow((await loadWorld(tx)).clock, 0)),
    async advanceTo(instant) {
      const at = typeof instant === 'string' ? Date.parse(instant) : instant
      await world.write(async (tx) => saveClock(tx, frozenClock(at)))
      let total = 0
      for (;;) {
        const applied = await world.write((tx, stored, now) =>
          runDueEvents({ tx, world: stored.world, at: now }, {}),
        )
        total += applied
        if (applied < MAX_DUE_BATCH_EVENTS) return total
      }
    },
    advance: async (ms) => world.advanceTo((await world.now()) + ms),
    write: (work) =>
      db.write(async (tx) => {
        const stored = await loadWorld(tx)
        return work(tx, stored, serviceNow(stored.clock, 0))
      }),
  }
  return world
}

async function load(
  name: string,
): Promise<{ operation: AnyOperation; check(value: unknown): boolean } | undefined> {
  if (!Object.hasOwn(OPERATIONS, name)) return undefined
  const operation: AnyOperation = await OPERATIONS[name as ClientOperationName]()
  return { operation, check: (value) => Check(operation.input, value) }
}

const outputs = new Map<string, Validator>()

/** Checks a response against the operation's schema. */
async function assertOutput(name: string, body: unknown): Promise<void> {
  const loaded = await load(name)
  if (loaded === undefined) return
  const output = outputs.get(name) ?? Compile(loaded.operation.output)
  outputs.set(name, output)
  if (output.Check(body)) return
  const { Errors } = await import('typebox/value')
  throw new Error(
    `${name} answers otherwise than it says: ${JSON.stringify(Errors(loaded.operation.output, body))}`,
  )
}
