/**
 * The lifecycle of a ride: the only writer of its status. Every function takes the ride with its row locked; every change
 * passes `RIDE_LIFECYCLE`, which checks the state table.
 */
import { AppError } from '../../../core/errors.ts'
import type { Point } from '../../../core/geometry.ts'
import { formatMoney, type Money } from '../../../core/money.ts'
import { computeRemainingLeg } from '../../../core/path.ts'
import { hasScenario, lateMs } from '../../../core/scenario.ts'
import {
  defineLifecycle,
  type Lifecycle,
  type Transition,
  clampToLastUpdate,
  type ChangeContext,
  type Steps,
} from '../../../db/lifecycle.ts'
import {
  releaseJob,
  isAssignmentPossible,
  releaseWorker,
  releaseAssignment,
} from '../../dispatch/lifecycle.ts'
import { refundPayment, settleUnpaidPayment } from '../../payments/lifecycle/payment.ts'
import { findPayment } from '../../payments/queries/ledger.ts'
import { countsAsPaid } from '../../payments/rules/payment.ts'
import {
  lockRide,
  lockRides,
  type ReservedDriver,
  type RideDoc,
  type RideRecord,
  updateRide,
} from '../queries/rides.ts'
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
import { oweFee, returnBalance } from './balance.ts'
import { reserveDriver } from './drivers.ts'
import {
  ACCEPT_MS,
  expectedAt,
  isLastDriverOffer,
  lapse,
  type RideStep,
  sampleRideSeconds,
  nextRideEvent,
} from './timeline.ts'

const SECOND = 1000

/** The rider takes it back. Throws `not_cancellable`. */
export async function cancelRideRecord(
  given: ChangeContext,
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
  const scene = clampToLastUpdate(given, ride)
  const full = feeAt(ride, scene.at)
  const call = { by: 'rider', reason_code, note, full, line: 'cancellation_fee' } as const
  await RIDE_LIFECYCLE.transition(scene, ride, await callOff(scene, ride, call))
}

/** Returns the fee if the rider cancelled now, kept or owed; null when the ride cannot be cancelled. */
export function feeOfCancelling(ride: RideRecord, now: number): Money | null {
  if (!isRideCancellable(ride.status)) return null
  return { ...ride.doc.fare, amount: feeAt(ride, Math.max(now, ride.updated_at)) }
}

function feeAt({ doc }: RideRecord, at: number): number {
  return cancellationFee(doc.fare.amount, doc.accepted_at, at)
}

/** The first offer of a search goes out. */
export async function startSearch(scene: ChangeContext, ride: RideRecord): Promise<void> {
  const { doc } = ride
  doc.dispatch = { attempt: doc.dispatch.attempt + 1, candidates_tried: 1, last_offer_at: scene.at }
  await offer(scene, ride)
}

/** Offers a ride to the driver who can be at the pickup first, and takes that driver's time. */
async function offer({ tx, world, at }: ChangeContext, ride: RideRecord): Promise<void> {
  const found = hasScenario(ride, 'no_driver')
    ? undefined
    : await reserveDriver(tx, world, ride, at + ACCEPT_MS)
  ride.doc.reserved = found ?? null
}

type RideMove = Transition<RideStatus, RideActor, RideStep>

const STEPS: Steps<RideRecord, RideStatus, RideActor, RideStep> = {
  dispatch: {
    from: ['scheduled'],
    async apply(scene, ride) {
      await startSearch(scene, ride)
      return { to: 'processing', by: 'system' }
    },
  },
  accepted: { from: ['processing'], apply: accept },
  offer_lapses: { from: ['processing'], apply: lapseOffer },
  delayed: {
    from: ['accepted'],
    apply(scene, ride) {
      const { doc } = ride
      const { at } = scene
      const arrives = Math.max(at, (doc.promised_pickup_at ?? at) + lateMs(ride))
      doc.leg = doc.leg && { ...computeRemainingLeg(doc.leg, at), ends_at: arrives }
      doc.dropoff_eta_at = dropoffEta(scene, ride, arrives)
      doc.delayed = true
      return { by: 'driver', reason: 'driver_late', eventName: 'delayed' }
    },
  },
  arriving: {
    from: ['accepted'],
    apply({ at }, { doc }) {
      doc.leg = doc.leg && computeRemainingLeg(doc.leg, at)
      return { to: 'arriving', by: 'driver' }
    },
  },
  arrived: {
    from: ['arriving'],
    apply(scene, ride) {
      const { doc } = ride
      doc.leg = doc.leg && { ...doc.leg, ends_at: Math.min(doc.leg.ends_at, scene.at) }
      doc.dropoff_eta_at = dropoffEta(scene, ride, scene.at)
      return { to: 'arrived', by: 'driver' }
    },
  },
  in_progress: {
    from: ['arrived'],
    apply({ world, at }, ride) {
      const ends_at = at + sampleRideSeconds(world.seed, ride, 'drive') * SECOND
      ride.doc.leg = { path: ride.doc.path, starts_at: at, ends_at }
      ride.doc.dropoff_eta_at = ends_at
      return { to: 'in_progress', by: 'driver' }
    },
  },
  completed: {
    from: ['in_progress'],
    async apply({ tx, at }, { ride_id, doc }) {
      doc.leg = null
      doc.dropoff_eta_at = null
      doc.completed_at = at
      doc.receipt = { charged: doc.fare, lines: doc.lines }
      await releaseWorker(tx, ride_id, at, doc.dropoff.location)
      return { to: 'completed', by: 'driver' }
    },
  },
  driver_cancels: {
    from: ['accepted', 'arriving', 'arrived'],
    async apply(scene, ride) {
      const { tx, at } = scene
      const { driver } = ride.doc
      ride.doc.given_up_by = [...(ride.doc.given_up_by ?? []), driver?.driver_id ?? '']
      await releaseJob(tx, ride.ride_id, at, whereIs(ride.doc, at))
      clearDriver(ride.doc)
      await startSearch(scene, ride)
      return { to: 'processing', by: 'driver', reason: 'driver_cancelled' }
    },
  },
  rider_no_show: {
    from: ['arrived'],
    apply: (scene, ride) =>
      callOff(scene, ride, {
        by: 'driver',
        reason_code: 'rider_no_show',
        note: null,
        full: noShowFee(ride.doc.fare.amount),
        line: 'no_show_fee',
      }),
  },
  payment_settles: {
    from: ['scheduled', 'processing', 'accepted', 'arriving', 'arrived', 'in_progress'],
    async apply(scene, ride) {
      await settleUnpaidPayment(scene, ride.ride_id)
      // The search of this ride waited for the card.
      if (ride.status !== 'processing' || ride.doc.dispatch.attempt > 0) return undefined
      await startSearch(scene, ride)
      return { by: 'system' }
    },
  },
}

export const RIDE_LIFECYCLE: Lifecycle<RideRecord, RideStatus, RideActor, RideStep> = defineLifecycle({
  kind: 'ride',
  name: 'ride',
  lock: lockRide,
  lockMany: lockRides,
  write: updateRide,
  audience: ({ ride_id, account_id }) => ({ resource_id: ride_id, owner_id: account_id }),
  canMove: canMoveRide,
  steps: STEPS,
  enter(_, { doc }, entry) {
    if (DRIVEN.includes(entry.status) !== (doc.driver !== null))
      throw new Error(`a ride that is ${entry.status} and its driver differ`)
    doc.history.push(entry)
  },
  cancelsSchedule: isRideOver,
  next: ({ world, at }, ride) => nextRideEvent(world.seed, ride, at),
  data: ({ doc }) => ({ driver_id: doc.driver?.driver_id ?? null }),
  afterTransition: {
    // Cash is handed over at the door.
    completed: (scene, { ride_id }) => settleUnpaidPayment(scene, ride_id),
    cancelled: refundRide,
    no_drivers_available: refundRide,
  },
})

/** The driver who was found takes it. Where that driver is no longer free then, another one is looked for. */
async function accept(scene: ChangeContext, ride: RideRecord): Promise<RideMove | undefined> {
  const { at } = scene
  const { doc } = ride
  const found = await confirmOrReplaceDriver(scene, ride)
  doc.reserved = found ?? null
  if (found === undefined) {
    await RIDE_LIFECYCLE.scheduleNext(scene, ride, lapse(doc.dispatch.last_offer_at ?? at))
    return undefined
  }
  if (found.starts_at > at) return { by: 'system' }
  doc.reserved = null
  doc.driver = found.driver
  doc.accepted_at = at
  const { arrives_at } = found
  if ((doc.given_up_by ?? []).length === 0)
    doc.promised_pickup_at = expectedAt(ride, at + Math.ceil((arrives_at - at) / SECOND) * SECOND)
  doc.leg = {
    path: [found.from, doc.pickup.location],
    starts_at: Math.max(at, found.sets_off_at),
    ends_at: arrives_at,
  }
  doc.dropoff_eta_at = dropoffEta(scene, ride, arrives_at)
  return { to: 'accepted', by: 'driver' }
}

async function confirmOrReplaceDriver(
  { tx, world, at }: ChangeContext,
  ride: RideRecord,
): Promise<ReservedDriver | undefined> {
  const { reserved } = ride.doc
  const slot = reserved && { ...reserved, person_id: reserved.driver.driver_id, vehicle: 'car' as const }
  if (slot && (await isAssignmentPossible(tx, { crew: 'driver', jobId: ride.ride_id }, slot, at)))
    return reserved
  await releaseAssignment(tx, ride.ride_id)
  return reserveDriver(tx, world, ride, at)
}

/** The driver did not accept: offers the ride to the next one. After the last driver the ride ends without a charge. */
async function lapseOffer(scene: ChangeContext, ride: RideRecord): Promise<RideMove> {
  const { doc } = ride
  const { dispatch } = doc
  if (isLastDriverOffer(dispatch.candidates_tried)) {
    const reason = 'no_drivers_available'
    doc.receipt = { charged: { ...doc.fare, amount: 0 }, lines: [] }
    return { to: reason, by: 'system', reason }
  }
  doc.dispatch = { ...dispatch, candidates_tried: dispatch.candidates_tried + 1, last_offer_at: scene.at }
  await offer(scene, ride)
  return { by: 'system' }
}

/** Returns the time at which a ride whose driver is at the pickup at that time has ended. */
function dropoffEta({ world: { seed } }: ChangeContext, ride: RideRecord, pickupAt: number): number {
  return (
    expectedAt(ride, pickupAt) +
    (sampleRideSeconds(seed, ride, 'board') + sampleRideSeconds(seed, ride, 'drive')) * SECOND
  )
}

/** Returns the place where the car is before the ride has begun. */
function whereIs({ leg, pickup }: RideDoc, at: number): Point {
  const [here] = leg === null ? [] : computeRemainingLeg(leg, at).path
  return here ?? pickup.location
}

function clearDriver(doc: RideDoc): void {
  doc.reserved = null
  doc.driver = null
  doc.accepted_at = null
  doc.leg = null
  doc.dropoff_eta_at = null
}

type RideCallOff = {
  by: RideActor
  reason_code: RideCancelReason | 'rider_no_show'
  note: string | null
  /** The fee in minor units, whether it can be kept or is owed. */
  full: number
  line: 'cancellation_fee' | 'no_show_fee'
}

/** Ends a ride before it began: the fee is kept of what was paid, and owed where nothing was. */
async function callOff(
  { tx, at }: ChangeContext,
  { doc, ride_id }: RideRecord,
  { by, reason_code, note, full, line }: RideCallOff,
): Promise<RideMove> {
  await releaseWorker(tx, ride_id, at, whereIs(doc, at))
  const payment = await findPayment(tx, ride_id)
  const isPaid = payment !== undefined && countsAsPaid(payment)
  const fee = { ...doc.fare, amount: isPaid ? full : 0 }
  const balance_due = isPaid || full === 0 ? null : { ...doc.fare, amount: full }
  clearDriver(doc)
  doc.cancellation = { by, reason_code, note, fee, balance_due, at }
  doc.receipt = { charged: fee, lines: fee.amount === 0 ? [] : [{ type: line, amount: fee }] }
  return { to: 'cancelled', by, reason: reason_code }
}

/** Everything that was paid is refunded, less the fee that is kept. A fee that is owed joins the balance. */
async function refundRide(
  scene: ChangeContext,
  ride: RideRecord,
  { reason = ride.status }: RideMove,
): Promise<void> {
  const { tx, at } = scene
  const { fare, lines, cancellation } = ride.doc
  const kept = cancellation?.fee.amount ?? 0
  await refundPayment(scene, ride.ride_id, {
    to: 'original',
    reason: kept === 0 ? reason : `${reason}, less a fee of ${formatMoney({ ...fare, amount: kept })}`,
    kind: 'ride',
    counterpartyId: null,
    amount: { ...fare, amount: fare.amount - kept },
  })
  await returnBalance(tx, at, ride, lines)
  if (cancellation?.balance_due) await oweFee(tx, at, ride, cancellation.balance_due)
}
