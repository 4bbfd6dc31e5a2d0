import { areMinutes, scenarioNotAllowedError, type ScenarioOptions } from '../../../core/scenario.ts'
import type { RideDoc } from '../queries/rides.ts'

/** The ways in which the sandbox plays a ride, and the price of one. */
export const RIDE_SCENARIOS = [
  'happy',
  'no_driver',
  'driver_cancels',
  'driver_late',
  'rider_no_show',
] as const
export const RIDE_QUOTE_SCENARIOS = ['happy', 'surge'] as const

const MIN_SURGE_BPS = 10_000
const MAX_SURGE_BPS = 18_000
const GIVES_UP_AT = ['accepted', 'arriving', 'arrived'] as const

const OPTIONS: ScenarioOptions = {
  driver_cancels: { at: (value) => GIVES_UP_AT.some((status) => status === value) },
  driver_late: { minutes: areMinutes },
}

type RideScenarioInput = { name: string; options: Record<string, string> } | undefined

/** The scenario to keep with a ride; null for one that simply goes well. Throws `scenario_not_allowed`. */
export function readRideScenario(scenario: RideScenarioInput): RideDoc['scenario'] {
  if (scenario === undefined || scenario.name === 'happy') return assertBare(scenario)
  const { name, options } = scenario
  const takes = OPTIONS[name] ?? {}
  if (Object.entries(options).some(([option, value]) => takes[option]?.(value) !== true))
    throw scenarioNotAllowedError(
      `${name} does not take these options`,
      'no_driver, driver_cancels;at=accepted|arriving|arrived, driver_late;minutes=1..999, rider_no_show',
    )
  return { name, options }
}

/** The surge that a quote is to have, in basis points; undefined where chance decides. Throws `scenario_not_allowed`. */
export function readSurge(scenario: RideScenarioInput): number | undefined {
  if (scenario === undefined || scenario.name === 'happy') {
    assertBare(scenario)
    return undefined
  }
  const { bps = String(MAX_SURGE_BPS), ...others } = scenario.options
  const value = /^\d{5}$/.test(bps) ? Number(bps) : 0
  if (Object.keys(others).length > 0 || value < MIN_SURGE_BPS || value > MAX_SURGE_BPS)
    throw scenarioNotAllowedError(
      'surge takes bps only, and no such value',
      `surge;bps=${MIN_SURGE_BPS}..${MAX_SURGE_BPS}`,
    )
  return value
}

function assertBare(scenario: RideScenarioInput): null {
  if (Object.keys(scenario?.options ?? {}).length > 0)
    throw scenarioNotAllowedError('happy has no options', 'happy')
  return null
}
