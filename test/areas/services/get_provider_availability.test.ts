import { describe, expect, test } from 'vitest'
import {
  timestampAt,
  bookJob,
  CLEANER,
  findProviderNamed,
  makeJob,
  SATURDAY,
  startsOf,
} from '../../support/services.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('shows the starts of a job on a date, by the wall of the provider', async () => {
    const world = await openTestSandbox({ engine })
    const { provider_id } = await findProviderNamed(world)
    const shown = await world.ok('get_provider_availability', {
      provider_id,
      date: '2027-06-19',
      service_code: 'deep_clean',
    })
    expect(shown).toMatchObject({
      provider_id,
      timezone: 'Europe/London',
      granularity_minutes: 30,
      duration_minutes: 240,
      date: '2027-06-19',
      as_of: '2026-11-20T09:00:00.000Z',
      has_more: false,
      next_cursor: null,
    })
    expect(shown.data[0]).toEqual({
      provider_id,
      starts_at: '2027-06-19T07:00:00.000Z',
      ends_at: '2027-06-19T11:00:00.000Z',
      duration_minutes: 240,
      local_start: '2027-06-19T08:00:00+01:00',
    })
    expect(shown.data).toHaveLength(12)
  })

  test('leaves out a booking with its buffer, and the travel to and from it', async () => {
    const world = await openTestSandbox({ engine })
    await bookJob(world, { starts_at: timestampAt('10:00') })
    // 10:00 to 12:00, with up to 41 minutes of travel; every job is followed by half an hour anyway.
    expect(await startsOf(world, { duration_minutes: 30 })).toEqual([
      '08:00',
      '08:30',
      '13:00',
      '13:30',
      '14:00',
      '14:30',
      '15:00',
      '15:30',
      '16:00',
      '16:30',
      '17:00',
    ])
  })
})

test.each(['2026-12-25', '2026-12-28', '2027-01-01', '2027-03-26'])(
  'somebody who does not work on Sundays does not come on the bank holiday %s',
  async (date) => {
    const world = await openTestSandbox({ at: Date.parse('2026-12-20T09:00:00Z') })
    expect(await startsOf(world, { date, duration_minutes: 60 })).toEqual([])
  },
)

test('the next hour is too soon, and the last day of the year ahead is not too late', async () => {
  const world = await openTestSandbox()
  const today = (time: string) => ({ date: '2026-11-20', duration_minutes: Number(time) })
  expect((await startsOf(world, today('60')))[0]).toBe('10:00')
  await world.advance(1)
  expect((await startsOf(world, today('60')))[0]).toBe('10:30')
  expect(await startsOf(world, { date: '2027-11-19', duration_minutes: 60, days: 14 })).not.toEqual([])
})

test('several days follow each other', async () => {
  const world = await openTestSandbox()
  const { provider_id } = await findProviderNamed(world)
  const input = { provider_id, date: SATURDAY, duration_minutes: 60 }
  const week = await world.ok('get_provider_availability', { ...input, days: 7 })
  const dates = [...new Set(week.data.map(({ local_start }) => local_start.slice(0, 10)))]
  // No cleaner works on Sundays.
  expect(dates).toEqual([SATURDAY, ...[23, 24, 25, 26, 27].map((day) => `2026-11-${day}`)])
  const single = await world.ok('get_provider_availability', input)
  expect(single.data).toEqual(week.data.filter(({ local_start }) => local_start.startsWith(SATURDAY)))
})

describe.each(MAIN_ENGINES)('no open start says why on $name', (engine) => {
  const ask = async (world: TestSandbox, over: Record<string, unknown>) => {
    const { provider_id } = await findProviderNamed(world)
    return world.ok('get_provider_availability', {
      provider_id,
      date: SATURDAY,
      duration_minutes: 60,
      ...over,
    })
  }

  test('closed that day, with the next date that has a start', async () => {
    const world = await openTestSandbox({ engine })
    const sunday = await ask(world, { date: '2026-11-22' })
    expect(sunday).toMatchObject({
      data: [],
      empty: {
        reason: 'closed_that_day',
        detail: `${CLEANER} does not work on Sunday 2026-11-22. The next free start is on Monday 2026-11-23.`,
        next: '2026-11-23',
      },
    })
    const byDay = await ask(world, { date: '2026-11-22', view: 'days' })
    expect(byDay.empty).toEqual(sunday.empty)
    const monday = await ask(world, { date: '2026-11-23' })
    expect(monday.data).not.toEqual([])
    expect(monday).not.toHaveProperty('empty')
    const christmas = await ask(world, { date: '2026-12-25', days: 3 })
    expect(christmas.empty).toMatchObject({ reason: 'closed_that_day', next: '2026-12-29' })
  })

  test('booked, too soon, or too long for the day', async () => {
    const world = await openTestSandbox({ engine })
    for (const time of ['08:00', '13:30'])
      await bookJob(world, { starts_at: timestampAt(time), duration_minutes: 240 })
    expect((await ask(world, { duration_minutes: 240 })).empty).toEqual({
      reason: 'fully_booked',
      detail: `${CLEANER} does not have 240 minutes free on Saturday 2026-11-21. The next free start is on Monday 2026-11-23.`,
      next: '2026-11-23',
    })
    await world.advanceTo('2026-11-20T17:05:00Z')
    const today = await ask(world, { date: '2026-11-20' })
    expect(today.empty).toMatchObject({ reason: 'too_soon', next: '2026-11-23' })
    const { provider_id } = await findProviderNamed(world, 'Clearway Tutors')
    const long = await ask(world, { provider_id, duration_minutes: 480 })
    expect(long.empty).toMatchObject({ reason: 'too_long', next: null })
  })

  test('the next date is none that a booking rejects as too far ahead', async () => {
    const world = await openTestSandbox({ engine, at: Date.parse('2026-11-28T09:00:00Z') })
    const { provider_id } = await findProviderNamed(world)
    const last = { provider_id, date: '2027-11-28', duration_minutes: 60 }
    expect(await world.ok('get_provider_availability', last)).toMatchObject({
      data: [],
      empty: { reason: 'closed_that_day', next: null },
    })
  })
})

test('by duration alone the longest buffer counts, so that every shown start can be booked', async () => {
  const world = await openTestSandbox()
  // The longest buffer of Marigold is half an hour; a regular clean has a quarter of an hour.
  const asked = { provider: 'Marigold Home Cleaning', duration_minutes: 180 }
  const byDuration = await startsOf(world, asked)
  const byService = await startsOf(world, { ...asked, service_code: 'regular_clean' })
  expect(byService).toEqual([...byDuration])
  const { provider, ...rest } = asked
  for (const start of byDuration) {
    const job = await makeJob(world, { provider, ...rest, starts_at: timestampAt(start) })
    await world.ok('quote_service', job)
  }
})

test('due events of bookings happen before a provider’s day is shown', async () => {
  const world = await openTestSandbox()
  await bookJob(world, { starts_at: timestampAt('10:00') }, { scenario: 'provider_cancels' })
  expect(await startsOf(world)).not.toContain('10:00')
  await world.db.write((tx) => tx.run('update world set clock_service = clock_service + 3600000'))
  expect(await startsOf(world)).toContain('10:00')
})

test.each([
  [{ service_code: 'haircut' }, 'service_not_offered', 422],
  [{ service_code: 'regular_clean', duration_minutes: 60 }, 'duration_not_allowed', 422],
  [{ service_code: 'window_clean', duration_minutes: 90 }, 'duration_not_allowed', 422],
  [{}, 'invalid_request', 400],
  [{ duration_minutes: 14 }, 'invalid_request', 400],
  [{ duration_minutes: 481 }, 'invalid_request', 400],
  [{ duration_minutes: 60, days: 15 }, 'invalid_request', 400],
  [{ duration_minutes: 60, date: '2026-02-30' }, 'invalid_request', 400],
])('refuses %o with %s', async (over, code, status) => {
  const world = await openTestSandbox()
  const { provider_id } = await findProviderNamed(world)
  const input = { provider_id, date: SATURDAY, ...over }
  expect(await world.refused('get_provider_availability', input)).toMatchObject({ code, status })
})

test('rejects an unknown provider', async () => {
  const world = await openTestSandbox()
  const input = { provider_id: 'prv_01m7vkystgeegbv5hxx5fd6kz5', date: SATURDAY, duration_minutes: 60 }
  expect(await world.refused('get_provider_availability', input)).toMatchObject({
    code: 'provider_not_found',
    status: 404,
  })
})
