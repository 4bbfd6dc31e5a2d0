/** The week and the single days of a store. */
import { describe, expect, test } from 'vitest'
import { FRIDAY_NOON_MS, OWNER, searchForno } from '../../support/store-hours.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('opening hours on $name', (engine) => {
  const weekly = [
    { day: 'mon', opens: '09:00', closes: '12:00' },
    { day: 'fri', opens: '18:00', closes: '02:00' },
    { day: 'fri', opens: '11:00', closes: '14:00' },
  ]

  test('are those of the week, several a day and past midnight, by the clocks of the store', async () => {
    const world = await openTestSandbox({ engine, at: FRIDAY_NOON_MS })
    const set = await world.ok('set_store_hours', { weekly }, OWNER)
    expect(set).toMatchObject({ weekly, is_open: true })
    const openAt = async (instant: string) => {
      await world.advanceTo(instant)
      return (await searchForno(world)).data.length === 1
    }
    expect(await openAt('2026-11-20T14:00:00Z')).toBe(false)
    expect(await openAt('2026-11-21T01:59:00Z')).toBe(true)
    expect(await openAt('2026-11-21T02:00:00Z')).toBe(false)
    expect((await world.ok('get_store_hours', {}, OWNER)).opens_at).toBe('2026-11-23T09:00:00.000Z')
  })

  test('of single days replace those of the week, also where the clocks change', async () => {
    const world = await openTestSandbox({ engine, at: FRIDAY_NOON_MS })
    const daily = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => ({
      day,
      opens: '00:00',
      closes: '00:00',
    }))
    const dates = [
      { date: '2026-11-21', spans: [] },
      { date: '2026-11-22', spans: [{ opens: '22:00', closes: '01:00' }] },
      // At 01:00 the clocks go forward to 02:00.
      { date: '2027-03-28', spans: [{ opens: '01:30', closes: '04:00' }] },
    ]
    const set = await world.ok('set_store_hours', { weekly: daily, dates }, OWNER)
    expect(set.dates).toEqual(dates)
    const next = async (instant: string) => {
      await world.advanceTo(instant)
      const { is_open, opens_at } = await world.ok('get_store_hours', {}, OWNER)
      return is_open ? 'open' : opens_at
    }
    expect(await next('2026-11-20T23:59:00Z')).toBe('open')
    expect(await next('2026-11-21T00:00:00Z')).toBe('2026-11-22T22:00:00.000Z')
    expect(await next('2026-11-22T22:00:00Z')).toBe('open')
    expect(await next('2027-03-28T00:00:00Z')).toBe('2027-03-28T01:30:00.000Z')
    expect(await next('2027-03-28T02:59:00Z')).toBe('open')
    expect(await next('2027-03-28T03:00:00Z')).toBe('2027-03-28T23:00:00.000Z')
  })

  test.each([
    [{}, '/weekly'],
    [{ weekly: [weekly[1], { day: 'sat', opens: '01:00', closes: '10:00' }] }, '/weekly'],
    [{ weekly: [{ day: 'sun', opens: '20:00', closes: '10:00' }, weekly[0]] }, '/weekly'],
    [{ dates: [{ date: '2026-11-19', spans: [] }] }, '/dates/0/date'],
    [{ dates: [{ date: '2027-11-22', spans: [] }] }, '/dates/0/date'],
    [
      {
        dates: [
          { date: '2026-12-25', spans: [] },
          { date: '2026-12-25', spans: null },
        ],
      },
      '/dates/1/date',
    ],
    [
      {
        dates: [
          {
            date: '2026-12-25',
            spans: [
              { opens: '10:00', closes: '12:00' },
              { opens: '11:00', closes: '13:00' },
            ],
          },
        ],
      },
      '/dates/0/spans',
    ],
  ])('that contradict themselves are refused: %j', async (input, pointer) => {
    const world = await openTestSandbox({ engine, at: FRIDAY_NOON_MS })
    expect(await world.refused('set_store_hours', input, OWNER)).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer }],
    })
  })
})
