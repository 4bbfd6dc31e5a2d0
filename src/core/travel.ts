/**
 * Positions and arrival times of people who travel. Pure: the leg and the time determine
 * everything.
 */
import {
  interpolatePoint,
  computeRoadTravelSeconds,
  haversineMetres,
  type Point,
  roadDistanceMetres,
  type Vehicle,
} from './geometry.ts'

/** A movement from one point to another, in milliseconds of service time. */
export type Motion = { from: Point; to: Point; starts_at: number; ends_at: number }

/** The interval of the couriers' position reports. */
const PING_MS = 20_000
const IMMINENT_M = 80
const TRAIL_POINTS = 50

/** Returns the vehicle with the speed that applies on the road. */
export function toRoadVehicle(vehicle: VehicleType): Vehicle {
  return vehicle === 'van' ? 'car' : vehicle
}

/** Returns whole seconds from door to door. */
export function travelSeconds(from: Point, to: Point, vehicle: VehicleType): number {
  return computeRoadTravelSeconds(roadDistanceMetres(from, to), toRoadVehicle(vehicle))
}

/**
 * Returns the time of a courier's last position report: now before a leg, its start, its end, or every 20 seconds
 * between.
 */
export function computeLastPingTime({ starts_at, ends_at }: Motion, now: number): number {
  if (now >= ends_at) return ends_at
  if (now < starts_at) return now
  return starts_at + Math.floor((now - starts_at) / PING_MS) * PING_MS
}

/** Returns the last reported position. */
export function computeLastPosition(motion: Motion, now: number): Point {
  const { from, to, starts_at, ends_at } = motion
  const share =
    ends_at > starts_at ? (computeLastPingTime(motion, now) - starts_at) / (ends_at - starts_at) : 1
  return interpolatePoint(from, to, Math.max(0, share))
}

/** Returns whether a position is at most 80 metres from the door. */
export function isImminent(position: Point, door: Point): boolean {
  return haversineMetres(position, door) <= IMMINENT_M
}

/** Returns a path with one more point; unchanged when the point equals the last one. Keeps the last 50 points. */
export function extendTrail(trail: readonly Point[], point: Point): Point[] {
  const last = trail.at(-1)
  if (last?.latitude === point.latitude && last.longitude === point.longitude) return [...trail]
  return [...trail, point].slice(-TRAIL_POINTS)
}

export const VEHICLE_TYPES = ['walker', 'bicycle', 'motorbike', 'car', 'van'] as const
export type VehicleType = (typeof VEHICLE_TYPES)[number]
