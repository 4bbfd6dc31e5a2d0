/** One key, one effect, one response, for every operation that takes a key (docs/rules/idempotency.md#a-replay-checks-nothing-again). */
import { afterEach, describe, expect, test } from 'vitest'
import type { AnyOperation } from '../../src/core/operation.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { OPERATION_CASES } from '../support/all-cases.ts'
import { iterations } from '../support/battery.ts'
import { toCaseFile } from '../support/cases.ts'
import { hasAnother, pairOf } from '../support/examples.ts'
import { checkInvariants } from '../support/invariants.ts'
import { makeParcel } from '../support/parcel.ts'
import { fc } from '../support/properties.ts'
import { type Engine, ENGINES } from '../support/stores.ts'
import { type TestResponse, openServers, openTestSandbox, type TestSandbox } from '../support/world.ts'

const HOUR = 3_600_000
const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
const keyed = operations.filter(({ idempotency }) => idempotency !== 'none')
const named = keyed.map((operation) => [operation.name, operation] as const)

/** The error of a new call after what an operation asks for ended. */
const ENDED: Readonly<Record<string, string | undefined>> = {
  service_one: 'membership_required',
  carrier_agreement: 'agreement_required',
  business_agreement: 'agreement_required',
}

/** Closed after each test, because a server accepts a limited number of connections. */
const opened: TestSandbox[] = []
afterEach(() => Promise.all(opened.splice(0).map(({ db }) => db.close())))

async function open(engine: Engine): Promise<TestSandbox> {
  const world = await openTestSandbox({ engine })
  opened.push(world)
  return world
}

/** The columns that sort each table's rows. */
const TABLES: Readonly<Record<string, string>> = {
  shipments: 'tracking_number',
  shipment_events: 'tracking_number, sequence',
  events: 'seq',
  timeline: 'seq',
  ordinals: 'kind',
  merchants: 'seq',
  categories: 'category_id',
  catalog_items: 'seq',
  quotes: 'quote_id',
  orders: 'seq',
  payments: 'payment_id',
  wallets: 'account_id',
  ledger: 'seq',
  slot_claims: 'merchant_id, starts_at, unit',
  bookings: 'booking_id',
  booked_cells: 'provider_id, cell_start',
  deliveries: 'seq',
  rides: 'seq',
  drivers: 'driver_id',
  tasks: 'seq',
}

/** Returns everything that a call could change, except its stored response. */
async function contents({ db }: TestSandbox): Promise<unknown> {
  return db.read(async (tx) => {
    const all: Record<string, unknown> = {}
    for (const [table, order] of Object.entries(TABLES))
      all[table] = await tx.all(`select * from ${table} order by ${order}`)
    return all
  })
}

/** The gateway handles keys: for the second engine, one operation that pays and one that does not suffice. */
const SAMPLE = ['place_food_order', 'create_shipment']
const ON_BOTH = named.filter(([name]) => SAMPLE.includes(name))

describe.each(ENGINES)('on $name', (engine) => {
  test('every operation that takes a key is here', () => {
    const wanting = keyed.filter((operation) => !hasAnother(operation))
    expect(wanting.map((one) => `${one.name}: add another to its cases in ${toCaseFile(one)}`)).toEqual([])
  })

  describe.each(engine.name === 'SQLite' ? named : iterations(ON_BOTH, named))('%s', (name, operation) => {
    test('k calls with one key, some at once, are one: the same bytes, no second effect', async () => {
      const world = await open(engine)
      let runs = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
          async (waves) => {
            const key = `key-${++runs}`
            const { input, other } = await pairOf(world, operation)
            const answers: TestResponse[] = []
            let after: unknown
            for (const wave of waves) {
              answers.push(
                ...(await Promise.all(Array.from({ length: wave }, () => world.call(name, input, { key })))),
              )
              after ??= await contents(world)
            }
            expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
            expect(
              new Set(answers.map(({ status, headers }) => `${status} ${headers['Location']}`)).size,
            ).toBe(1)
            const replayed = answers.filter(({ headers }) => headers['Idempotent-Replayed'] === 'true')
            expect(replayed).toHaveLength(answers.length - 1)
            const refused = await world.call(name, other, { key })
            expect({ status: refused.status, code: refused.body['code'] }).toEqual({
              status: 422,
              code: 'idempotency_key_reused',
            })
            expect(await contents(world)).toEqual(after)
          },
        ),
        { numRuns: iterations(3, 6) },
      )
      expect(await checkInvariants(world.db)).toEqual([])
    })
  })

  describe.each(engine.name === 'SQLite' ? named : ON_BOTH)('%s, later', (name, operation) => {
    test('a key is remembered for a day from its completion, to the millisecond, and then new', async () => {
      const world = await open(engine)
      const { input, other } = await pairOf(world, operation)
      const first = await world.call(name, input, { key: 'k' })
      await world.advance(24 * HOUR - 1)
      expect((await world.call(name, input, { key: 'k' })).text).toBe(first.text)
      expect((await world.call(name, other, { key: 'k' })).status).toBe(422)
      await world.advance(1)
      const fresh = await world.call(name, other, { key: 'k' })
      expect(fresh.headers['Idempotent-Replayed']).toBeUndefined()
      expect(fresh.body['code']).not.toBe('idempotency_key_reused')
    })

    test('the first answer stands after the state moved on and what entitled to it ended', async () => {
      const world = await open(engine)
      const { input, other } = await pairOf(world, operation)
      const first = await world.call(name, input, { key: 'k' })
      await world.advance(23 * HOUR)
      await world.db.write(async (tx) => {
        for (const kind of ['carrier', 'business'])
          await tx.run(
            `update accounts set ${kind}_agreement_status = 'ended' where ${kind}_agreement_id is not null`,
          )
        await tx.run(`update accounts set membership_status = 'expired', membership_end = 0`)
      })
      const again = await world.call(name, input, { key: 'k' })
      expect([again.text, again.status]).toEqual([first.text, first.status])
      expect(
        (await world.call(name, other, { key: 'new' })).body['code'],
        `ended of ${toCaseFile(operation)}`,
      ).toBe(ENDED[operation.entitlement] ?? OPERATION_CASES[name]?.afterEntitlementEnds)
    })

    test('a key means nothing to another account', async () => {
      const world = await open(engine)
      const { input } = await pairOf(world, operation)
      await world.call(name, input, { key: 'k' })
      const theirs = await world.call(name, input, { key: 'k', as: 'shipper' })
      expect(theirs.headers['Idempotent-Replayed']).toBeUndefined()
    })

    test('the same content written otherwise is the same call', async () => {
      const world = await open(engine)
      const { input } = await pairOf(world, operation)
      const first = await world.call(name, input, { key: 'k' })
      const turned = JSON.parse(JSON.stringify(input, (_, value: unknown) => reversed(value))) as Record<
        string,
        unknown
      >
      expect((await world.call(name, turned, { key: 'k' })).text).toBe(first.text)
    })
  })

  test('a temporary refusal may succeed with the same key', async () => {
    const world = await open(engine)
    await world.db.write((tx) =>
      tx.run(`update accounts set carrier_agreement_status = 'ended' where handle = 'shipper'`),
    )
    const input = makeParcel({ reference: 'A' })
    expect((await world.refused('create_shipment', input, { as: 'shipper', key: 'k' })).code).toBe(
      'agreement_required',
    )
    await world.db.write((tx) =>
      tx.run(`update accounts set carrier_agreement_status = 'active' where handle = 'shipper'`),
    )
    expect((await world.call('create_shipment', input, { as: 'shipper', key: 'k' })).status).toBe(201)
    expect((await world.refused('create_shipment', { ...input, extra: 1 }, { key: 'bad' })).code).toBe(
      'invalid_request',
    )
    expect((await world.call('create_shipment', input, { key: 'bad' })).status).toBe(201)
  })

  test('a final refusal is kept, and undoes whatever the call had begun', async () => {
    const world = await open(engine)
    await world.ok('create_shipment', makeParcel({ reference: 'A' }))
    const before = await contents(world)
    const first = await world.call('create_shipment', makeParcel({ reference: 'A' }), { key: 'k' })
    expect(first.body['code']).toBe('duplicate_reference')
    expect(await contents(world)).toEqual(before)
    const again = await world.call('create_shipment', makeParcel({ reference: 'A' }), { key: 'k' })
    expect([again.text, again.headers['Idempotent-Replayed']]).toEqual([first.text, 'true'])
  })
})

// Several processes on one SQLite file are in test/crash/contention.test.ts: within one process they would only block
// each other.
/** What every server does alike is shown by the calls that pay; the longer battery has all. */
const paying = named.filter(([, { spends }]) => (spends?.how ?? 'nothing') !== 'nothing')

test.each(iterations(paying, named))(
  'several servers over one PostgreSQL carry out %s once',
  async (name, operation) => {
    const worlds = await openServers(4)
    opened.push(...worlds)
    const [first] = worlds
    const { input } = await pairOf(first, operation)
    const calls = worlds.flatMap((world) => [1, 2, 3].map(() => world.call(name, input, { key: 'k' })))
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['Idempotent-Replayed'] === undefined)).toHaveLength(1)
    expect(await checkInvariants(first.db)).toEqual([])
  },
)

/** Returns a value with the fields of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toReversed())
}
