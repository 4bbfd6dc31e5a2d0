/** The reasons for which a parcel is brought back (`contract.md` B4, B5). */

export const FAILURE_REASONS = [
  'recipient_unavailable',
  'business_closed',
  'refused',
  'address_incorrect',
  'address_not_found',
  'access_denied',
  'damaged',
  'missorted',
  'weather',
  'vehicle_breakdown',
  'future_delivery_requested',
  'cod_not_available',
  'customs_hold',
  'id_check_failed',
  'unsafe_location',
  'holiday_closure',
  'other',
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]
