/** A customer cancels or moves a booking. Every function takes the booking with its row locked. */
import { AppError } from '../../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import type { Money } from '../../../core/money.ts'
import { formatLocalDateTime, toTimestamp } from '../../../core/time.ts'
import { clampToLastUpdate, type ChangeContext } from '../../../db/lifecycle.ts'
import { unscheduleEvents } from '../../../db/timeline.ts'
import { type BookingRecord, updateBooking } from '../queries/bookings.ts'
import { computeKept, findMovableUntil } from '../rules.ts'
import { type BookingCancelReason, isBookingCancellable } from '../states.ts'
import { BOOKING_LIFECYCLE, giveSlot } from './booking.ts'
import { loadProvider } from './quote.ts'
import { claimStart, releaseCells } from './slots.ts'

/** The customer calls it off. Throws `not_cancellable`. */
export async function cancelBookingRecord(
  given: ChangeContext,
  booking: BookingRecord,
  { reason_code, note }: { reason_code: BookingCancelReason; note: string | undefined },
): Promise<void> {
  const { booking_id, status } = booking
  if (!isBookingCancellable(status))
    throw new AppError(
      'not_cancellable',
      `Booking ${booking_id} is ${status.replaceAll('_', ' ')} and can no longer be cancelled.`,
      { extra: { current_status: status, resource_id: booking_id } },
    )
  const scene = clampToLastUpdate(given, booking)
  await BOOKING_LIFECYCLE.transition(scene, booking, {
    to: 'cancelled',
    by: 'customer',
    reason: reason_code,
    note,
  })
}

/** Returns what is kept if the customer cancelled now; null when the booking cannot be cancelled. */
export function feeOfCancellingBooking(
  { status, updated_at, doc }: BookingRecord,
  now: number,
): Money | null {
  if (!isBookingCancellable(status)) return null
  const at = Math.max(now, updated_at)
  return { ...doc.price, amount: computeKept(doc.price.amount, doc.slot?.starts_at ?? null, at) }
}

/** Returns the last instant at which the start can be moved; null when it cannot be moved any more. */
export function findMoveDeadline({ status, updated_at, doc }: BookingRecord, now: number): number | null {
  if (status !== 'confirmed' || doc.slot === null) return null
  const until = findMovableUntil(doc.slot.starts_at)
  return Math.max(now, updated_at) <= until ? until : null
}

const PLANNED_FOR_START = ['sets_off', 'provider_cancels', 'provider_no_show'] as const

/**
 * Moves a booking to another free start of its provider, at the same price
 * (docs/rules/services.md#a-start-is-moved-at-the-same-price). Its present start moves nothing. Throws `not_movable`, and
 * `slot_unavailable` with what is open instead; then nothing is left of it once the caller's savepoint is undone.
 */
export async function moveBookingRecord(
  given: ChangeContext,
  booking: BookingRecord,
  startsAt: number,
): Promise<void> {
  const scene = clampToLastUpdate(given, booking)
  const { tx, at } = scene
  const { booking_id, status, doc } = booking
  const before = assertMovable(booking, at)
  if (startsAt === before) return
  const provider = await loadProvider(tx, booking.provider_id)
  await releaseCells(tx, booking_id)
  // Its own visit is no obstacle.
  doc.slot = null
  await updateBooking(tx, booking)
  await claimStart(scene, provider, doc, { startsAt, bookingId: booking_id })
  giveSlot(booking, startsAt)
  doc.history.push({ status, at, by: 'customer', reason: 'moved' })
  await unscheduleEvents(tx, booking_id, PLANNED_FOR_START)
  await BOOKING_LIFECYCLE.touch(scene, booking)
  await BOOKING_LIFECYCLE.scheduleNext(scene, booking)
  await BOOKING_LIFECYCLE.emit(scene, booking, {
    from: status,
    by: 'customer',
    eventName: 'moved',
    data: {
      provider_id: booking.provider_id,
      starts_at: toTimestamp(startsAt),
      moved_from: toTimestamp(before),
    },
  })
}

/** Returns the present start. Throws `not_movable`. */
function assertMovable(booking: BookingRecord, at: number): number {
  const { booking_id, status, doc } = booking
  const extra = { current_status: status, resource_id: booking_id }
  if (status !== 'confirmed' || doc.slot === null)
    throw new AppError(
      'not_movable',
      `Booking ${booking_id} is ${status.replaceAll('_', ' ')}: only a confirmed start can be moved.`,
      { extra },
    )
  const { starts_at } = doc.slot
  const until = findMovableUntil(starts_at)
  if (at <= until) return starts_at
  const [start, last] = [starts_at, until].map((time) => formatLocalDateTime(time, MARKET_TIMEZONE))
  throw new AppError(
    'not_movable',
    `Booking ${booking_id} starts at ${start} and could be moved until ${last}.`,
    { extra: { ...extra, starts_at: toTimestamp(starts_at), movable_until: toTimestamp(until) } },
  )
}
