/** What happens to a ride next, and when, if nobody interferes (`contract.md` B3, D). Pure. */
import { haversineMetres } from '../domain/geo.ts'
import { jitter } from '../domain/hash.ts'
import type { RideStatus } from '../domain/ride-states.ts'
import { midway } from '../domain/time.ts'
import type { RideRecord } from '../store/rides.ts'
import { pickupSeconds } from './ride-drivers.ts'
import { plays } from './scenario.ts'

/** What the timeline may plan for a ride; the last one is planned where money moves. */
export type RideStep =
  | 'dispatch'
  | 'accepted'
  | 'offer_lapses'
  | 'arriving'
  | 'arrived'
  | 'in_progress'
  | 'completed'
  | 'driver_cancels'
  | 'rider_no_show'
  | 'payment_settles'

const SECOND = 1000
/** How long before its time a scheduled ride looks for a driver, and how far ahead one must be to be scheduled. */
const DISPATCH_AHEAD_MS = 15 * 60 * SECOND
export const SCHEDULED_FROM_MS = 30 * 60 * SECOND
const ACCEPT_S = 20
/** Three offers of 100 s: nobody within 300 s is nobody at all. */
const OFFER_MS = 100 * SECOND
const OFFERS = 3
const SHORTEST_LEG_S = 120
const NEAR_S = 60
const NEAR_M = 300
const BOARDING_S = 60
const NO_SHOW_MS = 300 * SECOND

type Part = 'offer' | 'to_pickup' | 'board' | 'drive'

/** Seconds of one part of a ride, the same whenever they are asked for. */
export function secondsOf(
  seed: string,
  { ordinal, doc }: Pick<RideRecord, 'ordinal' | 'doc'>,
  part: Part,
): number {
  const { driver, pickup, dispatch } = doc
  const seconds: Readonly<Record<Part, number>> = {
    offer: ACCEPT_S,
    to_pickup: driver === null ? 0 : Math.max(SHORTEST_LEG_S, pickupSeconds(driver, pickup.location)),
    board: BOARDING_S,
    drive: doc.driving_time_seconds,
  }
  return jitter(seconds[part], seed, 'ride', ordinal, dispatch.attempt, part)
}

type Next = { event: RideStep; due_at: number }
type Now = { seed: string; ride: RideRecord; at: number; after: (part: Part) => number }

/** What follows the state that a ride is in since `at` (milliseconds); undefined when it is over. */
export function whatFollows(seed: string, ride: RideRecord, at: number): Next | undefined {
  const after = (part: Part) => at + secondsOf(seed, ride, part) * SECOND
  return FOLLOWS[ride.status]?.({ seed, ride, at, after })
}

const FOLLOWS: Readonly<Partial<Record<RideStatus, (now: Now) => Next>>> = {
  scheduled: ({ ride, at }) => ({
    event: 'dispatch',
    due_at: Math.max(at, (ride.doc.scheduled_for ?? at) - DISPATCH_AHEAD_MS),
  }),
  processing: ({ ride, at, after }) =>
    plays(ride, 'no_driver') ? lapse(at) : { event: 'accepted', due_at: after('offer') },
  accepted: ({ ride, at }) => {
    const near = nearAt(ride, at)
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
  arrived: ({ ride, at, after }) => {
    if (plays(ride, 'rider_no_show')) return { event: 'rider_no_show', due_at: at + NO_SHOW_MS }
    return { event: givesUpAt(ride) === 'arrived' ? 'driver_cancels' : 'in_progress', due_at: after('board') }
  },
  in_progress: ({ ride, at }) => ({ event: 'completed', due_at: ride.doc.leg?.ends_at ?? at }),
}

/** An offer that nobody takes. */
export function lapse(at: number): Next {
  return { event: 'offer_lapses', due_at: at + OFFER_MS }
}

/** Whether nobody else is asked once this offer has lapsed. */
export function isLastOffer(asked: number): boolean {
  return asked >= OFFERS
}

/** When a driver on the way to the pickup is within a minute and 300 m of it. */
function nearAt({ doc: { leg, pickup } }: RideRecord, at: number): number {
  const [from] = leg?.path ?? []
  if (leg === null || from === undefined) return at
  const metres = haversineMetres(from, pickup.location)
  const seconds =
    metres <= NEAR_M ? leg.ends_at - leg.starts_at : ((leg.ends_at - leg.starts_at) * NEAR_M) / metres
  const left = Math.min(NEAR_S * SECOND, Math.floor(seconds / SECOND) * SECOND)
  return Math.max(at, leg.ends_at - left)
}

/** Where the driver of this scenario gives up, the first time. */
function givesUpAt(ride: RideRecord): string | undefined {
  if (!plays(ride, 'driver_cancels') || ride.doc.dispatch.attempt > 1) return undefined
  return ride.doc.scenario?.options['at'] ?? 'accepted'
}
