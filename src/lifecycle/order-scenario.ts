import { REJECT_REASONS } from '../domain/order-states.ts'
import { FAILURE_REASONS } from '../domain/shipment-states.ts'
import { AppError } from '../errors.ts'
import type { OrderDoc } from '../store/orders.ts'

/** How the sandbox can play an order, and the courier run that it ends in (`contract.md` D). */
export const ORDER_SCENARIOS = [
  'happy',
  'store_auto',
  'store_manual',
  'store_rejects',
  'payment_pending',
  'no_courier',
  'courier_cancels',
  'courier_delay',
  'undeliverable',
] as const

const LONGEST_DELAY_S = 86_400

/** The options each scenario takes, with what they may be. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, (value: string) => boolean>>>> = {
  store_rejects: { reason: (value) => REJECT_REASONS.some((reason) => reason === value) },
  courier_cancels: { at: (value) => value === 'assigned' || value === 'arrived_at_pickup' },
  courier_delay: { seconds: (value) => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= LONGEST_DELAY_S },
  undeliverable: { reason: (value) => FAILURE_REASONS.some((reason) => reason === value) },
}

/** The scenario to keep with an order; null for one that simply goes well. Throws `scenario_not_allowed`. */
export function readOrderScenario(
  scenario: { name: string; options: Record<string, string> } | undefined,
): OrderDoc['scenario'] {
  if (scenario === undefined) return null
  const { name, options } = scenario
  const known = OPTIONS[name] ?? {}
  for (const [option, value] of Object.entries(options)) {
    const isValid = Object.hasOwn(known, option) ? known[option] : undefined
    if (isValid === undefined) throw refuse(`${name} has no option "${option.slice(0, 40)}"`)
    if (!isValid(value)) throw refuse(`"${value.slice(0, 40)}" is not a value of ${option}`)
  }
  return name === 'happy' ? null : { name, options }
}

function refuse(what: string): AppError {
  return new AppError('scenario_not_allowed', `${what}.`, {
    hint: `store_auto, store_manual, store_rejects;reason=too_busy, payment_pending, no_courier, courier_cancels;at=assigned|arrived_at_pickup, courier_delay;seconds=1..${LONGEST_DELAY_S}, undeliverable;reason=refused.`,
  })
}
