import type { FailureReason } from '../../proofs/rules/failures.ts'

/** The sentences of a tracking page, by reason. */
export const REASON_DETAILS: Readonly<Record<FailureReason, string>> = {
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
