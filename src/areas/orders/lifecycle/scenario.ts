import { toStoredScenario, type ScenarioOptions } from '../../../core/scenario.ts'
import { COURIER_OPTIONS, COURIER_WORDS, resolveCashScenario } from '../../couriers/lifecycle/scenario.ts'
import type { PaymentMethod } from '../../payments/rules/payment.ts'
import type { OrderDoc, OrderRecord } from '../queries/orders.ts'
import { ORDER_REJECT_REASONS, type OrderRejectReason } from '../states.ts'

/** The ways in which the sandbox plays an order, and the delivery that it ends in. */
export const ORDER_SCENARIOS = [
  'happy',
  'store_auto',
  'store_manual',
  'store_rejects',
  'payment_pending',
  'no_courier',
  'courier_cancels',
  'courier_delay',
  'courier_late',
  'goods_damaged',
  'undeliverable',
  'cod_not_available',
] as const

const OPTIONS: ScenarioOptions = {
  ...COURIER_OPTIONS,
  store_rejects: { reason: (value) => ORDER_REJECT_REASONS.some((reason) => reason === value) },
}

/** The scenario to keep with an order that is paid by a method; null for one that simply goes well. Throws `scenario_not_allowed`. */
export function readOrderScenario(
  scenario: { name: string; options: Record<string, string> } | undefined,
  method: PaymentMethod,
): OrderDoc['scenario'] {
  const words = `store_auto, store_manual, store_rejects;reason=too_busy, payment_pending, ${COURIER_WORDS}`
  return resolveCashScenario(toStoredScenario(scenario, OPTIONS, words), method)
}

/** Returns the reason with which the scenario of an order has its store reject it. */
export function scenarioRejectReason({ doc }: OrderRecord): OrderRejectReason {
  return ORDER_REJECT_REASONS.find((reason) => reason === doc.scenario?.options['reason']) ?? 'other'
}
