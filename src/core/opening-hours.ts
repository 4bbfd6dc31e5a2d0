import { workedWeekday } from './bank-holidays.ts'
import { type Weekday, WEEKDAYS } from './time.ts'

/**
 * Answers about one moment for any number of places: what a zone's calendar says is worked out once for each zone, and
 * each week only once, however many places keep it. `week` is text that `packWeek` made.
 */
export type OpeningClock = {
  isOpen(week: string, timezone: string): boolean
  /** The first instant, from the moment on, at which it is open: the moment itself when it is. Undefined when it never opens. */
  nextOpening(week: string, timezone: string): number | undefined
  /** When it closes next, in milliseconds; undefined when it is closed or open round the clock. */
  closesAt(week: string, timezone: string): number | undefined
}

const DAY_MINUTES = 1440
const MINUTE = 60_000
/** A day of the week can be a holiday twice in a row, and the third time its hours can be skipped by the clocks. */
const DAYS_AHEAD = 22

/** Minutes of the week, Monday 00:00 is 0; `end` is up to a day after `start`, on Sundays beyond the week. */
type Span = { start: number; end: number }

/** A week as compact text for a column, `660-1380,2100-2820`: minutes since Monday 00:00, in their order. */
export function packWeek(hours: readonly OpeningHours[]): string {
  return hours
    .map(({ day, opens, closes }) => {
      const midnight = WEEKDAYS.indexOf(day) * DAY_MINUTES
      const [from, to] = [minuteOf(opens), minuteOf(closes)]
      return { start: midnight + from, end: midnight + to + (to <= from ? DAY_MINUTES : 0) }
    })
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end }) => `${start}-${end}`)
    .join(',')
}

/** Opening hours as of `now`, in milliseconds. A repeated local time is the first one, a skipped one moves on. */
export function makeOpeningClock(now: number): OpeningClock {
  const zones = new Map<string, { calendar: Calendar; open: Map<string, boolean> }>()
  const zone = (timezone: string) => {
    const known = zones.get(timezone)
    if (known !== undefined) return known
    const made = { calendar: makeCalendar(now, timezone), open: new Map<string, boolean>() }
    zones.set(timezone, made)
    return made
  }
  return {
    isOpen(week, timezone) {
      const { calendar, open } = zone(timezone)
      const known = open.get(week)
      if (known !== undefined) return known
      const found = isOpenAt(now, listTimes(week, calendar, 0))
      open.set(week, found)
      return found
    },
    nextOpening: (week, timezone) => {
      const times = listTimes(week, zone(timezone).calendar, DAYS_AHEAD)
      if (isOpenAt(now, times)) return now
      return times
        .map(({ opens }) => opens)
        .filter((opens) => opens > now)
        .toSorted((a, b) => a - b)[0]
    },
    closesAt: (week, timezone) => lastClosing(now, listTimes(week, zone(timezone).calendar, DAYS_AHEAD)),
  }
}

/** Instants of one opening, half-open. */
type Times = { opens: number; closes: number }

function isOpenAt(at: number, times: readonly Times[]): boolean {
  return times.some(({ opens, closes }) => opens <= at && at < closes)
}

/** Follows openings that begin before the one before them ends, as those of a store that is open round the clock do. */
function lastClosing(now: number, times: readonly Times[]): number | undefined {
  let until = now
  for (;;) {
    const later = times.filter(({ opens, closes }) => opens <= until && until < closes)
    if (later.length === 0) break
    until = Math.max(...later.map(({ closes }) => closes))
  }
  const known = now + (DAYS_AHEAD - 2) * DAY_MINUTES * MINUTE
  return until === now || until > known ? undefined : until
}

/** Every opening that began yesterday or begins up to so many days from today. */
function listTimes(week: string, { weekdayOn, instantOf }: Calendar, daysAhead: number): Times[] {
  const spans = unpackWeek(week)
  const times: Times[] = []
  for (let ahead = -1; ahead <= daysAhead; ahead++) {
    const midnight = (weekdayOn(ahead) - 1) * DAY_MINUTES
    for (const { start, end } of spans) {
      if (start < midnight || start >= midnight + DAY_MINUTES) continue
      const [opens, closes] = [instantOf(ahead, start - midnight), instantOf(ahead, end - midnight)]
      if (opens < closes) times.push({ opens, closes })
    }
  }
  return times
}

function unpackWeek(week: string): Span[] {
  if (week === '') return []
  return week.split(',').map((span) => {
    const [start = 0, end = 0] = span.split('-').map(Number)
    return { start, end }
  })
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** The days around a moment in a zone. */
type Calendar = {
  /** Whose hours are kept so many days from today: 1 is Monday. */
  weekdayOn(daysAhead: number): number
  /** The instant of a minute counted from the midnight that begins the day so many days from today. */
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
    weekdayOn(ahead) {
      const known = weekdays.get(ahead) ?? workedWeekday(today.add({ days: ahead }).toString(), timezone)
      weekdays.set(ahead, known)
      return known
    },
    instantOf(ahead, minute) {
      const [day, rest] = [ahead + Math.floor(minute / DAY_MINUTES), minute % DAY_MINUTES]
      const { midnight, even } = dayOf(day)
      // Only on the two days of the year on which the clocks change is a day's minute not where it always is.
      return even ? midnight + rest * MINUTE : atMinute(today.add({ days: day }), rest, timezone)
    },
  }
}

function atMinute(date: Temporal.PlainDate, minute: number, timezone: string): number {
  const plainTime = { hour: Math.floor(minute / 60), minute: minute % 60 }
  return date.toZonedDateTime({ timeZone: timezone, plainTime }).epochMilliseconds
}

/** A stretch of one weekday in local time, `HH:MM`; one that closes at or before it opens ends the next day. */
export type OpeningHours = {
  day: Weekday
  opens: string
  closes: string
}
