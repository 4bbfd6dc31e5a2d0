/** Rides: prices, keys, statuses, lists and the seed. */
import { describe, expect, test } from 'vitest'
import type { Tx } from '../../src/core/db.ts'
import { iterations } from '../support/battery.ts'
import { CARD, newKey } from '../support/food.ts'
import { fc } from '../support/properties.ts'
import { checkRides } from '../support/ride-invariants.ts'
import { BANK_STATION, KINGS_CROSS, quoteTestRide, requestTestRide } from '../support/rides.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const MINUTE = 60_000

/** Returns the whole store except quotes, the counter of their ids, and stored responses. */
async function contents({ db }: TestSandbox): Promise<unknown> {
  const tables = ['rides', 'payments', 'wallets', 'ledger', 'events', 'timeline', 'drivers', 'ride_tiers']
  return db.read(async (tx) => {
    const rows: unknown[] = [await tx.all('select seq from world')]
    for (const table of tables) rows.push(await tx.all(`select * from ${table} order by 1, 2`))
    return rows
  })
}

async function expectSound(world: TestSandbox): Promise<void> {
  expect(await world.db.read((tx: Tx) => checkRides(tx))).toEqual([])
}

const place = fc.record({
  latitude: fc.double({ min: 51.4, max: 51.62, noNaN: true }),
  longitude: fc.double({ min: -0.3, max: 0.1, noNaN: true }),
})

describe.each(ENGINES)('on $name', (engine) => {
  test('whatever is quoted adds up, and nothing else changes', async () => {
    const world = await openTestSandbox({ engine })
    await requestTestRide(world)
    const before = await contents(world)
    const asked = fc.record({
      pickup: place,
      dropoff: place,
      stops: fc.array(place, { maxLength: 3 }),
      passengers: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      as: fc.constantFrom('member', 'lapsed', 'guest'),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ pickup, dropoff, stops, passengers, as }) => {
        const { status, body } = await world.call(
          'quote_ride',
          {
            pickup: { location: pickup },
            dropoff: { location: dropoff },
            stops: stops.map((location) => ({ location })),
            ...(passengers !== undefined && { passengers }),
          },
          { as },
        )
        if (status !== 200) return
        const { fares } = body as unknown as Awaited<ReturnType<typeof quoteTestRide>>
        for (const { fare, lines, tax_included, capacity, surge_bps } of fares) {
          expect(lines.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(fare.amount)
          expect(lines.every(({ amount }) => amount.currency === fare.currency)).toBe(true)
          expect(Number.isInteger(fare.amount) && fare.amount >= 500).toBe(true)
          expect(tax_included.amount).toBe(
            fare.amount - Math.floor((2 * fare.amount * 10_000 + 12_000) / 24_000),
          )
          expect(capacity).toBeGreaterThanOrEqual(passengers ?? 1)
          expect(surge_bps >= 10_000 && surge_bps <= 18_000).toBe(true)
        }
      }),
      { numRuns: iterations(16, 40) },
    )
    expect(await contents(world)).toEqual(before)
  })

  test('one key is one ride and one charge, also at once, and whatever has changed since', async () => {
    const world = await openTestSandbox({ engine })
    const { quote_id } = await quoteTestRide(world)
    const key = newKey()
    const body = { quote_id, tier: 'economy', payment: CARD }
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => world.call('request_ride', body, { key })),
    )
    const [first] = answers
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['Idempotent-Replayed'] === 'true')).toHaveLength(5)
    const other = await world.refused('request_ride', { ...body, tier: 'xl' }, { key })
    expect(other.code).toBe('idempotency_key_reused')
    await world.advance(20 * MINUTE)
    await world.write((tx) => tx.run("update accounts set membership_status = 'expired'"))
    expect((await world.call('request_ride', body, { key })).text).toBe(first?.text)
    const rides = await world.db.read((tx) => tx.all('select ride_id from rides'))
    expect(rides).toHaveLength(1)
    await world.advance(24 * 60 * MINUTE)
    expect(await world.refused('request_ride', body, { key })).toMatchObject({ code: 'membership_required' })
    await expectSound(world)
  })

  test('whatever is done when, every ride goes along the table and keeps what it charges', async () => {
    const step = fc.oneof(
      fc.record({
        what: fc.constant('request' as const),
        scenario: fc.constantFrom(
          'happy',
          'no_driver',
          'driver_cancels',
          'driver_cancels;at=arriving',
          'driver_cancels;at=arrived',
          'rider_no_show',
        ),
        tier: fc.constantFrom('economy', 'premium', 'accessible'),
        method: fc.constantFrom('card', 'wallet', 'cash', 'pending'),
        ahead: fc.constantFrom(0, 40, 90),
      }),
      fc.record({ what: fc.constant('cancel' as const), which: fc.nat(9) }),
      fc.record({ what: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 900 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const world = await openTestSandbox({ engine })
        const ids: string[] = []
        const ends = new Map<string, string>()
        for (const each of steps) {
          if (each.what === 'request') {
            const ahead = new Date((await world.now()) + each.ahead * MINUTE).toISOString()
            const payment =
              each.method === 'pending'
                ? { method: 'card', payment_token: 'tok_pending' }
                : each.method === 'card'
                  ? CARD
                  : { method: each.method }
            const quote = await quoteTestRide(world, each.ahead === 0 ? {} : { scheduled_for: ahead })
            const { status, body } = await world.call(
              'request_ride',
              { quote_id: quote.quote_id, tier: each.tier, payment },
              { key: newKey(), scenario: each.scenario },
            )
            if (status === 201) ids.push(String(body['ride_id']))
          } else if (each.what === 'wait') await world.advance(each.seconds * 1000)
          else if (ids.length > 0)
            await world.call('cancel_ride', { ride_id: ids[each.which % ids.length] }, { key: newKey() })
          for (const ride_id of ids) {
            const ride = await world.ok('get_ride', { ride_id })
            expect(ends.get(ride_id) ?? JSON.stringify(ride)).toBe(JSON.stringify(ride))
            if (ride.receipt !== null && ride.payment.status !== 'unpaid')
              ends.set(ride_id, JSON.stringify(ride))
          }
          await expectSound(world)
        }
        await world.db.close()
      }),
      { numRuns: 8 },
    )
  })

  test('reads and cancellations go on without a membership', async () => {
    const world = await openTestSandbox({ engine })
    const ride = await requestTestRide(world, { as: 'member' })
    await world.write((tx) => tx.run("update accounts set membership_status = 'expired'"))
    const as = 'member'
    expect((await world.ok('get_ride', { ride_id: ride.ride_id }, { as })).status).toBe('processing')
    expect((await world.ok('list_rides', {}, { as })).data).toHaveLength(1)
    await quoteTestRide(world, {}, { as })
    await world.ok('cancel_ride', { ride_id: ride.ride_id }, { as })
    await expectSound(world)
  })
})

test('the same seed and calls give the same bytes on every engine, another seed other ones that are as legal', async () => {
  const play = async (seed: string, engine = ENGINES[0], step = 60 * MINUTE) => {
    const world = await openTestSandbox({ seed, ...(engine !== undefined && { engine }) })
    for (const scenario of ['happy', 'driver_cancels', 'no_driver', 'rider_no_show'])
      await requestTestRide(world, { scenario })
    await requestTestRide(world, { trip: { scheduled_for: '2026-11-20T10:00:00.000Z' } })
    for (let gone = 0; gone < 3 * 60 * MINUTE; gone += step) await world.advance(step)
    await expectSound(world)
    const text = (await world.call('list_rides')).text
    await world.db.close()
    return text
  }
  const first = await play('7')
  for (const engine of ENGINES) expect(await play('7', engine, 97_000)).toBe(first)
  expect(await play('8')).not.toBe(first)
})

test('newest first, whatever moves meanwhile', async () => {
  const world = await openTestSandbox()
  const ids: string[] = []
  for (let index = 0; index < 5; index += 1) {
    ids.unshift(
      (await requestTestRide(world, { trip: { pickup: BANK_STATION, dropoff: KINGS_CROSS } })).ride_id,
    )
    await world.advance(45_000)
  }
  expect((await world.ok('list_rides')).data.map(({ ride_id }) => ride_id)).toEqual(ids)
})
