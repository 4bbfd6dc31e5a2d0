import { toStoredScenario, scenarioNotAllowedError } from '../../../core/scenario.ts'
import type { BookingDoc } from '../queries/bookings.ts'

/** The ways in which the sandbox plays a booking. */
export const BOOKING_SCENARIOS = [
  'happy',
  'provider_declines',
  'provider_cancels',
  'provider_no_show',
  'customer_no_show',
] as const

const CANCELS_AT = ['requested', 'confirmed', 'en_route']
const WORDS = `provider_declines without a slot, provider_cancels;at=${CANCELS_AT.join('|')}, provider_no_show, customer_no_show`

/** The scenario to keep with a booking; null for one that simply goes well. Throws `scenario_not_allowed`. */
export function readBookingScenario(
  scenario: { name: string; options: Record<string, string> } | undefined,
  hasSlot: boolean,
): BookingDoc['scenario'] {
  const played = toStoredScenario(
    scenario,
    { provider_cancels: { at: (value) => CANCELS_AT.includes(value) } },
    WORDS,
  )
  if (hasSlot && (played?.name === 'provider_declines' || played?.options['at'] === 'requested'))
    throw scenarioNotAllowedError(
      'A booking with a slot is confirmed at once: only a request without a slot can be declined',
      WORDS,
    )
  return played
}
