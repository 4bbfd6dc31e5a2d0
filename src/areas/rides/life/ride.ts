/**
 * The life of a ride: the only writer of its status. Every function takes the ride with its row locked; every change
 * passes `write`, which checks the state table.
 */
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import type { Point } from '../../../core/geometry.ts'
import { formatMoney, type Money } from '../../../core/money.ts'
import { restOf } from '../../../core/path.ts'
import { plays } from '../../../core/scenario.ts'
import type { World } from '../../../core/world.ts'
import { appendEvents } from '../../../store/events.ts'
import { findNext, schedule, type TimelineEvent, unschedule } from '../../../store/timeline.ts'
import { giveUp as giveUpRide, isSlotKept, release, unreserve } from '../../dispatch/life.ts'
import { refundPayment, settlePayment } from '../../payments/life.ts'
import { findPayment } from '../../payments/store.ts'
import { cancellationFee, noShowFee } from '../rules.ts'
import {
  canMoveRide,
  DRIVEN,
  isRideCancellable,
  isRideOver,
  type RideActor,
  type RideCancelReason,
  type RideStatus,
} from '../states.ts'
import { lockRide, type ReservedDriver, type RideDoc, type RideRecord, updateRide } from '../store/rides.ts'
import { oweFee, returnBalance } from './balance.ts'
import { reserveDriver } from './drivers.ts'
import {
  ACCEPT_MS,
  expectedAt,
  isLastOffer,
  lapse,
  type RideStep,
  secondsOf,
  whatFollows,
} from './timeline.ts'

const SECOND = 1000

/** Applies what the timeline planned; gives when the next thing is due. A plan that no longer fits is dropped silently. */
export async function applyRideEvent(
  tx: Tx,
  world: World,
  event: TimelineEvent,
  now = event.due_at,
): Promise<number | undefined> {
  const ride = await lockRide(tx, event.resource_id)
  if (ride === undefined) return undefined
  const step = STEPS[event.event as RideStep]
  if (step.from.includes(ride.status)) await step.take({ tx, world, ride, at: timeOf(ride, now) })
  return (await findNext(tx, ride.ride_id))?.due_at
}

/** The rider takes it back. Throws `not_cancellable`. */
export async function cancelRide(
  tx: Tx,
  world: World,
  now: number,
  ride: RideRecord,
  { reason_code, note }: { reason_code: RideCancelReason; note: string | null },
): Promise<void> {
  const { status, ride_id } = ride
  if (!isRideCancellable(status)) {
    throw new AppError(
      'not_cancellable',
      `Ride ${ride_id} is ${status.replaceAll('_', ' ')} and can no longer be cancelled.`,
      { extra: { current_status: status, resource_id: ride_id } },
    )
  }
  const at = timeOf(ride, now)
  const full = feeAt(ride, at)
  await callOff(tx, world, ride, { at, by: 'rider', reason_code, note, full, line: 'cancellation_fee' })
}

/** Returns the fee if the rider cancelled now, kept or owed; null when the ride cannot be cancelled. */
export function feeOfCancelling(ride: RideRecord, now: number): Money | null {
  if (!isRideCancellable(ride.status)) return null
  return { ...ride.doc.fare, amount: feeAt(ride, timeOf(ride, now)) }
}

function feeAt({ doc }: RideRecord, at: number): number {
  return cancellationFee(doc.fare.amount, doc.accepted_at, at)
}

/** Puts on the timeline what follows the state that a ride is in since `at`. */
export async function planRide(
  tx: Tx,
  { seed }: World,
  { ride_id, account_id, ...ride }: RideRecord,
  at: number,
  next = whatFollows(seed, { ride_id, account_id, ...ride }, at),
): Promise<void> {
  if (next === undefined) return
  await schedule(tx, at, [
    {
      due_at: next.due_at,
      kind: 'ride',
      resource_id: ride_id,
      owner_id: account_id,
      event: next.event,
      payload: {},
    },
  ])
}

/** The first offer of a search goes out. */
export async function startSearch(tx: Tx, world: World, ride: RideRecord, at: number): Promise<void> {
  const { doc } = ride
  doc.dispatch = { attempt: doc.dispatch.attempt + 1, candidates_tried: 1, last_offer_at: at }
  await offer(tx, world, ride, at)
}

/** Offers a ride to the driver who can be at the pickup first, and takes that driver's time. */
async function offer(tx: Tx, world: World, ride: RideRecord, at: number): Promise<void> {
  const found = plays(ride, 'no_driver') ? undefined : await reserveDriver(tx, world, ride, at + ACCEPT_MS)
  ride.doc.reserved = found ?? null
}

/** Records that a ride has come into a state. */
export async function tellRide(
  tx: Tx,
  world: World,
  { ride_id, account_id, status, doc }: RideRecord,
  {
    from,
    at,
    by,
    reason,
  }: { from: RideStatus | null; at: number; by: RideActor; reason?: string | undefined },
): Promise<void> {
  await appendEvents(tx, world, at, [
    {
      type: `ride.${status}`,
      resource_id: ride_id,
      owner_id: account_id,
      occurred_at: at,
      from,
      to: status,
      by,
      data: { driver_id: doc.driver?.driver_id ?? null, ...(reason !== undefined && { reason }) },
    },
  ])
}

type Effect = { tx: Tx; world: World; ride: RideRecord; at: number }
type Step = { from: readonly RideStatus[]; take: (effect: Effect) => Promise<void> }

const STEPS: Readonly<Record<RideStep, Step>> = {
  dispatch: {
    from: ['scheduled'],
    async take(effect) {
      const { tx, world, ride, at } = effect
      await startSearch(tx, world, ride, at)
      await enter(effect, { to: 'processing', by: 'system' })
    },
  },
  accepted: { from: ['processing'], take: accept },
  offer_lapses: {
    from: ['processing'],
    async take(effect) {
      const { tx, world, ride, at } = effect
      const { dispatch } = ride.doc
      if (isLastOffer(dispatch.candidates_tried)) return giveUp(effect)
      ride.doc.dispatch = { ...dispatch, candidates_tried: dispatch.candidates_tried + 1, last_offer_at: at }
      await offer(tx, world, ride, at)
      return wait(effect)
    },
  },
  arriving: {
    from: ['accepted'],
    async take(effect) {
      const { doc } = effect.ride
      doc.leg = doc.leg && restOf(doc.leg, effect.at)
      await enter(effect, { to: 'arriving', by: 'driver' })
    },
  },
  arrived: {
    from: ['arriving'],
    async take(effect) {
      const { doc } = effect.ride
      doc.leg = doc.leg && { ...doc.leg, ends_at: Math.min(doc.leg.ends_at, effect.at) }
      doc.dropoff_eta_at = dropoffEta(effect, effect.at)
      await enter(effect, { to: 'arrived', by: 'driver' })
    },
  },
  in_progress: {
    from: ['arrived'],
    async take(effect) {
      const { world, ride, at } = effect
      const ends_at = at + secondsOf(world.seed, ride, 'drive') * SECOND
      ride.doc.leg = { path: ride.doc.path, starts_at: at, ends_at }
      ride.doc.dropoff_eta_at = ends_at
      await enter(effect, { to: 'in_progress', by: 'driver' })
    },
  },
  completed: {
    from: ['in_progress'],
    async take(effect) {
      const { tx, world, ride, at } = effect
      const { doc } = ride
      doc.leg = null
      doc.dropoff_eta_at = null
      doc.completed_at = at
      doc.receipt = { charged: doc.fare, lines: doc.lines }
      await release(tx, ride.ride_id, at, doc.dropoff.location)
      await enter(effect, { to: 'completed', by: 'driver' })
      // Cash is handed over at the door.
      await settlePayment(tx, world, at, ride.ride_id)
    },
  },
  driver_cancels: {
    from: ['accepted', 'arriving', 'arrived'],
    async take(effect) {
      const { tx, world, ride, at } = effect
      const { driver } = ride.doc
      ride.doc.given_up_by = [...(ride.doc.given_up_by ?? []), driver?.driver_id ?? '']
      await giveUpRide(tx, ride.ride_id, at, whereIs(ride.doc, at))
      clearDriver(ride.doc)
      await startSearch(tx, world, ride, at)
      await enter(effect, { to: 'processing', by: 'driver', reason: 'driver_cancelled' })
    },
  },
  rider_no_show: {
    from: ['arrived'],
    async take({ tx, world, ride, at }) {
      await callOff(tx, world, ride, {
        at,
        by: 'driver',
        reason_code: 'rider_no_show',
        note: null,
        full: noShowFee(ride.doc.fare.amount),
        line: 'no_show_fee',
      })
    },
  },
  payment_settles: {
    from: ['scheduled', 'processing', 'accepted', 'arriving', 'arrived', 'in_progress'],
    async take({ tx, world, ride, at }) {
      await settlePayment(tx, world, at, ride.ride_id)
    },
  },
}

/** The driver who was found takes it. Where that driver is no longer free then, another one is looked for. */
async function accept(effect: Effect): Promise<void> {
  const { tx, world, ride, at } = effect
  const { doc } = ride
  const found = await keepOrReplace(effect)
  doc.reserved = found ?? null
  if (found === undefined) return planRide(tx, world, ride, at, lapse(doc.dispatch.last_offer_at ?? at))
  if (found.starts_at > at) return wait(effect)
  doc.reserved = null
  doc.driver = found.driver
  doc.accepted_at = at
  const { arrives_at } = found
  doc.leg = {
    path: [found.from, doc.pickup.location],
    starts_at: Math.max(at, found.sets_off_at),
    ends_at: arrives_at,
  }
  doc.dropoff_eta_at = dropoffEta(effect, arrives_at)
  return enter(effect, { to: 'accepted', by: 'driver' })
}

async function keepOrReplace({ tx, world, ride, at }: Effect): Promise<ReservedDriver | undefined> {
  const { reserved } = ride.doc
  const slot = reserved && { ...reserved, person_id: reserved.driver.driver_id, vehicle: 'car' as const }
  if (slot && (await isSlotKept(tx, 'driver', ride.ride_id, slot, at))) return reserved
  await unreserve(tx, ride.ride_id)
  return reserveDriver(tx, world, ride, at)
}

/** Writes a ride that stays as it is, and plans what follows. */
async function wait({ tx, world, ride, at }: Effect): Promise<void> {
  ride.updated_at = at
  await updateRide(tx, ride)
  await planRide(tx, world, ride, at)
}

/** When a ride whose driver is at the pickup at that time is over. */
function dropoffEta({ world: { seed }, ride }: Effect, pickupAt: number): number {
  return (
    expectedAt(ride, pickupAt) + (secondsOf(seed, ride, 'board') + secondsOf(seed, ride, 'drive')) * SECOND
  )
}

/** Where the car is before the ride has begun. */
function whereIs({ leg, pickup }: RideDoc, at: number): Point {
  const [here] = leg === null ? [] : restOf(leg, at).path
  return here ?? pickup.location
}

function clearDriver(doc: RideDoc): void {
  doc.reserved = null
  doc.driver = null
  doc.accepted_at = null
  doc.leg = null
  doc.dropoff_eta_at = null
}

/** Nobody came: nothing is charged. */
async function giveUp(effect: Effect): Promise<void> {
  const { tx, world, ride, at } = effect
  const { doc } = ride
  const reason = 'no_drivers_available'
  doc.receipt = { charged: { ...doc.fare, amount: 0 }, lines: [] }
  await enter(effect, { to: 'no_drivers_available', by: 'system', reason })
  await refundPayment(tx, world, at, ride.ride_id, {
    to: 'original',
    reason,
    kind: 'ride',
    counterpartyId: null,
  })
  await returnBalance(tx, at, ride, doc.lines)
}

type Calling = {
  at: number
  by: RideActor
  reason_code: RideCancelReason | 'rider_no_show'
  note: string | null
  /** The fee in minor units, whether it can be kept or is owed. */
  full: number
  line: 'cancellation_fee' | 'no_show_fee'
}

/** Ends a ride before it began: the fee is kept of what was paid, and owed where nothing was; the rest goes back. */
async function callOff(
  tx: Tx,
  world: World,
  ride: RideRecord,
  { at, by, reason_code, note, full, line }: Calling,
): Promise<void> {
  const { doc, ride_id } = ride
  await release(tx, ride_id, at, whereIs(doc, at))
  const isPaid = (await findPayment(tx, ride_id))?.status === 'paid'
  const fee = { ...doc.fare, amount: isPaid ? full : 0 }
  const balance_due = isPaid || full === 0 ? null : { ...doc.fare, amount: full }
  clearDriver(doc)
  doc.cancellation = { by, reason_code, note, fee, balance_due, at }
  doc.receipt = { charged: fee, lines: fee.amount === 0 ? [] : [{ type: line, amount: fee }] }
  await enter({ tx, world, ride, at }, { to: 'cancelled', by, reason: reason_code })
  await refundPayment(tx, world, at, ride_id, {
    to: 'original',
    reason: fee.amount === 0 ? reason_code : `${reason_code}, less a fee of ${formatMoney(fee)}`,
    kind: 'ride',
    counterpartyId: null,
    amount: { ...doc.fare, amount: doc.fare.amount - fee.amount },
  })
  await returnBalance(tx, at, ride, doc.lines)
  if (balance_due !== null) await oweFee(tx, at, ride, balance_due)
}

type Move = { to: RideStatus; by: RideActor; reason?: string | undefined }

/** Moves a ride along the state table, and plans what follows. */
async function enter({ tx, world, ride, at }: Effect, { to, by, reason }: Move): Promise<void> {
  const { status: from, doc, ride_id } = ride
  if (!canMoveRide(from, to)) throw new Error(`a ride that is ${from} cannot become ${to}`)
  if (DRIVEN.includes(to) !== (doc.driver !== null))
    throw new Error(`a ride that is ${to} and its driver differ`)
  ride.status = to
  ride.updated_at = at
  doc.history.push({ status: to, at, by, reason: reason ?? null })
  if (isRideOver(to)) await unschedule(tx, ride_id)
  await updateRide(tx, ride)
  await planRide(tx, world, ride, at)
  await tellRide(tx, world, ride, { from, at, by, reason })
}

/** Never before the ride's last change. */
function timeOf({ updated_at }: RideRecord, now: number): number {
  return Math.max(now, updated_at)
}
