import { refuseScenario } from '../../../core/scenario.ts'
import type { RideDoc } from '../queries/rides.ts'

/** The ways in which the sandbox plays a ride, and the price of one (`contract.md` D). */
export const RIDE_SCENARIOS = ['happy', 'no_driver', 'driver_cancels', 'rider_no_show'] as const
export const RIDE_QUOTE_SCENARIOS = ['happy', 'surge'] as const

const LEAST_SURGE = 10_000
const MOST_SURGE = 18_000
const GIVES_UP_AT = ['accepted', 'arriving', 'arrived'] as const

type Given = { name: string; options: Record<string, string> } | undefined

/** The scenario to keep with a ride; null for one that simply goes well. Throws `scenario_not_allowed`. */
export function readRideScenario(scenario: Given): RideDoc['scenario'] {
  if (scenario === undefined || scenario.name === 'happy') return assertBare(scenario)
  const { name, options } = scenario
  const { at, ...others } = options
  const isKnown = at === undefined || GIVES_UP_AT.some((status) => status === at)
  if (
    name === 'driver_cancels' ? Object.keys(others).length > 0 || !isKnown : Object.keys(options).length > 0
  )
    throw refuseScenario(
      `${name} does not take these options`,
      'no_driver, driver_cancels;at=accepted|arriving|arrived, rider_no_show',
    )
  return { name, options }
}

/** The surge that a quote is to have, in basis points; undefined where chance decides. Throws `scenario_not_allowed`. */
export function readSurge(scenario: Given): number | undefined {
  if (scenario === undefined || scenario.name === 'happy') {
    assertBare(scenario)
    return undefined
  }
  const { bps = String(MOST_SURGE), ...others } = scenario.options
  const value = /^\d{5}$/.test(bps) ? Number(bps) : 0
  if (Object.keys(others).length > 0 || value < LEAST_SURGE || value > MOST_SURGE)
    throw refuseScenario('surge takes bps only, and no such value', `surge;bps=${LEAST_SURGE}..${MOST_SURGE}`)
  return value
}

function assertBare(scenario: Given): null {
  if (Object.keys(scenario?.options ?? {}).length > 0) throw refuseScenario('happy has no options', 'happy')
  return null
}
