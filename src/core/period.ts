/** The periods of reports: days, weeks and months of a time zone, each with the period before it. */
import {
  addDays,
  resolveLocalTime,
  isDate,
  localDate,
  parseTimestamp,
  startOfDay,
  toTimestamp,
  toZonedTime,
  toWeekdayNumber,
} from './time.ts'

export const PERIOD_NAMES = ['today', 'yesterday', 'week', 'month'] as const

export type PeriodName = (typeof PERIOD_NAMES)[number]

/** Half-open, in milliseconds (docs/rules/time-and-places.md#ranges-are-half-open). */
export type TimeRange = { from: number; to: number }

/** The start of a day: midnight, or the business day of a store, which begins at `BUSINESS_DAY_START`. */
export type DayKind = 'calendar' | 'business'

/** The days by which a report counts. */
export type ReportDays = { kind: DayKind; timezone: string }

/** A period and the one before it, which has the same length by the calendar. */
export type Period = TimeRange & {
  name: PeriodName | 'range'
  timezone: string
  days: DayKind
  /** True if it goes on; it then ends with the present moment, which it includes. */
  open: boolean
  before: TimeRange
}

/**
 * Business days begin at this time of the store's clock: a night belongs to the day before
 * (docs/rules/money.md#a-business-day-ends-at-five-in-the-morning).
 */
export const BUSINESS_DAY_START = '05:00'

/** Returns the instant at which a day begins. */
export function startOfReportDay(date: string, { kind, timezone }: ReportDays): number {
  return kind === 'calendar'
    ? startOfDay(date, timezone)
    : resolveLocalTime(date, BUSINESS_DAY_START, timezone)
}

/** Returns the date of the day in which an instant lies. */
export function toReportDate(at: number, days: ReportDays): string {
  const date = localDate(at, days.timezone)
  return at < startOfReportDay(date, days) ? addDays(date, -1) : date
}

/** Returns the period that a word means at `now`. Weeks begin on Monday. */
export function namedPeriod(name: PeriodName, now: number, days: ReportDays): Period {
  const { kind, timezone } = days
  const today = toReportDate(now, days)
  const start = (date: string): number => startOfReportDay(date, days)
  if (name === 'yesterday') {
    const [from, before] = [start(addDays(today, -1)), start(addDays(today, -2))]
    return {
      name,
      timezone,
      days: kind,
      open: false,
      from,
      to: start(today),
      before: { from: before, to: from },
    }
  }
  const back = { today: { days: 1 }, week: { days: 7 }, month: { months: 1 } }[name]
  const first = { today, week: addDays(today, 1 - toWeekdayNumber(today)), month: `${today.slice(0, 7)}-01` }[
    name
  ]
  const from = start(first)
  const until = Math.min(toZonedTime(now, timezone).subtract(back).epochMilliseconds + 1, from)
  return {
    name,
    timezone,
    days: kind,
    open: true,
    from,
    to: now + 1,
    before: { from: start(Temporal.PlainDate.from(first).subtract(back).toString()), to: until },
  }
}

/**
 * Returns the period between two instants. The one before it has as many days if both begin a day, else as many
 * milliseconds. A period that ends after `now` is cut there, and so is the one before it.
 */
export function rangePeriod({ from, to }: TimeRange, now: number, days: ReportDays): Period {
  const { kind, timezone } = days
  const open = to > now
  const until = open ? now + 1 : to
  const [first, last] = [toReportDate(from, days), toReportDate(to, days)]
  const isWhole = from === startOfReportDay(first, days) && to === startOfReportDay(last, days)
  const count = isWhole ? daysBetween(first, last) : undefined
  const back = (ms: number): number =>
    count === undefined
      ? ms - (to - from)
      : toZonedTime(ms, timezone).subtract({ days: count }).epochMilliseconds
  const cut = open ? Math.min(back(now) + 1, from) : from
  const start = count === undefined ? back(from) : startOfReportDay(addDays(first, -count), days)
  return { name: 'range', timezone, days: kind, open, from, to: until, before: { from: start, to: cut } }
}

/** Returns how many days after the first date the last one is; below 0 for an earlier one. */
export function daysBetween(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS)
}

export type BucketUnit = 'hour' | 'day' | 'week' | 'month'

const DAY_MS = 86_400_000

/** Returns the unit that divides a period into parts that fit a screen. */
export function bucketUnit({ from, to }: TimeRange): BucketUnit {
  const days = (to - from) / DAY_MS
  if (days <= 2.1) return 'hour'
  if (days <= 62.1) return 'day'
  return days <= 190 ? 'week' : 'month'
}

/** Divides a stretch at the full hours, starts of days, Mondays or firsts of months of a time zone. */
export function splitRange({ from, to }: TimeRange, unit: BucketUnit, days: ReportDays): TimeRange[] {
  const parts: TimeRange[] = []
  for (let start = from; start < to;) {
    const end = Math.min(to, nextStart(start, unit, days))
    parts.push({ from: start, to: end })
    start = end
  }
  return parts
}

/** Returns the part in which an instant lies, by its position; undefined outside of all. The parts are in order. */
export function bucketIndex(parts: readonly TimeRange[], at: number): number | undefined {
  let [low, high] = [0, parts.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const { from = 0, to = 0 } = parts[middle] ?? {}
    if (at < from) high = middle - 1
    else if (at >= to) low = middle + 1
    else return middle
  }
  return undefined
}

/** Returns the stretch of a business day. Where the clocks change it has 23 or 25 hours. */
export function businessDayRange(date: string, timezone: string): TimeRange {
  const start = (day: string): number => startOfReportDay(day, { kind: 'business', timezone })
  return { from: start(date), to: start(addDays(date, 1)) }
}

/** Returns the date of the business day in which an instant lies. */
export function businessDateOf(at: number, timezone: string): string {
  return toReportDate(at, { kind: 'business', timezone })
}

/** Returns the milliseconds of a validated instant, or of a business day's start; undefined without one. */
export function toBusinessInstant(given: string | undefined, timezone: string): number | undefined {
  if (given === undefined) return undefined
  return isDate(given)
    ? startOfReportDay(given, { kind: 'business', timezone })
    : (parseTimestamp(given) ?? 0)
}

/** Formats the ends of a stretch as instants of a report. */
export function formatTimeRange({ from, to }: TimeRange): { from: string; to: string } {
  return { from: toTimestamp(from), to: toTimestamp(to) }
}

function nextStart(at: number, unit: BucketUnit, days: ReportDays): number {
  if (unit === 'hour') {
    const time = toZonedTime(at, days.timezone)
    // Never the hour that has begun: clocks that go back by half an hour would show it again.
    const { minute, second, millisecond } = time
    return time.add({ hours: 1 }).subtract({ minutes: minute, seconds: second, milliseconds: millisecond })
      .epochMilliseconds
  }
  const date = toReportDate(at, days)
  if (unit === 'month') return startOfReportDay(nextMonth(date), days)
  return startOfReportDay(addDays(date, unit === 'day' ? 1 : 8 - toWeekdayNumber(date)), days)
}

/** Returns the first of the month after that of a date. */
function nextMonth(date: string): string {
  return Temporal.PlainDate.from(date).with({ day: 1 }).add({ months: 1 }).toString()
}
