/** The reasons for which a parcel is brought back. */
import type { IfAbsent } from './absent.ts'

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

/** The reasons for which the recipient could have been there: the price is kept once the courier has waited. */
const ABSENT: readonly string[] = ['recipient_unavailable', 'access_denied', 'business_closed']

/** Returns whether a courier waits and tries again if no recipient is there. */
export function isAbsence(reason: string): boolean {
  return ABSENT.includes(reason)
}

/** The time that a courier waits at the door, and the attempts within it. */
export const ABSENT_WAIT_S = 300
const ABSENT_ATTEMPTS = 2

/** The end of a run without a taker at the door. Older ones have neither a time of waiting nor attempts. */
export type Undeliverable = {
  reason_code: string
  action: IfAbsent
  attempts?: number
  waited_seconds?: number
}

/** Returns whether a run costs its price although nothing was handed over (docs/rules/deliveries.md#nobody-at-the-door). */
export function keepsPrice(undeliverable: Undeliverable | null): boolean {
  if (undeliverable === null) return false
  const { reason_code, attempts = 0, waited_seconds = 0 } = undeliverable
  return isAbsence(reason_code) && attempts >= ABSENT_ATTEMPTS && waited_seconds >= ABSENT_WAIT_S
}

/** The sentence for each reason. */
export const FAILURE_DETAILS: Readonly<Record<FailureReason, string>> = {
  recipient_unavailable: 'No one was there to receive the parcel.',
  business_closed: 'The business was closed.',
  refused: 'The recipient refused the parcel.',
  address_incorrect: 'The address is wrong.',
  address_not_found: 'The address could not be found.',
  access_denied: 'No access to the building.',
  damaged: 'The parcel is damaged.',
  missorted: 'The parcel was sent to the wrong hub.',
  weather: 'Delayed by weather.',
  vehicle_breakdown: 'Vehicle breakdown.',
  future_delivery_requested: 'The recipient asked for a later date.',
  cod_not_available: 'Cash on delivery was not available.',
  customs_hold: 'Waiting for customs clearance.',
  id_check_failed: 'The ID could not be checked.',
  unsafe_location: 'No safe place for the parcel.',
  holiday_closure: 'Closed for the holidays.',
  other: 'Delivery stopped.',
}
