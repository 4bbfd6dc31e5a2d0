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

/** The sentence for each reason. */
export const FAILURE_DETAILS: Readonly<Record<FailureReason, string>> = {
  recipient_unavailable: 'Nobody was there to take the parcel.',
  business_closed: 'The business was closed.',
  refused: 'The recipient refused the parcel.',
  address_incorrect: 'The address is not correct.',
  address_not_found: 'The address could not be found.',
  access_denied: 'There was no way in.',
  damaged: 'The parcel is damaged.',
  missorted: 'The parcel was sent to the wrong depot.',
  weather: 'The weather held the parcel up.',
  vehicle_breakdown: 'A vehicle broke down.',
  future_delivery_requested: 'The recipient asked for a later day.',
  cod_not_available: 'The cash on delivery was not at hand.',
  customs_hold: 'Customs hold the parcel.',
  id_check_failed: 'The identity could not be checked.',
  unsafe_location: 'There was no safe place to leave the parcel.',
  holiday_closure: 'Closed for the holidays.',
  other: 'The parcel could not go on.',
}
