import { describe, expect, test } from 'vitest'
import { timestampAt, bookJob, findProviderNamed, HOME, makeJob } from '../../support/services.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const quote = async (world: TestSandbox, over: Record<string, unknown> = {}) =>
  world.ok('quote_service', await makeJob(world, over))
const refused = async (world: TestSandbox, over: Record<string, unknown> = {}) =>
  world.refused('quote_service', await makeJob(world, over))

/** 4.6 km from the fixture's electrician, in Greenwich. */
const FAR = { location: { latitude: 51.4781, longitude: -0.0149 } }

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('prices labour, call-out and travel, tax included', async () => {
    const world = await openTestSandbox({ engine })
    const priced = await quote(world, {
      provider: 'Live Wire Electrical',
      service_code: 'fix_fault',
      duration_minutes: 105,
      place: FAR,
      notes: 'The fuse of the hall',
    })
    const { distance_m } = (
      await world.ok('search_service_providers', {
        ...FAR.location,
        category: 'electrical',
      })
    ).data[0] ?? { distance_m: 0 }
    const travel = Math.round(((distance_m - 5000) * 110) / 1000)
    expect(priced).toMatchObject({
      kind: 'service',
      status: 'open',
      created_at: '2026-11-20T09:00:00.000Z',
      expires_at: '2026-11-20T09:15:00.000Z',
      expires_in_seconds: 900,
      provider_name: 'Live Wire Electrical',
      service_code: 'fix_fault',
      duration_minutes: 105,
      starts_at: null,
      lines: [
        { type: 'labour', amount: { amount: 12_600, currency: 'GBP' } },
        { type: 'callout', amount: { amount: 4000, currency: 'GBP' } },
        { type: 'travel', amount: { amount: travel, currency: 'GBP' } },
      ],
      slot_required: false,
      estimated_arrival_window: null,
    })
    const { total, tax_included, cancellation_policy } = priced
    expect(total).toEqual({ amount: 16_600 + travel, currency: 'GBP' })
    expect(tax_included.amount).toBe(total.amount - Math.round((total.amount * 10_000) / 12_000))
    expect(cancellation_policy).not.toBe('')
  })

  test('for an open start shows the arrival, and reserves nothing', async () => {
    const world = await openTestSandbox({ engine })
    const priced = await quote(world, { starts_at: '2026-11-21T11:00:00+01:00' })
    expect(priced).toMatchObject({
      starts_at: '2026-11-21T10:00:00.000Z',
      estimated_arrival_window: {
        starts_at: '2026-11-21T10:00:00.000Z',
        ends_at: '2026-11-21T10:30:00.000Z',
      },
    })
    await bookJob(world, { starts_at: timestampAt('10:00') })
    expect(await refused(world, { starts_at: timestampAt('10:00') })).toMatchObject({
      status: 409,
      code: 'slot_unavailable',
      alternatives: ['2026-11-21T12:30:00.000Z', '2026-11-21T13:00:00.000Z', '2026-11-21T13:30:00.000Z'],
    })
  })
})

test('an address is found, with how to get in', async () => {
  const world = await openTestSandbox()
  const address = {
    line1: '1 Leadenhall Street',
    city: 'London',
    postal_code: 'EC3V 1AB',
    country_code: 'GB',
    access_notes: 'Ring twice',
  }
  const { place } = await quote(world, { place: { address } })
  expect(place).toMatchObject({ address, location: expect.anything(), name: expect.anything() })
})

test('says of a service that it needs a start', async () => {
  const world = await openTestSandbox()
  const place = { location: { latitude: 51.501, longitude: -0.19 } }
  const asked = { provider: 'Kensington Mobile Beauty', service_code: 'haircut', place }
  expect(await quote(world, asked)).toMatchObject({ slot_required: true })
})

test.each([
  ['a service of others', { service_code: 'haircut' }, 'service_not_offered', '/service_code'],
  ['less than is sold', { duration_minutes: 105 }, 'duration_not_allowed', '/duration_minutes'],
  ['a broken quarter', { duration_minutes: 130 }, 'duration_not_allowed', '/duration_minutes'],
  [
    'another length at one price',
    { service_code: 'window_clean', duration_minutes: 75 },
    'duration_not_allowed',
    '/duration_minutes',
  ],
  [
    'a place too far away',
    { place: { location: { latitude: 51.75, longitude: -1.25 } } },
    'outside_service_area',
    '/place',
  ],
  [
    'a place that nobody knows',
    {
      place: {
        address: { line1: '1 Main', city: 'Nowhere', postal_code: 'ZZ99 9ZZ', country_code: 'GB' },
      },
    },
    'address_unresolvable',
    '/place',
  ],
])('refuses %s', async (_, over, code, pointer) => {
  const world = await openTestSandbox()
  expect(await refused(world, over)).toMatchObject({
    status: 422,
    code,
    errors: [{ pointer, detail: expect.any(String) }],
  })
})

test.each([
  ['in the past', '2026-11-20T08:00:00Z'],
  ['too soon', '2026-11-20T09:30:00Z'],
  ['off the grid', '2026-11-21T10:10:00Z'],
  ['at night', '2026-11-21T03:00:00Z'],
  ['on a day without work', '2026-11-22T10:00:00Z'],
  ['too late for two hours', '2026-11-21T16:30:00Z'],
])('refuses a start %s, and names three that are open', async (_, starts_at) => {
  const world = await openTestSandbox()
  const problem = await refused(world, { starts_at })
  expect(problem).toMatchObject({ status: 409, code: 'slot_unavailable' })
  const { alternatives } = problem as unknown as { alternatives: string[] }
  expect(alternatives).toHaveLength(3)
  for (const start of alternatives) await quote(world, { starts_at: start })
})

test('rejects an unknown provider, and a place that is none', async () => {
  const world = await openTestSandbox()
  const { provider_id } = await findProviderNamed(world)
  const job = { provider_id, service_code: 'regular_clean', place: HOME }
  expect(
    await world.refused('quote_service', { ...job, provider_id: 'prv_01m7vkystgeegbv5hxx5fd6kz5' }),
  ).toMatchObject({ code: 'provider_not_found' })
  expect(await world.refused('quote_service', { ...job, place: {} })).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/place', code: 'required' }],
  })
})
