import { describe, expect, test } from 'vitest'
import { type OpeningHours, packWeek } from '../../src/core/opening-hours.ts'
import {
  CELL_MS,
  countCells,
  listOpenSlotStarts,
  listCells,
  listCellsWithin,
  localStart,
  makeSlotCalendar,
} from '../../src/core/slots.ts'
import { WEEKDAYS, type Weekday } from '../../src/core/time.ts'
import { fc } from '../support/properties.ts'

const LONDON = 'Europe/London'

const daily = (opens: string, closes: string, days: readonly Weekday[] = WEEKDAYS): OpeningHours[] =>
  days.map((day) => ({ day, opens, closes }))

type FreeSlotQuery = {
  date: string
  days?: number
  cells?: number
  taken?: string[]
  timezone?: string
  notBefore?: number
  daysOff?: string
}

/** Returns the open starts as UTC instants, `YYYY-MM-DDTHH:MM`. */
function open(hours: OpeningHours[], asked: FreeSlotQuery): string[] {
  const { date, days = 1, cells = 1, taken = [], timezone = LONDON, notBefore = 0, daysOff = '' } = asked
  const grid = makeSlotCalendar().grid({ week: packWeek(hours), timezone, daysOff }, date, days)
  const booked = new Set(taken.map((each) => Date.parse(`${each}Z`)))
  return listOpenSlotStarts(grid, booked, { cells, notBefore }).map((at) =>
    new Date(at).toISOString().slice(0, 16),
  )
}

const hoursOf = (starts: string[]): string[] => starts.map((each) => each.slice(11))

describe('on an ordinary day', () => {
  const hours = daily('09:00', '12:00')

  test('a job may begin every half hour as long as it ends within working hours', () => {
    expect(hoursOf(open(hours, { date: '2026-11-21' }))).toEqual([
      '09:00',
      '09:30',
      '10:00',
      '10:30',
      '11:00',
      '11:30',
    ])
    expect(hoursOf(open(hours, { date: '2026-11-21', cells: 4 }))).toEqual(['09:00', '09:30', '10:00'])
    expect(hoursOf(open(hours, { date: '2026-11-21', cells: 6 }))).toEqual(['09:00'])
    expect(open(hours, { date: '2026-11-21', cells: 7 })).toEqual([])
  })

  test('a booked half hour removes every start that would overlap it', () => {
    const taken = ['2026-11-21T10:30']
    expect(hoursOf(open(hours, { date: '2026-11-21', taken }))).not.toContain('10:30')
    expect(hoursOf(open(hours, { date: '2026-11-21', taken, cells: 2 }))).toEqual(['09:00', '09:30', '11:00'])
  })

  test('a start that is too soon is not open', () => {
    const notBefore = Date.parse('2026-11-21T10:00:00.001Z')
    expect(hoursOf(open(hours, { date: '2026-11-21', notBefore }))).toEqual(['10:30', '11:00', '11:30'])
    expect(hoursOf(open(hours, { date: '2026-11-21', notBefore: notBefore - 1 }))).toContain('10:00')
  })

  test('an incomplete half hour is not a start', () => {
    expect(hoursOf(open(daily('09:15', '10:30'), { date: '2026-11-21' }))).toEqual(['09:15', '09:45'])
  })

  test('no job runs through a break at noon', () => {
    const split = [...daily('09:00', '10:00'), ...daily('11:00', '12:00')]
    expect(hoursOf(open(split, { date: '2026-11-21', cells: 2 }))).toEqual(['09:00', '11:00'])
  })

  test('a day off and a day without hours have none', () => {
    expect(open(hours, { date: '2026-11-21', daysOff: '2026-11-21' })).toEqual([])
    expect(open(daily('09:00', '12:00', ['mon']), { date: '2026-11-21' })).toEqual([])
    expect(open(hours, { date: '2026-11-20', days: 3, daysOff: '2026-11-21' })).toHaveLength(12)
  })

  test('hours beyond midnight belong to the date of the start', () => {
    const night = daily('22:00', '02:00', ['fri'])
    expect(open(night, { date: '2026-11-20', cells: 4 })).toEqual([
      '2026-11-20T22:00',
      '2026-11-20T22:30',
      '2026-11-20T23:00',
      '2026-11-20T23:30',
    ])
    expect(open(night, { date: '2026-11-21', cells: 4 })).toEqual(['2026-11-21T00:00'])
  })

  test('a provider who works round the clock begins a job before midnight that ends after it', () => {
    const starts = open(daily('00:00', '00:00'), { date: '2026-11-21', cells: 18 })
    expect(starts).toHaveLength(48)
    expect(starts.at(-1)).toBe('2026-11-21T23:30')
  })

  test('the years after 9990 have no starts', () => {
    expect(open(hours, { date: '9999-12-31', days: 14 })).toEqual([])
  })
})

describe('on the day on which the clocks go forward', () => {
  // 2027-03-28: 01:00 GMT becomes 02:00 BST.
  test('a start that does not exist is skipped, and a job over it takes as long as ever', () => {
    const starts = open(daily('00:00', '04:00'), { date: '2027-03-28' })
    expect(starts.map((each) => localStart(Date.parse(`${each}Z`), LONDON).slice(11))).toEqual([
      '00:00:00+00:00',
      '00:30:00+00:00',
      '02:00:00+01:00',
      '02:30:00+01:00',
      '03:00:00+01:00',
      '03:30:00+01:00',
    ])
    // Three hours from midnight end at 04:00 by the clock.
    expect(hoursOf(open(daily('00:00', '04:00'), { date: '2027-03-28', cells: 6 }))).toEqual(['00:00'])
    expect(open(daily('00:00', '04:00'), { date: '2027-03-28', cells: 7 })).toEqual([])
  })

  test('hours that would open within the skipped one open after it', () => {
    expect(open(daily('01:30', '03:00'), { date: '2027-03-28' })).toEqual([
      '2027-03-28T01:00',
      '2027-03-28T01:30',
    ])
  })

  test('hours within the skipped one have no starts', () => {
    expect(open(daily('01:00', '02:00'), { date: '2027-03-28' })).toEqual([])
  })
})

describe('on the day on which the clocks go back', () => {
  // 2026-10-25: 02:00 BST becomes 01:00 GMT.
  test('a repeated start appears once, at its first offset', () => {
    const starts = open(daily('00:00', '03:00'), { date: '2026-10-25' })
    expect(starts.map((each) => localStart(Date.parse(`${each}Z`), LONDON).slice(11))).toEqual([
      '00:00:00+01:00',
      '00:30:00+01:00',
      '01:00:00+01:00',
      '01:30:00+01:00',
      '02:00:00+00:00',
      '02:30:00+00:00',
    ])
  })

  test('the repeated hour is worked: a job runs through it and blocks others there', () => {
    const hours = daily('00:00', '03:00')
    expect(open(hours, { date: '2026-10-25', cells: 8 })).toEqual(['2026-10-24T23:00'])
    expect(open(hours, { date: '2026-10-25', cells: 9 })).toEqual([])
    const taken = ['2026-10-25T01:00']
    expect(open(hours, { date: '2026-10-25', cells: 2, taken })).toEqual([
      '2026-10-24T23:00',
      '2026-10-24T23:30',
      '2026-10-25T00:00',
      '2026-10-25T02:00',
    ])
  })
})

test('where the clocks change by half an hour the grid follows local time', () => {
  // Lord Howe, 2026-10-04: 02:00 becomes 02:30.
  const asked = { date: '2026-10-04', timezone: 'Australia/Lord_Howe' }
  const starts = open(daily('01:00', '04:00'), asked)
  expect(
    starts.map((each) => localStart(Date.parse(`${each}Z`), 'Australia/Lord_Howe').slice(11, 16)),
  ).toEqual(['01:00', '01:30', '02:30', '03:00', '03:30'])
})

test('a zone with a quarter of an hour keeps its own half hours', () => {
  const starts = open(daily('09:00', '10:00'), { date: '2026-11-21', timezone: 'Asia/Kathmandu' })
  expect(starts).toEqual(['2026-11-21T03:15', '2026-11-21T03:45'])
})

test.each([
  [15, 0, 1],
  [30, 0, 1],
  [31, 0, 2],
  [60, 30, 3],
  [60, 15, 3],
  [45, 15, 2],
  [480, 30, 17],
])('%i minutes and a buffer of %i take %i half hours', (duration, buffer, cells) => {
  expect(countCells(duration, buffer)).toBe(cells)
})

test('a half hour that only touches a way from before or after it stays open', () => {
  const grid = makeSlotCalendar().grid(
    { week: packWeek(daily('09:00', '12:00')), timezone: LONDON, daysOff: '' },
    '2026-11-21',
    1,
  )
  const at = (time: string): number => Date.parse(`2026-11-21T${time}Z`)
  expect(listCellsWithin(grid, at('09:30'), at('10:30'))).toEqual([at('09:30'), at('10:00')])
  expect(listCellsWithin(grid, at('09:59'), at('10:01'))).toEqual([at('09:30'), at('10:00')])
})

describe('for any week, zone, day and bookings', () => {
  const spans = fc
    .tuple(fc.nat(47), fc.nat(47))
    .map(([from, to]): [string, string] => [clock(from), clock(to)])
  const weeks = fc
    .array(fc.tuple(fc.constantFrom(...WEEKDAYS), spans), { maxLength: 10 })
    .map((all) => all.map(([day, [opens, closes]]): OpeningHours => ({ day, opens, closes })))
  const zones = fc.constantFrom(LONDON, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC')
  const dates = fc.constantFrom(
    '2026-11-21',
    '2027-03-28',
    '2026-10-25',
    '2026-10-04',
    '2027-04-04',
    '2027-03-14',
  )
  const booked = fc.array(fc.nat(120), { maxLength: 20 })

  function clock(half: number): string {
    return `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`
  }

  test('starts for a longer job are among those for a shorter one, and no start overlaps a booking', () => {
    fc.assert(
      fc.property(
        weeks,
        zones,
        dates,
        booked,
        fc.integer({ min: 1, max: 18 }),
        (week, timezone, date, taken, cells) => {
          const grid = makeSlotCalendar().grid({ week: packWeek(week), timezone, daysOff: '' }, date, 2)
          const base = grid.starts[0] ?? 0
          const held = new Set(taken.map((each) => base + each * CELL_MS))
          const longer = listOpenSlotStarts(grid, held, { cells: cells + 1, notBefore: 0 })
          const shorter = listOpenSlotStarts(grid, held, { cells, notBefore: 0 })
          expect(shorter).toEqual(expect.arrayContaining(longer))
          for (const at of shorter) {
            for (const cell of listCells(at, cells)) {
              expect(held.has(cell)).toBe(false)
              expect(grid.runs.has(cell)).toBe(true)
            }
          }
          expect(shorter).toEqual([...new Set(shorter)].toSorted((a, b) => a - b))
          const walls = shorter.map((at) => localStart(at, timezone).slice(0, 16))
          expect(new Set(walls).size).toBe(walls.length)
        },
      ),
    )
  })
})
