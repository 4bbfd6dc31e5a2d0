/** How far it is by road, and how long it takes (`contract.md` H9). Pure: the formula; other engines are asked elsewhere. */
import { durationSeconds, type Point, roadDistanceMetres, type Vehicle } from './geometry.ts'

/** From the first point over the others to the last one. */
export type Way = { points: readonly Point[]; vehicle: Vehicle }

export type Route = {
  /** Whole metres. */
  distance_m: number
  /** Whole seconds. */
  duration_seconds: number
  /** Where it leads, or null where the engine does not know. */
  line: readonly Point[] | null
}

/** By the formula of `contract.md` A5, stop by stop. */
export function formulaRoute({ points, vehicle }: Way): Route {
  let [distance_m, duration_seconds] = [0, 0]
  for (const [index, to] of points.entries()) {
    const from = points[index - 1]
    if (from === undefined) continue
    const metres = roadDistanceMetres(from, to)
    distance_m += metres
    duration_seconds += durationSeconds(metres, vehicle)
  }
  return { distance_m, duration_seconds, line: null }
}
