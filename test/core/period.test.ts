import { describe, expect, test } from 'vitest'
import {
  bucketUnit,
  businessDateOf,
  businessDayRange,
  type ReportDays,
  splitRange,
  namedPeriod,
  bucketIndex,
  rangePeriod,
  type TimeRange,
} from '../../src/core/period.ts'
import { addDays, formatLocalDateTime, localTime, startOfDay } from '../../src/core/time.ts'

const LONDON = 'Europe/London'
const CALENDAR: ReportDays = { kind: 'calendar', timezone: LONDON }
const at = (text: string) => Date.parse(text)
const shown = ({ from, to }: TimeRange) => [from, to].map((ms) => new Date(ms).toISOString().slice(0, 19))
const HOUR = 3_600_000

describe('today', () => {
  test('goes from midnight in London to now, which it includes, beside yesterday until the same time', () => {
    const today = namedPeriod('today', at('2026-07-08T13:30:00Z'), CALENDAR)
    expect(shown(today)).toEqual(['2026-07-07T23:00:00', '2026-07-08T13:30:00'])
    expect(shown(today.before)).toEqual(['2026-07-06T23:00:00', '2026-07-07T13:30:00'])
    expect(today.to).toBe(at('2026-07-08T13:30:00Z') + 1)
  })

  test('is compared by the clock on the wall when the clocks changed meanwhile', () => {
    // 14:00 in summer time; yesterday's 14:00 was in winter time
    const today = namedPeriod('today', at('2026-03-29T13:00:00Z'), CALENDAR)
    expect(shown(today.before)).toEqual(['2026-03-28T00:00:00', '2026-03-28T14:00:00'])
  })

  test('has nothing before it at midnight', () => {
    const { from, to, before } = namedPeriod('today', at('2026-11-20T00:00:00Z'), CALENDAR)
    expect([to - from, before.to - before.from]).toEqual([1, 1])
  })
})

test.each([
  ['2026-03-29T12:00:00Z', 23],
  ['2026-10-25T12:00:00Z', 25],
  ['2026-11-20T12:00:00Z', 24],
])('the day of %s, seen on the next one, has %i hours, each with a part of its own', (noon, hours) => {
  const { from, to } = namedPeriod('yesterday', at(noon) + 24 * HOUR, CALENDAR)
  expect((to - from) / HOUR).toBe(hours)
  const parts = splitRange({ from, to }, 'hour', CALENDAR)
  expect(parts.map((part) => part.to - part.from)).toEqual(Array(hours).fill(HOUR))
})

test('a week begins on Monday, also on a Sunday, and is compared until the same weekday', () => {
  const week = namedPeriod('week', at('2026-11-22T10:00:00Z'), CALENDAR)
  expect(shown(week)).toEqual(['2026-11-16T00:00:00', '2026-11-22T10:00:00'])
  expect(shown(week.before)).toEqual(['2026-11-09T00:00:00', '2026-11-15T10:00:00'])
})

test('the last day of a long month is compared with a whole shorter one at most', () => {
  const month = namedPeriod('month', at('2026-03-31T21:00:00Z'), CALENDAR)
  expect(shown(month)).toEqual(['2026-03-01T00:00:00', '2026-03-31T21:00:00'])
  expect(shown(month.before)).toEqual(['2026-02-01T00:00:00', '2026-02-28T22:00:00'])
})

describe('a range', () => {
  const now = at('2026-11-20T12:00:00Z')

  test('of whole days has as many days before it, whichever hours those have', () => {
    const range = { from: at('2026-10-26T00:00:00Z'), to: at('2026-11-02T00:00:00Z') }
    const period = rangePeriod(range, now, CALENDAR)
    expect(shown(period.before)).toEqual(['2026-10-18T23:00:00', '2026-10-26T00:00:00'])
    expect(period.open).toBe(false)
  })

  test('that is not over is cut now, and so is the one before it', () => {
    const range = { from: at('2026-11-16T00:00:00Z'), to: at('2026-11-23T00:00:00Z') }
    const period = rangePeriod(range, now, CALENDAR)
    expect(shown(period)).toEqual(['2026-11-16T00:00:00', '2026-11-20T12:00:00'])
    expect(shown(period.before)).toEqual(['2026-11-09T00:00:00', '2026-11-13T12:00:00'])
  })

  test('of hours has as many hours before it', () => {
    const range = { from: at('2026-11-19T09:15:00Z'), to: at('2026-11-19T11:15:00Z') }
    expect(shown(rangePeriod(range, now, CALENDAR).before)).toEqual([
      '2026-11-19T07:15:00',
      '2026-11-19T09:15:00',
    ])
  })
})

test.each([
  ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z', 'hour'],
  ['2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', 'day'],
  ['2026-06-01T00:00:00Z', '2026-11-01T00:00:00Z', 'week'],
  ['2026-01-01T00:00:00Z', '2026-12-31T00:00:00Z', 'month'],
] as const)('from %s to %s is divided by the %s, without a gap', (first, last, unit) => {
  const stretch = { from: at(first), to: at(last) }
  expect(bucketUnit(stretch)).toBe(unit)
  const parts = splitRange(stretch, unit, CALENDAR)
  expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([stretch.from, stretch.to])
  for (const [index, part] of parts.entries()) {
    expect(part.to).toBe(parts[index + 1]?.from ?? stretch.to)
    expect([bucketIndex(parts, part.from), bucketIndex(parts, part.to - 1)]).toEqual([index, index])
  }
  expect([bucketIndex(parts, stretch.from - 1), bucketIndex(parts, stretch.to)]).toEqual([
    undefined,
    undefined,
  ])
})

describe('where the clocks skip midnight', () => {
  // In Chile, 6 September 2026 begins at 01:00; in Lebanon, 29 March; in Egypt, 24 April; in Cuba, 8 March.
  test.each([
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z'],
  ])('in %s each period that begins on a day beside %s begins with the day', (zone, date, start) => {
    const hour = (ms: number) => formatLocalDateTime(ms, zone)
    const inZone: ReportDays = { kind: 'calendar', timezone: zone }
    expect(startOfDay(date, zone)).toBe(at(start))
    expect(hour(at(start))).toBe(`${date} 01:00`)
    const noon = at(start) + 11 * HOUR
    const [before, next] = [addDays(date, -1), addDays(date, 1)]
    const today = namedPeriod('today', noon, inZone)
    expect([hour(today.from), hour(today.before.from)]).toEqual([`${date} 01:00`, `${before} 00:00`])
    const after = namedPeriod('yesterday', noon + 24 * HOUR, inZone)
    expect([hour(after.from), hour(after.to)]).toEqual([`${date} 01:00`, `${next} 00:00`])
    expect([hour(after.before.from), hour(after.before.to)]).toEqual([`${before} 00:00`, `${date} 01:00`])
    for (const name of ['week', 'month'] as const) {
      const { from, before: last } = namedPeriod(name, noon, inZone)
      expect([localTime(from, zone), localTime(last.from, zone)]).toEqual(['00:00', '00:00'])
    }
    const range = rangePeriod(
      { from: at(start), to: startOfDay(addDays(date, 2), zone) },
      noon + 96 * HOUR,
      inZone,
    )
    expect([hour(range.before.from), hour(range.before.to)]).toEqual([
      `${addDays(date, -2)} 00:00`,
      `${date} 01:00`,
    ])
    const days = splitRange(
      { from: startOfDay(before, zone), to: startOfDay(addDays(date, 3), zone) },
      'day',
      inZone,
    )
    expect(days.map(({ from }) => hour(from))).toEqual([
      `${before} 00:00`,
      `${date} 01:00`,
      `${next} 00:00`,
      `${addDays(date, 2)} 00:00`,
    ])
  })

  test('weeks and months that follow such a day begin at midnight', () => {
    const zone = 'Atlantic/Azores'
    const from = startOfDay('2026-03-29', zone)
    for (const unit of ['week', 'month'] as const)
      expect(
        splitRange({ from, to: from + 40 * 24 * HOUR }, unit, { kind: 'calendar', timezone: zone })
          .slice(1)
          .map((part) => localTime(part.from, zone)),
      ).toSatisfy((times: string[]) => times.every((time) => time === '00:00'))
  })
})

test('clocks that go back by half an hour end no hour where it began', () => {
  const stretch = { from: at('2026-04-04T14:00:00Z'), to: at('2026-04-04T17:30:00Z') }
  const parts = splitRange(stretch, 'hour', { kind: 'calendar', timezone: 'Australia/Lord_Howe' })
  expect(parts.map(({ from }) => formatLocalDateTime(from, 'Australia/Lord_Howe').slice(11))).toEqual([
    '01:00',
    '01:30',
    '02:00',
    '03:00',
  ])
})

test.each([
  ['2026-03-29T03:59:59.999Z', LONDON, '2026-03-28', 23],
  ['2026-03-29T04:00:00.000Z', LONDON, '2026-03-29', 24],
  ['2026-10-25T04:59:59.999Z', LONDON, '2026-10-24', 25],
  ['2026-10-25T05:00:00.000Z', LONDON, '2026-10-25', 24],
  ['2026-11-01T09:30:00.000Z', 'America/New_York', '2026-10-31', 25],
  ['2026-11-20T00:00:00.000Z', 'Asia/Tokyo', '2026-11-20', 24],
])('at %s in %s it is the business day %s, of %i hours', (time, zone, date, hours) => {
  expect(businessDateOf(at(time), zone)).toBe(date)
  const { from, to } = businessDayRange(date, zone)
  expect((to - from) / HOUR).toBe(hours)
  expect(at(time) >= from && at(time) < to).toBe(true)
})

describe('business days', () => {
  const days: ReportDays = { kind: 'business', timezone: LONDON }

  test('hold the night after them: at two o’clock today is the day before', () => {
    const today = namedPeriod('today', at('2026-11-21T02:00:00Z'), days)
    expect(shown(today)).toEqual(['2026-11-20T05:00:00', '2026-11-21T02:00:00'])
    expect(shown(today.before)).toEqual(['2026-11-19T05:00:00', '2026-11-20T02:00:00'])
  })

  test('begin weeks and months, which are divided at the starts of days', () => {
    // Before 05:00 on the first of December it is still November, and on a Monday still Sunday.
    const month = namedPeriod('month', at('2026-12-01T04:59:59Z'), days)
    expect(shown(month)).toEqual(['2026-11-01T05:00:00', '2026-12-01T04:59:59'])
    expect(shown(month.before)[0]).toBe('2026-10-01T04:00:00')
    expect(shown(namedPeriod('week', at('2026-11-23T04:00:00Z'), days))[0]).toBe('2026-11-16T05:00:00')
    const parts = splitRange(month, 'day', days)
    expect(parts).toHaveLength(30)
    expect(parts.map(({ from }) => localTime(from, LONDON))).toEqual(Array(30).fill('05:00'))
    const range = rangePeriod(
      { from: month.from, to: at('2026-12-01T05:00:00Z') },
      at('2026-12-05T00:00:00Z'),
      days,
    )
    expect(shown(range.before)).toEqual(['2026-10-02T04:00:00', '2026-11-01T05:00:00'])
  })
})
