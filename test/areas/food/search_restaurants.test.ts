import { describe, expect, test } from 'vitest'
import { insertMerchants, listMerchantsBySeq } from '../../../src/areas/merchants/queries.ts'
import { haversineMetres, type Point } from '../../../src/core/geometry.ts'
import { NO_END } from '../../../src/core/opening-hours.ts'
import { iterations } from '../../support/battery.ts'
import { fc } from '../../support/properties.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../../support/world.ts'

const LIME_STREET = { latitude: 51.5129, longitude: -0.0823 }
const HOUR = 3_600_000

async function names(world: TestSandbox, input: Record<string, unknown> = {}): Promise<string[]> {
  const { data } = await world.ok('search_restaurants', { ...LIME_STREET, ...input })
  return data.map(({ name }) => name)
}

test('stores keep their Sunday hours on a bank holiday', async () => {
  const openAt = async (at: string) => names(await openTestSandbox({ at: Date.parse(at) }))
  const [sunday, christmas, friday] = [
    await openAt('2026-12-20T09:00:00Z'),
    await openAt('2026-12-25T09:00:00Z'),
    await openAt('2026-12-18T09:00:00Z'),
  ]
  expect(christmas).toEqual(sunday)
  expect(christmas).not.toEqual(friday)
})

test('a place in words is searched around like its point', async () => {
  const world = await openTestSandbox()
  const around = await world.ok('search_restaurants', LIME_STREET)
  expect(await world.ok('search_restaurants', { near: '40 Lime Street, London EC3M 7AW' })).toEqual(around)
  expect(await world.refused('search_restaurants', { near: 'goosefoot' })).toMatchObject({
    status: 422,
    code: 'address_unresolvable',
    alternatives: ['Goosefoot Grocer Spitalfields', 'Goosefoot Grocer Clerkenwell'],
    errors: [{ parameter: 'near' }],
  })
  for (const [input, code] of [
    [{}, 'required'],
    [{ ...LIME_STREET, near: 'bank' }, 'mutually_exclusive'],
  ] as const)
    expect(await world.refused('search_restaurants', input)).toMatchObject({
      status: 400,
      errors: expect.arrayContaining([expect.objectContaining({ parameter: 'near', code })]),
    })
})

test('each store is found at its own address, and a run from there begins at its door', async () => {
  const world = await openTestSandbox()
  const { data } = await world.ok('search_restaurants', { near: 'bank', include_closed: true })
  for (const { address, location } of data) {
    const { location: _, ...written } = address
    const quote = await world.ok('quote_delivery', {
      pickup: { address: written },
      dropoff: { name: 'oxford-circus' },
      parcel: { size: 'small', description: 'Keys' },
    })
    expect(quote.pickup).toMatchObject({ location, precision: 'exact' })
  }
})

describe.each(MAIN_ENGINES)('a search from Lime Street on $name', (engine) => {
  test('lists open stores, the nearest first', async () => {
    const world = await openTestSandbox({ engine })
    const { data, has_more } = await world.ok('search_restaurants', LIME_STREET)
    expect(data.map(({ name }) => name)).toEqual([
      'Lime Street Noodles',
      'Petal & Paper',
      'Goosefoot Grocer Spitalfields',
      'Fig & Fennel Counter',
      'Harvest Lane Pantry',
      'Goosefoot Grocer Clerkenwell',
      'Forno Santa Rosa',
      'Owl & Ember Burgers',
    ])
    expect(has_more).toBe(false)
    for (const { location, distance_m, is_open } of data) {
      expect(distance_m).toBe(Math.round(haversineMetres(LIME_STREET, location)))
      expect(is_open).toBe(true)
    }
    const [noodles] = data
    expect(noodles).toMatchObject({
      kind: 'restaurant',
      cuisines: ['thai', 'noodles'],
      open_until: '2026-11-20T23:00:00.000Z',
      fulfillment_types: ['delivery', 'pickup'],
      delivery: {
        available: true,
        fee: { amount: 299, currency: 'GBP' },
        minimum_order: { amount: 1000, currency: 'GBP' },
        radius_m: 4000,
        eta_min_minutes: 20,
        eta_max_minutes: 30,
      },
      prep_time_minutes: 15,
      rating: 4.7,
      rating_count: 1284,
      price_level: 2,
    })
    expect(data.find(({ name }) => name.startsWith('Fig'))?.delivery).toBeNull()
    expect(data.find(({ name }) => name.startsWith('Owl'))?.open_until).toBeNull()
  })

  test('follows the hours of the day', async () => {
    const world = await openTestSandbox({ engine })
    expect(await names(world)).not.toContain('Kettle & Cumin')
    await world.advanceTo('2026-11-20T12:00:00Z')
    expect(await names(world)).toContain('Kettle & Cumin')
    // Friday's hours end at half past one on Saturday.
    await world.advanceTo('2026-11-21T01:29:00Z')
    expect(await names(world)).toEqual([
      'Goosefoot Grocer Spitalfields',
      'Kettle & Cumin',
      'Owl & Ember Burgers',
    ])
    await world.advanceTo('2026-11-21T01:30:00Z')
    expect(await names(world)).toEqual(['Goosefoot Grocer Spitalfields', 'Owl & Ember Burgers'])
    // On Sunday, 28 March 01:30 does not exist in London, and no store closes early.
    await world.advanceTo('2027-03-28T01:29:00Z')
    expect(await names(world)).toContain('Kettle & Cumin')
    await world.advanceTo('2027-03-28T01:30:00Z')
    expect(await names(world)).not.toContain('Kettle & Cumin')
    // On Sunday, 31 October 01:30 occurs twice, and no store opens again for the second.
    await world.advanceTo('2027-10-31T00:29:00Z')
    expect(await names(world)).toContain('Kettle & Cumin')
    await world.advanceTo('2027-10-31T01:15:00Z')
    expect(await names(world)).not.toContain('Kettle & Cumin')
  })

  test('from next door finds the same stores at their own distance, and none that has paused since', async () => {
    const world = await openTestSandbox({ engine })
    const nextDoor = { ...LIME_STREET, latitude: LIME_STREET.latitude + 0.0009 }
    const [here, there] = [
      await world.ok('search_restaurants', LIME_STREET),
      await world.ok('search_restaurants', nextDoor),
    ]
    for (const [from, { data }] of [
      [LIME_STREET, here],
      [nextDoor, there],
    ] as const)
      for (const { distance_m, location } of data)
        expect(distance_m).toBe(Math.round(haversineMetres(from, location)))
    const [first] = here.data
    expect(first?.name).toBe('Lime Street Noodles')
    await world.db.write((tx) =>
      tx.run(
        `update merchants set paused_until = ${NO_END} where merchant_id = $1`,
        first?.merchant_id ?? '',
      ),
    )
    for (const from of [LIME_STREET, nextDoor]) expect(await names(world, from)).not.toContain(first?.name)
  })

  test('finds on demand those that are closed or paused too, and says when they open', async () => {
    const world = await openTestSandbox({ engine })
    await world.advanceTo('2026-11-21T03:00:00Z')
    const find = async (q: string) =>
      (await world.ok('search_restaurants', { ...LIME_STREET, q, include_closed: true })).data[0]
    expect(await names(world, { q: 'lime street' })).toEqual([])
    expect(await find('lime street')).toMatchObject({
      name: 'Lime Street Noodles',
      is_open: false,
      open_until: null,
      opens_at: '2026-11-21T08:00:00.000Z',
    })
    expect(await find('spitalfields')).toMatchObject({ is_open: true, opens_at: null })
    await world.db.write((tx) =>
      tx.run(`update merchants set paused_until = ${NO_END} where name = 'Lime Street Noodles'`),
    )
    expect(await find('lime street')).toMatchObject({ is_open: false, opens_at: null })
    await world.advanceTo('2026-11-21T12:00:00Z')
    expect(await find('lime street')).toMatchObject({ is_open: false, opens_at: null })
  })

  test('finds by a part of a name, a cuisine or something on the menu, however it is written', async () => {
    const world = await openTestSandbox({ engine, at: NINE_AM + 4 * HOUR })
    expect(await names(world, { q: 'NOODLE' })).toEqual(['Lime Street Noodles', 'Quán Sen'])
    expect(await names(world, { q: 'quan' })).toEqual(['Quán Sen'])
    expect(await names(world, { q: 'PHO BO' })).toEqual(['Quán Sen'])
    expect(await names(world, { q: 'creme' })).toEqual([])
    expect(await names(world, { q: ' tiramisu ' })).toEqual(['Forno Santa Rosa'])
    expect(await names(world, { q: '%' })).toEqual(['Goosefoot Grocer Clerkenwell'])
    expect(await names(world, { q: 'sourdough', kind: 'restaurant' })).toEqual([])
  })

  test('filters by kind, cuisine, fulfillment and distance', async () => {
    const world = await openTestSandbox({ engine, at: NINE_AM + 4 * HOUR })
    expect(await names(world, { kind: 'shop' })).toEqual(['Petal & Paper'])
    expect(await names(world, { cuisine: 'vegan' })).toEqual(['Fig & Fennel Counter'])
    expect(await names(world, { cuisine: 'veg' })).toEqual([])
    expect(await names(world, { fulfillment_type: 'dine_in' })).toEqual([
      'Kettle & Cumin',
      'Forno Santa Rosa',
    ])
    expect(await names(world, { radius_m: 100 })).toEqual(['Lime Street Noodles', 'Petal & Paper'])
    expect(await names(world, { fulfillment_type: 'delivery', kind: 'restaurant' })).toEqual([
      'Lime Street Noodles',
      'Kettle & Cumin',
      'Harbour & Hake',
      'Quán Sen',
      'Forno Santa Rosa',
      'Owl & Ember Burgers',
    ])
  })

  test('finds for delivery only who rides that far', async () => {
    const world = await openTestSandbox({ engine, at: NINE_AM + 4 * HOUR })
    const brixton = { latitude: 51.4627, longitude: -0.1147, radius_m: 20_000 }
    const found = await world.ok('search_restaurants', { ...brixton, kind: 'restaurant' })
    expect(found.data).toHaveLength(7)
    expect(found.data.map(({ delivery }) => delivery?.available ?? false).filter(Boolean)).toHaveLength(1)
    expect(await names(world, { ...brixton, kind: 'restaurant', fulfillment_type: 'delivery' })).toEqual([
      'Owl & Ember Burgers',
    ])
  })

  test('puts the best or the quickest first on request', async () => {
    const world = await openTestSandbox({ engine })
    expect((await names(world, { sort: 'rating' })).slice(0, 3)).toEqual([
      'Petal & Paper',
      'Forno Santa Rosa',
      'Lime Street Noodles',
    ])
    expect((await names(world, { sort: 'eta' })).slice(0, 3)).toEqual([
      'Fig & Fennel Counter',
      'Goosefoot Grocer Spitalfields',
      'Lime Street Noodles',
    ])
    expect((await names(world, { sort: 'eta', fulfillment_type: 'pickup' })).slice(0, 2)).toEqual([
      'Fig & Fennel Counter',
      'Goosefoot Grocer Spitalfields',
    ])
  })
})

/** Creates stores at a few places, so that many have the same distance. */
async function crowd(world: TestSandbox, count: number, at: (index: number) => Point): Promise<void> {
  await world.write(async (tx) => {
    const [first] = await listMerchantsBySeq(
      tx,
      (await tx.all('select seq from merchants limit 1')).map(({ seq }) => Number(seq)),
    )
    if (first === undefined) throw new Error('the fixture has no store')
    await insertMerchants(
      tx,
      Array.from({ length: count }, (_, index) => ({
        ...first,
        merchant_id: `mer_${index}`,
        seq: 1_000_000 + index,
        name: `Store ${index}`,
        week: '0-1440,1440-2880,2880-4320,4320-5760,5760-7200,7200-8640,8640-10080',
        location: at(index),
        doc: { ...first.doc, cuisines: ['crowd'], rating_tenths: 40 + (index % 3) },
      })),
    )
  })
}

describe.each(MAIN_ENGINES)('a search without a store says why on $name', (engine) => {
  const AT_NIGHT = { engine, at: Date.parse('2026-11-21T04:00:00Z') }
  const PARIS = { latitude: 48.85, longitude: 2.35 }

  test('that those who match are closed, and when the nearest opens', async () => {
    const world = await openTestSandbox(AT_NIGHT)
    const { data, empty } = await world.ok('search_restaurants', { ...LIME_STREET, q: 'forno' })
    expect(data).toEqual([])
    expect(empty).toEqual({
      reason: 'closed_now',
      detail: 'No matching store is open now: Forno Santa Rosa opens at 2026-11-21 07:30 local time.',
      next: '2026-11-21T07:30:00.000Z',
    })
    await world.advanceTo(empty?.next ?? '')
    const later = await world.ok('search_restaurants', { ...LIME_STREET, q: 'forno' })
    expect(later.data).toHaveLength(1)
    expect(later).not.toHaveProperty('empty')
  })

  test('that a paused store names no time', async () => {
    const world = await openTestSandbox({ engine })
    await world.write((tx) => tx.run(`update merchants set paused_until = ${NO_END}`))
    expect((await world.ok('search_restaurants', LIME_STREET)).empty).toMatchObject({
      reason: 'closed_now',
      next: null,
    })
  })

  test.each([
    [{ ...LIME_STREET, q: 'xyzzy' }, 'no_match'],
    [{ ...LIME_STREET, q: 'xyzzy', include_closed: true }, 'no_match'],
    [{ ...LIME_STREET, radius_m: 100, kind: 'grocery' }, 'no_match'],
    [{ latitude: 51.33, longitude: -0.4, radius_m: 100 }, 'none_near'],
    [{ latitude: 51.66, longitude: -0.2, fulfillment_type: 'delivery' }, 'no_delivery'],
    [PARIS, 'outside_area'],
    [{ ...PARIS, q: 'noodles', include_closed: true }, 'outside_area'],
  ])('%j: %s', async (input, reason) => {
    const world = await openTestSandbox(AT_NIGHT)
    expect((await world.ok('search_restaurants', input)).empty).toMatchObject({ reason, next: null })
  })

  test('and the page after the last row says no such thing', async () => {
    const world = await openTestSandbox({ engine })
    const first = await world.ok('search_restaurants', { ...LIME_STREET, limit: 7 })
    await world.write((tx) => tx.run(`update merchants set paused_until = ${NO_END}`))
    const rest = { ...LIME_STREET, limit: 7, cursor: first.next_cursor }
    expect(await world.ok('search_restaurants', rest)).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    })
  })
})

describe('pages', () => {
  test.each(['distance', 'rating', 'eta'])(
    'sorted by %s hold every store once, in one order',
    async (sort) => {
      const world = await openTestSandbox()
      await crowd(world, 30, (index) => ({ latitude: 51.5 + (index % 4) / 1000, longitude: -0.08 }))
      const filters = { ...LIME_STREET, cuisine: 'crowd', sort }
      const whole = await world.ok('search_restaurants', { ...filters, limit: 100 })
      expect(whole.data).toHaveLength(30)
      const seen: string[] = []
      let cursor: string | null | undefined
      while (cursor !== null) {
        const page = await world.ok('search_restaurants', { ...filters, limit: 7, ...(cursor && { cursor }) })
        seen.push(...page.data.map(({ merchant_id }) => merchant_id))
        cursor = page.next_cursor
      }
      expect(seen).toEqual(whole.data.map(({ merchant_id }) => merchant_id))
    },
  )

  test.each(['distance', 'rating'])(
    'sorted by %s hold the few of very many stores that sell something',
    async (sort) => {
      const world = await openTestSandbox()
      await crowd(world, 1500, (index) => ({ latitude: 51.5 + (index % 40) / 10_000, longitude: -0.08 }))
      await world.write((tx) =>
        tx.run(`update merchants set search_text = 'gulab jamun' where seq in (1000003, 1000701, 1001499)`),
      )
      const found: string[] = []
      let pages = 0
      let cursor: string | null | undefined
      while (cursor !== null) {
        const page = await world.ok('search_restaurants', {
          ...LIME_STREET,
          q: 'Gulab',
          sort,
          limit: 2,
          ...(cursor && { cursor }),
        })
        found.push(...page.data.map(({ name }) => name))
        cursor = page.next_cursor
        pages += 1
      }
      expect(found.toSorted()).toEqual(['Store 1499', 'Store 3', 'Store 701'])
      expect(pages).toBeGreaterThan(1)
    },
  )

  test('take no cursor of another search', async () => {
    const world = await openTestSandbox()
    const { next_cursor } = await world.ok('search_restaurants', { ...LIME_STREET, limit: 2 })
    const input = { ...LIME_STREET, limit: 2, cursor: next_cursor }
    expect(await world.refused('search_restaurants', { ...input, kind: 'shop' })).toMatchObject({
      code: 'invalid_cursor',
    })
    await world.ok('search_restaurants', input)
  })
})

test('finds exactly the stores in the circle, anywhere on earth', async () => {
  const places: Point[] = [
    ...[179.99, -179.99, 180, -180, 0].flatMap((longitude) =>
      [-0.01, 0, 0.01, 65.2].map((latitude) => ({ latitude, longitude })),
    ),
    ...[0, 90, -90, 179].flatMap((longitude) =>
      [89.99, -89.95, 90].map((latitude) => ({ latitude, longitude })),
    ),
  ]
  const world = await openTestSandbox()
  await crowd(world, places.length, (index) => places[index] ?? LIME_STREET)
  const near = fc
    .tuple(
      fc.constantFrom(...places),
      fc.double({ min: -0.15, max: 0.15, noNaN: true }),
      fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    )
    .map(([{ latitude, longitude }, north, east]) => ({
      latitude: Math.max(-90, Math.min(90, latitude + north)),
      longitude: ((longitude + east + 540) % 360) - 180,
    }))
  let hits = 0
  await fc.assert(
    fc.asyncProperty(near, fc.integer({ min: 100, max: 20_000 }), async (point, radius_m) => {
      const { data } = await world.ok('search_restaurants', {
        ...point,
        radius_m,
        cuisine: 'crowd',
        limit: 100,
      })
      const expected = places.flatMap((place, index) =>
        Math.round(haversineMetres(point, place)) <= radius_m ? [`mer_${index}`] : [],
      )
      expect(data.map(({ merchant_id }) => merchant_id).toSorted()).toEqual(expected.toSorted())
      hits += expected.length
    }),
    { numRuns: iterations(120, 300) },
  )
  expect(hits).toBeGreaterThan(100)
})

test.each([
  [{ latitude: 91, longitude: 0 }, '/latitude'],
  [{ ...LIME_STREET, radius_m: 99 }, 'radius_m'],
  [{ ...LIME_STREET, radius_m: 20_001 }, 'radius_m'],
  [{ ...LIME_STREET, kind: 'bar' }, 'kind'],
  [{ ...LIME_STREET, q: ' ' }, 'q'],
  [{ ...LIME_STREET, q: 'x'.repeat(81) }, 'q'],
  [{ ...LIME_STREET, sort: 'price' }, 'sort'],
  [{ longitude: 0 }, 'latitude'],
])('refuses %j', async (input, where) => {
  const world = await openTestSandbox()
  const problem = await world.refused('search_restaurants', input)
  expect(problem).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(JSON.stringify(problem.errors)).toContain(where.replace('/', ''))
})

test('needs the food scope, but no membership', async () => {
  const world = await openTestSandbox()
  await world.ok('search_restaurants', LIME_STREET, { as: 'guest' })
  await world.ok('search_restaurants', LIME_STREET, { as: 'lapsed' })
  expect((await world.refused('search_restaurants', LIME_STREET, { as: 'owner' })).code).toBe(
    'insufficient_scope',
  )
})
