import { FAILURE_REASONS, MAX_ATTEMPTS } from '../domain/shipment-states.ts'
import { AppError } from '../errors.ts'
import type { ShipmentDoc } from '../store/shipments.ts'

/** How the sandbox can play a parcel (`contract.md` D). */
export const SHIPMENT_SCENARIOS = [
  'happy',
  'attempt_fails',
  'lost',
  'damaged',
  'delayed',
  'returned',
] as const

const LONGEST_DELAY_HOURS = 720

/** The options each scenario takes. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  attempt_fails: ['reason', 'times'],
  delayed: ['hours'],
  returned: ['reason'],
}

/** The scenario to keep with a parcel; null for one that simply arrives. Throws `scenario_not_allowed`. */
export function readShipmentScenario(
  scenario: { name: string; options: Record<string, string> } | undefined,
): ShipmentDoc['scenario'] {
  if (scenario === undefined) return null
  const { name, options } = scenario
  for (const [option, value] of Object.entries(options)) {
    if (!OPTIONS[name]?.includes(option)) throw refuse(`${name} has no option "${option.slice(0, 40)}"`)
    if (!isValid(option, value)) throw refuse(`"${value.slice(0, 40)}" is not a value of ${option}`)
  }
  return name === 'happy' ? null : { name, options }
}

function isValid(option: string, value: string): boolean {
  if (option === 'reason') return FAILURE_REASONS.some((reason) => reason === value)
  const most = option === 'times' ? MAX_ATTEMPTS : LONGEST_DELAY_HOURS
  return /^[1-9]\d{0,2}$/.test(value) && Number(value) <= most
}

function refuse(what: string): AppError {
  return new AppError('scenario_not_allowed', `${what}.`, {
    hint: `attempt_fails;reason=refused;times=1..${MAX_ATTEMPTS}, delayed;hours=1..${LONGEST_DELAY_HOURS}, returned;reason=…, lost, damaged.`,
  })
}
