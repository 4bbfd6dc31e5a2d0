/**
 * Positions along a path of straight segments (docs/rules/time-and-places.md#people-move-along-straight-lines). Pure: the
 * path and the time determine everything.
 */
import { interpolatePoint, haversineMetres, type Point, roundPoint } from './geometry.ts'
import { computeLastPingTime } from './travel.ts'

/** A movement along a path, in milliseconds of service time. */
export type PathMotion = { path: readonly Point[]; starts_at: number; ends_at: number }

export type Heading = Point & {
  /** Whole degrees from north, clockwise. */
  bearing: number
  /** The time of the position report: at the start, at the end, and every 20 seconds between. */
  at: number
}

/** Returns the last reported position and direction. */
export function headingAt(leg: PathMotion, now: number): Heading {
  const at = computeLastPingTime({ ...leg, ...endsOf(leg) }, now)
  const { point, from, to } = locate(leg, at)
  return { ...point, bearing: bearingOf(from, to), at }
}

/** Returns the remaining leg at an instant, from the position at that time. */
export function computeRemainingLeg(leg: PathMotion, at: number): PathMotion {
  const { point, index } = locate(leg, at)
  return { path: [point, ...leg.path.slice(index)], starts_at: at, ends_at: Math.max(at, leg.ends_at) }
}

function endsOf({ path }: PathMotion): { from: Point; to: Point } {
  const [from = { latitude: 0, longitude: 0 }] = path
  return { from, to: path.at(-1) ?? from }
}

/** Returns the point at an instant, and its segment, which ends at `path[index]`. */
function locate(leg: PathMotion, at: number): { point: Point; from: Point; to: Point; index: number } {
  const { path, starts_at, ends_at } = leg
  const lengths = path.map((to, index) => (index === 0 ? 0 : haversineMetres(path[index - 1] ?? to, to)))
  const whole = lengths.reduce((sum, length) => sum + length, 0)
  const share = ends_at > starts_at ? Math.min(1, Math.max(0, (at - starts_at) / (ends_at - starts_at))) : 1
  let left = share * whole
  let index = 1
  while (index < path.length - 1 && left > (lengths[index] ?? 0)) {
    left -= lengths[index] ?? 0
    index += 1
  }
  const ends = endsOf(leg)
  const [from, to] = [path[index - 1] ?? ends.from, path[index] ?? ends.to]
  const length = lengths[index] ?? 0
  const point = length === 0 ? roundPoint(to) : interpolatePoint(from, to, left / length)
  return { point, from, to, index }
}

/**
 * Returns the direction of a straight segment at its start, in whole degrees from north; 0 if both points are equal.
 */
export function bearingOf(from: Point, to: Point): number {
  const [a, b] = [radians(from.latitude), radians(to.latitude)]
  const east = radians(to.longitude - from.longitude)
  const y = Math.sin(east) * Math.cos(b)
  const x = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(east)
  return (Math.round((Math.atan2(y, x) * 180) / Math.PI) + 360) % 360
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
