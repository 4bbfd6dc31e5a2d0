/** The times at which a store takes orders, and the time that it needs, as its owner sees and sets them. */
import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { AppError, type ProblemFieldError } from '../../core/errors.ts'
import { type DayTimes, NO_END, makeOpeningClock, overlap, packWeek } from '../../core/opening-hours.ts'
import { strictObject, instant, describeField, nameField, component, nullable } from '../../core/schema.ts'
import { describePastTime, parseTimestamp, toTimestamp, type WEEKDAYS } from '../../core/time.ts'
import { appendEvents } from '../../db/events.ts'
import { type CatalogLock, lockCatalog } from '../catalog/lifecycle/catalog.ts'
import { type MerchantRecord, updateHours } from '../merchants/queries.ts'
import { loadOwnStore } from './access.ts'
import { daySpan, weekSpan } from './schema.ts'

const DAY_MS = 86_400_000
/** The longest pause; a store that is closed for longer says so in its single days. */
const MAX_PAUSE_DAYS = 30

export const storeHours = component('StoreHours', {
  merchant_id: Type.String({ meaning: 'Store' }),
  name: nameField,
  timezone: Type.String({ meaning: 'Time zone', label: 'Time zone' }),
  is_open: Type.Boolean({ meaning: 'True if it takes orders now', label: 'Open' }),
  opens_at: nullable('Next opening time; null while it is open or unknown', instant, 'Opens'),
  pause: nullable(
    'Pause; null without one',
    strictObject({ until: nullable('End of the pause; null without an end', instant, 'Paused until') }),
  ),
  busy: nullable(
    'Busy time; null without one',
    strictObject({
      minutes: Type.Integer({ meaning: 'Minutes added to each promise', label: 'Busy, minutes' }),
      until: nullable('End of the busy time; null without an end', instant, 'Busy until'),
    }),
  ),
  weekly: describeField('Weekly opening hours in local time', Type.Array(weekSpan), 'Hours'),
  dates: describeField(
    'Single days with their own hours, ascending; without periods closed',
    Type.Array(
      strictObject({
        date: Type.String({ meaning: 'Date' }),
        spans: Type.Array(daySpan, { meaning: 'Periods' }),
      }),
    ),
    'Single days, closed without hours',
  ),
})

/** Shows the hours of a store at an instant. */
export function serializeStoreHours(store: MerchantRecord, now: number): Type.Static<typeof storeHours> {
  const {
    week,
    timezone,
    paused_until: pausedUntil,
    busy_minutes: minutes,
    busy_until: busyUntil,
    doc,
  } = store
  const clock = makeOpeningClock(now)
  const isOpen = clock.isOpen(week, timezone, pausedUntil)
  const opens = isOpen ? undefined : clock.nextOpening(week, timezone, pausedUntil)
  const isBusy = minutes > 0 && (busyUntil === null || busyUntil > now)
  return {
    merchant_id: store.merchant_id,
    name: store.name,
    timezone,
    is_open: isOpen,
    opens_at: timeOf(opens),
    pause: isPaused(store, now) ? { until: pausedUntil === NO_END ? null : timeOf(pausedUntil) } : null,
    busy: isBusy ? { minutes, until: timeOf(busyUntil) } : null,
    weekly: doc.opening_hours,
    dates: doc.dates ?? [],
  }
}

function timeOf(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : toTimestamp(at)
}

function isPaused({ paused_until: until }: MerchantRecord, now: number): boolean {
  return until !== null && until > now
}

/** Locks the caller's store, changes its hours as of that instant, and tells who listens; or changes nothing. */
export async function changeHours(
  context: OperationContext,
  merchantId: string | undefined,
  change: (hold: CatalogLock) => Partial<MerchantRecord>,
  { preview = false }: { preview?: boolean } = {},
): Promise<Type.Static<typeof storeHours>> {
  const { tx, world } = context
  const own = await loadOwnStore(context, merchantId, 'pointer')
  const hold = await lockCatalog(context, own.merchant_id)
  const { merchant, at } = hold
  const changed = { ...merchant, ...change(hold) }
  if (preview) return serializeStoreHours(merchant, at)
  changed.week = packWeek(changed.doc.opening_hours, changed.doc.dates)
  const [before, after] = [merchant, changed].map((each) => serializeStoreHours(each, at))
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await updateHours(tx, changed)
    const state = (each: MerchantRecord): string => (isPaused(each, at) ? 'paused' : 'taking_orders')
    const owner_id = merchant.agreement_id ?? merchant.merchant_id
    const moved = { resource_id: merchant.merchant_id, owner_id, from: state(merchant), to: state(changed) }
    await appendEvents(tx, world, at, [
      { type: 'store.hours_changed', occurred_at: at, by: 'store', ...moved },
    ])
  }
  return serializeStoreHours(changed, at)
}

/**
 * Returns the end of a stretch that is given by its minutes or its end, within `MAX_PAUSE_DAYS`; undefined without either.
 * Throws `invalid_request`.
 */
export function resolvePeriodEnd(
  { minutes, until }: { minutes?: number; until?: string },
  now: number,
): number | undefined {
  if (until === undefined) return minutes === undefined ? undefined : now + minutes * 60_000
  const end = parseTimestamp(until) ?? 0
  if (end <= now) throw storeHoursError('/until', 'out_of_range', describePastTime('until', now))
  if (end <= now + MAX_PAUSE_DAYS * DAY_MS) return end
  throw storeHoursError(
    '/until',
    'out_of_range',
    `until must be within ${MAX_PAUSE_DAYS} days; single days close a store for longer`,
  )
}

export function storeHoursError(pointer: string, code: ProblemFieldError['code'], detail: string): AppError {
  const sentence = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`
  return new AppError('invalid_request', sentence, { errors: [{ pointer, code, detail }] })
}

/** Throws `invalid_request` where two periods of a week, or of one day, meet. */
export function assertNoHoursOverlap(
  spans: readonly (DayTimes & { day?: (typeof WEEKDAYS)[number] })[],
  pointer: string,
): void {
  if (overlap(spans)) throw storeHoursError(pointer, 'mutually_exclusive', 'two of the periods overlap')
}
