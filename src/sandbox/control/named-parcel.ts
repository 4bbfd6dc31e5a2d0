import { AppError } from '../../core/errors.ts'

/** Returns the error for a parcel that nobody sent. */
export function noParcel(number: string): AppError {
  return new AppError('shipment_not_found', `No parcel ${number.slice(0, 40)}.`, {
    hint: '`dray sandbox events` lists all events with their IDs.',
  })
}
