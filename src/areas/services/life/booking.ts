/**
 * The life of a booking: the only writer of its status. Every function takes the booking with its row locked; every
 * change passes `enter`, which checks the state table.
 */
import type { Tx } from '../../../core/db.ts'
import { formatMoney } from '../../../core/money.ts'
import { localDate, type Span, toTimestamp } from '../../../core/time.ts'
import { travelSeconds } from '../../../core/travel.ts'
import type { World } from '../../../core/world.ts'
import { appendEvents } from '../../../store/events.ts'
import { findNext, schedule, type TimelineEvent, unschedule } from '../../../store/timeline.ts'
import { lockWorld } from '../../../store/world.ts'
import { refundPayment, settlePayment, settleRefund } from '../../payments/life.ts'
import { makeProof } from '../../proofs/life.ts'
import { type BookingStatus, canMoveBooking, isBookingOver } from '../states.ts'
import {
  type BookingActor,
  type BookingRecord,
  findVisitBefore,
  lockBooking,
  updateBooking,
} from '../store/bookings.ts'
import { findProvider, type ProviderRecord } from '../store/providers.ts'
import { arrivalWindow, claimStart, findStartWithin, LOOK_AHEAD_DAYS, releaseCells, slotOf } from './slots.ts'
import { type BookingEvent, leavesAt, whatFollows } from './timeline.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY_MS = 86_400_000

/** Applies what the timeline planned; gives when the next thing is due. A plan that no longer fits is dropped silently. */
export async function applyBookingEvent(
  tx: Tx,
  world: World,
  event: TimelineEvent,
  now = event.due_at,
): Promise<number | undefined> {
  const booking = await lockBooking(tx, event.resource_id)
  if (booking === undefined) return undefined
  const at = Math.max(now, booking.updated_at)
  const step = STEPS[event.event as BookingEvent]
  const isForced = now < event.due_at
  if (step.from.includes(booking.status)) await step.take({ tx, world, booking, at, isForced })
  return (await findNext(tx, booking.booking_id))?.due_at
}

/** Puts on the timeline what comes next for a booking in its present state. */
export async function planBooking(
  tx: Tx,
  { seed }: World,
  booking: BookingRecord,
  at: number,
  next = whatFollows(seed, booking, at),
): Promise<void> {
  if (next === undefined) return
  const { booking_id, account_id, provider_id } = booking
  await schedule(tx, at, [
    {
      due_at: next.due_at,
      kind: 'booking',
      resource_id: booking_id,
      owner_id: account_id,
      // What is planned for its bookings decides when a provider is free.
      link_id: provider_id,
      event: next.event,
      payload: {},
    },
  ])
}

/** `isForced`: somebody wanted it to happen sooner than planned. */
type Effect = { tx: Tx; world: World; booking: BookingRecord; at: number; isForced: boolean }
type Step = { from: readonly BookingStatus[]; take: (effect: Effect) => Promise<void> }

const LIVING = ['requested', 'confirmed', 'en_route', 'arrived', 'in_progress', 'completed'] as const

const STEPS: Readonly<Record<BookingEvent, Step>> = {
  provider_looks: { from: ['requested'], take: look },
  provider_declines: {
    from: ['requested'],
    take: (effect) => end(effect, { to: 'declined', by: 'provider', reason: 'provider_declined' }),
  },
  request_lapses: {
    from: ['requested'],
    take: (effect) => end(effect, { to: 'declined', by: 'system', reason: 'not_answered_in_time' }),
  },
  provider_cancels: {
    from: ['requested', 'confirmed', 'en_route'],
    take: (effect) => end(effect, { to: 'cancelled', by: 'provider', reason: 'provider_unavailable' }),
  },
  sets_off: { from: ['confirmed'], take: setOff },
  arrives: {
    from: ['en_route'],
    async take(effect) {
      effect.booking.doc.arrived_at = effect.at
      await enter(effect, { to: 'arrived', by: 'provider' })
    },
  },
  starts: {
    from: ['arrived'],
    async take(effect) {
      effect.booking.doc.started_at = effect.at
      await enter(effect, { to: 'in_progress', by: 'provider' })
    },
  },
  finishes: {
    from: ['in_progress'],
    async take(effect) {
      const { booking, at } = effect
      booking.doc.completed_at = at
      booking.doc.completion = await complete(effect)
      await enter(effect, { to: 'completed', by: 'provider' })
    },
  },
  customer_absent: {
    from: ['arrived'],
    take: (effect) => enter(effect, { to: 'no_show', by: 'provider', reason: 'customer_absent' }),
  },
  payment_settles: {
    from: LIVING,
    async take({ tx, world, booking, at }) {
      await settlePayment(tx, world, at, booking.booking_id)
      await touch(tx, booking, at)
    },
  },
  refund_settles: {
    from: ['declined', 'cancelled'],
    async take({ tx, world, booking, at }) {
      await settleRefund(tx, world, at, booking.booking_id)
      await touch(tx, booking, at)
    },
  },
}

/** Sets off from the day's visit before, once that is over, else from the provider's base; no sooner than the way takes. */
async function setOff(effect: Effect): Promise<void> {
  const { tx, world, booking, at, isForced } = effect
  const { doc } = booking
  const before = await findVisitBefore(tx, booking, { planned: !isForced })
  const busy =
    before === undefined || isBookingOver(before.status) ? undefined : await findNext(tx, before.booking_id)
  if (busy !== undefined) {
    const due_at = busy.due_at > at ? busy.due_at : at + MINUTE
    return planBooking(tx, world, booking, at, { event: 'sets_off', due_at })
  }
  const day = (instant: number) => localDate(instant, world.timezone)
  const isSameDay = before !== undefined && day(before.updated_at) === day(at)
  const from = isSameDay ? before.doc.place.location : doc.provider.base
  const way = travelSeconds(from, doc.place.location, 'car')
  const leaves = leavesAt(world.seed, booking, way)
  if (at < leaves && !isForced)
    return planBooking(tx, world, booking, at, { event: 'sets_off', due_at: leaves })
  const arrives = at + way * SECOND
  const ends_at = Math.max(arrives, doc.slot?.starts_at ?? at)
  doc.leg = { from, to: doc.place.location, starts_at: at, ends_at }
  doc.en_route_at = at
  await enter(effect, { to: 'en_route', by: 'provider' })
}

/** The provider looks for a time for a request: the first that is free. Where nothing can be any more, declines. */
async function look(effect: Effect): Promise<void> {
  const { tx, world, booking, at } = effect
  const { doc } = booking
  const provider = await loadProvider(tx, booking)
  const window = doc.preferred_window ?? { starts_at: at, ends_at: at + LOOK_AHEAD_DAYS * DAY_MS }
  await lockWorld(tx)
  const startsAt = await findStartWithin(tx, provider, at, doc, window)
  if (startsAt !== undefined) {
    await claimStart(tx, provider, at, doc, { startsAt, bookingId: booking.booking_id })
    giveSlot(booking, startsAt)
    await enter(effect, { to: 'confirmed', by: 'provider' })
  } else if (isPast(window, at)) {
    await end(effect, { to: 'declined', by: 'provider', reason: 'no_free_slot' })
  } else {
    doc.looks += 1
    await touch(tx, booking, at)
    await planBooking(tx, world, booking, at)
  }
}

/** Whether nothing could begin in the window any more, were it free. */
function isPast({ ends_at }: Span, at: number): boolean {
  return at >= ends_at
}

/** What has a start has its end and its arrival with it. */
export function giveSlot({ doc }: BookingRecord, startsAt: number): void {
  doc.slot = slotOf(startsAt, doc)
  doc.arrival_window = arrivalWindow(startsAt)
}

/** What the provider leaves behind: a sentence, and a picture that is a true one. */
async function complete({ tx, world, booking, at }: Effect): Promise<BookingRecord['doc']['completion']> {
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
    recipientName: null,
    relationship: null,
    notes: null,
    lines: [booking_id, doc.service_name, `done ${toTimestamp(at)}`],
  })
  const summary = `${doc.service_name} by ${doc.provider.name}, done in ${minutes} minutes for ${formatMoney(doc.price)}.`
  return { summary, media }
}

type Move = { to: BookingStatus; by: BookingActor; reason?: string }

/** Ends a booking that is not carried out: nobody holds half hours or money for it any more. */
async function end(effect: Effect, move: Move & { reason: string }): Promise<void> {
  const { tx, world, booking, at } = effect
  const { booking_id, doc } = booking
  doc.cancellation = { by: move.by, reason_code: move.reason, note: null, at }
  doc.arrival_window = null
  await unschedule(tx, booking_id)
  await enter(effect, move)
  await releaseCells(tx, booking_id)
  await refundPayment(tx, world, at, booking_id, {
    to: 'original',
    reason: move.reason,
    kind: 'booking',
    counterpartyId: null,
  })
}

/** Moves a booking on, and plans what follows. */
async function enter({ tx, world, booking, at }: Effect, { to, by, reason }: Move): Promise<void> {
  const { status: from, doc } = booking
  if (!canMoveBooking(from, to)) throw new Error(`a booking that is ${from} cannot become ${to}`)
  booking.status = to
  doc.history.push({ status: to, at, by, reason: reason ?? null })
  await touch(tx, booking, at)
  if (!isBookingOver(to)) await planBooking(tx, world, booking, at)
  await tellBooking(tx, world, booking, { from, by, reason })
}

/** Records the state that a booking has come to. */
export async function tellBooking(
  tx: Tx,
  world: World,
  { booking_id, account_id, provider_id, status, updated_at }: BookingRecord,
  { from, by, reason }: { from: BookingStatus | null; by: BookingActor; reason?: string | undefined },
): Promise<void> {
  await appendEvents(tx, world, updated_at, [
    {
      type: `service_booking.${status}`,
      resource_id: booking_id,
      owner_id: account_id,
      occurred_at: updated_at,
      from,
      to: status,
      by,
      data: { provider_id, ...(reason !== undefined && { reason }) },
    },
  ])
}

async function touch(tx: Tx, booking: BookingRecord, at: number): Promise<void> {
  booking.updated_at = at
  await updateBooking(tx, booking)
}

async function loadProvider(tx: Tx, { provider_id }: BookingRecord): Promise<ProviderRecord> {
  const provider = await findProvider(tx, provider_id)
  if (provider === undefined) throw new Error(`${provider_id} is gone`)
  return provider
}
