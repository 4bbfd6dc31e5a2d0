/** Puts points of the earth on a small map, north up. Pure. */
import { haversineMetres, type Point } from '../../core/geometry.ts'

export type Spot = { x: number; y: number }

/** Free at the edges; the pin of the first point stands above it. */
const EDGE = { side: 34, top: 44, bottom: 26 }
/** A map shows at least so many metres: two points at the same door do not fill it. */
const LEAST_M = 150
const METRES_PER_DEGREE = 111_195

/** Returns the place of each point, and the distance from the first to the last one in words. */
export function project(
  points: readonly Point[],
  width: number,
  height: number,
): { points: Spot[]; scale: { distance: string } } {
  const [first = { latitude: 0, longitude: 0 }] = points
  const last = points.at(-1) ?? first
  const shrink = Math.cos((first.latitude * Math.PI) / 180)
  const flat = points.map(({ latitude, longitude }) => ({
    x: (longitude - first.longitude) * shrink * METRES_PER_DEGREE,
    y: (first.latitude - latitude) * METRES_PER_DEGREE,
  }))
  const [xs, ys] = [flat.map(({ x }) => x), flat.map(({ y }) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const room = { x: width - 2 * EDGE.side, y: height - EDGE.top - EDGE.bottom }
  const metresEach = Math.max((right - left) / room.x, (bottom - top) / room.y, LEAST_M / room.x)
  const at = (value: number, from: number, to: number, start: number, space: number): number =>
    Math.round((start + space / 2 + (value - (from + to) / 2) / metresEach) * 10) / 10
  return {
    points: flat.map(({ x, y }) => ({
      x: at(x, left, right, EDGE.side, room.x),
      y: at(y, top, bottom, EDGE.top, room.y),
    })),
    scale: { distance: distanceText(haversineMetres(first, last)) },
  }
}

/** `80 m`, `1.2 km`. */
function distanceText(metres: number): string {
  return metres < 1000 ? `${Math.round(metres / 10) * 10} m` : `${(metres / 1000).toFixed(1)} km`
}
