import { describe, expect, test } from 'vitest'
import { makeOpeningClock, type OpeningHours, packWeek } from '../../src/core/opening-hours.ts'
import { WEEKDAYS } from '../../src/core/time.ts'
import { isClosedDay } from '../support/bank-holidays.ts'
import { fc } from '../support/properties.ts'

const LONDON = 'Europe/London'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

function daily(opens: string, closes: string): OpeningHours[] {
  return WEEKDAYS.map((day) => ({ day, opens, closes }))
}

function ask(hours: OpeningHours[], at: string, timezone = LONDON) {
  const clock = makeOpeningClock(Date.parse(at))
  const week = packWeek(hours)
  const iso = (ms: number | undefined) =>
    ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16)
  return {
    open: clock.isOpen(week, timezone),
    next: iso(clock.nextOpening(week, timezone)),
    until: iso(clock.closesAt(week, timezone)),
  }
}

describe('a store that keeps ordinary hours', () => {
  // 2026-11-20 is a Friday.
  const hours = daily('11:00', '23:00')

  test.each([
    ['2026-11-20T10:59:59.999Z', { open: false, next: '2026-11-20T11:00', until: undefined }],
    ['2026-11-20T11:00:00Z', { open: true, next: '2026-11-20T11:00', until: '2026-11-20T23:00' }],
    ['2026-11-20T22:59:59.999Z', { open: true, next: '2026-11-20T22:59', until: '2026-11-20T23:00' }],
    ['2026-11-20T23:00:00Z', { open: false, next: '2026-11-21T11:00', until: undefined }],
  ])('is asked at %s', (at, answer) => {
    expect(ask(hours, at)).toEqual(answer)
  })

  test('has them by its own clock, not by UTC', () => {
    expect(ask(hours, '2026-07-03T10:30:00Z').open).toBe(true)
    expect(ask(hours, '2026-07-03T22:30:00Z').open).toBe(false)
    expect(ask(hours, '2026-11-20T16:00:00Z', 'America/New_York').open).toBe(true)
  })

  test('shuts between lunch and dinner', () => {
    const split: OpeningHours[] = [
      { day: 'fri', opens: '17:30', closes: '22:00' },
      { day: 'fri', opens: '12:00', closes: '14:30' },
    ]
    expect(ask(split, '2026-11-20T15:00:00Z')).toEqual({
      open: false,
      next: '2026-11-20T17:30',
      until: undefined,
    })
    expect(ask(split, '2026-11-20T12:00:00Z').until).toBe('2026-11-20T14:30')
    expect(ask(split, '2026-11-20T22:00:00Z').next).toBe('2026-11-27T12:00')
  })
})

describe('a store that is open past midnight', () => {
  const late: OpeningHours[] = [
    { day: 'sat', opens: '18:00', closes: '02:00' },
    { day: 'sun', opens: '18:00', closes: '01:30' },
  ]

  test.each([
    ['2026-11-22T01:59:00Z', true, '2026-11-22T02:00'],
    ['2026-11-22T02:00:00Z', false, undefined],
    ['2026-11-22T23:59:00Z', true, '2026-11-23T01:30'],
    // From Sunday to Monday, the first day of the week.
    ['2026-11-23T01:29:00Z', true, '2026-11-23T01:30'],
    ['2026-11-23T01:30:00Z', false, undefined],
    ['2026-11-23T18:30:00Z', false, undefined],
  ])('is asked at %s', (at, open, until) => {
    expect(ask(late, at)).toMatchObject({ open, until })
  })

  test('opens next on the coming Saturday', () => {
    expect(ask(late, '2026-11-23T01:30:00Z').next).toBe('2026-11-28T18:00')
  })
})

describe('a store that is open round the clock', () => {
  test('is open at any moment and never closes', () => {
    for (const at of ['2026-11-22T23:59:59Z', '2026-11-23T00:00:00Z', '2027-03-28T01:00:00Z'])
      expect(ask(daily('00:00', '00:00'), at)).toMatchObject({ open: true, until: undefined })
  })

  test('closes when one night of the week is missing', () => {
    const hours = daily('00:00', '00:00').filter(({ day }) => day !== 'sun')
    expect(ask(hours, '2026-11-20T12:00:00Z').until).toBe('2026-11-22T00:00')
    expect(ask(hours, '2026-11-22T12:00:00Z').next).toBe('2026-11-23T00:00')
  })

  test('is one span where two meet', () => {
    const hours: OpeningHours[] = [
      { day: 'fri', opens: '08:00', closes: '00:00' },
      { day: 'sat', opens: '00:00', closes: '03:00' },
    ]
    expect(ask(hours, '2026-11-20T09:00:00Z').until).toBe('2026-11-21T03:00')
  })
})

describe('when the clocks change', () => {
  test('closes an hour later in spring when its closing time is skipped', () => {
    // London, 2027-03-28: 01:00 is 02:00.
    const hours: OpeningHours[] = [{ day: 'sat', opens: '18:00', closes: '01:30' }]
    expect(ask(hours, '2027-03-28T00:59:00Z')).toMatchObject({ open: true, until: '2027-03-28T01:30' })
    expect(ask(hours, '2027-03-28T01:30:00Z').open).toBe(false)
  })

  test('does not open again in the hour that comes twice in autumn', () => {
    // London, 2026-10-25: 02:00 is 01:00 again.
    const hours: OpeningHours[] = [{ day: 'sat', opens: '18:00', closes: '01:30' }]
    expect(ask(hours, '2026-10-25T00:29:00Z')).toMatchObject({ open: true, until: '2026-10-25T00:30' })
    expect(ask(hours, '2026-10-25T00:30:00Z').open).toBe(false)
    expect(ask(hours, '2026-10-25T01:15:00Z')).toMatchObject({ open: false, next: '2026-10-31T18:00' })
  })

  test('keeps local time on the day itself', () => {
    expect(ask(daily('11:00', '23:00'), '2027-03-28T10:00:00Z').open).toBe(true)
    expect(ask(daily('11:00', '23:00'), '2026-10-25T10:30:00Z').open).toBe(false)
  })

  test('has no opening within the skipped hour', () => {
    const hours: OpeningHours[] = [{ day: 'sun', opens: '01:45', closes: '02:15' }]
    // The next Monday is Easter Monday, which has Sunday's hours.
    expect(ask(hours, '2027-03-27T12:00:00Z').next).toBe('2027-03-29T00:45')
  })
})

test('a store that opens on Mondays only stays closed over two holidays in a row', () => {
  const hours: OpeningHours[] = [{ day: 'mon', opens: '09:00', closes: '17:00' }]
  expect(ask(hours, '2027-12-20T18:00:00Z').next).toBe('2028-01-10T09:00')
})

test('a store elsewhere keeps its usual hours on an English holiday', () => {
  const hours: OpeningHours[] = [{ day: 'fri', opens: '09:00', closes: '17:00' }]
  expect(ask(hours, '2026-12-25T10:00:00Z', 'Europe/Paris').open).toBe(true)
})

test('a store without hours never opens', () => {
  expect(ask([], '2026-11-20T12:00:00Z')).toEqual({ open: false, next: undefined, until: undefined })
})

test('a week as text has its spans in their order', () => {
  expect(
    packWeek([
      { day: 'sun', opens: '18:00', closes: '01:30' },
      { day: 'mon', opens: '11:00', closes: '23:00' },
      { day: 'tue', opens: '00:00', closes: '00:00' },
    ]),
  ).toBe('660-1380,1440-2880,9720-10170')
})

describe('compared with a minute-by-minute walk', () => {
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 45, 59))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
  const hours = fc.array(fc.record({ day: fc.constantFrom(...WEEKDAYS), opens: time, closes: time }), {
    maxLength: 9,
  })
  const zone = fc.constantFrom(
    LONDON,
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'America/Santiago',
  )
  // Near the clock changes of 2026 and 2027, and at any other time.
  const moment = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('2026-10-25', '2026-11-01', '2027-03-14', '2027-03-28', '2027-04-04', '2026-09-06'),
        fc.integer({ min: -36 * 60, max: 36 * 60 }),
      )
      .map(([day, minutes]) => Date.parse(day) + minutes * MINUTE),
    fc
      .integer({ min: 0, max: 600 * 24 * 4 })
      .map((quarters) => Date.parse('2026-01-01') + quarters * 15 * MINUTE),
  )

  const dayWorked = (date: Temporal.PlainDate, timezone: string) =>
    timezone === LONDON && isClosedDay(date.toString()) ? 'sun' : WEEKDAYS[date.dayOfWeek - 1]

  /** Returns every opening of four weeks, computed by Temporal alone. */
  function walk(week: readonly OpeningHours[], at: number, timezone: string): [number, number][] {
    const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDate()
    return Array.from({ length: 29 }, (_, index) => today.add({ days: index - 3 })).flatMap((date) =>
      week
        .filter(({ day }) => day === dayWorked(date, timezone))
        .map(({ opens, closes }): [number, number] => {
          const until = closes <= opens ? date.add({ days: 1 }) : date
          const on = (day: Temporal.PlainDate, plainTime: string): number =>
            day.toZonedDateTime({ timeZone: timezone, plainTime }).epochMilliseconds
          return [on(date, opens), on(until, closes)]
        }),
    )
  }

  test('is open, opens and closes at the same moments', () => {
    let [open, closed, until] = [0, 0, 0]
    fc.assert(
      fc.property(hours, zone, moment, (week, timezone, at) => {
        const spans = walk(week, at, timezone)
        const isOpen = (ms: number): boolean => spans.some(([from, to]) => from <= ms && ms < to)
        const clock = makeOpeningClock(at)
        const text = packWeek(week)
        expect(clock.isOpen(text, timezone)).toBe(isOpen(at))
        const ends = (limit: number, wanted: boolean): number | undefined => {
          for (let ms = at; ms < at + limit; ms += MINUTE) if (isOpen(ms) === wanted) return ms
          return undefined
        }
        expect(clock.nextOpening(text, timezone)).toBe(ends(16 * 24 * HOUR, true))
        expect(clock.closesAt(text, timezone)).toBe(isOpen(at) ? ends(9 * 24 * HOUR, false) : undefined)
        if (isOpen(at)) open += 1
        else closed += 1
        if (clock.closesAt(text, timezone) !== undefined) until += 1
      }),
      { numRuns: 400 },
    )
    expect(Math.min(open, closed, until)).toBeGreaterThan(50)
  })

  test('gives the same answers for many places as for each alone', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hours, zone), { maxLength: 8 }), moment, (stores, at) => {
        const together = makeOpeningClock(at)
        for (const [week, timezone] of [...stores, ...stores]) {
          const text = packWeek(week)
          expect(together.isOpen(text, timezone)).toBe(makeOpeningClock(at).isOpen(text, timezone))
        }
      }),
    )
  })
})

test.each([
  ['Europe/London', '2026-03-29T20:00:00Z'],
  ['Asia/Beirut', '2026-03-29T18:00:00Z'],
  ['America/Havana', '2026-11-02T02:00:00Z'],
])(
  'a clock in %s says the same whatever was asked before, also after a change of the clocks',
  (timezone, from) => {
    const hours = daily('00:05', '23:00')
    const times = Array.from({ length: 24 }, (_, step) =>
      new Date(Date.parse(from) + step * 15 * MINUTE).toISOString(),
    )
    const inOrder = times.map((at) => ask(hours, at, timezone))
    const alone = times.map((at) => {
      ask(hours, '2026-06-01T12:00:00Z', timezone)
      return ask(hours, at, timezone)
    })
    expect(inOrder).toEqual(alone)
  },
)
