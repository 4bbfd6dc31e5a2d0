/** The limits of courier parcels and distances (docs/rules/deliveries.md#the-smallest-vehicle-that-can-carry-it). Pure. */
import type { Money } from '../../core/money.ts'
import type { VehicleType } from '../../core/travel.ts'

/** The longest distance of a delivery, in metres by road. */
export const MAX_DELIVERY_DISTANCE_M = 30_000
/** The heaviest parcel, in grams. */
export const MAX_PARCEL_G = 25_000

type Reach = { distance_m: number; size: ParcelSize; weight_grams: number }

/** The limits of each vehicle: metres by road, largest size, heaviest weight. */
export const REACH: Readonly<Record<VehicleType, Reach>> = {
  walker: { distance_m: 2000, size: 'small', weight_grams: 5000 },
  bicycle: { distance_m: 8000, size: 'medium', weight_grams: 10_000 },
  motorbike: { distance_m: MAX_DELIVERY_DISTANCE_M, size: 'medium', weight_grams: 15_000 },
  car: { distance_m: MAX_DELIVERY_DISTANCE_M, size: 'large', weight_grams: MAX_PARCEL_G },
  van: { distance_m: MAX_DELIVERY_DISTANCE_M, size: 'xl', weight_grams: MAX_PARCEL_G },
}

export const RUN_LINES = ['base', 'distance', 'size'] as const
export type RunLine = { type: (typeof RUN_LINES)[number]; amount: Money }

export const PARCEL_SIZES = ['small', 'medium', 'large', 'xl'] as const
export type ParcelSize = (typeof PARCEL_SIZES)[number]

/** The preferred vehicles by parcel size, the smallest vehicle first. */
const PREFERRED: Readonly<Record<ParcelSize, readonly VehicleType[]>> = {
  small: ['bicycle', 'motorbike', 'car', 'van'],
  medium: ['motorbike', 'car', 'van'],
  large: ['car', 'van'],
  xl: ['van'],
}

export function canVehicleCarry(
  vehicle: VehicleType,
  size: ParcelSize,
  distance: number,
  grams = 0,
): boolean {
  const reach = REACH[vehicle]
  const fits = PARCEL_SIZES.indexOf(size) <= PARCEL_SIZES.indexOf(reach.size)
  return fits && distance <= reach.distance_m && grams <= reach.weight_grams
}

/** Returns the vehicles that can carry a parcel, the preferred one first; the distance is not checked. */
export function vehiclesFor(size: ParcelSize, grams: number): VehicleType[] {
  return PREFERRED[size].filter((vehicle) => canVehicleCarry(vehicle, size, 0, grams))
}
