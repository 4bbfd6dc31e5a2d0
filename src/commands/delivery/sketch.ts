/** The map of a courier on the way: of a delivery, or of the order that it is part of. */
import type { Sketch } from '../../cli/track/map-text.ts'
import type { Point } from '../../core/geometry.ts'
import { type Place, pointOf } from '../../core/places/place.ts'

type Run = {
  courier: { name: string; location: Point | null } | null
  /** The state of the delivery, in which the courier goes to the one end or to the other. */
  status: string
  from: Place
  to: Place
}

/** Returns the map; null before somebody is on the way, and where an end is not known. */
export function courierSketch({ courier, status, from, to }: Run): Sketch | null {
  const [start, end] = [pointOf(from), pointOf(to)]
  if (courier === null || courier.location === null) return null
  if (start === undefined || end === undefined) return null
  const outward = status === 'picked_up' || status === 'arrived_at_dropoff'
  return {
    way: [
      { point: start, mark: 'A', label: from.name ?? 'pickup' },
      { point: end, mark: 'B', label: to.name ?? 'drop-off' },
    ],
    vehicle: {
      point: courier.location,
      bearing: bearingOf(courier.location, outward ? end : start),
      label: courier.name,
      to: outward ? 'B' : 'A',
    },
  }
}

/** Degrees from north; null where somebody is there already. */
function bearingOf(from: Point, to: Point): number | null {
  const north = to.latitude - from.latitude
  const east = (to.longitude - from.longitude) * Math.cos((from.latitude * Math.PI) / 180)
  if (north === 0 && east === 0) return null
  return (Math.round((Math.atan2(east, north) * 180) / Math.PI) + 360) % 360
}
