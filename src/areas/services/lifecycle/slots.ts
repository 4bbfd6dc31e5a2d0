/**
 * Open starts of a provider, worked out again whenever they are requested, and who gets a contested one
 * (docs/rules/services.md#one-booking-wins-a-start).
 */
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import {
  CELL_MS,
  countCells,
  listOpenSlotStarts,
  LEAD_MS,
  listCells,
  makeSlotCalendar,
  type SlotCalendar,
} from '../../../core/slots.ts'
import {
  addDays,
  describeServiceClock,
  describePastTime,
  localDate,
  formatLocalDateTime,
  type TimeWindow,
  toTimestamp,
} from '../../../core/time.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { lockWorld } from '../../../db/world.ts'
import {
  deleteBookedCells,
  insertBookedCells,
  insertWayCells,
  listBookedCells,
} from '../queries/booked-cells.ts'
import { listVisits } from '../queries/bookings.ts'
import type { ProviderRecord } from '../queries/providers.ts'
import { MAX_DAYS_AHEAD } from '../rules.ts'
import { listWayCells, makeReach, type Visit, type VisitingProvider } from './visit-ways.ts'

const MINUTE = 60_000
const DAY_MS = 86_400_000
const ALTERNATIVES = 3
/** The time ahead in which a free start is looked for when none was named. */
export const LOOK_AHEAD_DAYS = 14
const LOOKS = 5
/** The provider is at the door within this time of its start. */
const ARRIVAL_MS = CELL_MS

export type BookableProvider = Pick<ProviderRecord, 'provider_id' | 'name' | 'time'>
export type ServiceJob = { duration_minutes: number; buffer_minutes: number }

/** The provider arrives within half an hour of the start. */
export function arrivalWindow(startsAt: number): TimeWindow {
  return { starts_at: startsAt, ends_at: startsAt + ARRIVAL_MS }
}

export function slotOf(startsAt: number, { duration_minutes }: ServiceJob): TimeWindow {
  return { starts_at: startsAt, ends_at: startsAt + duration_minutes * MINUTE }
}

/**
 * The starts on so many local dates from which on the whole job is free, ascending. Without a place, those that the
 * provider can keep wherever it is. A shown start is not reserved.
 */
export async function listOpenStarts(
  { tx, at: now }: Pick<ChangeContext, 'tx' | 'at'>,
  { provider_id, time }: BookableProvider,
  { date, days, limit, ...job }: (ServiceJob | Visit) & { date: string; days: number; limit?: number },
  calendar: SlotCalendar = makeSlotCalendar(),
): Promise<number[]> {
  const grid = calendar.grid(time, date, days)
  if (grid.span === undefined) return []
  const { starts_at: from, ends_at: until } = grid.span
  const isVisit = 'place' in job
  const taken = await listBookedCells(tx, [provider_id], { from, to: until }, { ways: !isVisit })
  const others = isVisit ? await listVisits(tx, provider_id, from - DAY_MS, until + DAY_MS) : []
  const cells = countCells(job.duration_minutes, job.buffer_minutes)
  return listOpenSlotStarts(grid, taken(provider_id), {
    cells,
    notBefore: now + LEAD_MS,
    isReachable: isVisit ? makeReach(others, job) : undefined,
    ...(limit !== undefined && { limit }),
  })
}

/** The first open starts after an instant, as many as asked for, within ten weeks of it. */
async function listNextStarts(
  scene: Pick<ChangeContext, 'tx' | 'at'>,
  provider: BookableProvider,
  visit: Visit,
  { after, count }: { after: number; count: number },
): Promise<number[]> {
  const { at: now } = scene
  const found: number[] = []
  const calendar = makeSlotCalendar()
  const first = localDate(Math.max(after, now), provider.time.timezone)
  for (let look = 0; look < LOOKS && found.length < count; look++) {
    const date = addDays(first, look * LOOK_AHEAD_DAYS)
    const starts = await listOpenStarts(scene, provider, { ...visit, date, days: LOOK_AHEAD_DAYS }, calendar)
    found.push(...starts.filter((at) => at > after))
  }
  return found.slice(0, count)
}

/** Throws `slot_unavailable` with what is open instead, unless the job could begin then. Takes nothing. */
export async function assertStartOpen(
  scene: Pick<ChangeContext, 'tx' | 'at'>,
  provider: BookableProvider,
  visit: Visit,
  startsAt: number,
): Promise<void> {
  const { at: now } = scene
  const date = localDate(startsAt, provider.time.timezone)
  const open = await listOpenStarts(scene, provider, { ...visit, date, days: 1 })
  if (isTooFar(startsAt, now) || !open.includes(startsAt))
    throw await refuse(scene, provider, visit, startsAt)
}

/**
 * Takes every half hour of a visit for a booking, and those of its ways, or throws `slot_unavailable` with what is open
 * instead; then nothing is left of it once the caller's savepoint is undone. The caller holds the world's row, under
 * which alone half hours are taken and given back, and the key of each lets one booking have it.
 */
export async function claimStart(
  scene: Pick<ChangeContext, 'tx' | 'at'>,
  provider: BookableProvider & VisitingProvider,
  visit: Visit,
  { startsAt, bookingId }: { startsAt: number; bookingId: string },
): Promise<void> {
  const { tx } = scene
  await assertStartOpen(scene, provider, visit, startsAt)
  const cells = listCells(startsAt, countCells(visit.duration_minutes, visit.buffer_minutes))
  const got = await insertBookedCells(tx, provider.provider_id, cells, bookingId)
  if (got < cells.length) throw await refuse(scene, provider, visit, startsAt)
  await insertWayCells(tx, provider.provider_id, listWayCells(provider, visit, startsAt), bookingId)
}

/** Gives back what a booking had taken, if anything. */
export async function releaseCells(tx: Tx, bookingId: string): Promise<void> {
  await lockWorld(tx)
  await deleteBookedCells(tx, bookingId)
}

/** The first open start within a window; undefined when there is none. */
export async function findStartWithin(
  scene: Pick<ChangeContext, 'tx' | 'at'>,
  provider: BookableProvider,
  visit: Visit,
  window: TimeWindow,
): Promise<number | undefined> {
  const { at: now } = scene
  const { timezone } = provider.time
  const from = Math.max(window.starts_at, now + LEAD_MS)
  if (from >= window.ends_at) return undefined
  const date = localDate(from, timezone)
  const days = Math.ceil((window.ends_at - from) / DAY_MS) + 1
  const starts = await listOpenStarts(scene, provider, { ...visit, date, days })
  return starts.find((at) => at >= from && at < window.ends_at)
}

function isTooFar(startsAt: number, now: number): boolean {
  return startsAt > now + MAX_DAYS_AHEAD * DAY_MS
}

async function refuse(
  scene: Pick<ChangeContext, 'tx' | 'at'>,
  provider: BookableProvider,
  visit: Visit,
  startsAt: number,
): Promise<AppError> {
  const { at: now } = scene
  const after = isTooFar(startsAt, now) ? now : Math.max(startsAt, now + LEAD_MS - 1)
  const starts = await listNextStarts(scene, provider, visit, { after, count: ALTERNATIVES })
  const alternatives = starts.map(toTimestamp)
  const { timezone } = provider.time
  const local = (at: number) => formatLocalDateTime(at, timezone)
  const fault = isTooFar(startsAt, now)
    ? `starts_at must be within ${MAX_DAYS_AHEAD} days: ${describeServiceClock(now)}`
    : startsAt < now
      ? describePastTime('starts_at', now)
      : undefined
  return new AppError(
    'slot_unavailable',
    fault === undefined
      ? `${provider.name} does not have ${visit.duration_minutes} minutes free from ${local(startsAt)}.`
      : `${fault}.`,
    {
      ...(fault !== undefined && {
        errors: [{ pointer: '/starts_at', code: 'out_of_range', detail: fault }],
      }),
      extra: {
        alternatives,
        ...(alternatives.length === 0 && { operations: ['get_provider_availability'] }),
      },
      hint:
        alternatives.length > 0
          ? `Free starts, in ${timezone}: ${starts.map(local).join(', ')}.`
          : 'get_provider_availability lists free starts on other dates; other providers may be free.',
    },
  )
}
