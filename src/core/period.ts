/** The periods of reports: days, weeks and months of a time zone, each with the period before it. */
import { addDays, localDate, toTimestamp } from './time.ts'

export const PERIOD_NAMES = ['today', 'yesterday', 'week', 'month'] as const

export type PeriodName = (typeof PERIOD_NAMES)[number]

/** Half-open, in milliseconds. */
export type Stretch = { from: number; to: number }

/** A period and the one before it, which has the same length by the calendar. */
export type Period = Stretch & {
  name: PeriodName | 'range'
  timezone: string
  /** True if it goes on; it then ends with the present moment, which it includes. */
  open: boolean
  before: Stretch
}

/** Returns the period that a word means at `now`. Weeks begin on Monday. */
export function namedPeriod(name: PeriodName, now: number, timezone: string): Period {
  const present = zoned(now, timezone)
  const today = present.startOfDay()
  if (name === 'yesterday') {
    const [from, before] = [dayBefore(today, { days: 1 }), dayBefore(today, { days: 2 })]
    return { name, timezone, open: false, ...stretch(from, today), before: stretch(before, from) }
  }
  const back = { today: { days: 1 }, week: { days: 7 }, month: { months: 1 } }[name]
  const from = {
    today,
    week: dayBefore(today, { days: today.dayOfWeek - 1 }),
    month: today.with({ day: 1 }).startOfDay(),
  }[name]
  const until = Math.min(present.subtract(back).epochMilliseconds + 1, from.epochMilliseconds)
  return {
    name,
    timezone,
    open: true,
    from: from.epochMilliseconds,
    to: now + 1,
    before: { from: dayBefore(from, back).epochMilliseconds, to: until },
  }
}

/**
 * Returns the period between two instants. The one before it has as many days if both begin a day, else as many
 * milliseconds. A period that ends after `now` is cut there, and so is the one before it.
 */
export function rangePeriod({ from, to }: Stretch, now: number, timezone: string): Period {
  const open = to > now
  const until = open ? now + 1 : to
  const [start, end] = [zoned(from, timezone), zoned(to, timezone)]
  const isWhole = [start, end].every((time) => time.equals(time.startOfDay()))
  const days = isWhole ? start.toPlainDate().until(end.toPlainDate()).days : undefined
  const back = (ms: number): number =>
    days === undefined ? ms - (to - from) : zoned(ms, timezone).subtract({ days }).epochMilliseconds
  const cut = open ? Math.min(back(now) + 1, from) : from
  const first = days === undefined ? back(from) : dayBefore(start, { days }).epochMilliseconds
  return { name: 'range', timezone, open, from, to: until, before: { from: first, to: cut } }
}

export type BucketUnit = 'hour' | 'day' | 'week' | 'month'

const DAY_MS = 86_400_000

/** Returns the unit that divides a period into parts that fit a screen. */
export function bucketUnit({ from, to }: Stretch): BucketUnit {
  const days = (to - from) / DAY_MS
  if (days <= 2.1) return 'hour'
  if (days <= 62.1) return 'day'
  return days <= 190 ? 'week' : 'month'
}

/** Divides a stretch at the full hours, midnights, Mondays or firsts of months of a time zone. */
export function divide({ from, to }: Stretch, unit: BucketUnit, timezone: string): Stretch[] {
  const parts: Stretch[] = []
  for (let start = from; start < to;) {
    const end = Math.min(to, nextStart(zoned(start, timezone), unit).epochMilliseconds)
    parts.push({ from: start, to: end })
    start = end
  }
  return parts
}

/** Returns the part in which an instant lies, by its position; undefined outside of all. The parts are in order. */
export function partOf(parts: readonly Stretch[], at: number): number | undefined {
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

/** Business days begin at this time of the store's clock: a night belongs to the day before. */
export const DAY_STARTS = '05:00'

/** Returns the stretch of a business day. Where the clocks change it has 23 or 25 hours. */
export function businessDay(date: string, timezone: string): Stretch {
  const start = (day: string): number =>
    Temporal.PlainDateTime.from(`${day}T${DAY_STARTS}`).toZonedDateTime(timezone).epochMilliseconds
  return { from: start(date), to: start(addDays(date, 1)) }
}

/** Returns the date of the business day in which an instant lies. */
export function businessDateOf(at: number, timezone: string): string {
  const date = localDate(at, timezone)
  return at < businessDay(date, timezone).from ? addDays(date, -1) : date
}

/** Formats the ends of a stretch as instants of a report. */
export function showStretch({ from, to }: Stretch): { from: string; to: string } {
  return { from: toTimestamp(from), to: toTimestamp(to) }
}

function nextStart(time: Temporal.ZonedDateTime, unit: BucketUnit): Temporal.ZonedDateTime {
  if (unit === 'hour') {
    // Never the hour that has begun: clocks that go back by half an hour would show it again.
    const { minute, second, millisecond } = time
    return time.add({ hours: 1 }).subtract({ minutes: minute, seconds: second, milliseconds: millisecond })
  }
  if (unit === 'day') return time.add({ days: 1 }).startOfDay()
  return unit === 'week'
    ? time.add({ days: 8 - time.dayOfWeek }).startOfDay()
    : time.with({ day: 1 }).add({ months: 1 }).startOfDay()
}

/** Returns the start of an earlier day. It may be later than midnight, which a change of the clocks can skip. */
function dayBefore(
  day: Temporal.ZonedDateTime,
  span: { days: number } | { months: number },
): Temporal.ZonedDateTime {
  return day.subtract(span).startOfDay()
}

function stretch(from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime): Stretch {
  return { from: from.epochMilliseconds, to: to.epochMilliseconds }
}

function zoned(ms: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone)
}
