/** Where people on their way are and when they arrive (`contract.md` A5, D). Pure: all follows from the leg and the time. */
import {
  along,
  durationSeconds,
  haversineMetres,
  type Point,
  roadDistanceMetres,
  type Vehicle,
} from './geometry.ts'

/** Somebody on the way from one point to another, in milliseconds of service time. */
export type Motion = { from: Point; to: Point; starts_at: number; ends_at: number }

/** Couriers say where they are no more often than this. */
const PING_MS = 20_000
const IMMINENT_M = 80
const TRAIL_POINTS = 50

/** As what a vehicle moves on the road. */
export function onRoad(vehicle: VehicleType): Vehicle {
  return vehicle === 'van' ? 'car' : vehicle
}

/** Whole seconds from door to door. */
export function travelSeconds(from: Point, to: Point, vehicle: VehicleType): number {
  return durationSeconds(roadDistanceMetres(from, to), onRoad(vehicle))
}

/** When a courier last said where he was: now before a leg, at its start, at its end, and every 20 seconds between. */
export function lastPing({ starts_at, ends_at }: Motion, now: number): number {
  if (now >= ends_at) return ends_at
  if (now < starts_at) return now
  return starts_at + Math.floor((now - starts_at) / PING_MS) * PING_MS
}

/** Where somebody was at his last ping. */
export function positionAt(motion: Motion, now: number): Point {
  const { from, to, starts_at, ends_at } = motion
  const share = ends_at > starts_at ? (lastPing(motion, now) - starts_at) / (ends_at - starts_at) : 1
  return along(from, to, Math.max(0, share))
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

export const VEHICLE_TYPES = ['walker', 'bicycle', 'motorbike', 'car', 'van'] as const
export type VehicleType = (typeof VEHICLE_TYPES)[number]
