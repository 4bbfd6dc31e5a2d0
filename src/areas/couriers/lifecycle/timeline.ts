/** The next event of a delivery, and when it is due, without interference. Pure. */
import { jitter } from '../../../core/hash.ts'
import { hasScenario, lateMs } from '../../../core/scenario.ts'
import { midway } from '../../../core/time.ts'
import { travelSeconds } from '../../../core/travel.ts'
import { ABSENT_WAIT_S, isAbsence } from '../../proofs/rules/failures.ts'
import type { CourierRecord, DeliveryDoc, DeliveryRecord } from '../queries/deliveries.ts'
import type { DeliveryStatus } from '../states.ts'

/** The events that may be planned for a delivery, besides those of its payment. */
export type DeliveryStep =
  | 'assigned'
  | 'offer_lapses'
  | 'unassigned'
  | 'arrived_at_pickup'
  | 'picked_up'
  | 'delayed'
  | 'arrived_at_dropoff'
  | 'attempted'
  | 'delivered'
  | 'returning'
  | 'returned'

/** A delivery, or an order that will become one, as far as its steps depend on it. */
export type DeliveryRun = {
  doc: Pick<
    DeliveryDoc,
    | 'pickup'
    | 'dropoff'
    | 'parcel'
    | 'quoted'
    | 'scenario'
    | 'draws'
    | 'drops'
    | 'courier'
    | 'given_up_by'
    | 'promised_delivery_at'
  >
}

const SECOND = 1000
/** The time that a courier thinks before accepting. */
export const ASSIGNED_MS = 30 * SECOND
export const HANDOVER_S = 60
const OFFER_MS = 900 * SECOND
/** The longest time before the collection of a parcel at which a courier sets out for it, or waits there. */
export const AHEAD_MS = 900 * SECOND
export const EARLY_MS = 300 * SECOND
/** The time that a run may wait for a courier who has something else to bring first; who would wait longer is refused. */
export const MAX_COURIER_WAIT_MS = 3600 * SECOND
/** The number of times that an order's delivery is offered before the order fails; a customer's own is offered once. */
const ORDER_OFFERS = 3
const DEFAULT_DELAY_S = 600

/** Seconds of one part of a delivery, the same whenever they are requested. */
export function sampleDeliverySeconds(
  seed: string,
  { doc }: DeliveryRun,
  part: 'collect' | 'to_dropoff' | 'hand_over' | 'return',
  vehicle: CourierRecord | null = doc.courier,
): number {
  const { pickup, dropoff, quoted } = doc
  const travel = (from: typeof pickup.point, to: typeof pickup.point) =>
    vehicle === null ? 0 : travelSeconds(from, to, vehicle.vehicle_type)
  const seconds = {
    collect: HANDOVER_S,
    to_dropoff: quoted?.duration_seconds ?? travel(pickup.point, dropoff.point),
    hand_over: HANDOVER_S,
    return: quoted?.duration_seconds ?? travel(dropoff.point, pickup.point),
  }
  return jitter(seconds[part], seed, [doc.draws.kind, doc.draws.ordinal, doc.drops, part])
}

/** Returns the time at which the courier hands it over, a minute or so after coming to the door; null while unknown. */
export function handedOverAt(seed: string, delivery: DeliveryRecord): number | null {
  const { dropoff_eta_at } = delivery.doc
  return dropoff_eta_at && dropoff_eta_at + sampleDeliverySeconds(seed, delivery, 'hand_over') * SECOND
}

/** Returns the time at which a courier who is at the pickup at an instant is free again. */
export function computeCourierFreeAt(
  seed: string,
  run: DeliveryRun,
  arrivesAt: number,
  courier: CourierRecord | null,
): number {
  const after = (part: Parameters<typeof sampleDeliverySeconds>[2]) =>
    sampleDeliverySeconds(seed, run, part, courier) * SECOND
  const collected = Math.max(arrivesAt + after('collect'), readyAt(run))
  const arrives = collected + after('to_dropoff')
  const late = hasScenario(run, 'courier_late')
    ? Math.max(arrives, run.doc.promised_delivery_at ?? latestArrival(run, arrivesAt)) + lateMs(run)
    : arrives
  const delay = hasScenario(run, 'courier_delay') ? delaySeconds(run) * SECOND : 0
  const back = isReturned(run) ? after('return') : 0
  const door = waitsFor(run) ?? after('hand_over')
  return late + delay + door + back
}

/** Returns the latest time at the door of a courier who is at the pickup at an instant, as it is promised. */
function latestArrival(run: DeliveryRun, arrivesAt: number): number {
  const { pickup, dropoff, quoted } = run.doc
  const seconds = quoted?.duration_seconds ?? travelSeconds(pickup.point, dropoff.point, 'walker')
  return Math.max(arrivesAt + longest(HANDOVER_S), readyAt(run)) + longest(seconds)
}

/** Returns the time at the door of a courier whose scenario delays the way that ends at an instant. */
export function delayedUntil(seed: string, delivery: DeliveryRecord, arrives: number): number {
  if (!hasScenario(delivery, 'courier_late')) return arrives + delaySeconds(delivery) * SECOND
  const promised = delivery.doc.promised_delivery_at ?? arrives
  // Handed over so many minutes after the promise.
  return Math.max(
    arrives,
    promised + lateMs(delivery) - sampleDeliverySeconds(seed, delivery, 'hand_over') * SECOND,
  )
}

/**
 * Returns the time at which a courier is looked for: not long before the parcel can be collected
 * (docs/rules/deliveries.md#a-courier-is-sought-near-the-time).
 */
function searchAt(delivery: DeliveryRun): number {
  return readyAt(delivery) - AHEAD_MS
}

type NextDeliveryEvent = { event: DeliveryStep; due_at: number }
type Now = {
  delivery: DeliveryRecord
  at: number
  /** The time at which a part that begins now ends. */
  after: (part: Parameters<typeof sampleDeliverySeconds>[2]) => number
  /** The time at which the courier is where he is going. */
  arrival: number
}

/** Returns the event that follows the state a delivery is in since `at` (milliseconds); undefined when it has ended. */
export function nextDeliveryEvent(
  seed: string,
  delivery: DeliveryRecord,
  at: number,
): NextDeliveryEvent | undefined {
  return FOLLOWS[delivery.status]?.({
    delivery,
    at,
    after: (part) => at + sampleDeliverySeconds(seed, delivery, part) * SECOND,
    arrival: delivery.doc.leg?.ends_at ?? at,
  })
}

const FOLLOWS: Readonly<Partial<Record<DeliveryStatus, (now: Now) => NextDeliveryEvent>>> = {
  pending({ delivery, at }) {
    const { reserved } = delivery.doc
    if (reserved) return { event: 'assigned', due_at: reserved.starts_at }
    if (!hasScenario(delivery, 'no_courier') && at < searchAt(delivery))
      return { event: 'assigned', due_at: searchAt(delivery) }
    return { event: 'offer_lapses', due_at: lapsesAt(delivery, at) }
  },
  assigned: ({ delivery, at, arrival }) =>
    givesBackAt(delivery) === 'assigned'
      ? { event: 'unassigned', due_at: midway(at, arrival) }
      : { event: 'arrived_at_pickup', due_at: arrival },
  arrived_at_pickup: ({ delivery, after }) => ({
    event: givesBackAt(delivery) === 'arrived_at_pickup' ? 'unassigned' : 'picked_up',
    due_at: Math.max(after('collect'), readyAt(delivery)),
  }),
  picked_up: ({ delivery, at, arrival }) =>
    (hasScenario(delivery, 'courier_delay') || hasScenario(delivery, 'courier_late')) && !delivery.doc.delayed
      ? { event: 'delayed', due_at: midway(at, arrival) }
      : { event: 'arrived_at_dropoff', due_at: arrival },
  arrived_at_dropoff({ delivery, at, after }) {
    const event = isReturned(delivery) ? 'returning' : 'delivered'
    const wait = waitsFor(delivery)
    if (wait === undefined) return { event, due_at: after('hand_over') }
    const { attempts, arrived } = attemptsOf(delivery)
    // The last attempt ends the time of waiting.
    const end = Math.max(at, arrived + wait)
    if (attempts === 0) return { event: 'attempted', due_at: Math.min(end, after('hand_over')) }
    if (attempts === 1) return { event: 'attempted', due_at: end }
    return { event, due_at: end }
  },
  returning: ({ arrival }) => ({ event: 'returned', due_at: arrival }),
}

/** Returns the time at which an offer that no courier takes has ended. */
export function lapsesAt(delivery: DeliveryRecord, at: number): number {
  return Math.max(at, readyAt(delivery) - AHEAD_MS) + OFFER_MS
}

/** Returns the time at which it can be collected at the earliest; 0 where that is at once. */
export function readyAt({ doc }: DeliveryRun): number {
  return doc.quoted?.pickup_ready_at ?? 0
}

/** Returns whether no other courier is asked once this offer has lapsed. */
export function isLastCourierOffer({ order_id, doc }: DeliveryRecord): boolean {
  return doc.offers >= (order_id === null ? 1 : ORDER_OFFERS)
}

/** The seconds that the delivery's scenario delays it by. */
function delaySeconds({ doc }: DeliveryRun): number {
  return Number(doc.scenario?.options['seconds'] ?? DEFAULT_DELAY_S)
}

export function undeliverableReason({ doc }: Pick<DeliveryRun, 'doc'>): string {
  return doc.scenario?.options['reason'] ?? 'recipient_unavailable'
}

/** Milliseconds that a courier waits for an absent recipient; undefined where one opens, or refuses. */
function waitsFor(run: DeliveryRun): number | undefined {
  if (!hasScenario(run, 'undeliverable') || !isAbsence(undeliverableReason(run))) return undefined
  return Number(run.doc.scenario?.options['waits'] ?? ABSENT_WAIT_S) * SECOND
}

/** Returns whether the courier will leave the goods at the door of an absent recipient. */
export function isLeft(run: DeliveryRun): boolean {
  return run.doc.dropoff.if_absent === 'leave' && waitsFor(run) !== undefined
}

/** Returns whether the courier will bring the goods back. */
export function isReturned(run: DeliveryRun): boolean {
  return hasScenario(run, 'undeliverable') && !isLeft(run)
}

/** Returns when the courier came to the door, and how many attempts failed there. */
export function attemptsOf({ doc, updated_at }: DeliveryRecord): { arrived: number; attempts: number } {
  const there = doc.history.filter(({ status }) => status === 'arrived_at_dropoff')
  return { arrived: there[0]?.at ?? updated_at, attempts: there.length - 1 }
}

/** Milliseconds that so many seconds may take: the upper end of `jitter`. */
export function longest(seconds: number): number {
  return Math.round(seconds * 1.2) * SECOND
}

/** Returns the place where the courier of this scenario gives it back, the first time. */
function givesBackAt(delivery: DeliveryRecord): string | undefined {
  if (!hasScenario(delivery, 'courier_cancels') || delivery.doc.drops > 0) return undefined
  return delivery.doc.scenario?.options['at'] ?? 'assigned'
}
