import {
  areMinutes,
  toStoredScenario,
  scenarioNotAllowedError,
  type ScenarioOptions,
} from '../../../core/scenario.ts'
import type { PaymentMethod } from '../../payments/rules/payment.ts'
import { FAILURE_REASONS } from '../../proofs/rules/failures.ts'
import type { DeliveryDoc } from '../queries/deliveries.ts'

/** The ways in which the sandbox plays a delivery. */
export const DELIVERY_SCENARIOS = [
  'happy',
  'no_courier',
  'courier_cancels',
  'courier_delay',
  'courier_late',
  'goods_damaged',
  'undeliverable',
  'cod_not_available',
] as const

const MAX_DELAY_S = 86_400
const MAX_WAIT_S = 3600

export const COURIER_OPTIONS: ScenarioOptions = {
  courier_cancels: { at: (value) => value === 'assigned' || value === 'arrived_at_pickup' },
  courier_delay: { seconds: (value) => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= MAX_DELAY_S },
  courier_late: { minutes: areMinutes },
  undeliverable: {
    reason: (value) => FAILURE_REASONS.some((reason) => reason === value),
    waits: (value) => /^\d{1,4}$/.test(value) && Number(value) <= MAX_WAIT_S,
  },
}

export const COURIER_WORDS = `no_courier, courier_cancels;at=assigned|arrived_at_pickup, courier_delay;seconds=1..${MAX_DELAY_S}, courier_late;minutes=1..999, goods_damaged, undeliverable;reason=refused, undeliverable;reason=access_denied;waits=0..${MAX_WAIT_S}, cod_not_available`

/**
 * Returns the scenario to keep of a delivery that is paid by a method; null for one that simply goes well. Throws
 * `scenario_not_allowed`.
 */
export function readDeliveryScenario(
  scenario: { name: string; options: Record<string, string> } | undefined,
  method: PaymentMethod,
): DeliveryDoc['scenario'] {
  return resolveCashScenario(toStoredScenario(scenario, COURIER_OPTIONS, COURIER_WORDS), method)
}

/** Returns a recipient without the cash as what that is to a courier. Throws `scenario_not_allowed` for another payment. */
export function resolveCashScenario(
  scenario: DeliveryDoc['scenario'],
  method: PaymentMethod,
): DeliveryDoc['scenario'] {
  if (scenario?.name !== 'cod_not_available') return scenario
  if (method !== 'cash')
    throw scenarioNotAllowedError('cod_not_available is about what is paid in cash', 'Pay in cash to play it')
  return { name: 'undeliverable', options: { reason: 'cod_not_available' } }
}
