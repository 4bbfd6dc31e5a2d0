import { durationSeconds, type Point, roadDistanceMetres } from './geo.ts'

/** Minutes between the earliest and the latest time at which a courier arrives. */
const SPREAD_MINUTES = 10

/** Minutes from an order to the door, for a courier on a bicycle who sets out when the kitchen is done. */
export function deliveryMinutes(
  prepTimeMinutes: number,
  from: Point,
  to: Point,
): { eta_min_minutes: number; eta_max_minutes: number } {
  const ride = Math.ceil(durationSeconds(roadDistanceMetres(from, to), 'bicycle') / 60)
  const eta_min_minutes = prepTimeMinutes + ride
  return { eta_min_minutes, eta_max_minutes: eta_min_minutes + SPREAD_MINUTES }
}
