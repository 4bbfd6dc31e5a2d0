/** The next event of a booking, and when it is due, without interference. Pure. */
import { jitter } from '../../../core/hash.ts'
import { hasScenario } from '../../../core/scenario.ts'
import { midway } from '../../../core/time.ts'
import { travelSeconds } from '../../../core/travel.ts'
import type { BookingRecord } from '../queries/bookings.ts'
import { MAX_PROVIDER_DELAY_MS } from '../rules.ts'
import type { BookingStatus } from '../states.ts'

/** The events that may be planned for a booking. The last two are planned where money moves. */
export type BookingEvent =
  | 'provider_looks'
  | 'provider_declines'
  | 'request_lapses'
  | 'provider_cancels'
  | 'provider_no_show'
  | 'sets_off'
  | 'arrives'
  | 'starts'
  | 'finishes'
  | 'customer_absent'
  | 'payment_settles'
  | 'refund_settles'

const SECOND = 1000
const LOOKS_AFTER_S = 300
const LOOKS_AGAIN_S = 3600
const CANCELS_AFTER_S = 600
const TRAVEL_S = 1800
const STARTS_AFTER_S = 300
/** So long after its start a visit begins at the latest: the time at the door, however it is drawn. */
export const MAX_START_DELAY_MS = 1.2 * STARTS_AFTER_S * SECOND
const ABSENT_MS = 900 * SECOND
/** The time that a request waits for an answer (docs/rules/services.md#a-request-without-a-start-waits-a-day). */
const REQUEST_MS = 86_400 * SECOND

type NextBookingEvent = { event: BookingEvent; due_at: number }

/** Returns the event that follows the state a booking is in since `at` (milliseconds); undefined when it has ended. */
export function nextBookingEvent(
  seed: string,
  booking: BookingRecord,
  at: number,
): NextBookingEvent | undefined {
  return FOLLOWS[booking.status]?.(booking, at, (seconds) => at + sampleBookingMs(seed, booking, seconds))
}

/** Returns the time at which a provider leaves whose way takes so many seconds. */
export function leavesAt(seed: string, booking: BookingRecord, waySeconds: number): number {
  return startOf(booking) - Math.max(sampleBookingMs(seed, booking, TRAVEL_S), waySeconds * SECOND)
}

type After = (seconds: number) => number

const FOLLOWS: Readonly<
  Partial<Record<BookingStatus, (booking: BookingRecord, at: number, after: After) => NextBookingEvent>>
> = {
  requested(booking, _, after) {
    const { created_at, doc } = booking
    if (hasScenario(booking, 'provider_declines'))
      return { event: 'provider_declines', due_at: after(LOOKS_AFTER_S) }
    if (cancelsAt(booking) === 'requested') return { event: 'provider_cancels', due_at: after(LOOKS_AFTER_S) }
    const looks = after(doc.looks === 0 ? LOOKS_AFTER_S : LOOKS_AGAIN_S)
    const lapses = created_at + REQUEST_MS
    return looks < lapses
      ? { event: 'provider_looks', due_at: looks }
      : { event: 'request_lapses', due_at: lapses }
  },
  confirmed(booking, at, after) {
    const { provider, place, longest_way_seconds: longest = 0 } = booking.doc
    // From wherever the provider will be; which visit comes before may still change.
    const way = Math.max(longest, travelSeconds(provider.base, place.location, 'car'))
    const setsOff = Math.max(at, startOf(booking) - Math.max(after(TRAVEL_S) - at, way * SECOND))
    if (cancelsAt(booking) === 'confirmed')
      return { event: 'provider_cancels', due_at: Math.min(setsOff, after(CANCELS_AFTER_S)) }
    const absent = hasScenario(booking, 'provider_no_show')
    return unlessTooLate(booking, { event: 'sets_off', due_at: absent ? Infinity : setsOff })
  },
  en_route(booking, at) {
    const arrives = booking.doc.leg?.ends_at ?? at
    if (cancelsAt(booking) === 'en_route') return { event: 'provider_cancels', due_at: midway(at, arrives) }
    return { event: 'arrives', due_at: arrives }
  },
  arrived(booking, at, after) {
    return hasScenario(booking, 'customer_no_show')
      ? { event: 'customer_absent', due_at: at + ABSENT_MS }
      : { event: 'starts', due_at: after(STARTS_AFTER_S) }
  },
  // The minutes that are paid are worked (docs/rules/services.md#the-minutes-that-are-paid-are-worked).
  in_progress: ({ doc }, at) => ({ event: 'finishes', due_at: at + doc.duration_minutes * 60 * SECOND }),
}

/** Returns the event, or that the provider did not come where it would be too late for that. */
export function unlessTooLate(booking: BookingRecord, next: NextBookingEvent): NextBookingEvent {
  const due_at = startOf(booking) + MAX_PROVIDER_DELAY_MS
  return next.due_at < due_at ? next : { event: 'provider_no_show', due_at }
}

function startOf({ doc, updated_at }: BookingRecord): number {
  return doc.slot?.starts_at ?? updated_at
}

function sampleBookingMs(seed: string, { ordinal, doc }: BookingRecord, seconds: number): number {
  return jitter(seconds, seed, ['booking', ordinal, doc.history.length + doc.looks, 'duration']) * SECOND
}

/** The state in which the provider of this scenario backs out. */
function cancelsAt(booking: BookingRecord): string | undefined {
  return hasScenario(booking, 'provider_cancels')
    ? (booking.doc.scenario?.options['at'] ?? 'confirmed')
    : undefined
}
