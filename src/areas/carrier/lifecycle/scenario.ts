import { toStoredScenario, type ScenarioOptions } from '../../../core/scenario.ts'
import { FAILURE_REASONS } from '../../proofs/rules/failures.ts'
import type { ShipmentDoc } from '../queries/shipments.ts'
import { RETURN_DAYS, RETURN_MS } from '../rules/returns.ts'
import { MAX_DELIVERY_ATTEMPTS } from '../states.ts'

/** The ways in which the sandbox plays a parcel. */
export const SHIPMENT_SCENARIOS = [
  'happy',
  'attempt_fails',
  'lost',
  'damaged',
  'delayed',
  'returned',
  'contents_missing',
] as const

const DAY_MS = 86_400_000
const MAX_DELAY_HOURS = 720
const MAX_MISSING_GRAMS = 999

const isReason = (value: string): boolean => FAILURE_REASONS.some((reason) => reason === value)
const isUpTo =
  (most: number) =>
  (value: string): boolean =>
    /^[1-9]\d{0,2}$/.test(value) && Number(value) <= most

const OPTIONS: ScenarioOptions = {
  attempt_fails: { reason: isReason, times: isUpTo(MAX_DELIVERY_ATTEMPTS) },
  delayed: { hours: isUpTo(MAX_DELAY_HOURS) },
  returned: { reason: isReason },
  contents_missing: { grams: isUpTo(MAX_MISSING_GRAMS) },
}

/** The ways in which the sandbox can play a return: its label waits, or the return is sent after a time. */
export const RETURN_SCENARIOS = ['happy', 'return_sent'] as const

const isDuration = (value: string): boolean => /^[1-9]\d?[hd]$/.test(value) && durationOf(value) < RETURN_MS

/** Returns a time such as 36h or 3d in milliseconds. */
function durationOf(value: string): number {
  return Number(value.slice(0, -1)) * (value.endsWith('d') ? DAY_MS : DAY_MS / 24)
}

/** Returns after how many milliseconds a return is sent; undefined for one whose label waits. Throws `scenario_not_allowed`. */
export function readReturnScenario(scenario: Parameters<typeof toStoredScenario>[0]): number | undefined {
  const options = { return_sent: { after: isDuration } }
  const sent = toStoredScenario(scenario, options, `return_sent;after=1h..${RETURN_DAYS - 1}d`)
  return sent === null ? undefined : durationOf(sent.options['after'] ?? '1d')
}

/** The scenario to keep with a parcel; null for one that simply arrives. Throws `scenario_not_allowed`. */
export function readShipmentScenario(
  scenario: { name: string; options: Record<string, string> } | undefined,
): ShipmentDoc['scenario'] {
  return toStoredScenario(
    scenario,
    OPTIONS,
    `attempt_fails;reason=refused;times=1..${MAX_DELIVERY_ATTEMPTS}, delayed;hours=1..${MAX_DELAY_HOURS}, returned;reason=…, contents_missing;grams=1..${MAX_MISSING_GRAMS}, lost, damaged`,
  )
}
