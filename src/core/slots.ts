/**
 * Computes the times at which a person who travels to the customer can begin
 * (docs/rules/services.md#a-start-needs-all-its-half-hours). Pure. Working
 * hours are cut into half hours of local time, each an instant. A skipped half hour is omitted; a repeated one
 * (docs/rules/time-and-places.md#clock-changes-skip-and-repeat-half-hours)
 * counts as its first occurrence.
 */
import { workedWeekday } from './bank-holidays.ts'
import { addDays, resolveLocalTime } from './time.ts'

/** One half hour of a working day. */
export const CELL_MS = 1_800_000
/** The shortest time from now to a start. */
export const LEAD_MS = 3_600_000

const MINUTE = 60_000
const CELL_MINUTES = 30
const DAY_MINUTES = 1440
/** The last date for which a grid is computed: dates have another form from the year 10000 on. */
const LAST_DATE = '9990-01-01'

/** `week` is text that `packWeek` made; `daysOff` are local dates, separated by spaces. */
export type WorkingTime = { week: string; timezone: string; daysOff: string }

/** Returns the number of half hours that a job takes, with its buffer. */
export function countCells(durationMinutes: number, bufferMinutes: number): number {
  return Math.ceil((durationMinutes + bufferMinutes) / CELL_MINUTES)
}

/** Returns the instants of the half hours that a job takes, ascending. */
export function listCells(startsAt: number, cells: number): number[] {
  return Array.from({ length: cells }, (_, index) => startsAt + index * CELL_MS)
}

/** The worked half hours of consecutive days. */
export type Grid = {
  /** The instants at which a job may begin on those days, ascending. */
  starts: readonly number[]
  /** The number of consecutive worked half hours from each instant on, until the end of the following day. */
  runs: ReadonlyMap<number, number>
  /** The half-open span of all its instants; undefined when there are none. */
  span: { starts_at: number; ends_at: number } | undefined
}

export type SlotCalendar = {
  /** Returns the grid of `days` local dates from `date` on. It is computed once for all who work the same hours. */
  grid(time: WorkingTime, date: string, days: number): Grid
}

/** Makes a calendar for any number of people. It computes each zone's days and each week only once. */
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

type SlotQuery = {
  cells: number
  notBefore: number
  limit?: number
  /** Returns whether travel from and to other visits leaves time for a start. */
  isReachable?: ((at: number) => boolean) | undefined
}

/**
 * Returns the starts from `notBefore` on, from which `cells` consecutive half hours are worked and not taken. A start
 * that is open for a longer job is also open for a shorter one.
 */
export function listOpenSlotStarts(
  { starts, runs }: Grid,
  taken: ReadonlySet<number>,
  { cells, notBefore, limit = Infinity, isReachable }: SlotQuery,
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

/** Returns the half hours of a grid that overlap [from, until), ascending. */
export function listCellsWithin({ runs }: Grid, from: number, until: number): number[] {
  if (from >= until) return []
  return [...runs.keys()].filter((at) => at < until && at + CELL_MS > from).toSorted((a, b) => a - b)
}

/** Returns the start in local time: `2026-11-21T09:00:00+00:00`. */
export function localStart(at: number, timezone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timezone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' })
}

function isTaken(at: number, cells: number, taken: ReadonlySet<number>): boolean {
  for (let index = 0; index < cells; index++) if (taken.has(at + index * CELL_MS)) return true
  return false
}

/** Makes a grid. It includes yesterday, whose hours may end today, and tomorrow, into which a job may continue. */
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

/** Adds the half hours of openings that begin on a date, and whether a job may begin at each. */
function addDay(worked: Map<number, boolean>, zone: Zone, spans: readonly WorkSpan[], date: string): void {
  const midnight = (zone.weekday(date) - 1) * DAY_MINUTES
  for (const { start, end } of spans) {
    if (start < midnight || start >= midnight + DAY_MINUTES) continue
    let last: number | undefined
    for (let minute = start; minute + CELL_MINUTES <= end; minute += CELL_MINUTES) {
      const at = zone.instantOf(date, minute - midnight)
      if (at === undefined) continue
      // The repeated hour is worked, but no job begins in it.
      for (let again = (last ?? at) + CELL_MS; again < at; again += CELL_MS) worked.set(again, false)
      worked.set(at, true)
      last = at
    }
  }
}

/** Minutes of the week, Monday 00:00 is 0; `end` may be on the next day. */
type WorkSpan = { start: number; end: number }

function unpackWeek(week: string): WorkSpan[] {
  if (week === '') return []
  return week.split(',').map((span) => {
    const [start = 0, end = 0] = span.split('-').map(Number)
    return { start, end }
  })
}

type Day = { midnight: number; even: boolean }

type Zone = {
  day(date: string): Day
  /** Returns the weekday (1 is Monday) with the hours that apply on a date. */
  weekday(date: string): number
  /**
   * Returns the instant of a local minute, counted from a date's midnight: the first of two, or undefined when it is
   * skipped.
   */
  instantOf(date: string, minute: number): number | undefined
}

function makeZone(timezone: string): Zone {
  const days = new Map<string, Day>()
  const day = (date: string): Day => {
    const known = days.get(date)
    if (known !== undefined) return known
    const [midnight, next] = [date, addDays(date, 1)].map((each) => resolveLocalTime(each, '00:00', timezone))
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
      // Only on the two days when the clocks change must a minute be computed by the calendar.
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
