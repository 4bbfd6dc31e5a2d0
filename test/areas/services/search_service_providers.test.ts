import { beforeAll, describe, expect, test } from 'vitest'
import { insertProviders, type ProviderRecord } from '../../../src/areas/services/queries/providers.ts'
import { makeSlotCalendar } from '../../../src/core/slots.ts'
import { timestampAt, bookJob, CLEANER, findProviderNamed, HOME, SATURDAY } from '../../support/services.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const POINT = { latitude: 51.5188, longitude: -0.0814 }

const search = async (world: TestSandbox, over: Record<string, unknown> = {}) =>
  (await world.ok('search_service_providers', { ...POINT, ...over })).data
const names = async (world: TestSandbox, over: Record<string, unknown> = {}) =>
  (await search(world, over)).map(({ name }) => name)

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeAll(async () => {
    world = await openTestSandbox({ engine })
  })

  test('finds who comes, the nearest first', async () => {
    const found = await search(world)
    expect(found).toHaveLength(10)
    expect(found[0]).toMatchObject({
      name: CLEANER,
      categories: ['cleaning'],
      distance_m: 653,
      rating: 4.8,
      verified: true,
      base_location: { latitude: 51.524, longitude: -0.077 },
      travel: { radius_m: 12_000, free_radius_m: 5000, per_km: { amount: 80, currency: 'GBP' } },
      timezone: 'Europe/London',
      availability: {
        available_now: true,
        next_available_at: '2026-11-20T10:00:00.000Z',
        as_of: '2026-11-20T09:00:00.000Z',
      },
    })
    const distances = found.map(({ distance_m }) => distance_m)
    expect(distances).toEqual(distances.toSorted((a, b) => a - b))
  })

  test('leaves out who does not travel as far', async () => {
    const far = { latitude: 51.6, longitude: -0.25 }
    const found = await search(world, far)
    expect(found.length).toBeLessThan(10)
    expect(found.every(({ distance_m, travel }) => distance_m <= travel.radius_m)).toBe(true)
    expect(await names(world, { latitude: 48.85, longitude: 2.35 })).toEqual([])
  })

  test.each([
    [{ category: 'cleaning' }, [CLEANER, 'Marigold Home Cleaning']],
    [{ category: 'handyman' }, ['Hana Handy', 'Vauxhall Fix-It']],
    [{ service_code: 'fix_leak' }, ['Thames Pipe & Tap', 'Vauxhall Fix-It']],
    [{ service_code: 'leak' }, []],
    [{ q: 'DOG' }, ['Paws & Paths']],
    [{ q: 'pet care' }, ['Paws & Paths']],
    [{ q: 'tap' }, ['Thames Pipe & Tap']],
    [{ category: 'plumbing', service_code: 'small_repairs' }, ['Vauxhall Fix-It']],
  ])('by %o', async (over, found) => {
    expect(await names(world, over)).toEqual(found)
  })

  test('by rating the best first, who has none last', async () => {
    const found = await search(world, { sort: 'rating' })
    const ratings = found.map(({ rating }) => rating ?? 0)
    expect(ratings).toEqual(ratings.toSorted((a, b) => b - a))
    expect(found.at(-1)).toMatchObject({ name: 'Hana Handy', rating: null })
  })

  test('by price, the cheapest matching offer comes first', async () => {
    expect(await names(world, { sort: 'price', service_code: 'fix_leak' })).toEqual([
      'Vauxhall Fix-It',
      'Thames Pipe & Tap',
    ])
    expect((await names(world, { sort: 'price' }))[0]).toBe('Paws & Paths')
  })

  test('with a date only who has a start on it', async () => {
    const sunday = await names(world, { date: '2026-11-22' })
    expect(sunday).toContain('Thames Pipe & Tap')
    expect(sunday).not.toContain(CLEANER)
    // The gardener does not work on days off, although it is a Monday.
    expect(await names(world, { date: '2026-11-23', category: 'gardening' })).toEqual([])
    expect(await names(world, { date: '2026-11-25', category: 'gardening' })).toEqual([
      'Fern & Furrow Gardens',
    ])
    // After a booking, eight hours and the buffer do not fit into the Saturday.
    expect(await names(world, { date: SATURDAY, duration_minutes: 480, category: 'tutoring' })).toEqual([])
  })

  test('pages through every provider once, in every order', async () => {
    for (const sort of ['distance', 'rating', 'price', 'soonest']) {
      const whole = await names(world, { sort })
      const paged: string[] = []
      let cursor: string | null = null
      do {
        const page: { data: { name: string }[]; next_cursor: string | null } = await world.ok(
          'search_service_providers',
          {
            ...POINT,
            sort,
            limit: 3,
            ...(cursor !== null && { cursor }),
          },
        )
        paged.push(...page.data.map(({ name }) => name))
        cursor = page.next_cursor
      } while (cursor !== null)
      expect(paged).toEqual(whole)
    }
  })

  const whyNone = async (over: Record<string, unknown>) => {
    const { data, empty } = await world.ok('search_service_providers', { ...POINT, ...over })
    expect(data).toEqual([])
    return empty
  }

  test('says why no provider is found, and the next date with a free one', async () => {
    const input = { date: '2026-11-23', category: 'gardening' }
    const empty = await whyNone(input)
    expect(empty).toEqual({
      reason: 'no_open_start',
      detail:
        'No matching provider has a free start on 2026-11-23. The first free start is with Fern & Furrow Gardens at 2026-11-25 08:00 local time.',
      next: '2026-11-25',
    })
    expect(await names(world, { ...input, date: empty?.next })).toEqual(['Fern & Furrow Gardens'])
    expect(await world.ok('search_service_providers', POINT)).not.toHaveProperty('empty')
  })

  test('says when the first provider is free if none is free at once', async () => {
    const input = { category: 'tutoring', available_now: true }
    const empty = await whyNone(input)
    expect(empty?.reason).toBe('nobody_now')
    const [tutor] = await search(world, { category: 'tutoring', sort: 'soonest' })
    expect(empty?.next).toBe(tutor?.availability.next_available_at)
    // On the first date with a start the wish to have somebody at once is what is in the way.
    const date = empty?.next?.slice(0, 10)
    expect(await whyNone({ ...input, date })).toEqual(empty)
  })

  test('says that no provider has time for so long a job within two weeks', async () => {
    const long = { duration_minutes: 480, category: 'tutoring' }
    expect(await whyNone({ ...long, date: SATURDAY })).toMatchObject({ reason: 'no_open_start', next: null })
  })

  test.each([
    [{ latitude: 48.85, longitude: 2.35 }, 'outside_area'],
    [{ latitude: 48.85, longitude: 2.35, q: 'cleaning' }, 'outside_area'],
    [{ q: 'xyzzy' }, 'no_match'],
    [{ service_code: 'leak', date: SATURDAY }, 'no_match'],
  ])('says of %o: %s', async (over, reason) => {
    expect(await whyNone(over)).toMatchObject({ reason, next: null })
  })

  test('shows the change of a booking at once', async () => {
    const fresh = await openTestSandbox({ engine })
    expect((await names(fresh, { sort: 'soonest', category: 'cleaning' }))[0]).toBe(CLEANER)
    await bookJob(fresh, { starts_at: timestampAt('10:00', '2026-11-20') })
    const found = await search(fresh, { sort: 'soonest', category: 'cleaning' })
    expect(found.map(({ name, availability }) => [name, availability.next_available_at])).toEqual([
      ['Marigold Home Cleaning', '2026-11-20T10:00:00.000Z'],
      [CLEANER, '2026-11-20T13:00:00.000Z'],
    ])
    expect(found.map(({ availability }) => availability.available_now)).toEqual([true, false])
    expect(await names(fresh, { category: 'cleaning', available_now: true })).toEqual([
      'Marigold Home Cleaning',
    ])
  })
})

test('among very many providers the soonest come first, whoever is booked', async () => {
  const world = await openTestSandbox()
  const model = await findProviderNamed(world)
  const many = await addProviders(world, model, 450)
  const calendar = makeSlotCalendar()
  expect(calendar.grid(model.time, SATURDAY, 1).starts.length).toBeGreaterThan(0)
  // All providers except three are booked for the morning.
  const free = [7, 199, 444].map((index) => many[index] ?? '')
  await world.db.write(async (tx) => {
    const from = Date.parse('2026-11-20T10:00:00Z')
    for (const provider_id of many.filter((id) => !free.includes(id))) {
      await tx.insertMany(
        'booked_cells',
        ['provider_id', 'cell_start', 'booking_id'],
        [0, 1, 2, 3].map((cell) => [provider_id, from + cell * 1_800_000, 'bkg_none']),
      )
    }
  })
  const found = await search(world, { sort: 'soonest', service_code: 'regular_clean', limit: 6 })
  const soon = found.filter(
    ({ availability }) => availability.next_available_at === '2026-11-20T10:00:00.000Z',
  )
  expect(soon.map(({ provider_id }) => provider_id)).toEqual(expect.arrayContaining(free))
  expect(soon).toHaveLength(5)
  const now = await search(world, { available_now: true, category: 'cleaning', limit: 100 })
  expect(now).toHaveLength(5)
})

test('who comes to a place in words are those who come to its point', async () => {
  const world = await openTestSandbox()
  const point = { latitude: 51.5304, longitude: -0.1236 }
  const [words, there] = [
    await world.ok('search_service_providers', { near: '51.5304, -0.1236' }),
    await world.ok('search_service_providers', point),
  ]
  expect(words).toEqual(there)
  expect(await world.refused('search_service_providers', {})).toMatchObject({
    errors: [{ parameter: 'near', code: 'required' }],
  })
})

async function addProviders(world: TestSandbox, model: ProviderRecord, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `prv_${String(index).padStart(26, '0')}`)
  await world.db.write((tx) =>
    insertProviders(
      tx,
      ids.map((provider_id, index) => ({
        ...model,
        provider_id,
        seq: 100_000 + index,
        offers: model.doc.services.map(({ service_code, default_duration_minutes, buffer_minutes }) => ({
          service_code,
          price: 3600,
          default_duration_minutes,
          buffer_minutes,
        })),
        location: {
          latitude: HOME.location.latitude + (index % 20) / 1000,
          longitude: HOME.location.longitude + index / 10_000,
        },
      })),
    ),
  )
  return ids
}
