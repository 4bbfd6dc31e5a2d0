/**
 * When somebody who travels to the customer can begin (`contract.md` B6, A4). Pure. Working hours are cut into half
 * hours of local time, each an instant: one that the clocks skip is none, one that they repeat is its first.
 */
import { workedWeekday } from './bank-holidays.ts'
import { addDays, atLocal } from './time.ts'

/** One half hour of a working day. */
export const CELL_MS = 1_800_000
/** Nobody begins sooner than this from now. */
export const LEAD_MS = 3_600_000

const MINUTE = 60_000
const CELL_MINUTES = 30
const DAY_MINUTES = 1440
/** Beyond this no day of work is looked for: dates have another form from the year 10000 on. */
const LAST_DATE = '9990-01-01'

/** `week` as `packWeek` made it; `daysOff` are local dates, apart by spaces. */
export type WorkingTime = { week: string; timezone: string; daysOff: string }

/** How many half hours a job takes of a day, what comes after it included. */
export function cellsOf(durationMinutes: number, bufferMinutes: number): number {
  return Math.ceil((durationMinutes + bufferMinutes) / CELL_MINUTES)
}

/** The instants of the half hours that a job takes, ascending. */
export function listCells(startsAt: number, cells: number): number[] {
  return Array.from({ length: cells }, (_, index) => startsAt + index * CELL_MS)
}

/** What is worked on some days in a row. */
export type Grid = {
  /** Where a job may begin on those days, ascending. */
  starts: readonly number[]
  /** How many half hours are worked in a row from each one on, until the end of the day after. */
  runs: ReadonlyMap<number, number>
  /** The instants that all of them lie in, half-open; undefined when there is none. */
  span: { starts_at: number; ends_at: number } | undefined
}

export type SlotCalendar = {
  /** The grid of so many local dates from one on; worked out once for all who work alike. */
  grid(time: WorkingTime, date: string, days: number): Grid
}

/** Answers for any number of people: each zone's days and each week are worked out only once. */
export function makeSlotCalendar(): SlotCalendar {
  const zones = new Map<string, Zone>()
  const grids = new Map<string, Grid>()
  return {
    grid(time, date, days) {
      const { week, timezone, daysOff } = time
      const key = `${timezone}|${date}|${days}|${week}|${daysOff}`
      const known = grids.get(key)
      if (known !== undefined) return known
      const zone = zones.get(timezone) ?? makeZone(timezone)
      zones.set(timezone, zone)
      const made = makeGrid(zone, time, date, days)
      grids.set(key, made)
      return made
    },
  }
}

type Asked = {
  cells: number
  notBefore: number
  limit?: number
  /** Whether the ways to and from other visits leave a start. */
  isReachable?: ((at: number) => boolean) | undefined
}

/**
 * The starts, not before an instant, from which on so many half hours are worked in a row and none is taken: what is
 * open for a longer job is open for a shorter one.
 */
export function findOpenStarts(
  { starts, runs }: Grid,
  taken: ReadonlySet<number>,
  { cells, notBefore, limit = Infinity, isReachable }: Asked,
): number[] {
  const open: number[] = []
  for (const at of starts) {
    if (at < notBefore || (runs.get(at) ?? 0) < cells) continue
    if (taken.size > 0 && isTaken(at, cells, taken)) continue
    if (isReachable?.(at) === false) continue
    if (open.push(at) >= limit) break
  }
  return open
}

/** The half hours of a grid that lie in [from, until), even in part, ascending. */
export function listCellsWithin({ runs }: Grid, from: number, until: number): number[] {
  if (from >= until) return []
  return [...runs.keys()].filter((at) => at < until && at + CELL_MS > from).toSorted((a, b) => a - b)
}

/** The start on the wall where it is: `2026-11-21T09:00:00+00:00`. */
export function localStart(at: number, timezone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timezone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' })
}

function isTaken(at: number, cells: number, taken: ReadonlySet<number>): boolean {
  for (let index = 0; index < cells; index++) if (taken.has(at + index * CELL_MS)) return true
  return false
}

/** Yesterday's hours may end today, and a job may go on into tomorrow. */
function makeGrid(zone: Zone, { week, daysOff }: WorkingTime, from: string, days: number): Grid {
  if (from > LAST_DATE) return { starts: [], runs: new Map(), span: undefined }
  const off = new Set(daysOff.split(' '))
  const spans = unpackWeek(week)
  const worked = new Map<number, boolean>()
  for (let ahead = -1; ahead <= days; ahead++) {
    const date = addDays(from, ahead)
    if (!off.has(date)) addDay(worked, zone, spans, date)
  }
  const [begins, ends] = [zone.day(from).midnight, zone.day(addDays(from, days)).midnight]
  const cells = [...worked.keys()].toSorted((a, b) => a - b)
  const runs = new Map<number, number>()
  for (const at of cells.toReversed()) runs.set(at, 1 + (runs.get(at + CELL_MS) ?? 0))
  const [first, last] = [cells[0], cells.at(-1)]
  return {
    starts: cells.filter((at) => worked.get(at) === true && at >= begins && at < ends),
    runs,
    span:
      first === undefined || last === undefined ? undefined : { starts_at: first, ends_at: last + CELL_MS },
  }
}

/** The half hours of what begins on a date, with whether a job may begin there. */
function addDay(worked: Map<number, boolean>, zone: Zone, spans: readonly Span[], date: string): void {
  const midnight = (zone.weekday(date) - 1) * DAY_MINUTES
  for (const { start, end } of spans) {
    if (start < midnight || start >= midnight + DAY_MINUTES) continue
    let last: number | undefined
    for (let minute = start; minute + CELL_MINUTES <= end; minute += CELL_MINUTES) {
      const at = zone.instantOf(date, minute - midnight)
      if (at === undefined) continue
      // The hour that the clocks repeat is worked, but begins nothing.
      for (let again = (last ?? at) + CELL_MS; again < at; again += CELL_MS) worked.set(again, false)
      worked.set(at, true)
      last = at
    }
  }
}

/** Minutes of the week, Monday 00:00 is 0; `end` may be on the next day. */
type Span = { start: number; end: number }

function unpackWeek(week: string): Span[] {
  if (week === '') return []
  return week.split(',').map((span) => {
    const [start = 0, end = 0] = span.split('-').map(Number)
    return { start, end }
  })
}

type Day = { midnight: number; even: boolean }

type Zone = {
  day(date: string): Day
  /** Whose hours are kept on a date: 1 is Monday. */
  weekday(date: string): number
  /** The instant of a local minute counted from the midnight of a date, the first of two; undefined when it is skipped. */
  instantOf(date: string, minute: number): number | undefined
}

function makeZone(timezone: string): Zone {
  const days = new Map<string, Day>()
  const day = (date: string): Day => {
    const known = days.get(date)
    if (known !== undefined) return known
    const [midnight, next] = [date, addDays(date, 1)].map((each) => atLocal(each, '00:00', timezone))
    const made = { midnight: midnight ?? 0, even: next === (midnight ?? 0) + DAY_MINUTES * MINUTE }
    days.set(date, made)
    return made
  }
  return {
    day,
    weekday: (date) => workedWeekday(date, timezone),
    instantOf(date, minute) {
      const after = Math.floor(minute / DAY_MINUTES)
      const [on, rest] = [after === 0 ? date : addDays(date, after), minute % DAY_MINUTES]
      const { midnight, even } = day(on)
      // Only on the two days of the year on which the clocks change is a day's minute not where it always is.
      return even ? midnight + rest * MINUTE : atWall(on, rest, timezone)
    },
  }
}

function atWall(date: string, minute: number, timezone: string): number | undefined {
  const wall = Temporal.PlainDate.from(date).toPlainDateTime({
    hour: Math.floor(minute / 60),
    minute: minute % 60,
  })
  const found = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' })
  return found.toPlainDateTime().equals(wall) ? found.epochMilliseconds : undefined
}
