/** Where couriers are and when they arrive (`contract.md` A5, D). Pure: everything follows from the leg and the time. */
import type { VehicleType } from '../areas/couriers/states.ts'
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

/** No run is longer, in metres by road. */
export const LONGEST_RUN_M = 30_000
/** No parcel is heavier. */
export const HEAVIEST_PARCEL_G = 25_000

type Reach = { distance_m: number; size: ParcelSize; weight_grams: number }

/** How far a vehicle is sent, in metres by road, and the largest and the heaviest parcel that it takes. */
export const REACH: Readonly<Record<VehicleType, Reach>> = {
  walker: { distance_m: 2000, size: 'small', weight_grams: 5000 },
  bicycle: { distance_m: 8000, size: 'medium', weight_grams: 10_000 },
  motorbike: { distance_m: LONGEST_RUN_M, size: 'medium', weight_grams: 15_000 },
  car: { distance_m: LONGEST_RUN_M, size: 'large', weight_grams: HEAVIEST_PARCEL_G },
  van: { distance_m: LONGEST_RUN_M, size: 'xl', weight_grams: HEAVIEST_PARCEL_G },
}

export const PARCEL_SIZES = ['small', 'medium', 'large', 'xl'] as const
export type ParcelSize = (typeof PARCEL_SIZES)[number]

/** The least vehicle comes first; a bicycle is for what is small. */
const PREFERRED: Readonly<Record<ParcelSize, readonly VehicleType[]>> = {
  small: ['bicycle', 'motorbike', 'car', 'van'],
  medium: ['motorbike', 'car', 'van'],
  large: ['car', 'van'],
  xl: ['van'],
}

export function canCarry(vehicle: VehicleType, size: ParcelSize, distance: number, grams = 0): boolean {
  const reach = REACH[vehicle]
  const fits = PARCEL_SIZES.indexOf(size) <= PARCEL_SIZES.indexOf(reach.size)
  return fits && distance <= reach.distance_m && grams <= reach.weight_grams
}

/** The vehicles that could be sent with a parcel, the one to be sent first if the way is not too long for it. */
export function vehiclesFor(size: ParcelSize, grams: number): VehicleType[] {
  return PREFERRED[size].filter((vehicle) => canCarry(vehicle, size, 0, grams))
}

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
