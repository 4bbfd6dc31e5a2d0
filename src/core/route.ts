/** The road distance and duration between points, by a formula, so that a seed repeats byte for byte. */
import { computeRoadTravelSeconds, type Point, roadDistanceMetres, type Vehicle } from './geometry.ts'

/** A request for a route: from the first point through the others to the last one. */
type RouteRequest = { points: readonly Point[]; vehicle: Vehicle }

export type TravelRoute = {
  /** Whole metres. */
  distance_m: number
  /** Whole seconds. */
  duration_seconds: number
}

/** Computes a route stop by stop. */
export function formulaRoute({ points, vehicle }: RouteRequest): TravelRoute {
  let [distance_m, duration_seconds] = [0, 0]
  for (const [index, to] of points.entries()) {
    const from = points[index - 1]
    if (from === undefined) continue
    const metres = roadDistanceMetres(from, to)
    distance_m += metres
    duration_seconds += computeRoadTravelSeconds(metres, vehicle)
  }
  return { distance_m, duration_seconds }
}
