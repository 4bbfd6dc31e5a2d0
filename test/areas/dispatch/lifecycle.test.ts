import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { CARD, newKey } from '../../support/food.ts'
import { placeTestOrder } from '../../support/order-life.ts'
import { checkPeople } from '../../support/people-invariants.ts'
import { BANK_STATION, quoteTestRide, requestTestRide, advanceToRideStatus } from '../../support/rides.ts'
import { ENGINES } from '../../support/stores.ts'
import { createTestTask, quoteTestTask } from '../../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const MINUTE = 60_000

const show = (world: TestSandbox, ride_id: string) => world.ok('get_ride', { ride_id })
const supply = (world: TestSandbox, wanted: string) =>
  callTestControl(world, 'set_supply', { supply: wanted })
const nobodyTwice = async (world: TestSandbox) => expect(await world.db.read(checkPeople)).toEqual([])

describe.each(ENGINES)('on $name', (engine) => {
  test('six rides at once have six drivers, each in one place only', async () => {
    const world = await openTestSandbox({ engine })
    const rides: { ride_id: string }[] = []
    for (let each = 0; each < 6; each += 1) rides.push(await requestTestRide(world))
    const drivers = new Set<string | undefined>()
    for (const { ride_id } of rides)
      drivers.add((await advanceToRideStatus(world, ride_id, 'in_progress')).driver?.driver_id)
    expect(drivers.size).toBe(6)
    await nobodyTwice(world)
    await world.advance(60 * MINUTE)
    await nobodyTwice(world)
  })

  test('the car that is promised is the car that comes, when it was promised', async () => {
    const world = await openTestSandbox({ engine })
    for (let each = 0; each < 4; each += 1) {
      const quote = await quoteTestRide(world)
      const promised = quote.fares.find(({ tier }) => tier === 'economy')?.pickup_eta_seconds ?? 0
      const { data } = await world.ok('search_ride_options', BANK_STATION.location)
      expect(data.find(({ tier }) => tier === 'economy')?.nearest_pickup_eta_seconds).toBe(promised)
      const ride = await world.ok(
        'request_ride',
        { quote_id: quote.quote_id, tier: 'economy', payment: CARD },
        { key: newKey() },
      )
      const { status_history: steps } = await advanceToRideStatus(world, ride.ride_id, 'arrived')
      const [from, to] = [steps[0], steps.at(-1)].map((step) => Date.parse(step?.at ?? ''))
      expect(((to ?? 0) - (from ?? 0)) / 1000).toBe(promised)
    }
  })

  test('with few drivers a ride waits for the first free one, as promised, and is rejected past the limit', async () => {
    const world = await openTestSandbox({ engine })
    await supply(world, 'scarce')
    const held = await quoteTestRide(world)
    const taken: { ride_id: string; promised: number }[] = []
    for (;;) {
      const quote = await quoteTestRide(world)
      const fare = quote.fares.find(({ tier }) => tier === 'economy')
      const { data } = await world.ok('search_ride_options', BANK_STATION.location)
      expect(data.find(({ tier }) => tier === 'economy')).toMatchObject({
        available: fare?.available,
        nearest_pickup_eta_seconds: fare?.pickup_eta_seconds ?? null,
      })
      if (fare?.available !== true) break
      const wanted = { quote_id: quote.quote_id, tier: 'economy', payment: CARD }
      const ride = await world.ok('request_ride', wanted, { key: newKey() })
      expect(ride).toMatchObject({ status: 'processing', pickup_eta_seconds: fare.pickup_eta_seconds })
      taken.push({ ride_id: ride.ride_id, promised: fare.pickup_eta_seconds ?? 0 })
    }
    expect(taken.length).toBeGreaterThan(2)
    const late = { quote_id: held.quote_id, tier: 'economy', payment: CARD }
    expect(await world.refused('request_ride', late, { key: newKey() })).toMatchObject({
      code: 'tier_unavailable',
    })
    await world.advance(6 * MINUTE)
    expect((await show(world, taken.at(-1)?.ride_id ?? '')).status).toBe('processing')
    await world.advance(2 * 60 * MINUTE)
    for (const { ride_id, promised } of taken) {
      const { status, status_history: steps } = await show(world, ride_id)
      const at = (wanted: string) => Date.parse(steps.find((step) => step.status === wanted)?.at ?? '')
      expect(status).toBe('completed')
      expect((at('arrived') - at('processing')) / 1000).toBe(promised)
    }
    await nobodyTwice(world)
  })

  test('a ride that is cancelled frees its driver, who comes from where the car is', async () => {
    const world = await openTestSandbox({ engine })
    await supply(world, 'scarce')
    const rides = [await requestTestRide(world), await requestTestRide(world)]
    await advanceToRideStatus(world, rides[0]?.ride_id ?? '', 'accepted')
    const pickup = async () =>
      (await quoteTestRide(world)).fares.find(({ tier }) => tier === 'economy')?.pickup_eta_seconds ??
      Infinity
    const busy = await pickup()
    const { driver } = await show(world, rides[0]?.ride_id ?? '')
    await world.ok('cancel_ride', { ride_id: rides[0]?.ride_id ?? '' })
    expect(await pickup()).toBeLessThan(busy)
    const next = await requestTestRide(world)
    expect((await advanceToRideStatus(world, next.ride_id, 'accepted')).driver?.driver_id).toBe(
      driver?.driver_id,
    )
    await advanceToRideStatus(world, next.ride_id, 'completed')
    await nobodyTwice(world)
  })

  test('where supply is unlimited every ride has a driver of its own', async () => {
    const world = await openTestSandbox({ engine })
    await supply(world, 'unlimited')
    const seen = new Set<string | undefined>()
    for (let each = 0; each < 8; each += 1) {
      const { ride_id } = await requestTestRide(world, { more: { tier: 'xl' } })
      seen.add((await advanceToRideStatus(world, ride_id, 'accepted')).driver?.driver_id)
    }
    expect(seen.size).toBe(8)
    await nobodyTwice(world)
  })

  test('requests at the same moment never share a driver', async () => {
    const world = await openTestSandbox({ engine })
    await supply(world, 'scarce')
    const quotes = await Promise.all(Array.from({ length: 6 }, () => quoteTestRide(world)))
    const answers = await Promise.all(
      quotes.map(({ quote_id }) =>
        world.call('request_ride', { quote_id, tier: 'economy', payment: CARD }, { key: newKey() }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(2)
    await world.advance(3 * MINUTE)
    await nobodyTwice(world)
    const driven = await world.db.read((tx) =>
      tx.all('select driver_id from rides where driver_id is not null'),
    )
    expect(driven).toHaveLength(2)
  })

  test('a courier brings one order after the other, and a tasker does one task after the other', async () => {
    const world = await openTestSandbox({ engine })
    await supply(world, 'scarce')
    for (let each = 0; each < 5; each += 1)
      await placeTestOrder(world, { type: 'delivery', scenario: 'store_auto' })
    for (let each = 0; each < 4; each += 1) await createTestTask(world)
    for (let each = 0; each < 40; each += 1) {
      await world.advance(5 * MINUTE)
      await nobodyTwice(world)
    }
    const rows = await world.db.read((tx) => tx.all('select status from tasks'))
    expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'completed'))
  })

  test('a quote for a task is rejected when no tasker has time', async () => {
    const world = await openTestSandbox({ engine })
    await supply(world, 'scarce')
    const window = { starts_at: '2026-11-20T09:00:00.000Z', ends_at: '2026-11-20T10:00:00.000Z' }
    for (let each = 0; each < 2; each += 1)
      await createTestTask(world, { over: { window, estimated_minutes: 30 } })
    expect(
      await world.refused(
        'quote_task',
        {
          task_type: 'shelf_audit',
          place: { location: { latitude: 51.5129, longitude: -0.0864 } },
          window,
          estimated_minutes: 30,
        },
        { as: 'member' },
      ),
    ).toMatchObject({ status: 409, code: 'no_qualified_provider', retryable: true })
    expect(await quoteTestTask(world)).toMatchObject({ provider_available: true })
  })

  test('does the same in one leap as in many small steps, however few people there are', async () => {
    const worlds = [await openTestSandbox({ engine }), await openTestSandbox({ engine })] as const
    for (const world of worlds) {
      await supply(world, 'scarce')
      for (const scenario of ['happy', 'driver_cancels'])
        await requestTestRide(world, { scenario, more: { tier: 'comfort' } })
      for (let each = 0; each < 3; each += 1) {
        await placeTestOrder(world, { type: 'delivery', scenario: 'store_auto' })
        await createTestTask(world)
      }
    }
    const [leapt, walked] = worlds
    await leapt.advance(3 * 60 * MINUTE)
    for (let minute = 0; minute < 180; minute += 1) await walked.advance(MINUTE)
    const dump = async (world: TestSandbox) =>
      world.db.read(async (tx) =>
        (
          await Promise.all(
            ['rides', 'deliveries', 'tasks', 'assignments'].map((table) =>
              tx.all(`select * from ${table} order by 1`),
            ),
          )
        ).flat(),
      )
    expect(await dump(walked)).toEqual(await dump(leapt))
  })
})
