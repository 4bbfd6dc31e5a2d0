/** The drawing of London: from degrees to the units of the map, ten metres each. Pure. */
import { type Point } from '../../core/geometry.ts'
import { computeRemainingLeg } from '../../core/path.ts'
import { LONDON_FRAME } from '../../core/places/london-map.ts'
import type { Person } from './people.ts'

const METRES_PER_DEGREE = 111_195
const UNIT_M = 10
const { south, north, west, east } = LONDON_FRAME
const SHRINK = Math.cos((((south + north) / 2) * Math.PI) / 180)
const PER_DEGREE = METRES_PER_DEGREE / UNIT_M

export const WIDTH = Math.round((east - west) * SHRINK * PER_DEGREE)
export const HEIGHT = Math.round((north - south) * PER_DEGREE)

export type MapPoint = { x: number; y: number }

/** Returns where a point is on the map; it may be outside. */
export function place({ latitude, longitude }: Point): MapPoint {
  return {
    x: round((longitude - west) * SHRINK * PER_DEGREE),
    y: round((north - latitude) * PER_DEGREE),
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Returns the length on the map of so many metres. */
export function span(metres: number): number {
  return metres / UNIT_M
}

/** Returns the nearest spot within the map: who is beyond its edge is on it. */
export function clamp({ x, y }: MapPoint, margin: number): MapPoint {
  return {
    x: Math.min(WIDTH - margin, Math.max(margin, x)),
    y: Math.min(HEIGHT - margin, Math.max(margin, y)),
  }
}

export function isOnMap({ x, y }: MapPoint): boolean {
  return x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT
}

/** Returns the `points` of a line or an area. */
export function pointsOf(spots: readonly (readonly [latitude: number, longitude: number])[]): string {
  return spots
    .map(([latitude, longitude]) => place({ latitude, longitude }))
    .map(({ x, y }) => `${x},${y}`)
    .join(' ')
}

/** Returns the place where a person is at an instant, and the rest of the way; empty for one who stands. */
export function whereIs({ at, job }: Person, now: number): { spot: MapPoint; way: MapPoint[] } {
  const leg = job?.leg
  if (leg === null || leg === undefined) return { spot: place(at), way: [] }
  const times = { starts_at: Date.parse(leg.starts_at), ends_at: Date.parse(leg.ends_at) }
  const moment = Math.min(times.ends_at, Math.max(times.starts_at, now))
  const { path } = computeRemainingLeg({ path: leg.path, ...times }, moment)
  const [here = at] = path
  return { spot: place(here), way: now < times.ends_at ? path.map(place) : [] }
}

/** Returns the shape of a crew around a spot, as the data of a path: each crew has its own, so that no colour is needed. */
export function shapeOf(crew: Person['crew'], { x, y }: MapPoint, r: number): string {
  const at = (right: number, down: number): string => `${round(x + right * r)} ${round(y + down * r)}`
  switch (crew) {
    case 'courier':
      return `M${at(-1, 0)}A${r} ${r} 0 1 0 ${at(1, 0)}A${r} ${r} 0 1 0 ${at(-1, 0)}Z`
    case 'driver':
      return `M${at(-0.9, -0.9)}L${at(0.9, -0.9)}L${at(0.9, 0.9)}L${at(-0.9, 0.9)}Z`
    case 'provider':
      return `M${at(0, -1.2)}L${at(1.15, 0.85)}L${at(-1.15, 0.85)}Z`
    case 'tasker':
      return `M${at(0, -1.25)}L${at(1.25, 0)}L${at(0, 1.25)}L${at(-1.25, 0)}Z`
  }
}
