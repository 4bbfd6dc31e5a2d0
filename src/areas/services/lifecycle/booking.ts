/**
 * The lifecycle of a booking: the only writer of its status. Every function takes the booking with its row locked; every
 * change passes `BOOKING_LIFECYCLE`, which checks the state table.
 */
import type { Tx } from '../../../core/db.ts'
import { formatMoney } from '../../../core/money.ts'
import { localDate, type TimeWindow, toTimestamp } from '../../../core/time.ts'
import { travelSeconds } from '../../../core/travel.ts'
import {
  defineLifecycle,
  type Lifecycle,
  type Transition,
  type ChangeContext,
  type Steps,
} from '../../../db/lifecycle.ts'
import { findNextTimelineEvent } from '../../../db/timeline.ts'
import { lockWorld } from '../../../db/world.ts'
import {
  lowerPayment,
  refundPayment,
  settleUnpaidPayment,
  settleRefund,
} from '../../payments/lifecycle/payment.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import { makeProof } from '../../proofs/lifecycle.ts'
import {
  type BookingActor,
  type BookingRecord,
  findVisitBefore,
  lockBooking,
  lockBookings,
  updateBooking,
} from '../queries/bookings.ts'
import { findProvider, type ProviderRecord } from '../queries/providers.ts'
import { computeKept } from '../rules.ts'
import { type BookingStatus, canMoveBooking, isBookingOver } from '../states.ts'
import { arrivalWindow, claimStart, findStartWithin, LOOK_AHEAD_DAYS, releaseCells, slotOf } from './slots.ts'
import { type BookingEvent, leavesAt, nextBookingEvent, unlessTooLate } from './timeline.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY_MS = 86_400_000

type BookingMove = Transition<BookingStatus, BookingActor, BookingEvent>

const LIVING = ['requested', 'confirmed', 'en_route', 'arrived', 'in_progress', 'completed'] as const

const STEPS: Steps<BookingRecord, BookingStatus, BookingActor, BookingEvent> = {
  provider_looks: { from: ['requested'], apply: findTimeOrDecline },
  provider_declines: {
    from: ['requested'],
    apply: () => ({ to: 'declined', by: 'provider', reason: 'provider_declined' }),
  },
  request_lapses: {
    from: ['requested'],
    apply: () => ({ to: 'declined', by: 'system', reason: 'not_answered_in_time' }),
  },
  provider_cancels: {
    from: ['requested', 'confirmed', 'en_route'],
    apply: () => ({ to: 'cancelled', by: 'provider', reason: 'provider_unavailable' }),
  },
  provider_no_show: {
    from: ['confirmed'],
    apply: () => ({ to: 'cancelled', by: 'provider', reason: 'provider_no_show' }),
  },
  sets_off: { from: ['confirmed'], apply: setOff },
  arrives: {
    from: ['en_route'],
    apply({ at }, { doc }) {
      doc.arrived_at = at
      return { to: 'arrived', by: 'provider' }
    },
  },
  starts: {
    from: ['arrived'],
    apply({ at }, { doc }) {
      doc.started_at = at
      return { to: 'in_progress', by: 'provider' }
    },
  },
  finishes: {
    from: ['in_progress'],
    async apply(scene, booking) {
      booking.doc.completed_at = scene.at
      booking.doc.completion = await complete(scene, booking)
      return { to: 'completed', by: 'provider' }
    },
  },
  customer_absent: {
    from: ['arrived'],
    apply: () => ({ to: 'no_show', by: 'provider', reason: 'customer_absent' }),
  },
  payment_settles: {
    from: LIVING,
    async apply(scene, booking) {
      await settleUnpaidPayment(scene, booking.booking_id)
      await BOOKING_LIFECYCLE.touch(scene, booking)
      return undefined
    },
  },
  refund_settles: {
    from: ['declined', 'cancelled'],
    async apply(scene, booking) {
      await settleRefund(scene.tx, scene.world, scene.at, booking.booking_id)
      await BOOKING_LIFECYCLE.touch(scene, booking)
      return undefined
    },
  },
}

export const BOOKING_LIFECYCLE: Lifecycle<BookingRecord, BookingStatus, BookingActor, BookingEvent> =
  defineLifecycle({
    kind: 'booking',
    name: 'service_booking',
    lock: lockBooking,
    lockMany: lockBookings,
    write: updateBooking,
    audience: ({ booking_id, account_id, provider_id }) => ({
      resource_id: booking_id,
      owner_id: account_id,
      // The bookings of a provider decide when that provider is free.
      link_id: provider_id,
    }),
    canMove: canMoveBooking,
    steps: STEPS,
    cancelsSchedule: isCalledOff,
    enter(_, { doc }, entry, { note = null }) {
      doc.history.push(entry)
      const { status, by, at, reason } = entry
      if (!isCalledOff(status)) return
      const kept = by === 'customer' ? computeKept(doc.price.amount, doc.slot?.starts_at ?? null, at) : 0
      const fee = { ...doc.price, amount: kept }
      doc.cancellation = { by, reason_code: reason ?? status, note, fee, at }
      doc.arrival_window = null
    },
    next: ({ world, at }, booking) => nextBookingEvent(world.seed, booking, at),
    data: ({ provider_id }) => ({ provider_id }),
    afterTransition: { declined: giveBack, cancelled: giveBack },
  })

function isCalledOff(status: BookingStatus): boolean {
  return status === 'declined' || status === 'cancelled'
}

/** Sets off from the day's visit before, once that has ended, else from the provider's base; no sooner than the way takes. */
async function setOff(scene: ChangeContext, booking: BookingRecord): Promise<BookingMove | undefined> {
  const { tx, world, at, event } = scene
  const { doc } = booking
  // A caller may want it to happen sooner than planned.
  const isForced = event !== undefined && at < event.due_at
  const before = await findVisitBefore(tx, booking, { planned: !isForced })
  const busy =
    before === undefined || isBookingOver(before.status)
      ? undefined
      : await findNextTimelineEvent(tx, before.booking_id)
  if (busy !== undefined) {
    const due_at = busy.due_at > at ? busy.due_at : at + MINUTE
    await BOOKING_LIFECYCLE.scheduleNext(
      scene,
      booking,
      unlessTooLate(booking, { event: 'sets_off', due_at }),
    )
    return undefined
  }
  const day = (instant: number) => localDate(instant, world.timezone)
  const isSameDay = before !== undefined && day(before.updated_at) === day(at)
  const from = isSameDay ? before.doc.place.location : doc.provider.base
  const way = travelSeconds(from, doc.place.location, 'car')
  const leaves = leavesAt(world.seed, booking, way)
  if (at < leaves && !isForced) {
    await BOOKING_LIFECYCLE.scheduleNext(scene, booking, { event: 'sets_off', due_at: leaves })
    return undefined
  }
  const arrives = at + way * SECOND
  const ends_at = Math.max(arrives, doc.slot?.starts_at ?? at)
  doc.leg = { from, to: doc.place.location, starts_at: at, ends_at }
  doc.en_route_at = at
  return { to: 'en_route', by: 'provider' }
}

/** The provider looks for a time for a request: the first that is free. Where nothing can be any more, declines. */
async function findTimeOrDecline(scene: ChangeContext, booking: BookingRecord): Promise<BookingMove> {
  const { tx, at } = scene
  const { doc } = booking
  const provider = await loadProvider(tx, booking)
  const window = doc.preferred_window ?? { starts_at: at, ends_at: at + LOOK_AHEAD_DAYS * DAY_MS }
  await lockWorld(tx)
  const startsAt = await findStartWithin({ tx, at }, provider, doc, window)
  if (startsAt !== undefined) {
    await claimStart({ tx, at }, provider, doc, { startsAt, bookingId: booking.booking_id })
    giveSlot(booking, startsAt)
    return { to: 'confirmed', by: 'provider' }
  }
  if (isPast(window, at)) return { to: 'declined', by: 'provider', reason: 'no_free_slot' }
  doc.looks += 1
  return { by: 'provider' }
}

/** Returns whether nothing could begin in the window any more, were it free. */
function isPast({ ends_at }: TimeWindow, at: number): boolean {
  return at >= ends_at
}

/** A start gives a booking its end and its time of arrival. */
export function giveSlot({ doc }: BookingRecord, startsAt: number): void {
  doc.slot = slotOf(startsAt, doc)
  doc.arrival_window = arrivalWindow(startsAt)
}

/** The provider leaves a sentence behind, and a true picture. */
async function complete(
  { tx, world, at }: ChangeContext,
  booking: BookingRecord,
): Promise<BookingRecord['doc']['completion']> {
  const { booking_id, ordinal, account_id, doc } = booking
  const minutes = Math.round((at - (doc.started_at ?? at)) / 60_000)
  const { media } = await makeProof(tx, world, {
    kind: 'booking',
    ordinal,
    step: doc.history.length,
    holder: booking.provider_id,
    ownerId: account_id,
    at,
    method: 'photo',
    waypoint: 'dropoff',
    target: doc.place.location,
    precision: doc.place.precision,
    recipientName: null,
    relationship: null,
    notes: null,
    lines: [booking_id, doc.service_name, `done ${toTimestamp(at)}`],
  })
  const summary = `${doc.service_name} by ${doc.provider.name}, done in ${minutes} minutes for ${formatMoney(doc.price)}.`
  return { summary, media }
}

/** A declined or cancelled booking gives its half hours back to the provider, and the money that is not kept to the customer. */
async function giveBack(
  scene: ChangeContext,
  { booking_id, status, doc: { price, cancellation } }: BookingRecord,
  { reason = status }: BookingMove,
): Promise<void> {
  const { tx } = scene
  await releaseCells(tx, booking_id)
  const kept = cancellation?.fee?.amount ?? 0
  const back = { ...price, amount: price.amount - kept }
  const payment = await loadPayment(tx, booking_id)
  if (kept > 0 && payment.status === 'unpaid') {
    // A card that has not settled yet is charged what is kept, and no more.
    await lowerPayment(scene, payment, back)
    await settleUnpaidPayment(scene, booking_id)
    return
  }
  await refundPayment(scene, booking_id, {
    to: 'original',
    reason: kept === 0 ? reason : `${reason}, less a fee of ${formatMoney({ ...price, amount: kept })}`,
    amount: back,
    kind: 'booking',
    counterpartyId: null,
  })
}

async function loadProvider(tx: Tx, { provider_id }: BookingRecord): Promise<ProviderRecord> {
  const provider = await findProvider(tx, provider_id)
  if (provider === undefined) throw new Error(`${provider_id} is gone`)
  return provider
}
