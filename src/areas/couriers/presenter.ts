/** A courier on the way: of a delivery, or of the order that it is part of. */
import type { Point } from '../../core/geometry.ts'
import { type Place, findPlacePoint } from '../../core/places/place.ts'
import { spotOf } from '../../core/places/spot.ts'
import type { RouteMap } from '../../core/presenter.ts'
import { FAILURE_DETAILS } from '../proofs/rules/failures.ts'
import type { DeliveryStatus } from './states.ts'

/** The sentences for the reasons of a courier. */
export const COURIER_REASONS: Readonly<Record<string, string>> = {
  ...FAILURE_DETAILS,
  // It says nothing.
  other: '',
  courier_unassigned: 'The courier could not come. Another courier is being found.',
  no_courier_available: 'No courier was free in time.',
}

/** The activity of a courier, where the state of an order does not say it. */
export const COURIER_DOING: Readonly<Partial<Record<DeliveryStatus, string>>> = {
  assigned: 'on the way to the pickup',
  arrived_at_pickup: 'at the pickup',
  arrived_at_dropoff: 'at the door',
  returning: 'returning to the sender',
}

type CourierTrip = {
  courier: { name: string; location: Point | null } | null
  /** The state of the delivery, in which the courier goes to the one end or to the other. */
  status: string
  from: Place | undefined
  to: Place | undefined
}

/**
 * Returns the map; null before a courier is on the way. Before the collection its courier is on the way to the sender,
 * whose address no stranger sees.
 */
export function courierMap({ courier, status, from, to }: CourierTrip): RouteMap | null {
  if (courier === null || courier.location === null) return null
  const { latitude, longitude } = courier.location
  const point = { latitude, longitude }
  const outward = status === 'picked_up' || status === 'arrived_at_dropoff'
  const end = to && findPlacePoint(to)
  const target = outward ? end : from && findPlacePoint(from)
  return {
    places: [...spotOf(from, 'A', 'pickup'), ...spotOf(to, 'B', 'drop-off')],
    mover: {
      point,
      bearing: target === undefined ? null : bearingOf(point, target),
      label: courier.name,
      to: outward ? 'B' : 'A',
    },
    shared:
      outward && end !== undefined ? { door: end, words: 'Delivery address', person: courier.name } : null,
  }
}

/** Returns degrees from north; null after the arrival. */
function bearingOf(from: Point, to: Point): number | null {
  const north = to.latitude - from.latitude
  const east = (to.longitude - from.longitude) * Math.cos((from.latitude * Math.PI) / 180)
  if (north === 0 && east === 0) return null
  return (Math.round((Math.atan2(east, north) * 180) / Math.PI) + 360) % 360
}

/** Returns how a courier travels: `bicycle`, `on foot`. */
export function vehicleText(type: string): string {
  return type === 'walker' ? 'on foot' : type
}
