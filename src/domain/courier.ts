/** Where couriers are and when they arrive (`contract.md` A5, D). Pure: everything follows from the leg and the time. */
import type { VehicleType } from './delivery-states.ts'
import { along, durationSeconds, haversineMetres, type Point, roadDistanceMetres } from './geo.ts'

/** Somebody on the way from one point to another, in milliseconds of service time. */
export type Motion = { from: Point; to: Point; starts_at: number; ends_at: number }

/** Couriers say where they are no more often than this. */
const PING_MS = 20_000
const IMMINENT_M = 80
const TRAIL_POINTS = 50

/** How far a vehicle is sent, in metres by road, and the largest parcel that it takes. */
const REACH: Readonly<Record<VehicleType, { distance_m: number; size: ParcelSize }>> = {
  walker: { distance_m: 2000, size: 'small' },
  bicycle: { distance_m: 8000, size: 'medium' },
  motorbike: { distance_m: 30_000, size: 'medium' },
  car: { distance_m: 30_000, size: 'large' },
  van: { distance_m: 30_000, size: 'xl' },
}

export type ParcelSize = 'small' | 'medium' | 'large' | 'xl'
const SIZES: readonly ParcelSize[] = ['small', 'medium', 'large', 'xl']

export function canCarry(vehicle: VehicleType, size: ParcelSize, distance: number): boolean {
  const reach = REACH[vehicle]
  return distance <= reach.distance_m && SIZES.indexOf(size) <= SIZES.indexOf(reach.size)
}

/** Whole seconds from door to door. */
export function travelSeconds(from: Point, to: Point, vehicle: VehicleType): number {
  return durationSeconds(roadDistanceMetres(from, to), vehicle === 'van' ? 'car' : vehicle)
}

/** When a courier last said where he was: at the start of a leg, at its end, and every 20 seconds between. */
export function lastPing({ starts_at, ends_at }: Motion, now: number): number {
  if (now >= ends_at) return ends_at
  return starts_at + Math.floor(Math.max(0, now - starts_at) / PING_MS) * PING_MS
}

/** Where somebody was at his last ping. */
export function positionAt(motion: Motion, now: number): Point {
  const { from, to, starts_at, ends_at } = motion
  const share = ends_at > starts_at ? (lastPing(motion, now) - starts_at) / (ends_at - starts_at) : 1
  return along(from, to, share)
}

/** About to be at the door. */
export function isImminent(position: Point, door: Point): boolean {
  return haversineMetres(position, door) <= IMMINENT_M
}

/** A path with one more point; a point that is where the last one was adds nothing. */
export function extendTrail(trail: readonly Point[], point: Point): Point[] {
  const last = trail.at(-1)
  if (last?.latitude === point.latitude && last.longitude === point.longitude) return [...trail]
  return [...trail, point].slice(-TRAIL_POINTS)
}
