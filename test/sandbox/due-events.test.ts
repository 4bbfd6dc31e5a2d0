import { describe, expect, test } from 'vitest'
import { findAccount } from '../../src/areas/account/queries/accounts.ts'
import { listTables } from '../../src/db/tables.ts'
import { saveSupply } from '../../src/db/world.ts'
import { LIME_STREET } from '../support/food.ts'
import { placeTestOrder } from '../support/order-life.ts'
import { makeParcel, makeRows } from '../support/parcel.ts'
import { fc } from '../support/properties.ts'
import { ENGINES } from '../support/stores.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SCENARIOS = ['happy', 'attempt_fails;times=3', 'lost', 'damaged', 'delayed', 'returned']

/** Returns the whole content of a store. */
async function dump(world: TestSandbox): Promise<unknown> {
  const tables = listTables().map(({ name }) => name)
  return world.db.read(async (tx) => {
    const contents: Record<string, unknown> = {}
    for (const table of tables) contents[table] = await tx.all(`select * from ${table} order by 1, 2`)
    return contents
  })
}

async function openBusy(engine = ENGINES[0]): Promise<TestSandbox> {
  const world = await openTestSandbox({ ...(engine !== undefined && { engine }) })
  for (const [index, scenario] of SCENARIOS.entries()) {
    const service_level = index % 2 === 0 ? 'economy' : 'next_day'
    await world.ok('create_shipment', makeParcel({ service_level }), {
      scenario,
      as: index < 3 ? 'shipper' : 'everything',
    })
  }
  return world
}

describe.each(ENGINES)('on $name', (engine) => {
  test('it makes no difference in how many steps the clock came there', async () => {
    const [atOnce, inSteps, hourly] = [await openBusy(engine), await openBusy(engine), await openBusy(engine)]
    const end = NINE_AM + 40 * DAY
    await atOnce.advanceTo(end)
    for (const days of [1, 2, 3.7, 3.8, 9, 17.5, 40]) await inSteps.advanceTo(NINE_AM + days * DAY)
    for (let at = NINE_AM; at <= end; at += 7 * HOUR) await hourly.advanceTo(at)
    await hourly.advanceTo(end)
    const expected = await dump(atOnce)
    expect(await dump(inSteps)).toEqual(expected)
    expect(await dump(hourly)).toEqual(expected)
  })
})

test('any two ways to the same instant leave the same store', async () => {
  const steps = fc.array(fc.integer({ min: 0, max: 20 * DAY }), { maxLength: 12 })
  const [reference] = [await openBusy()]
  await reference.advanceTo(NINE_AM + 20 * DAY)
  const expected = await dump(reference)
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const world = await openBusy()
      for (const step of drawn.toSorted((a, b) => a - b)) await world.advanceTo(NINE_AM + step)
      await world.advanceTo(NINE_AM + 20 * DAY)
      expect(await dump(world)).toEqual(expected)
    }),
    { numRuns: 12 },
  )
})

test('events are recorded in the order in which they happen, over all parcels', async () => {
  const world = await openBusy()
  await world.ok('create_shipments_batch', { shipments: makeRows(50) })
  await world.advance(30 * DAY)
  const rows = await world.db.read((tx) => tx.all('select seq, occurred_at from events order by seq'))
  const times = rows.map((row) => Number(row['occurred_at']))
  expect(times.length).toBeGreaterThan(200)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test('a batch ends where it was told to, and the next goes on', async () => {
  const { runDueEvents } = await import('../../src/sandbox/due-events.ts')
  const world = await openTestSandbox()
  await world.ok('create_shipments_batch', { shipments: makeRows(12) })
  const due = NINE_AM + 9 * HOUR
  const drain = (limit: number) =>
    world.write((tx, stored) => runDueEvents({ tx, world: stored.world, at: due }, {}, limit))
  expect([await drain(5), await drain(5), await drain(5), await drain(5)]).toEqual([5, 5, 2, 0])
})

test('one parcel, or one owner’s, is drained without the rest', async () => {
  const { runDueEvents } = await import('../../src/sandbox/due-events.ts')
  const world = await openTestSandbox()
  const mine = await world.ok('create_shipment', makeParcel(), { as: 'shipper' })
  const more = await world.ok('create_shipment', makeParcel(), { as: 'shipper' })
  await world.ok('create_shipment', makeParcel(), { as: 'shipper2' })
  const statuses = () =>
    world.db.read(async (tx) =>
      (await tx.all('select status from shipments order by seq')).map((row) => row['status']),
    )
  const owner = await world.db.read((tx) =>
    tx.get('select agreement_id from shipments where tracking_number = $1', more.tracking_number),
  )
  const drain = (due: { resource?: string; owner?: string }) =>
    world.write((tx, stored) => runDueEvents({ tx, world: stored.world, at: NINE_AM + 9 * HOUR }, due))
  await drain({ resource: mine.tracking_number })
  expect(await statuses()).toEqual(['in_transit', 'pre_transit', 'pre_transit'])
  await drain({ owner: String(owner?.['agreement_id']) })
  expect(await statuses()).toEqual(['in_transit', 'in_transit', 'pre_transit'])
  await drain({})
  expect(await statuses()).toEqual(['in_transit', 'in_transit', 'in_transit'])
})

describe('orders and their deliveries', () => {
  const statuses = async (world: TestSandbox) => {
    const rows = await world.db.read((tx) => tx.all('select status from orders order by seq'))
    return rows.map((row) => row['status'])
  }

  test('are drained by customer, by store, by order, and a delivery with its order', async () => {
    const { runDueEvents } = await import('../../src/sandbox/due-events.ts')
    const world = await openTestSandbox()
    // With a scarce supply, orders wait for each other and are processed together.
    await world.write((tx) => saveSupply(tx, 'unlimited'))
    const auto = { type: 'delivery', scenario: 'store_auto' } as const
    const first = await placeTestOrder(world, auto)
    await placeTestOrder(world, { ...auto, as: 'everything' })
    await placeTestOrder(world, { ...auto, store: LIME_STREET })
    const drain = (due: { resource?: string; owner?: string; counterparty?: string }) =>
      world.write((tx, stored) => runDueEvents({ tx, world: stored.world, at: NINE_AM + HOUR / 4 }, due))
    const agreement = await world.db.read(async (tx) => (await findAccount(tx, 'owner'))?.businessAgreement)
    await drain({ counterparty: agreement?.agreement_id ?? '' })
    expect(await statuses(world)).toEqual(['placed', 'placed', 'preparing'])
    const customer = await world.db.read((tx) => findAccount(tx, 'everything'))
    await drain({ owner: customer?.account_id ?? '' })
    expect(await statuses(world)).toEqual(['placed', 'preparing', 'preparing'])
    const later = world.write((tx, stored) =>
      runDueEvents({ tx, world: stored.world, at: NINE_AM + 2 * HOUR }, { resource: first.order_id }),
    )
    expect(await later).toBe(8)
    expect(await statuses(world)).toEqual(['completed', 'preparing', 'preparing'])
  })

  test('go the same way, whoever looks at which of them first', async () => {
    const [forwards, backwards] = [await openTestSandbox(), await openTestSandbox()]
    const seen: unknown[] = []
    for (const world of [forwards, backwards]) {
      const ids: string[] = []
      for (let index = 0; index < 4; index++)
        ids.push((await placeTestOrder(world, { type: 'delivery', scenario: 'store_auto' })).order_id)
      await world.write(async (tx) => {
        const { frozenClock } = await import('../../src/core/clock.ts')
        const { saveClock } = await import('../../src/db/world.ts')
        await saveClock(tx, frozenClock(NINE_AM + 2 * HOUR))
      })
      const looked = world === forwards ? ids : ids.toReversed()
      const orders = new Map<string, unknown>()
      for (const order_id of looked)
        orders.set(order_id, await world.ok('get_food_order', { order_id }, { as: 'member' }))
      seen.push(ids.map((id) => orders.get(id)))
    }
    expect(seen[1]).toEqual(seen[0])
  })
})

test('a planned event that no longer fits is dropped without a word', async () => {
  const world = await openTestSandbox()
  const { tracking_number } = await world.ok('create_shipment', makeParcel())
  await world.write(async (tx) => {
    await tx.run(`update timeline set event = 'delivered' where resource_id = $1`, tracking_number)
  })
  expect(await world.advance(DAY)).toBe(1)
  expect((await world.ok('get_shipment', { tracking_number })).status).toBe('pre_transit')
  expect(
    await world.db.read((tx) => tx.all('select seq from timeline where resource_id = $1', tracking_number)),
  ).toEqual([])
})

test('readers and the clock at once never see a parcel twice or out of order', async () => {
  const [, postgres] = ENGINES
  const world = await openBusy(postgres)
  await world.ok('create_shipments_batch', { shipments: makeRows(30) })
  await world.write(async (tx) => {
    const { frozenClock } = await import('../../src/core/clock.ts')
    const { saveClock } = await import('../../src/db/world.ts')
    await saveClock(tx, frozenClock(NINE_AM + 20 * DAY))
  })
  const { runDueEvents } = await import('../../src/sandbox/due-events.ts')
  const all = await Promise.all([
    ...Array.from({ length: 4 }, () =>
      world.write((tx, stored, now) => runDueEvents({ tx, world: stored.world, at: now }, {}, 100)),
    ),
    ...Array.from({ length: 4 }, () => world.ok('list_shipments', { limit: 100 })),
  ])
  expect(all).toHaveLength(8)
  await world.advance(0)
  const rows = await world.db.read((tx) =>
    tx.all(
      'select tracking_number, count(*) as events, max(sequence) as last from shipment_events group by tracking_number',
    ),
  )
  // A parcel's first scan has no row.
  expect(rows.filter((row) => Number(row['events']) + 1 !== row['last'])).toEqual([])
  expect(
    await world.db.read((tx) =>
      tx.get('select count(*) as due from timeline where due_at <= $1', NINE_AM + 20 * DAY),
    ),
  ).toEqual({ due: 0 })
})
