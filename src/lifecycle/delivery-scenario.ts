import { FAILURE_REASONS } from '../domain/shipment-states.ts'
import { AppError } from '../errors.ts'
import type { DeliveryDoc } from '../store/deliveries.ts'

/** How the sandbox can play a courier run (`contract.md` D). */
export const DELIVERY_SCENARIOS = [
  'happy',
  'no_courier',
  'courier_cancels',
  'courier_delay',
  'undeliverable',
] as const

const LONGEST_DELAY_S = 86_400

/** The options that each scenario takes, with what they may be. */
export type ScenarioOptions = Readonly<Record<string, Readonly<Record<string, (value: string) => boolean>>>>

export const COURIER_OPTIONS: ScenarioOptions = {
  courier_cancels: { at: (value) => value === 'assigned' || value === 'arrived_at_pickup' },
  courier_delay: { seconds: (value) => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= LONGEST_DELAY_S },
  undeliverable: { reason: (value) => FAILURE_REASONS.some((reason) => reason === value) },
}

export const COURIER_WORDS = `no_courier, courier_cancels;at=assigned|arrived_at_pickup, courier_delay;seconds=1..${LONGEST_DELAY_S}, undeliverable;reason=refused`

/** The scenario to keep; null for one that simply goes well. Throws `scenario_not_allowed`. */
export function readCourierScenario(
  scenario: { name: string; options: Record<string, string> } | undefined,
  known = COURIER_OPTIONS,
  words = COURIER_WORDS,
): DeliveryDoc['scenario'] {
  if (scenario === undefined) return null
  const { name, options } = scenario
  const takes = Object.hasOwn(known, name) ? (known[name] ?? {}) : {}
  for (const [option, value] of Object.entries(options)) {
    const isValid = Object.hasOwn(takes, option) ? takes[option] : undefined
    if (isValid === undefined) throw refuse(`${name} has no option "${option.slice(0, 40)}"`, words)
    if (!isValid(value)) throw refuse(`"${value.slice(0, 40)}" is not a value of ${option}`, words)
  }
  return name === 'happy' ? null : { name, options }
}

function refuse(what: string, words: string): AppError {
  return new AppError('scenario_not_allowed', `${what}.`, { hint: `${words}.` })
}
