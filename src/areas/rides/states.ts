/** The statuses of a ride and its moves (docs/rules/rides.md#the-statuses-of-a-ride). */
export const RIDE_STATUSES = [
  'scheduled',
  'processing',
  'accepted',
  'arriving',
  'arrived',
  'in_progress',
  'completed',
  'cancelled',
  'no_drivers_available',
] as const
export type RideStatus = (typeof RIDE_STATUSES)[number]

const MOVES: Readonly<Record<RideStatus, readonly RideStatus[]>> = {
  scheduled: ['processing', 'cancelled'],
  processing: ['accepted', 'no_drivers_available', 'cancelled'],
  // A ride is dispatched again after its driver gives it back.
  accepted: ['arriving', 'processing', 'cancelled'],
  arriving: ['arrived', 'processing', 'cancelled'],
  arrived: ['in_progress', 'processing', 'cancelled'],
  in_progress: ['completed'],
  completed: [],
  cancelled: [],
  no_drivers_available: [],
}

/** Returns true if a ride may move from one status to the other. */
export function canMoveRide(from: RideStatus, to: RideStatus): boolean {
  return MOVES[from].includes(to)
}

/** Returns true when no status can follow. */
export function isRideOver(status: RideStatus): boolean {
  return MOVES[status].length === 0
}

export const TIERS = ['economy', 'comfort', 'xl', 'premium', 'accessible'] as const
export type Tier = (typeof TIERS)[number]

/** The statuses of a ride that has a driver or had one. */
export const DRIVEN: readonly RideStatus[] = ['accepted', 'arriving', 'arrived', 'in_progress', 'completed']

/** The statuses in which the rider may cancel. */
const CANCELLABLE: readonly RideStatus[] = ['scheduled', 'processing', 'accepted', 'arriving', 'arrived']

export function isRideCancellable(status: RideStatus): boolean {
  return CANCELLABLE.includes(status)
}

export const RIDE_ACTORS = ['rider', 'driver', 'system'] as const
export type RideActor = (typeof RIDE_ACTORS)[number]

export const RIDE_CANCEL_REASONS = [
  'changed_plans',
  'long_wait',
  'wrong_pickup',
  'driver_request',
  'other',
] as const
export type RideCancelReason = (typeof RIDE_CANCEL_REASONS)[number]

/** The times of a ride, and of its quote, that people are told. */
export const RIDE_TIMES = ['scheduled_for', 'dropoff_eta_at'] as const
export const RIDE_QUOTE_TIMES = ['scheduled_for'] as const

export const RIDE_PROBLEM_REASONS = ['late', 'other'] as const
export type RideProblemReason = (typeof RIDE_PROBLEM_REASONS)[number]
