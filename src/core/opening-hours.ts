import { workedWeekday } from './bank-holidays.ts'
import { type Weekday, WEEKDAYS } from './time.ts'

/**
 * Opening hours at one instant, for any number of places. It computes each zone's calendar and each week only once.
 * `week` is text that `packWeek` made. A place that is paused opens at the end of its pause at the earliest; without a pause
 * that is null.
 */
export type OpeningClock = {
  now: number
  isOpen(week: string, timezone: string, pausedUntil?: number | null): boolean
  /**
   * Returns the first instant, from the clock's instant on, at which it is open: that instant itself if it is open.
   * Undefined if it never opens, and during a pause without an end.
   */
  nextOpening(week: string, timezone: string, pausedUntil?: number | null): number | undefined
  /** Returns its next closing time in milliseconds; undefined when it is closed, or open round the clock. */
  closesAt(week: string, timezone: string): number | undefined
}

const DAY_MINUTES = 1440
const MINUTE = 60_000
/** The same weekday may be a holiday twice in a row, and a clock change may skip its hours the third time. */
const DAYS_AHEAD = 22

/** The end of a pause without an end: the last second of the year 9999, in milliseconds. */
export const NO_END = 253_402_300_799_000

/** Minutes of the week from Monday 00:00. `end` is up to a day after `start`, so on Sundays it exceeds the week. */
type WeekSpan = { start: number; end: number }

/**
 * Packs opening hours into text for a column, `660-1380,2100-2820;20812:;20818:600-780`: the week in minutes since Monday
 * 00:00, then single days as days since 1970 with minutes since midnight. All ascend.
 */
export function packWeek(hours: readonly OpeningHours[], dates: readonly DayHours[] = []): string {
  const week = packSpans(hours.map(({ day, ...times }) => spanOf(times, WEEKDAYS.indexOf(day) * DAY_MINUTES)))
  const days = dates
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
    .map(({ date, spans: own }) => `${numberOf(date)}:${packSpans(own.map((times) => spanOf(times)))}`)
  return [week, ...days].join(';')
}

/** Returns the weekly periods of a text that `packWeek` made; null stays null. */
export function unpackWeekHours(packed: string | null): OpeningHours[] | null {
  if (packed === null) return null
  return unpackWeek(packed).spans.map(({ start, end }) => {
    const day = WEEKDAYS[Math.floor(start / DAY_MINUTES)] ?? 'mon'
    return { day, opens: timeOf(start), closes: timeOf(end) }
  })
}

function timeOf(minute: number): string {
  const [hours, minutes] = [Math.floor((minute % DAY_MINUTES) / 60), minute % 60]
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}

/** Returns whether two of the periods of a week, or of the single day that `dates` are, meet. */
export function overlap(hours: readonly (DayTimes & { day?: Weekday })[]): boolean {
  const spans = hours
    .map(({ day = 'mon', ...times }) => spanOf(times, WEEKDAYS.indexOf(day) * DAY_MINUTES))
    .toSorted((a, b) => a.start - b.start)
  const [first] = spans
  const isWeek = hours.some(({ day }) => day !== undefined)
  const around = first !== undefined && isWeek ? [...spans, shifted(first, 7 * DAY_MINUTES)] : spans
  return around.some(({ start }, index) => index > 0 && start < (around[index - 1]?.end ?? 0))
}

function shifted({ start, end }: WeekSpan, minutes: number): WeekSpan {
  return { start: start + minutes, end: end + minutes }
}

function spanOf({ opens, closes }: DayTimes, midnight = 0): WeekSpan {
  const [from, to] = [minuteOf(opens), minuteOf(closes)]
  return shifted({ start: from, end: to + (to <= from ? DAY_MINUTES : 0) }, midnight)
}

function packSpans(spans: readonly WeekSpan[]): string {
  return spans
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end }) => `${start}-${end}`)
    .join(',')
}

/** Returns the days from 1970-01-01 to a date. */
function numberOf(date: string): number {
  return Date.parse(date) / (DAY_MINUTES * MINUTE)
}

/** Makes a clock for `now`, in milliseconds. A repeated local time means the first one; a skipped one moves later. */
export function makeOpeningClock(now: number): OpeningClock {
  return {
    now,
    isOpen: (week, timezone, pausedUntil = null) =>
      (pausedUntil ?? 0) <= now && isOpenAt(now, dayIn(timezone, now).around(week)),
    nextOpening: (week, timezone, pausedUntil = null) => {
      if (pausedUntil === NO_END) return undefined
      const from = Math.max(now, pausedUntil ?? 0)
      const day = dayIn(timezone, from)
      // The next weeks cost as much as a tenth of an order, and most orders come while it is open.
      if (isOpenAt(from, day.around(week))) return from
      return day
        .ahead(week)
        .map(({ opens }) => opens)
        .filter((opens) => opens > from)
        .toSorted((a, b) => a - b)[0]
    },
    closesAt: (week, timezone) => lastClosing(now, dayIn(timezone, now).ahead(week)),
  }
}

/**
 * Returns the end of the last opening that meets a stretch of at most a day, at the latest the end of the stretch, in
 * milliseconds; undefined where no opening meets it.
 */
export function lastClosingIn(
  week: string,
  timezone: string,
  { from, to }: { from: number; to: number },
): number | undefined {
  const met = listTimes(week, makeCalendar(from, timezone), 1).filter(
    ({ opens, closes }) => opens < to && closes > from,
  )
  return met.length === 0 ? undefined : Math.min(to, Math.max(...met.map(({ closes }) => closes)))
}

/** The openings of weeks beside one day of a zone: computed once, since no instant of the day changes them. */
type Day = {
  /** The openings that began yesterday or begin today. */
  around(week: string): readonly Times[]
  /** The same, and those of the days ahead. */
  ahead(week: string): readonly Times[]
  has(now: number): boolean
}

const days = new Map<string, Day>()

/** The weeks that a day remembers; a city has far fewer different ones. */
const WEEKS = 2000

function dayIn(timezone: string, now: number): Day {
  const known = days.get(timezone)
  if (known?.has(now)) return known
  const calendar = makeCalendar(now, timezone)
  const remember = (daysAhead: number): ((week: string) => readonly Times[]) => {
    const weeks = new Map<string, readonly Times[]>()
    return (week) => {
      const found = weeks.get(week) ?? listTimes(week, calendar, daysAhead)
      if (weeks.size >= WEEKS) weeks.clear()
      weeks.set(week, found)
      return found
    }
  }
  const day = { around: remember(0), ahead: remember(DAYS_AHEAD), has: calendar.isToday }
  days.set(timezone, day)
  return day
}

/** The start and end of one opening in milliseconds, half-open. */
type Times = { opens: number; closes: number }

function isOpenAt(at: number, times: readonly Times[]): boolean {
  return times.some(({ opens, closes }) => opens <= at && at < closes)
}

/**
 * Returns the end of a chain of openings in which each begins before the last one ends, as in a store that is open
 * round the clock.
 */
function lastClosing(now: number, times: readonly Times[]): number | undefined {
  let until = now
  for (;;) {
    let later = until
    for (const { opens, closes } of times) if (opens <= until && closes > later) later = closes
    if (later === until) break
    until = later
  }
  const known = now + (DAYS_AHEAD - 2) * DAY_MINUTES * MINUTE
  return until === now || until > known ? undefined : until
}

/** Returns every opening that began yesterday or begins within `daysAhead` days; behind single days of a year so many more. */
function listTimes(packed: string, { today, weekdayOn, instantOf }: Calendar, daysAhead: number): Times[] {
  const { spans, dates, last } = unpackWeek(packed)
  const first = numberOf(today)
  const end = daysAhead === 0 ? 0 : Math.max(daysAhead, last - first + daysAhead)
  const times: Times[] = []
  for (let ahead = -1; ahead <= end; ahead++) {
    const midnight = (weekdayOn(ahead) - 1) * DAY_MINUTES
    const usual = (): WeekSpan[] =>
      spans
        .filter(({ start }) => start >= midnight && start < midnight + DAY_MINUTES)
        .map((span) => shifted(span, -midnight))
    for (const { start, end: stop } of dates.get(first + ahead) ?? usual()) {
      const [opens, closes] = [instantOf(ahead, start), instantOf(ahead, stop)]
      if (opens < closes) times.push({ opens, closes })
    }
  }
  return times
}

function unpackWeek(packed: string): { spans: WeekSpan[]; dates: Map<number, WeekSpan[]>; last: number } {
  const [week = '', ...days] = packed.split(';')
  const dates = days.map((day): [number, WeekSpan[]] => {
    const [number, spans = ''] = day.split(':')
    return [Number(number), unpackSpans(spans)]
  })
  return { spans: unpackSpans(week), dates: new Map(dates), last: dates.at(-1)?.[0] ?? 0 }
}

function unpackSpans(spans: string): WeekSpan[] {
  if (spans === '') return []
  return spans.split(',').map((span) => {
    const [start = 0, end = 0] = span.split('-').map(Number)
    return { start, end }
  })
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** The days around an instant in a time zone. */
type Calendar = {
  today: string
  /** Returns the weekday (1 is Monday) with the hours that apply `daysAhead` days from today. */
  weekdayOn(daysAhead: number): number
  /** Returns whether an instant is surely of the same day; false on days beside a change of the clocks. */
  isToday(at: number): boolean
  /** Returns the instant of a minute, counted from the midnight that begins that day. */
  instantOf(daysAhead: number, minute: number): number
}

function makeCalendar(now: number, timezone: string): Calendar {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate()
  const days = new Map<number, { midnight: number; even: boolean }>()
  const weekdays = new Map<number, number>()
  const dayOf = (ahead: number) => {
    const known = days.get(ahead)
    if (known !== undefined) return known
    const [midnight, next] = [0, 1].map((more) => atMinute(today.add({ days: ahead + more }), 0, timezone))
    const made = { midnight: midnight ?? 0, even: next === (midnight ?? 0) + DAY_MINUTES * MINUTE }
    days.set(ahead, made)
    return made
  }
  return {
    today: today.toString(),
    isToday(at) {
      const { midnight } = dayOf(0)
      const calm = dayOf(-1).even && dayOf(0).even && dayOf(1).even
      return calm && midnight <= at && at < midnight + DAY_MINUTES * MINUTE
    },
    weekdayOn(ahead) {
      const known = weekdays.get(ahead) ?? workedWeekday(today.add({ days: ahead }).toString(), timezone)
      weekdays.set(ahead, known)
      return known
    },
    instantOf(ahead, minute) {
      const [day, rest] = [ahead + Math.floor(minute / DAY_MINUTES), minute % DAY_MINUTES]
      const { midnight, even } = dayOf(day)
      // Only on the two days when the clocks change must a minute be computed by the calendar.
      return even ? midnight + rest * MINUTE : atMinute(today.add({ days: day }), rest, timezone)
    },
  }
}

function atMinute(date: Temporal.PlainDate, minute: number, timezone: string): number {
  const plainTime = { hour: Math.floor(minute / 60), minute: minute % 60 }
  return date.toZonedDateTime({ timeZone: timezone, plainTime }).epochMilliseconds
}

/** A period of a day in local time, `HH:MM`. If it closes at or before it opens, it ends the next day. */
export type DayTimes = { opens: string; closes: string }

/** A period of one weekday. */
export type OpeningHours = DayTimes & { day: Weekday }

/** The hours of a single day, `YYYY-MM-DD`, in place of those of its weekday; without periods it is closed. */
export type DayHours = { date: string; spans: DayTimes[] }
