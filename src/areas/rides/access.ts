import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { findRide, lockRide, type RideRecord } from './queries/rides.ts'

/** Loads the caller's ride; with `lock`, for a change. Throws as if another customer's ride did not exist. */
export async function loadOwnRide(
  { tx, account }: OperationContext,
  rideId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<RideRecord> {
  const ride = await (lock ? lockRide : findRide)(tx, rideId)
  if (ride === undefined || ride.account_id !== account.account_id) {
    throw new AppError('ride_not_found', `No ride ${rideId}.`, {
      hint: '`dray rides list` shows your rides.',
    })
  }
  return ride
}
