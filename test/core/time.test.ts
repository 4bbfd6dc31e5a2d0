import { describe, expect, test } from 'vitest'
import {
  addDays,
  resolveLocalTime,
  isDate,
  localDate,
  startOfDay,
  localTime,
  parseDuration,
  parseTimestamp,
  parseWhen,
  toTimestamp,
  toWeekdayNumber,
} from '../../src/core/time.ts'
import { fc } from '../support/properties.ts'

const LONDON = 'Europe/London'
const at = (text: string) => Date.parse(text)

describe('timestamps', () => {
  test.each([
    ['2026-11-20T04:38:10.000Z', '2026-11-20T04:38:10.000Z'],
    ['2026-11-20T04:38:10Z', '2026-11-20T04:38:10.000Z'],
    ['2026-11-20t04:38:10z', '2026-11-20T04:38:10.000Z'],
    ['2026-11-20T04:38:10.5Z', '2026-11-20T04:38:10.500Z'],
    ['2026-11-20T04:38:10.123999999Z', '2026-11-20T04:38:10.123Z'],
    ['2026-11-20T06:38:10+02:00', '2026-11-20T04:38:10.000Z'],
    ['2026-11-19T23:08:10-05:30', '2026-11-20T04:38:10.000Z'],
    ['2026-11-20T04:38:10-00:00', '2026-11-20T04:38:10.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is read as %s', (text, expected) => {
    expect(toTimestamp(parseTimestamp(text) ?? Number.NaN)).toBe(expected)
  })

  test.each([
    '',
    '2026-11-20',
    '2026-11-20T04:38:10',
    '2026-11-20T04:38Z',
    '2026-11-20 04:38:10Z',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T23:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-11-20T04:38:10+24:00',
    '2026-11-20T04:38:10+01:60',
    '2026-11-20T04:38:10+0100',
    '2026-11-20T04:38:10.Z',
    '0000-01-01T00:00:00Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '10000-01-01T00:00:00Z',
    '+002026-11-20T04:38:10Z',
    ' 2026-11-20T04:38:10Z',
    '2026-11-20T04:38:10Z\n',
    '1795149490',
  ])('%j is refused', (text) => {
    expect(parseTimestamp(text)).toBeUndefined()
  })

  test('are read back as they were written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (ms) => {
        expect(parseTimestamp(toTimestamp(ms))).toBe(ms)
      }),
    )
  })
})

describe('dates', () => {
  test.each([
    ['2026-11-21', true],
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-1-1', false],
    ['1969-12-31', false],
    ['tomorrow', false],
    ['2026-11-21T00:00:00Z', false],
  ])('%s: %s', (text, expected) => {
    expect(isDate(text)).toBe(expected)
  })

  test('move by days over the ends of months, years and summer time', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2024-03-01', -1)).toBe('2024-02-29')
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
    expect(() => addDays('9999-12-31', 1)).toThrow(/beyond the year 9999/)
  })

  test('know their weekday', () => {
    expect(toWeekdayNumber('1970-01-01')).toBe(4)
    expect(toWeekdayNumber('2026-11-20')).toBe(5)
    expect(toWeekdayNumber('2026-11-22')).toBe(7)
    expect(toWeekdayNumber('2026-11-23')).toBe(1)
  })
})

describe('local time', () => {
  test('is that of the zone, in winter and in summer', () => {
    expect(localDate(at('2026-06-30T23:30:00Z'), LONDON)).toBe('2026-07-01')
    expect(localDate(at('2026-11-30T23:30:00Z'), LONDON)).toBe('2026-11-30')
    expect(localTime(at('2026-06-30T16:05:59Z'), LONDON)).toBe('17:05')
    expect(resolveLocalTime('2026-06-30', '17:00', LONDON)).toBe(at('2026-06-30T16:00:00Z'))
    expect(resolveLocalTime('2026-11-20', '17:00', LONDON)).toBe(at('2026-11-20T17:00:00Z'))
  })

  test('is the same whatever was asked before, also where a clock is set back just after midnight', () => {
    const places = [
      ['2026-11-20T23:59:00Z', LONDON],
      ['2006-10-29T01:20:00Z', 'America/St_Johns'],
    ] as const
    for (const [start, zone] of places) {
      const dateAt = (ms: number): string =>
        Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString()
      const near = Array.from({ length: 400 }, (_, step) => at(start) + step * 20_000)
      const dateByDate = near.toSorted((a, b) => dateAt(a).localeCompare(dateAt(b)))
      for (const asked of [near, dateByDate, dateByDate.toReversed(), near.toReversed()])
        expect(asked.map((ms) => localDate(ms, zone))).toEqual(asked.map(dateAt))
    }
  })

  test('changes at midnight to the millisecond, from whichever side it was asked before', () => {
    for (const zone of [LONDON, 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia']) {
      const midnight = startOfDay('2026-11-21', zone)
      const late = [-100, -1].map((ms) => midnight + ms)
      const early = [0, 1, 100].map((ms) => midnight + ms)
      for (const asked of [
        [...late, ...early],
        [...early, ...late].toReversed(),
        [...early, ...late, ...early],
      ])
        expect([zone, ...asked.map((ms) => localDate(ms, zone))]).toEqual([
          zone,
          ...asked.map((ms) => (ms < midnight ? '2026-11-20' : '2026-11-21')),
        ])
    }
  })

  test('that happens twice is the first, and that never happens moves on', () => {
    expect(resolveLocalTime('2026-10-25', '01:30', LONDON)).toBe(at('2026-10-25T00:30:00Z'))
    expect(resolveLocalTime('2026-03-29', '01:30', LONDON)).toBe(at('2026-03-29T01:30:00Z'))
  })
})

describe('durations', () => {
  test.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['3d', 259_200_000],
    ['1h30m', 5_400_000],
    ['500ms', 500],
    ['0s', 0],
    ['P1DT2H', 93_600_000],
    ['PT45M', 2_700_000],
    ['PT1S', 1000],
    ['P2D', 172_800_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  test.each([
    '',
    'h',
    '5',
    '-1h',
    '1.5h',
    '1h 30m',
    '30m1h',
    'P',
    'PT',
    'P1DT',
    'P1M',
    'P1Y',
    '1H',
    '99999999999999d',
  ])('%j is refused', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})

describe('a moment as people say it', () => {
  const now = at('2026-06-20T09:00:00Z')

  test.each([
    ['2026-11-21', '2026-11-21T00:00:00Z'],
    ['2026-07-21', '2026-07-20T23:00:00Z'],
    ['2026-11-21 14:00', '2026-11-21T14:00:00Z'],
    ['2026-11-21T14:00', '2026-11-21T14:00:00Z'],
    ['2026-11-21T14:00:00+02:00', '2026-11-21T12:00:00Z'],
    ['today', '2026-06-19T23:00:00Z'],
    ['tomorrow 14:00', '2026-06-21T13:00:00Z'],
    ['Tomorrow 9:05', '2026-06-21T08:05:00Z'],
    ['yesterday', '2026-06-18T23:00:00Z'],
    ['14:00', '2026-06-20T13:00:00Z'],
    ['tomorrow 9am', '2026-06-21T08:00:00Z'],
    ['tomorrow 2:30 PM', '2026-06-21T13:30:00Z'],
    ['2026-11-21 12am', '2026-11-21T00:00:00Z'],
    ['12pm', '2026-06-20T11:00:00Z'],
    ['6pm', '2026-06-20T17:00:00Z'],
    ['+2h', '2026-06-20T11:00:00Z'],
    ['-7d', '2026-06-13T09:00:00Z'],
    [' now ', '2026-06-20T09:00:00Z'],
  ])('%j is %s', (text, expected) => {
    expect(parseWhen(text, now, LONDON)).toBe(at(expected))
  })

  test.each([
    '',
    '2026-02-30',
    '2026-02-30 10:00',
    'tomorrow 24:00',
    'soon',
    '13pm',
    '0am',
    'pm',
    'tomorrow9am',
    '+',
    '+2',
    '-99999d',
    '2026-11-21 1400',
  ])('%j is refused', (text) => {
    expect(parseWhen(text, now, LONDON)).toBeUndefined()
  })
})
