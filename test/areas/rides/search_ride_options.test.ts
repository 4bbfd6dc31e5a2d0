import { beforeEach, describe, expect, test } from 'vitest'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const CITY = { latitude: 51.5134, longitude: -0.0889 }
const tiersOf = (answer: { data: { tier: string }[] }) => answer.data.map(({ tier }) => tier)

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  test('lists every tier that serves a point, with its price list and how soon it comes', async () => {
    const { data, has_more, next_cursor } = await world.ok('search_ride_options', CITY)
    expect(tiersOf({ data })).toEqual(['economy', 'comfort', 'xl', 'premium', 'accessible'])
    expect({ has_more, next_cursor }).toEqual({ has_more: false, next_cursor: null })
    const [economy] = data
    expect(economy).toMatchObject({
      name: 'Economy',
      capacity: 4,
      base_fare: { amount: 250, currency: 'GBP' },
      per_km: { amount: 110 },
      per_minute: { amount: 18 },
      minimum_fare: { amount: 500 },
      prices_include_tax: true,
      available: true,
      wheelchair_accessible: false,
    })
    expect(economy?.nearest_pickup_eta_seconds).toBeGreaterThan(60)
    expect(data.at(-1)).toMatchObject({
      tier: 'accessible',
      base_fare: economy?.base_fare,
      per_km: economy?.per_km,
      per_minute: economy?.per_minute,
      minimum_fare: economy?.minimum_fare,
      wheelchair_accessible: true,
    })
  })

  test('leaves out tiers with too few seats', async () => {
    expect(tiersOf(await world.ok('search_ride_options', { ...CITY, passengers: 5 }))).toEqual(['xl'])
    expect(await world.refused('search_ride_options', { ...CITY, passengers: 7 })).toMatchObject({
      code: 'invalid_request',
    })
  })

  test('has fewer tiers farther out, and none where no ride begins', async () => {
    const far = { latitude: 51.66, longitude: -0.2 }
    expect(tiersOf(await world.ok('search_ride_options', far))).toEqual([
      'economy',
      'comfort',
      'xl',
      'accessible',
    ])
    expect(await world.ok('search_ride_options', { latitude: 48.85, longitude: 2.35 })).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
      empty: { reason: 'outside_area', detail: 'Rides are not offered at that point.', next: null },
    })
  })

  test('says how many passengers the largest car takes, if it is too small', async () => {
    await world.write((tx) => tx.run(`delete from ride_tiers where tier = 'xl'`))
    const { data, empty } = await world.ok('search_ride_options', { ...CITY, passengers: 6 })
    expect(data).toEqual([])
    expect(empty).toEqual({
      reason: 'too_few_seats',
      detail: 'The largest car at that point has 4 seats.',
      next: null,
    })
  })

  test('walks page by page', async () => {
    const first = await world.ok('search_ride_options', { ...CITY, limit: 2 })
    const rest = await world.ok('search_ride_options', { ...CITY, limit: 3, cursor: first.next_cursor })
    expect([...tiersOf(first), ...tiersOf(rest)]).toEqual([
      'economy',
      'comfort',
      'xl',
      'premium',
      'accessible',
    ])
    expect(rest.has_more).toBe(false)
  })

  test('needs no membership', async () => {
    expect((await world.ok('search_ride_options', CITY, { as: 'lapsed' })).data).not.toEqual([])
  })
})
