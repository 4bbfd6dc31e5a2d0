/** Open orders, rides and bookings in a store of an older schema continue in the newer one. */
import { describe, expect, test } from 'vitest'
import { findOrder, updateOrder } from '../../src/areas/orders/queries/orders.ts'
import type { Tx } from '../../src/core/db.ts'
import { MIGRATIONS } from '../../src/db/schema.ts'
import { backfillStore } from '../../src/sandbox/seed.ts'
import { adjustTestOrder, completed, gbp, placeTestSale } from '../support/adjusting.ts'
import { callTestControl } from '../support/control.ts'
import { checkInvariants } from '../support/invariants.ts'
import { readInvoice } from '../support/invoices.ts'
import { statementsBackTo } from '../support/older-store.ts'
import { performAction, placeTestOrder } from '../support/order-life.ts'
import { makeParcel } from '../support/parcel.ts'
import { checkPeople } from '../support/people-invariants.ts'
import { BANK_STATION, KINGS_CROSS, requestTestRide, advanceToRideStatus } from '../support/rides.ts'
import { timestampAt, bookJob, CLAPHAM_JUNCTION, startsOf } from '../support/services.ts'
import { ENGINES, openTestStore } from '../support/stores.ts'
import { createTestTask } from '../support/tasks.ts'
import { openTestSandbox, type TestSandbox, sandboxOverStore } from '../support/world.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** The schema in which orders had no payment and visits no travel time. */
const OLD = 8

/** Removes the changes of the newest schema, and the reservations that older programs did not make. */
async function makeOlder(tx: Tx, kind: TestSandbox['db']['kind']): Promise<void> {
  for (const statement of statementsBackTo(16, kind)) await tx.run(statement)
  const made = MIGRATIONS.slice(OLD, 16).flat()
  const names = (what: RegExp) => new Set(made.flatMap((statement) => what.exec(statement)?.[1] ?? []))
  const dropped = names(/^drop index (\w+)/)
  const before = MIGRATIONS.slice(0, OLD).flat()
  for (const index of names(/^create (?:unique )?index (\w+)/)) await tx.run(`drop index ${index}`)
  for (const table of names(/^create table (\w+)/)) await tx.run(`drop table ${table}`)
  await tx.run('alter table orders drop column payment_status')
  await tx.run('alter table accounts drop column membership_anchor')
  for (const name of dropped) {
    for (const statement of before) if (statement.startsWith(`create index ${name} `)) await tx.run(statement)
  }
  for (const { order_id } of await tx.all('select order_id from orders')) {
    const order = await findOrder(tx, String(order_id))
    if (order === undefined) continue
    delete order.doc.courier_held_for
    await updateOrder(tx, order)
  }
  await tx.run('delete from assigned_minutes')
  await tx.run('delete from assignments')
  await tx.run(
    kind === 'sqlite' ? `pragma user_version = ${OLD}` : `update schema_version set version = ${OLD}`,
  )
}

describe.each(ENGINES)('a store of an older schema on $name', (engine) => {
  async function upgraded(prepare: (world: TestSandbox) => Promise<void>): Promise<TestSandbox> {
    const location = await engine.locate()
    const { originals: _originals, ...here } = engine
    const world = await openTestSandbox({ engine: { ...here, locate: async () => location } })
    await prepare(world)
    const now = await world.now()
    await world.write((tx) => makeOlder(tx, world.db.kind))
    await world.db.close()
    return sandboxOverStore(
      await openTestStore(engine, { location, seed: (tx, from) => backfillStore(tx, from, now) }),
    )
  }

  test('gives nobody a second job who is on one', async () => {
    const world = await upgraded(async (old) => {
      await callTestControl(old, 'set_supply', { supply: 'scarce' })
      for (let each = 0; each < 2; each += 1) {
        const { ride_id } = await requestTestRide(old, {
          trip: { pickup: BANK_STATION, dropoff: KINGS_CROSS },
        })
        await advanceToRideStatus(old, ride_id, 'in_progress')
      }
      await placeTestOrder(old, { type: 'delivery', scenario: 'store_auto' })
      await createTestTask(old)
      await old.advance(2 * MINUTE)
    })
    const rows = await world.db.read((tx) => tx.all('select job_id from assignments'))
    const under = await world.db.read((tx) =>
      tx.all(`select ride_id from rides where status in ('accepted', 'arriving', 'arrived', 'in_progress')`),
    )
    expect(under.length).toBeGreaterThan(0)
    expect(rows.map((row) => row['job_id'])).toEqual(
      expect.arrayContaining(under.map((row) => row['ride_id'])),
    )
    // A driver who will soon be free may come; no other one is there.
    const { ride_id } = await requestTestRide(world)
    await advanceToRideStatus(world, ride_id, 'accepted')
    expect(await world.db.read(checkPeople)).toEqual([])
    await world.advance(180 * MINUTE)
    expect(await world.db.read(checkPeople)).toEqual([])
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('promises nobody the courier of a meal that is cooked', async () => {
    const told = async (each: TestSandbox) =>
      (await placeTestOrder(each, { type: 'delivery', scenario: 'store_auto' })).estimated_delivery_at
    const meals: (string | null)[] = []
    const world = await upgraded(async (old) => {
      await callTestControl(old, 'set_supply', { supply: 'scarce' })
      for (let each = 0; each < 4; each += 1) meals.push(await told(old))
    })
    expect(Date.parse((await told(world)) ?? '')).toBeGreaterThan(Date.parse(meals[2] ?? '') + 5 * MINUTE)
    await world.advance(180 * MINUTE)
    expect(await world.db.read(checkPeople)).toEqual([])
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('keeps free what a provider needs to get away from the visit under way', async () => {
    const world = await upgraded(async (old) => {
      await bookJob(old, { starts_at: timestampAt('12:00'), place: CLAPHAM_JUNCTION })
      await old.advanceTo(timestampAt('12:10'))
    })
    // The place of the next visit is not known yet, so time for the farthest way is kept free.
    expect((await startsOf(world, { duration_minutes: 60 }))[0]).toBe('15:30')
  })

  test('finds its parcels by name', async () => {
    const world = await upgraded((old) => old.ok('create_shipment', makeParcel()).then(() => {}))
    await world.ok('create_shipment', makeParcel())
    const { data } = await world.ok('find_shipments', { q: 'friar reading' })
    expect(data).toHaveLength(2)
  })

  test('tells a fee that was kept from a whole refund, and finds orders by it', async () => {
    let kept = ''
    let whole = ''
    const world = await upgraded(async (old) => {
      const late = await requestTestRide(old, {
        trip: { pickup: BANK_STATION, dropoff: KINGS_CROSS },
        scenario: 'rider_no_show',
      })
      kept = (await advanceToRideStatus(old, late.ride_id, 'cancelled')).ride_id
      whole = (await requestTestRide(old, { trip: { pickup: BANK_STATION, dropoff: KINGS_CROSS } })).ride_id
      await old.ok('cancel_ride', { ride_id: whole })
      const { order_id } = await placeTestOrder(old)
      await old.write(async (tx) => {
        await tx.run(`update payments set status = 'partially_refunded' where resource_id = $1`, order_id)
        await tx.run(
          `insert into refunds (refund_id, resource_id, position, status, destination, amount, reason, refunded_at)
           values ('rfd_1', $1, 1, 'pending', 'original_method', 1, 'late', 1)`,
          order_id,
        )
      })
    })
    const status = async (ride_id: string) => (await world.ok('get_ride', { ride_id })).payment.status
    expect(await status(kept)).toBe('partially_refunded')
    expect(await status(whole)).toBe('refunded')
    const found = await world.ok('list_business_orders', { payment_status: 'partially_refunded' })
    expect(found.data.map(({ payment }) => payment.status)).toEqual(['partially_refunded'])
  })

  test('keeps the ways to visits free, and finds orders by their payments', async () => {
    const world = await upgraded(async (old) => {
      await bookJob(old, { starts_at: timestampAt('12:00'), place: CLAPHAM_JUNCTION })
      await placeTestOrder(old, { method: 'cash' })
      await placeTestOrder(old)
    })
    const starts = await startsOf(world, { duration_minutes: 60 })
    expect(starts).toContain('09:30')
    expect(starts).not.toContain('10:30')
    const list = async (payment_status: string) =>
      (await world.ok('list_business_orders', { payment_status })).data.map(({ payment }) => payment.status)
    expect(await list('unpaid')).toEqual(['unpaid'])
    expect(await list('paid')).toEqual(['paid'])
    await world.advanceTo('2026-11-22T09:00:00.000Z')
    expect(await checkInvariants(world.db)).toEqual([])
  })
})

/** The schema before the one that writes lines of invoices. */
const WITHOUT_LINES = 28

test.each(ENGINES)('the invoices of a store of an older schema on $name stay as they are', async (engine) => {
  const location = await engine.locate()
  const { originals: _originals, ...here } = engine
  const world = await openTestSandbox({ engine: { ...here, locate: async () => location } })
  const cash = { cash_on_delivery: { amount: 2500, currency: 'GBP' } }
  await world.ok('create_shipment', makeParcel({ customer: 'Green Cup', options: cash }))
  const { tracking_number } = await world.ok('create_shipment', makeParcel(), { scenario: 'damaged' })
  await world.advance(5 * DAY)
  const value = { amount: 3500, currency: 'GBP' }
  await world.ok('create_claim', { tracking_number, reason_code: 'damaged', value })
  await world.advance(5 * DAY)
  await world.ok('create_shipment', makeParcel())
  const month = '2026-11'
  const before = await readInvoice(world, { month })
  expect(before.lines.map(({ kind }) => kind)).toEqual(['parcel', 'parcel', 'cash', 'claim', 'claim'])
  const now = await world.now()
  await world.write(async (tx) => {
    for (const statement of statementsBackTo(WITHOUT_LINES, world.db.kind)) await tx.run(statement)
  })
  await world.db.close()
  const newer = sandboxOverStore(
    await openTestStore(engine, { location, seed: (tx, from) => backfillStore(tx, from, now) }),
  )
  expect(await readInvoice(newer, { month })).toEqual(before)
})

/** The schema before the one that writes the entries of stores' books. */
const WITHOUT_ENTRIES = 30

test.each(ENGINES)(
  'the statements and the next business day of a store of an older schema on $name stay as they are',
  async (engine) => {
    const location = await engine.locate()
    const { originals: _originals, ...here } = engine
    const world = await openTestSandbox({ engine: { ...here, locate: async () => location } })
    const dish = { category: 'Tests', price: gbp(600) }
    await world.ok('create_catalog_item', { ...dish, name: 'Roast', tax_rate_bps: 2000 })
    const { item_id } = await world.ok('create_catalog_item', { ...dish, name: 'Bread', tax_rate_bps: 0 })
    const wish = { items: { Roast: 3 }, whole: true, over: { substitutions: 'replace' } }
    const other = { line_id: 'line_1', quantity: 1, replacement: { item_id } }
    const swap = (id: string) => adjustTestOrder(world, id, { kind: 'replaced', lines: [other] })
    const { order_id } = await placeTestSale(world, wish)
    await performAction(world, order_id, ['accept'])
    // One adjustment without money before the close of its order's day, and one after it.
    await swap(order_id)
    const cash = await completed(world, { method: 'cash' })
    await world.ok('close_business_day', { through: '2026-11-20' })
    await world.advance(MINUTE)
    await swap(order_id)
    await adjustTestOrder(world, cash)
    await placeTestSale(world, { method: 'cash' })
    const month = { from: '2026-11-01', to: '2026-12-01' }
    const next = { through: '2026-11-21', preview: true }
    await world.advance(DAY)
    const [statement, day] = [
      await world.ok('get_store_statement', month),
      await world.ok('list_business_days', {}),
    ]
    const now = await world.now()
    await world.write(async (tx) => {
      for (const each of statementsBackTo(WITHOUT_ENTRIES, world.db.kind)) await tx.run(each)
    })
    await world.db.close()
    const newer = sandboxOverStore(
      await openTestStore(engine, { location, seed: (tx, from) => backfillStore(tx, from, now) }),
    )
    expect(await newer.ok('get_store_statement', month)).toEqual(statement)
    expect(await newer.ok('list_business_days', {})).toEqual(day)
    const { data } = await newer.ok('close_business_day', next)
    expect(data[0]?.statement).toMatchObject({
      orders: 0,
      refunded_goods: [{ reason: 'missing', amount: gbp(495) }],
      vat: [
        { rate_bps: 2000, gross: gbp(-1095) },
        { rate_bps: 0, gross: gbp(600) },
      ],
    })
    expect(await checkInvariants(newer.db)).toEqual([])
  },
)
