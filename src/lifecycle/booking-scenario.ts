import { AppError } from '../errors.ts'
import type { BookingDoc } from '../store/bookings.ts'

/** How the sandbox can play a booking (`contract.md` D). */
export const BOOKING_SCENARIOS = [
  'happy',
  'provider_declines',
  'provider_cancels',
  'customer_no_show',
] as const

const CANCELS_AT = ['requested', 'confirmed', 'en_route']

/** The scenario to keep with a booking; null for one that simply goes well. Throws `scenario_not_allowed`. */
export function readBookingScenario(
  scenario: { name: string; options: Record<string, string> } | undefined,
  hasSlot: boolean,
): BookingDoc['scenario'] {
  if (scenario === undefined || scenario.name === 'happy') {
    const [option] = Object.keys(scenario?.options ?? {})
    if (option !== undefined) throw refuse(`happy has no option "${option.slice(0, 40)}"`)
    return null
  }
  const { name, options } = scenario
  for (const [option, value] of Object.entries(options)) {
    if (name !== 'provider_cancels' || option !== 'at')
      throw refuse(`${name} has no option "${option.slice(0, 40)}"`)
    if (!CANCELS_AT.includes(value)) throw refuse(`"${value.slice(0, 40)}" is not a value of at`)
  }
  if (hasSlot && (name === 'provider_declines' || options['at'] === 'requested'))
    throw refuse('What has a slot is confirmed at once: only a request without one can be declined')
  return { name, options }
}

function refuse(what: string): AppError {
  return new AppError('scenario_not_allowed', `${what}.`, {
    hint: `provider_declines without a slot, provider_cancels;at=${CANCELS_AT.join('|')}, customer_no_show.`,
  })
}
