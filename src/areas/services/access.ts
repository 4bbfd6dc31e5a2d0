import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { type BookingRecord, findBooking } from './queries/bookings.ts'

/** Loads the caller's booking. Throws as if another customer's booking did not exist. */
export async function loadOwnBooking(
  { tx, account }: OperationContext,
  bookingId: string,
): Promise<BookingRecord> {
  const booking = await findBooking(tx, bookingId)
  if (booking === undefined || booking.account_id !== account.account_id) {
    throw new AppError('booking_not_found', `No booking ${bookingId}.`, {
      hint: '`dray recent` lists bookings made on this machine.',
    })
  }
  return booking
}
