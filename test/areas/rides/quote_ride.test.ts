import { beforeEach, describe, expect, test } from 'vitest'
import { BANK_STATION, KINGS_CROSS, quoteTestRide } from '../../support/rides.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const ADDRESS = {
  address: { line1: '30 St Pancras Road', city: 'London', postal_code: 'N1C 4QP', country_code: 'GB' },
}

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const refused = (more: Record<string, unknown>, target = world) =>
    target.refused('quote_ride', { pickup: BANK_STATION, dropoff: KINGS_CROSS, ...more })

  test('prices every tier, tax included, for five minutes', async () => {
    const quote = await quoteTestRide(world, {}, { scenario: 'surge;bps=10000' })
    expect(quote).toMatchObject({
      kind: 'ride',
      status: 'open',
      created_at: '2026-11-20T09:00:00.000Z',
      expires_at: '2026-11-20T09:05:00.000Z',
      expires_in_seconds: 300,
      pickup: BANK_STATION,
      dropoff: KINGS_CROSS,
      stops: [],
      passengers: null,
      scheduled_for: null,
      road_distance_m: 4022,
      driving_time_seconds: 543,
      polyline: {
        type: 'LineString',
        coordinates: [
          [-0.0889, 51.5134],
          [-0.1238, 51.5308],
        ],
      },
    })
    expect(quote.fares.map(({ tier }) => tier)).toEqual(['economy', 'comfort', 'xl', 'premium', 'accessible'])
    for (const { fare, lines, tax_included, surge_bps, available, pickup_eta_seconds } of quote.fares) {
      expect(lines.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(fare.amount)
      expect(tax_included.amount).toBe(fare.amount - Math.round(fare.amount / 1.2))
      expect(surge_bps).toBe(10_000)
      expect(available).toBe(true)
      expect(pickup_eta_seconds).toBeGreaterThan(60)
    }
    // 250 + 110 × 4.022 km + 18 × 543 s / 60
    expect(quote.fares[0]?.fare).toEqual({ amount: 250 + 442 + 163, currency: 'GBP' })
  })

  test('charges the minimum fare for a short ride', async () => {
    const { fares } = await quoteTestRide(
      world,
      { dropoff: { location: { latitude: 51.5142, longitude: -0.0885 } } },
      { scenario: 'surge;bps=10000' },
    )
    expect(fares[0]?.fare.amount).toBe(500)
    expect(fares[0]?.lines.map(({ type }) => type)).toEqual(['base', 'distance', 'time', 'minimum_topup'])
  })

  test('multiplies by the surge before the minimum, and freezes it in the quote', async () => {
    const plain = await quoteTestRide(world, {}, { scenario: 'surge;bps=10000' })
    const busy = await quoteTestRide(world, {}, { scenario: 'surge;bps=13500' })
    const [usual = 0, more = 0] = [plain, busy].map(({ fares }) => fares[0]?.fare.amount)
    expect(more).toBe(Math.round(usual * 1.35))
    expect(busy.fares[0]?.lines.at(-1)).toEqual({
      type: 'surge',
      amount: { amount: more - usual, currency: 'GBP' },
    })
    for (const scenario of ['surge;bps=9999', 'surge;bps=18001', 'surge;bps=x', 'surge;x=1', 'happy;x=1'])
      expect(
        (await world.call('quote_ride', { pickup: BANK_STATION, dropoff: KINGS_CROSS }, { scenario })).body,
      ).toMatchObject({ code: 'scenario_not_allowed' })
  })

  test('draws a surge from the seed, from 10,000 to 18,000, the same for a quarter of an hour', async () => {
    const seen: number[] = []
    for (let quarter = 0; quarter < 12; quarter += 1) {
      const [first, second] = [await quoteTestRide(world), await quoteTestRide(world)]
      expect(second.fares).toEqual(first.fares)
      seen.push(first.fares[0]?.surge_bps ?? 0)
      await world.advance(900_000)
    }
    expect(Math.min(...seen)).toBe(10_000)
    expect(Math.max(...seen)).toBeLessThanOrEqual(18_000)
    expect(new Set(seen).size).toBeGreaterThan(1)
  })

  test('goes over stops, and takes an address for a place', async () => {
    const direct = await quoteTestRide(world, { dropoff: ADDRESS })
    const stop = { location: { latitude: 51.5, longitude: -0.13 } }
    const longer = await quoteTestRide(world, { dropoff: ADDRESS, stops: [stop] })
    expect(longer.road_distance_m).toBeGreaterThan(direct.road_distance_m)
    expect(longer.stops).toMatchObject([stop])
    expect(longer.polyline.coordinates).toHaveLength(3)
    expect(longer.dropoff).toMatchObject({ ...ADDRESS, location: expect.any(Object) as unknown })
    expect(await refused({ stops: [stop, stop, stop, stop] })).toMatchObject({ code: 'invalid_request' })
  })

  test('has fares only for cars with room', async () => {
    const { fares, passengers } = await quoteTestRide(world, { passengers: 6 })
    expect(passengers).toBe(6)
    expect(fares.map(({ tier }) => tier)).toEqual(['xl'])
  })

  test('prices a ride for later, without saying how soon a car is there', async () => {
    const scheduled_for = '2026-11-20T17:30:00.000Z'
    const quote = await quoteTestRide(world, { scheduled_for: '2026-11-20T18:30:00+01:00' })
    expect(quote.scheduled_for).toBe(scheduled_for)
    expect(quote.fares.every(({ pickup_eta_seconds }) => pickup_eta_seconds === null)).toBe(true)
    for (const at of ['2026-11-20T09:29:59.999Z', '2026-12-20T09:00:00.001Z'])
      expect(await refused({ scheduled_for: at })).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '/scheduled_for', code: 'out_of_range' }],
      })
    for (const at of ['2026-11-20T09:30:00.000Z', '2026-12-20T09:00:00.000Z'])
      await quoteTestRide(world, { scheduled_for: at })
  })

  test.each([
    [{ pickup: { location: { latitude: 48.85, longitude: 2.35 } } }, 'address_unresolvable', '/pickup'],
    [{ pickup: { location: { latitude: 53.48, longitude: -2.24 } } }, 'outside_service_area', '/pickup'],
    [
      { dropoff: { location: { latitude: 51.5135, longitude: -0.0889 } } },
      'pickup_equals_dropoff',
      '/dropoff',
    ],
    [{ dropoff: { location: { latitude: 53.48, longitude: -2.24 } } }, 'distance_limit_exceeded', '/dropoff'],
    [
      { stops: [{ address: { ...ADDRESS.address, postal_code: 'ZZ99 9ZZ' } }] },
      'address_unresolvable',
      '/stops/0',
    ],
    [{ dropoff: { name: 'somewhere' } }, 'address_unresolvable', '/dropoff/name'],
    [{ dropoff: {} }, 'invalid_request', '/dropoff'],
  ])('refuses %j with %s', async (more, code, pointer) => {
    expect(await refused(more)).toMatchObject({ code, errors: [{ pointer }] })
  })

  test('accepts a long ride that begins in the market', async () => {
    const { road_distance_m } = await quoteTestRide(world, {
      dropoff: { location: { latitude: 52.2053, longitude: 0.1218 } },
    })
    expect(road_distance_m).toBeGreaterThan(90_000)
  })
})
