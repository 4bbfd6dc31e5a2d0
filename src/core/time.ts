const SECOND = 1000
const DAY = 86_400_000
const YEAR_10000 = 253_402_300_800_000

/** Weekdays as in the interface, from Monday: `WEEKDAYS[toWeekdayNumber(date) - 1]`. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export type Weekday = (typeof WEEKDAYS)[number]

const UNITS = { d: DAY, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const

let latest = { ms: 0, text: new Date(0).toISOString() }

/** Formats milliseconds as RFC 3339 in UTC: `2026-11-20T04:38:10.000Z`. A call asks for the same instant many times. */
export function toTimestamp(ms: number): string {
  if (ms !== latest.ms) latest = { ms, text: new Date(ms).toISOString() }
  return latest.text
}

/**
 * Parses an RFC 3339 instant with any offset into milliseconds; undefined for other text
 * (docs/rules/time-and-places.md#times-are-instants-dates-are-local). Accepts years 1970 to 9999;
 * rejects February 30th, 24:00 and leap seconds; cuts off digits after the milliseconds.
 */
export function parseTimestamp(text: string): number | undefined {
  const match =
    /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/.exec(
      text,
    )
  if (match === null) return undefined
  const [, date = '', hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match
  const day = dayOf(date)
  if (day === undefined) return undefined
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -60_000 : 60_000)
  const time = (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * 1000
  const ms = day + time + Number(fraction.slice(0, 3).padEnd(3, '0')) - offset
  return isRepresentable(ms) ? ms : undefined
}

/**
 * Returns the end of a sentence about a rejected time: it names the service's clock, since a caller's clock may
 * differ.
 */
export function describeServiceClock(now: number, timezone?: string): string {
  const local = timezone === undefined ? '' : `, ${localDate(now, timezone)} in ${timezone}`
  return `by the service's clock it is ${toTimestamp(now)}${local}`
}

/** Returns a sentence for an instant that must be in the future; with a zone, for a date. */
export function describePastTime(name: string, now: number, timezone?: string): string {
  return `${name} is in the past: ${describeServiceClock(now, timezone)}`
}

/** Returns whether the text is a calendar date `YYYY-MM-DD` of the years 1970 to 9999. */
export function isDate(text: string): boolean {
  return dayOf(text) !== undefined
}

/** The last span of instants on one date in each zone: most calls ask for the date of the present. */
const spans = new Map<string, { from: number; to: number; date: string }>()
/** A clock that is set back just after midnight leaves a date for a minute, which no span may contain. */
const MAX_CLOCK_STEP_MS = 60_000

/** Returns the local date at an instant in an IANA zone. */
export function localDate(ms: number, timezone: string): string {
  const span = spans.get(timezone)
  if (span !== undefined && span.from <= ms && ms <= span.to) return span.date
  const date = toZonedTime(ms, timezone).toPlainDate().toString()
  if (span?.date === date && ms > span.to && ms - span.to < MAX_CLOCK_STEP_MS) span.to = ms
  else spans.set(timezone, { from: ms, to: ms, date })
  return date
}

/** Returns the local time, `HH:MM`, at an instant in an IANA zone. */
export function localTime(ms: number, timezone: string): string {
  return toZonedTime(ms, timezone).toPlainTime().toString({ smallestUnit: 'minute' })
}

/** Returns the local date and time, `YYYY-MM-DD HH:MM`, at an instant in an IANA zone. */
export function formatLocalDateTime(ms: number, timezone: string): string {
  return `${localDate(ms, timezone)} ${localTime(ms, timezone)}`
}

/**
 * Returns the instant of `HH:MM` on a date in an IANA zone. A repeated time means the first one; a skipped one moves
 * later.
 */
export function resolveLocalTime(date: string, time: string, timezone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: timezone, plainTime: time })
    .epochMilliseconds
}

/** Returns the instant at which a date begins in an IANA zone: midnight, or later where the clocks skip midnight. */
export function startOfDay(date: string, timezone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds
}

/** Returns the milliseconds of a validated instant, or of a date's start in an IANA zone; undefined without one. */
export function toInstant(given: string | undefined, timezone: string): number | undefined {
  if (given === undefined) return undefined
  return isDate(given) ? startOfDay(given, timezone) : (parseTimestamp(given) ?? 0)
}

/** Returns the middle of two instants, rounded to a second. */
export function midway(from: number, to: number): number {
  return from + Math.round((to - from) / 2 / SECOND) * SECOND
}

/** Returns the date a number of days later. Throws RangeError beyond the year 9999, where dates have another form. */
export function addDays(date: string, days: number): string {
  const ms = Date.parse(date) + days * DAY
  if (ms >= YEAR_10000) throw new RangeError(`${days} days after ${date} is beyond the year 9999`)
  return toTimestamp(ms).slice(0, 10)
}

/** Returns the weekday of a date: 1 is Monday, 7 is Sunday. */
export function toWeekdayNumber(date: string): 1 | 2 | 3 | 4 | 5 | 6 | 7 {
  // 1970-01-01 was a Thursday
  return (((((Date.parse(date) / DAY + 3) % 7) + 7) % 7) + 1) as 1 | 2 | 3 | 4 | 5 | 6 | 7
}

/**
 * Parses a duration into milliseconds: `90s`, `15m`, `2h`, `3d`, `1h30m`, `P1DT2H`, `PT45M`; undefined for other
 * text.
 */
export function parseDuration(text: string): number | undefined {
  const match =
    /^(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text) ??
    /^P(?=[\dT])(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text)
  if (match === null) return undefined
  const [, d = '0', h = '0', m = '0', s = '0', ms = '0'] = match
  const total =
    Number(d) * UNITS.d +
    Number(h) * UNITS.h +
    Number(m) * UNITS.m +
    Number(s) * UNITS.s +
    Number(ms) * UNITS.ms
  return Number.isSafeInteger(total) ? total : undefined
}

/**
 * Parses an instant as people write it: `2026-11-21`, `2026-11-21 14:00`, `tomorrow 14:00`, `today`, `14:00`, `2pm`,
 * `now`, `+2h`, `-7d` or RFC 3339. A date without a time means its start in the zone. Undefined for other text.
 */
export function parseWhen(text: string, now: number, timezone: string): number | undefined {
  const words = text.trim()
  if (words.toLowerCase() === 'now') return now
  if (words.startsWith('+') || words.startsWith('-')) {
    const span = parseDuration(words.slice(1))
    const ms = span === undefined ? undefined : now + (words.startsWith('-') ? -span : span)
    return ms !== undefined && isRepresentable(ms) ? ms : undefined
  }
  const local = readLocal(words, now, timezone)
  const instant = parseTimestamp(words)
  if (instant !== undefined || local === undefined) return instant
  return local.time === undefined
    ? startOfDay(local.date, timezone)
    : resolveLocalTime(local.date, local.time, timezone)
}

/**
 * Returns what the clocks of the zone do at a local time that people write, when they change then: they skip it, or
 * repeat it. `later` is the second of two instants, or the skipped time moved to after the change.
 */
export function findClockChange(
  text: string,
  now: number,
  timezone: string,
): { kind: 'skipped' | 'repeated'; later: number } | undefined {
  const { date, time } = readLocal(text.trim(), now, timezone) ?? {}
  if (date === undefined || time === undefined) return undefined
  const typed = Temporal.PlainDateTime.from(`${date}T${time}`)
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
    typed.toZonedDateTime(timezone, { disambiguation }),
  )
  if (first === undefined || second === undefined || first.equals(second)) return undefined
  const kind = second.toPlainDateTime().equals(typed) ? 'repeated' : 'skipped'
  return { kind, later: second.epochMilliseconds }
}

/** Returns `tomorrow 14:30` for `tomorrow 2:30pm`; other text as it is. Midnight is 12am, noon 12pm. */
function withoutHalves(words: string): string {
  return words.replace(
    /(?<=^|[ t])(0?[1-9]|1[0-2])(:[0-5]\d)? ?([ap])m$/,
    (_, hour: string, minute = ':00', half: string) =>
      `${(Number(hour) % 12) + (half === 'p' ? 12 : 0)}${minute}`,
  )
}

/** Parses a date, a time of day or both; the date is today's without one. */
function readLocal(
  typed: string,
  now: number,
  timezone: string,
): { date: string; time: string | undefined } | undefined {
  const words = withoutHalves(typed.toLowerCase())
  const match = /^(today|tomorrow|yesterday|\d{4}-\d\d-\d\d)?(?:(?:^|[ t])([01]?\d|2[0-3]):([0-5]\d))?$/.exec(
    words,
  )
  if (match === null || words === '') return undefined
  const [, day = 'today', hour, minute = '00'] = match
  const date = dateOf(day, now, timezone)
  if (!isDate(date)) return undefined
  return { date, time: hour === undefined ? undefined : `${hour.padStart(2, '0')}:${minute}` }
}

function dateOf(day: string, now: number, timezone: string): string {
  const today = () => localDate(now, timezone)
  if (day === 'today') return today()
  if (day === 'tomorrow') return addDays(today(), 1)
  return day === 'yesterday' ? addDays(today(), -1) : day
}

/** Returns an instant, in milliseconds, as the clocks of a time zone show it. */
export function toZonedTime(ms: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone)
}

/** Returns the milliseconds of a date's midnight in UTC, or undefined when the calendar has no such date. */
function dayOf(date: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return undefined
  const ms = Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8)))
  return isRepresentable(ms) && toTimestamp(ms).startsWith(date) ? ms : undefined
}

function isRepresentable(ms: number): boolean {
  return ms >= 0 && ms < YEAR_10000
}

/** Half-open, milliseconds. */
export type TimeWindow = { starts_at: number; ends_at: number }

/** Formats milliseconds as an instant of a response; null stays null. */
export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms)
}

/** Formats a span as two instants of a response; null stays null. */
export function serializeTimeWindow(span: TimeWindow | null): { starts_at: string; ends_at: string } | null {
  return span && { starts_at: toTimestamp(span.starts_at), ends_at: toTimestamp(span.ends_at) }
}

/** Returns `45 min`, `2 h`, `2 h 30 min`. */
export function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : '']
    .filter((part) => part !== '')
    .join(' ')
}
