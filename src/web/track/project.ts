/** Puts points of the earth on a small map, north up. Pure. */
import { haversineMetres, type Point } from '../../core/geometry.ts'

export type TrackPoint = { x: number; y: number }

/** Free at the edges; the pin of the first point is above it. */
const EDGE = { side: 34, top: 44, bottom: 26 }
/** A map shows at least so many metres: two points at the same door do not fill it. */
const MIN_EXTENT_M = 150
/** A map of one point shows the part of town around it. */
const MIN_SINGLE_POINT_M = 4000
const METRES_PER_DEGREE = 111_195

/** `metres`: the length of one unit. `place` gives the spot of any point, also outside of the map. */
export type Projection = { metres: number; place: (point: Point) => TrackPoint }

/** Returns the projection that shows all points, and the distance from the first to the last one in words. */
export function project(
  points: readonly Point[],
  width: number,
  height: number,
): Projection & { distance: string } {
  const [first = { latitude: 0, longitude: 0 }] = points
  const last = points.at(-1) ?? first
  const shrink = Math.cos((first.latitude * Math.PI) / 180)
  const flatten = ({ latitude, longitude }: Point): TrackPoint => ({
    x: (longitude - first.longitude) * shrink * METRES_PER_DEGREE,
    y: (first.latitude - latitude) * METRES_PER_DEGREE,
  })
  const flat = points.map(flatten)
  const [xs, ys] = [flat.map(({ x }) => x), flat.map(({ y }) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const room = { x: width - 2 * EDGE.side, y: height - EDGE.top - EDGE.bottom }
  const least = points.length > 1 ? MIN_EXTENT_M : MIN_SINGLE_POINT_M
  const metres = Math.max((right - left) / room.x, (bottom - top) / room.y, least / room.x)
  const at = (
    value: number,
    [from, to]: readonly [from: number, to: number],
    [start, space]: readonly [start: number, space: number],
  ): number => Math.round((start + space / 2 + (value - (from + to) / 2) / metres) * 10) / 10
  return {
    metres,
    place(point) {
      const { x, y } = flatten(point)
      return { x: at(x, [left, right], [EDGE.side, room.x]), y: at(y, [top, bottom], [EDGE.top, room.y]) }
    },
    distance: distanceText(haversineMetres(first, last)),
  }
}

/** `80 m`, `1.2 km`. */
function distanceText(metres: number): string {
  return metres < 1000 ? `${Math.round(metres / 10) * 10} m` : `${(metres / 1000).toFixed(1)} km`
}
