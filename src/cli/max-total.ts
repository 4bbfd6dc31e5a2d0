/** `--max-total`: the most that one command may spend. */
import { AppError } from '../core/errors.ts'
import type { Money } from '../core/money.ts'
import { parseMoney, formatGroupedMoney } from '../core/money.ts'
import type { Flag } from './command.ts'

export const MAX_TOTAL_FLAG = {
  flag: 'max-total',
  kind: 'text',
  value: '25.00',
  description: 'maximum total; a higher price fails',
} as const satisfies Flag

/**
 * Returns a limit. Throws AppError('usage') for one that is no amount, also before there is a price. `name` is where it was typed:
 * `--max-total`, `DRAY_MAX_TOTAL`.
 */
export function assertLimit(text: string, name: string, currency = 'GBP'): Money {
  const limit = parseMoney(text, currency)
  if ('problem' in limit) throw new AppError('usage', `${name}: ${limit.detail}`)
  return limit
}

/**
 * Throws AppError('price_above_limit' | 'usage') when the price exceeds the limit. `nothing` ends the message:
 * `Nothing was bought.`
 */
export function assertPriceWithinLimit(
  price: Money,
  text: string,
  nothing: string,
  extra: Readonly<Record<string, unknown>> = {},
): void {
  const limit = assertLimit(text, '--max-total', price.currency)
  if (limit.currency === price.currency && price.amount <= limit.amount) return
  throw new AppError(
    'price_above_limit',
    `The price is ${formatGroupedMoney(price)}, above the limit of ${formatGroupedMoney(limit)}. ${nothing}`,
    { extra: { max_total: limit, current_total: price, ...extra } },
  )
}

/** Returns the amount as typed after a flag: `18.40`. */
export function formatPlainAmount(money: Money): string {
  return formatGroupedMoney(money).replaceAll(/[^\d.]/g, '')
}
