/** The reason why a provider has no open start on some dates, and the next date that has one. */
import type { Tx } from '../../core/db.ts'
import { type EmptyReason, emptyReason } from '../../core/empty-reason.ts'
import { countCells, listOpenSlotStarts, type Grid, LEAD_MS, makeSlotCalendar } from '../../core/slots.ts'
import { addDays, localDate } from '../../core/time.ts'
import { isDateAhead } from './date-ahead.ts'
import { type ServiceJob, listOpenStarts, LOOK_AHEAD_DAYS, type BookableProvider } from './lifecycle/slots.ts'
import type { NO_STARTS } from './rules.ts'

type Reason = (typeof NO_STARTS)[number]

/** Returns why there is none on so many dates; `next` is the first date with a start in the two weeks after them. */
export async function whyNoStarts(
  tx: Tx,
  provider: BookableProvider,
  now: number,
  { date, days, ...job }: ServiceJob & { date: string; days: number },
): Promise<EmptyReason<Reason>> {
  const { name, time } = provider
  const calendar = makeSlotCalendar()
  const reason = reasonOf(calendar.grid(time, date, days), job, now)
  const after = { ...job, date: addDays(date, days), days: LOOK_AHEAD_DAYS, limit: 1 }
  const [start] = await listOpenStarts({ tx, at: now }, provider, after, calendar)
  const first = start === undefined ? undefined : localDate(start, time.timezone)
  const next = first !== undefined && isDateAhead(first, now, time.timezone) ? first : null
  const on = days === 1 ? `on ${dayOf(date)}` : `from ${dayOf(date)} to ${dayOf(addDays(date, days - 1))}`
  const why: Readonly<Record<Reason, string>> = {
    closed_that_day: `${name} does not work ${on}`,
    too_long: `${name} does not work ${job.duration_minutes} minutes without a break ${on}`,
    too_soon: `${name} has no free start ${on} at least an hour from now`,
    fully_booked: `${name} does not have ${job.duration_minutes} minutes free ${on}`,
  }
  const then =
    next === null
      ? `No free start within ${LOOK_AHEAD_DAYS} days`
      : `The next free start is on ${dayOf(next)}`
  return emptyReason(reason, `${why[reason]}. ${then}.`, next)
}

/** Compares the starts by the working hours alone with those that are late enough: what remains is taken by bookings. */
function reasonOf(grid: Grid, { duration_minutes, buffer_minutes }: ServiceJob, now: number): Reason {
  const cells = countCells(duration_minutes, buffer_minutes)
  const hasStart = (notBefore: number) =>
    listOpenSlotStarts(grid, new Set(), { cells, notBefore, limit: 1 }).length > 0
  if (grid.starts.length === 0) return 'closed_that_day'
  if (!hasStart(-Infinity)) return 'too_long'
  return hasStart(now + LEAD_MS) ? 'fully_booked' : 'too_soon'
}

/** `Sunday 2026-11-22` */
function dayOf(date: string): string {
  const weekday = Temporal.PlainDate.from(date).toLocaleString('en-GB', { weekday: 'long' })
  return `${weekday} ${date}`
}
