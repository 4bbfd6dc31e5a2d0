/** What happens to a delivery next, and when, if nobody interferes (`contract.md` D). Pure. */
import { canCarry, type ParcelSize, travelSeconds } from '../domain/courier.ts'
import type { DeliveryStatus, VehicleType } from '../domain/delivery-states.ts'
import { haversineMetres, type Point, roadDistanceMetres } from '../domain/geo.ts'
import { drawBelow, jitter } from '../domain/hash.ts'
import { midway } from '../domain/time.ts'
import type { CourierRecord, DeliveryRecord, QuotedRun } from '../store/deliveries.ts'
import { plays } from './scenario.ts'

/** What the timeline may plan for a delivery. */
export type DeliveryStep =
  | 'assigned'
  | 'offer_lapses'
  | 'unassigned'
  | 'arrived_at_pickup'
  | 'picked_up'
  | 'delayed'
  | 'arrived_at_dropoff'
  | 'delivered'
  | 'returning'
  | 'returned'

const SECOND = 1000
const ASSIGNED_S = 30
const HANDOVER_S = 60
const SHORTEST_LEG_S = 60
const OFFER_MS = 900 * SECOND
/** How long before a parcel can be collected a courier is looked for. */
const AHEAD_MS = 900 * SECOND
/** How often an order's delivery is offered before the order fails; a customer's own is offered once. */
const ORDER_OFFERS = 3
/** Among how many of the nearest couriers one is drawn. */
const NEAREST = 5
const DEFAULT_DELAY_S = 600

/** Seconds of one part of a delivery, the same whenever they are asked for. */
export function secondsOf(
  seed: string,
  { doc }: Pick<DeliveryRecord, 'doc'>,
  part: 'offer' | 'to_pickup' | 'collect' | 'to_dropoff' | 'hand_over' | 'return',
  vehicle: CourierRecord | null = doc.courier,
): number {
  const { pickup, dropoff, quoted } = doc
  const travel = (from: typeof pickup.point, to: typeof pickup.point) =>
    vehicle === null ? 0 : travelSeconds(from, to, vehicle.vehicle_type)
  const seconds = {
    offer: ASSIGNED_S,
    to_pickup: Math.max(SHORTEST_LEG_S, travel(vehicle?.home ?? pickup.point, pickup.point)),
    collect: HANDOVER_S,
    to_dropoff: quoted?.duration_seconds ?? travel(pickup.point, dropoff.point),
    hand_over: HANDOVER_S,
    return: quoted?.duration_seconds ?? travel(dropoff.point, pickup.point),
  }
  return jitter(seconds[part], seed, doc.draws.kind, doc.draws.ordinal, doc.drops, part)
}

type Next = { event: DeliveryStep; due_at: number }
type Now = {
  delivery: DeliveryRecord
  at: number
  /** When a part that begins now ends. */
  after: (part: Parameters<typeof secondsOf>[2]) => number
  /** When the courier is where he is going. */
  arrival: number
}

/** What follows the state that a delivery is in since `at` (milliseconds); undefined when it is over. */
export function whatFollows(seed: string, delivery: DeliveryRecord, at: number): Next | undefined {
  return FOLLOWS[delivery.status]?.({
    delivery,
    at,
    after: (part) => at + secondsOf(seed, delivery, part) * SECOND,
    arrival: delivery.doc.leg?.ends_at ?? at,
  })
}

const FOLLOWS: Readonly<Partial<Record<DeliveryStatus, (now: Now) => Next>>> = {
  pending: ({ delivery, at, after }) =>
    plays(delivery, 'no_courier')
      ? { event: 'offer_lapses', due_at: lapsesAt(delivery, at) }
      : { event: 'assigned', due_at: Math.max(after('offer'), readyAt(delivery) - AHEAD_MS) },
  assigned: ({ delivery, at, arrival }) =>
    givesBackAt(delivery) === 'assigned'
      ? { event: 'unassigned', due_at: midway(at, arrival) }
      : { event: 'arrived_at_pickup', due_at: arrival },
  arrived_at_pickup: ({ delivery, after }) => ({
    event: givesBackAt(delivery) === 'arrived_at_pickup' ? 'unassigned' : 'picked_up',
    due_at: Math.max(after('collect'), readyAt(delivery)),
  }),
  picked_up: ({ delivery, at, arrival }) =>
    plays(delivery, 'courier_delay') && !delivery.doc.delayed
      ? { event: 'delayed', due_at: midway(at, arrival) }
      : { event: 'arrived_at_dropoff', due_at: arrival },
  arrived_at_dropoff: ({ delivery, after }) => ({
    event: plays(delivery, 'undeliverable') ? 'returning' : 'delivered',
    due_at: after('hand_over'),
  }),
  returning: ({ arrival }) => ({ event: 'returned', due_at: arrival }),
}

/** When an offer that nobody takes is over. */
export function lapsesAt(delivery: DeliveryRecord, at: number): number {
  return Math.max(at, readyAt(delivery) - AHEAD_MS) + OFFER_MS
}

/** When it can be collected at the earliest; 0 where that is at once. */
export function readyAt({ doc }: Pick<DeliveryRecord, 'doc'>): number {
  return doc.quoted?.pickup_ready_at ?? 0
}

/** Whether nobody else is asked once this offer has lapsed. */
export function isLastOffer({ order_id, doc }: DeliveryRecord): boolean {
  return doc.offers >= (order_id === null ? 1 : ORDER_OFFERS)
}

/** The seconds that the delivery's scenario delays it by. */
export function delaySeconds({ doc }: DeliveryRecord): number {
  return Number(doc.scenario?.options['seconds'] ?? DEFAULT_DELAY_S)
}

export function undeliverableReason({ doc }: DeliveryRecord): string {
  return doc.scenario?.options['reason'] ?? 'recipient_unavailable'
}

/** One of the nearest who can carry it, another one each time that it was given back; undefined when there is nobody. */
export function chooseCourier(
  seed: string,
  { doc }: DeliveryRecord,
  couriers: readonly CourierRecord[],
): CourierRecord | undefined {
  const { pickup, dropoff, parcel, drops, draws, quoted } = doc
  const nearest = nearestCouriers(couriers, pickup.point, {
    size: parcel.size,
    distance: roadDistanceMetres(pickup.point, dropoff.point),
    vehicle: quoted?.vehicle_type,
  })
  if (nearest.length === 0) return undefined
  const drawn = drawBelow(nearest.length, seed, draws.kind, draws.ordinal, 0, 'courier')
  return nearest[(drawn + drops) % nearest.length]
}

type Job = {
  size: ParcelSize
  /** By road. */
  distance: number
  /** What was quoted was priced for one vehicle. */
  vehicle: VehicleType | undefined
}

function nearestCouriers(
  couriers: readonly CourierRecord[],
  pickup: Point,
  { size, distance, vehicle }: Job,
): CourierRecord[] {
  return couriers
    .filter(({ vehicle_type }) =>
      vehicle === undefined ? canCarry(vehicle_type, size, distance) : vehicle_type === vehicle,
    )
    .map((courier) => ({ courier, metres: haversineMetres(courier.home, pickup) }))
    .toSorted((a, b) => a.metres - b.metres || a.courier.sort - b.courier.sort)
    .slice(0, NEAREST)
    .map(({ courier }) => courier)
}

/**
 * When a courier who is looked for since `at` is at both doors, at the latest, whoever comes: a promise that only a
 * courier who gives up, or a delay on the way, can break.
 */
export function promiseArrivals(
  couriers: readonly CourierRecord[],
  {
    pickup,
    size,
    quoted,
  }: {
    pickup: Point
    size: ParcelSize
    quoted: Pick<QuotedRun, 'vehicle_type' | 'road_distance_m' | 'duration_seconds' | 'pickup_ready_at'>
  },
  at: number,
): { pickup_eta_at: number; dropoff_eta_at: number } {
  const { vehicle_type, road_distance_m, duration_seconds, pickup_ready_at } = quoted
  const job = { size, distance: road_distance_m, vehicle: vehicle_type }
  const ways = nearestCouriers(couriers, pickup, job).map(({ home }) =>
    travelSeconds(home, pickup, vehicle_type),
  )
  const ready = pickup_ready_at ?? 0
  const assigned = Math.max(at + longest(ASSIGNED_S), ready - AHEAD_MS)
  const arrived = assigned + longest(Math.max(SHORTEST_LEG_S, ...ways))
  const collected = Math.max(arrived + longest(HANDOVER_S), ready)
  return { pickup_eta_at: arrived, dropoff_eta_at: collected + longest(duration_seconds) }
}

/** Milliseconds that so many seconds may take: the upper end of `jitter`. */
function longest(seconds: number): number {
  return Math.round(seconds * 1.2) * SECOND
}

/** Where the courier of this scenario gives it back, the first time. */
function givesBackAt(delivery: DeliveryRecord): string | undefined {
  if (!plays(delivery, 'courier_cancels') || delivery.doc.drops > 0) return undefined
  return delivery.doc.scenario?.options['at'] ?? 'assigned'
}
