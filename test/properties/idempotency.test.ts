/** P5 and P6: one key, one effect, one answer, for every operation that takes a key. */
import { afterEach, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/areas/index.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { rounds } from '../support/battery.ts'
import { caseFaults } from '../support/cases.ts'
import { quoteRun, requestOf } from '../support/deliveries.ts'
import { exampleOf, makeConfirm, unique } from '../support/examples.ts'
import { CARD } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { makeParcel, makeRows } from '../support/parcel.ts'
import { createDatabase } from '../support/postgres.ts'
import { fc } from '../support/properties.ts'
import { quoteRide } from '../support/rides.ts'
import { quoteJob } from '../support/services.ts'
import { type Engine, ENGINES, openTestStore } from '../support/stores.ts'
import { quoteTask } from '../support/tasks.ts'
import { type Answer, NINE, openWorld, type TestWorld, worldOver } from '../support/world.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
const keyed = operations.filter(({ idempotency }) => idempotency !== 'none').map(({ name }) => name)

/** The error of a new call after memberships and agreements ended, when it is not about an agreement. */
const WITHOUT: Readonly<Record<string, string>> = {
  place_food_order: 'membership_required',
  request_ride: 'membership_required',
  cancel_ride: 'not_cancellable',
  create_task: 'membership_required',
  cancel_task: 'not_cancellable',
  book_service: 'membership_required',
  request_delivery: 'membership_required',
  cancel_food_order: 'not_cancellable',
}

/** Closed after each test, because a server accepts a limited number of connections. */
const opened: TestWorld[] = []
afterEach(() => Promise.all(opened.splice(0).map(({ db }) => db.close())))

async function open(engine: Engine): Promise<TestWorld> {
  return keep(await openWorld({ engine }))
}

function keep(world: TestWorld): TestWorld {
  opened.push(world)
  return world
}

let slots = 0

/** Returns the slots one after the other, because each has limited capacity. */
function nextSlot(): string {
  slots += 1
  return new Date(NINE + 2 * HOUR + (slots % 40) * 15 * MINUTE).toISOString()
}

type Call = { input: Record<string, unknown>; other: Record<string, unknown> }

/** A call that changes something, and another input for the same operation. `mark` tells calls apart. */
const CALLS: Readonly<Record<string, (world: TestWorld, mark: string) => Promise<Call>>> = {
  create_shipment: async (_, mark) => ({
    input: makeParcel({ reference: `${mark}-1` }),
    other: makeParcel({ reference: `${mark}-2` }),
  }),
  create_shipments_batch: async (_, mark) => ({
    input: { shipments: makeRows(7, mark) },
    other: { shipments: makeRows(7, mark).slice(1) },
  }),
  cancel_shipment: async (world) => {
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    return { input: { tracking_number }, other: { tracking_number, note: 'by telephone' } }
  },
  book_service: async (world) => ({
    input: await quoteJob(world),
    other: await quoteJob(world, { notes: 'other' }),
  }),
  place_food_order: async (world) => ({
    input: await makeConfirm(world, { scheduled: nextSlot() }),
    other: await makeConfirm(world, { method: 'wallet' }),
  }),
  request_delivery: async (world) => ({
    input: requestOf((await quoteRun(world, { as: 'everything' })).quote_id),
    other: requestOf((await quoteRun(world, { as: 'everything' })).quote_id, { pickup_notes: 'other' }),
  }),
  request_ride: async (world) => {
    const [one, two] = [await quoteRide(world), await quoteRide(world)]
    const rest = { tier: 'economy', payment: CARD }
    return { input: { ...rest, quote_id: one.quote_id }, other: { ...rest, quote_id: two.quote_id } }
  },
  cancel_ride: onExample('cancel_ride', { note: 'by telephone' }),
  create_task: async (world) => {
    const [one, two] = [await quoteTask(world, {}, 'everything'), await quoteTask(world, {}, 'everything')]
    return {
      input: { quote_id: one.quote_id, payment: CARD },
      other: { quote_id: two.quote_id, payment: CARD },
    }
  },
  cancel_task: onExample('cancel_task', { note: 'by telephone' }),
  cancel_food_order: onExample('cancel_food_order', { note: 'by telephone' }),
  accept_business_order: onExample('accept_business_order', { note: 'by telephone' }),
  reject_business_order: onExample('reject_business_order', { note: 'by telephone' }),
  start_business_order_prep: onExample('start_business_order_prep', { note: 'by telephone' }),
  mark_business_order_ready: onExample('mark_business_order_ready', { note: 'by telephone' }),
  complete_business_order: onExample('complete_business_order', { note: 'by telephone' }),
  create_catalog_item: onExample('create_catalog_item', { description: 'other' }),
  update_catalog_item: onExample('update_catalog_item', { description: 'other' }),
  set_catalog_item_availability: onExample('set_catalog_item_availability', { reason: 'other' }),
  delete_catalog_item: onExample('delete_catalog_item', { reason: 'other' }),
  import_catalog_items: async () => {
    const price = { amount: 1, currency: 'GBP' }
    const items = ['a', 'b'].map(() => ({ name: unique('Dish'), category: 'Imported', price }))
    return { input: { items }, other: { items: items.slice(1) } }
  },
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
async function contents({ db }: TestWorld): Promise<unknown> {
  return db.read(async (tx) => {
    const all: Record<string, unknown> = {}
    for (const [table, order] of Object.entries(TABLES))
      all[table] = await tx.all(`select * from ${table} order by ${order}`)
    return all
  })
}

/** Returns a call on an existing resource, and the same with another input. */
function onExample(name: keyof typeof OPERATIONS, change: Record<string, unknown>) {
  return async (world: TestWorld): Promise<Call> => {
    const input = await exampleOf(world, await OPERATIONS[name]())
    return { input, other: { ...input, ...change } }
  }
}

/** The gateway handles keys: for the second engine, one operation that pays and one that does not suffice. */
const SAMPLE = ['place_food_order', 'create_shipment']
const ON_BOTH = Object.entries(CALLS).filter(([name]) => SAMPLE.includes(name))

describe.each(ENGINES)('on $name', (engine) => {
  test('every operation that takes a key is here', () => {
    expect(caseFaults(keyed, Object.keys(CALLS), 'test/properties/idempotency.test.ts, CALLS')).toEqual([])
  })

  describe.each(engine.name === 'SQLite' ? Object.entries(CALLS) : rounds(ON_BOTH, Object.entries(CALLS)))(
    '%s',
    (name, make) => {
      test('k calls with one key, some at once, are one: the same bytes, no second effect', async () => {
        const world = await open(engine)
        let runs = 0
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
            async (waves) => {
              const key = `key-${++runs}`
              const { input, other } = await make(world, `R${runs}-`)
              const answers: Answer[] = []
              let after: unknown
              for (const wave of waves) {
                answers.push(
                  ...(await Promise.all(
                    Array.from({ length: wave }, () => world.call(name, input, { key })),
                  )),
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
          { numRuns: rounds(3, 6) },
        )
        expect(await checkInvariants(world.db)).toEqual([])
      })
    },
  )

  describe.each(engine.name === 'SQLite' ? Object.entries(CALLS) : ON_BOTH)('%s, later', (name, make) => {
    test('a key is remembered for a day from its completion, to the millisecond, and then new', async () => {
      const world = await open(engine)
      const { input, other } = await make(world, 'R')
      const first = await world.call(name, input, { key: 'k' })
      await world.advance(24 * HOUR - 1)
      expect((await world.call(name, input, { key: 'k' })).text).toBe(first.text)
      expect((await world.call(name, other, { key: 'k' })).status).toBe(422)
      await world.advance(1)
      const fresh = await world.call(name, other, { key: 'k' })
      expect(fresh.headers['Idempotent-Replayed']).toBeUndefined()
      expect(fresh.body['code']).not.toBe('idempotency_key_reused')
    })

    test('P6: the first answer stands after the state moved on and what entitled to it ended', async () => {
      const world = await open(engine)
      const { input, other } = await make(world, 'R')
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
      expect((await world.call(name, other, { key: 'new' })).body['code']).toBe(
        WITHOUT[name] ?? 'agreement_required',
      )
    })

    test('a key means nothing to another account', async () => {
      const world = await open(engine)
      const { input } = await make(world, 'R')
      await world.call(name, input, { key: 'k' })
      const theirs = await world.call(name, input, { key: 'k', as: 'shipper' })
      expect(theirs.headers['Idempotent-Replayed']).toBeUndefined()
    })

    test('the same content written otherwise is the same call', async () => {
      const world = await open(engine)
      const { input } = await make(world, 'R')
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
test.each(Object.entries(CALLS))(
  'several servers over one PostgreSQL carry out %s once',
  async (name, make) => {
    const location = await createDatabase()
    const engine = { name: 'PostgreSQL', locate: async () => location }
    const first = await open(engine)
    const copies = await Promise.all([1, 2, 3].map(async () => keep(worldOver(await openTestStore(engine)))))
    const { input } = await make(first, 'R')
    const calls = [first, ...copies].flatMap((copy) =>
      [1, 2, 3].map(() => copy.call(name, input, { key: 'k' })),
    )
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['Idempotent-Replayed'] === undefined)).toHaveLength(1)
    expect(await checkInvariants(first.db)).toEqual([])
  },
)

/** Returns a value with the members of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toReversed())
}
