/** The next event of a ride, and when it is due, without interference. Pure. */
import { haversineMetres } from '../../../core/geometry.ts'
import { seededInt, jitter } from '../../../core/hash.ts'
import { hasScenario, lateMs } from '../../../core/scenario.ts'
import { midway } from '../../../core/time.ts'
import type { RideRecord } from '../queries/rides.ts'
import type { RideStatus } from '../states.ts'

/** The events that may be planned for a ride. The last one is planned where money moves. */
export type RideStep =
  | 'dispatch'
  | 'accepted'
  | 'offer_lapses'
  | 'arriving'
  | 'delayed'
  | 'arrived'
  | 'in_progress'
  | 'completed'
  | 'driver_cancels'
  | 'rider_no_show'
  | 'payment_settles'

const SECOND = 1000
/** The time before a scheduled ride at which it looks for a driver; a ride must be this far ahead to be scheduled. */
const DISPATCH_AHEAD_MS = 15 * 60 * SECOND
export const SCHEDULED_FROM_MS = 30 * 60 * SECOND
/** The time that a driver thinks before accepting. */
export const ACCEPT_MS = 20 * SECOND
/**
 * Three offers of 100 s: if no driver is found within 300 s there is none at all
 * (docs/rules/rides.md#a-driver-is-sought-for-five-minutes).
 */
const OFFER_MS = 100 * SECOND
const OFFERS = 3
/** The time that a ride may wait for a driver who has another one to end first; beyond that its tier is not available. */
export const MAX_DRIVER_WAIT_MS = 45 * 60 * SECOND
const NEAR_S = 60
const NEAR_M = 300
const BOARDING_S = 60
const NO_SHOW_MS = 300 * SECOND
/** The driver of a scheduled ride comes between one and five minutes early (docs/rules/rides.md#a-scheduled-ride-comes-early-not-late). */
const MIN_EARLY_S = 60
const MAX_EARLY_S = 300

type Part = 'board' | 'drive'

/** Seconds of one part of a ride, the same whenever they are requested. */
export function sampleRideSeconds(
  seed: string,
  { ordinal, doc }: Pick<RideRecord, 'ordinal' | 'doc'>,
  part: Part,
): number {
  const seconds = part === 'board' ? BOARDING_S : doc.driving_time_seconds
  return jitter(seconds, seed, ['ride', ordinal, doc.dispatch.attempt, part])
}

/** The earliest arrival at the pickup: a driver comes at most five minutes before the time of a scheduled ride. */
export function earliestArrival(seed: string, { ordinal, doc }: Pick<RideRecord, 'ordinal' | 'doc'>): number {
  const spread = MAX_EARLY_S - MIN_EARLY_S + 1
  const early = MIN_EARLY_S + seededInt(spread, seed, ['ride', ordinal, doc.dispatch.attempt, 'early'])
  return (doc.scheduled_for ?? 0) - early * SECOND
}

/** Returns the time at which the rider is expected at a car that is there since `at`: never before the time of a scheduled ride. */
export function expectedAt({ doc }: Pick<RideRecord, 'doc'>, at: number): number {
  return Math.max(at, doc.scheduled_for ?? 0)
}

/** Returns the time at which a driver who is at the pickup at an instant is free again. */
export function computeDriverFreeAt(seed: string, ride: RideRecord, arrivesAt: number): number {
  const expected = expectedAt(ride, arrivesAt) + longestLateness(ride)
  if (hasScenario(ride, 'rider_no_show')) return expected + NO_SHOW_MS
  return expected + (sampleRideSeconds(seed, ride, 'board') + sampleRideSeconds(seed, ride, 'drive')) * SECOND
}

/** Milliseconds that the driver of this scenario comes after the time that is promised, which is a full second. */
function longestLateness(ride: Pick<RideRecord, 'doc'>): number {
  return hasScenario(ride, 'driver_late') ? lateMs(ride) + SECOND : 0
}

type NextRideEvent = { event: RideStep; due_at: number }
type Now = { seed: string; ride: RideRecord; at: number }

/** Returns the event that follows the state a ride is in since `at` (milliseconds); undefined when it has ended. */
export function nextRideEvent(seed: string, ride: RideRecord, at: number): NextRideEvent | undefined {
  return FOLLOWS[ride.status]?.({ seed, ride, at })
}

const FOLLOWS: Readonly<Partial<Record<RideStatus, (now: Now) => NextRideEvent>>> = {
  scheduled: ({ ride, at }) => ({
    event: 'dispatch',
    due_at: Math.max(at, (ride.doc.scheduled_for ?? at) - DISPATCH_AHEAD_MS),
  }),
  processing({ ride, at }) {
    const { reserved } = ride.doc
    return reserved ? { event: 'accepted', due_at: reserved.starts_at } : lapse(at)
  },
  accepted: ({ ride, at }) => {
    const near = nearAt(ride, at)
    if (hasScenario(ride, 'driver_late') && ride.doc.delayed !== true)
      return { event: 'delayed', due_at: midway(at, near) }
    return givesUpAt(ride) === 'accepted'
      ? { event: 'driver_cancels', due_at: midway(at, near) }
      : { event: 'arriving', due_at: near }
  },
  arriving: ({ ride, at }) => {
    const arrival = Math.max(at, ride.doc.leg?.ends_at ?? at)
    return givesUpAt(ride) === 'arriving'
      ? { event: 'driver_cancels', due_at: midway(at, arrival) }
      : { event: 'arrived', due_at: arrival }
  },
  arrived: ({ seed, ride, at }) => {
    const expected = expectedAt(ride, at)
    if (hasScenario(ride, 'rider_no_show')) return { event: 'rider_no_show', due_at: expected + NO_SHOW_MS }
    const due_at = expected + sampleRideSeconds(seed, ride, 'board') * SECOND
    return { event: givesUpAt(ride) === 'arrived' ? 'driver_cancels' : 'in_progress', due_at }
  },
  in_progress: ({ ride, at }) => ({ event: 'completed', due_at: ride.doc.leg?.ends_at ?? at }),
}

/** An offer that no driver takes. */
export function lapse(at: number): NextRideEvent {
  return { event: 'offer_lapses', due_at: at + OFFER_MS }
}

/** Returns whether no other driver is asked once this offer has lapsed. */
export function isLastDriverOffer(asked: number): boolean {
  return asked >= OFFERS
}

/** Returns the time at which a driver on the way to the pickup is within a minute and 300 m of it. */
function nearAt({ doc: { leg, pickup } }: RideRecord, at: number): number {
  const [from] = leg?.path ?? []
  if (leg === null || from === undefined) return at
  const metres = haversineMetres(from, pickup.location)
  const seconds =
    metres <= NEAR_M ? leg.ends_at - leg.starts_at : ((leg.ends_at - leg.starts_at) * NEAR_M) / metres
  const left = Math.min(NEAR_S * SECOND, Math.floor(seconds / SECOND) * SECOND)
  return Math.max(at, leg.ends_at - left)
}

/** Returns the place where the driver of this scenario gives up, the first time. */
function givesUpAt(ride: RideRecord): string | undefined {
  if (!hasScenario(ride, 'driver_cancels') || ride.doc.dispatch.attempt > 1) return undefined
  return ride.doc.scenario?.options['at'] ?? 'accepted'
}
