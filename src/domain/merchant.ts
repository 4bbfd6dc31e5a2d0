import { durationSeconds, type Point, roadDistanceMetres } from './geo.ts'

/** Minutes between the earliest and the latest time at which a courier arrives. */
export const SPREAD_MINUTES = 10

/** Minutes that a courier usually needs to be at the store and to take what is ready. */
const COLLECT_MINUTES = 3

/**
 * Minutes from an order to the door, for a courier on a bicycle who is asked when the kitchen is done: cheap enough for
 * every store of a search. A quote asks who can come.
 */
export function deliveryMinutes(
  prepTimeMinutes: number,
  from: Point,
  to: Point,
): { eta_min_minutes: number; eta_max_minutes: number } {
  const ride = Math.ceil(durationSeconds(roadDistanceMetres(from, to), 'bicycle') / 60)
  const eta_min_minutes = prepTimeMinutes + COLLECT_MINUTES + ride
  return { eta_min_minutes, eta_max_minutes: eta_min_minutes + SPREAD_MINUTES }
}
