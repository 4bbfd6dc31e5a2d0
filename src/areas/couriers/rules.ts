/** The parcels that couriers carry, and how far (`contract.md` B4). Pure. */
import type { VehicleType } from '../../core/travel.ts'

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
