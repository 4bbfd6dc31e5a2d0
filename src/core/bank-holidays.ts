/**
 * The bank holidays of England and Wales. `PUBLISHED` is the list of https://www.gov.uk/bank-holidays, which contains
 * public sector information licensed under the Open Government Licence v3.0. Other years follow the rules of that list.
 */
import holidays from '../reference-data/bank-holidays.json' with { type: 'json' }
import { MARKET_TIMEZONE } from './market.ts'
import { addDays, type Weekday, WEEKDAYS, toWeekdayNumber } from './time.ts'

/** Month and day of each holiday by year, with the substitute days. */
const PUBLISHED: Readonly<Record<string, string>> = holidays.published
/** Days on which everything is closed. On a weekend they are not bank holidays, so they are listed here. */
const ALWAYS_CLOSED = holidays.closed

const SUNDAY = 7
const years = new Map<string, ReadonlySet<string>>()

/**
 * Returns true for a bank holiday of England and Wales, and for 25 and 26 December and 1 January on any weekday.
 * `date` is `YYYY-MM-DD`.
 */
export function isHoliday(date: string): boolean {
  const year = date.slice(0, 4)
  const known = years.get(year) ?? listYear(year)
  years.set(year, known)
  return known.has(date.slice(5))
}

/** Returns the weekday (1 is Monday) with the hours that apply on a date: Sunday's on bank holidays of the market. */
export function workedWeekday(date: string, timezone: string): number {
  return timezone === MARKET_TIMEZONE && isHoliday(date) ? SUNDAY : toWeekdayNumber(date)
}

/**
 * Returns the bank holidays of a year by rule, ascending, as `MM-DD`. For the years of `PUBLISHED` the result is the
 * same.
 */
export function holidaysByRule(year: string): string[] {
  const easter = easterSunday(Number(year))
  const christmas = substituted(`${year}-12-25`, [])
  return [
    substituted(`${year}-01-01`, []),
    addDays(easter, -2),
    addDays(easter, 1),
    firstOn('mon', `${year}-05-01`),
    firstOn('mon', `${year}-05-25`),
    firstOn('mon', `${year}-08-25`),
    christmas,
    substituted(`${year}-12-26`, [christmas]),
  ]
    .map((date) => date.slice(5))
    .toSorted()
}

function listYear(year: string): ReadonlySet<string> {
  const published = Object.hasOwn(PUBLISHED, year) ? PUBLISHED[year]?.split(' ') : undefined
  return new Set([...(published ?? holidaysByRule(year)), ...ALWAYS_CLOSED])
}

/** Returns the date, or the next weekday that is not a holiday yet. */
function substituted(date: string, taken: readonly string[]): string {
  let day = date
  while (toWeekdayNumber(day) > 5 || taken.includes(day)) day = addDays(day, 1)
  return day
}

function firstOn(weekday: Weekday, from: string): string {
  let date = from
  while (WEEKDAYS[toWeekdayNumber(date) - 1] !== weekday) date = addDays(date, 1)
  return date
}

/** Returns the date of Easter Sunday in the Gregorian calendar, by the rule of Meeus, Jones and Butcher. */
function easterSunday(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const [d, e] = [Math.floor(b / 4), b % 4]
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const [i, k] = [Math.floor(c / 4), c % 4]
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const days = h + l - 7 * m + 114
  const [month, day] = [Math.floor(days / 31), (days % 31) + 1]
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
