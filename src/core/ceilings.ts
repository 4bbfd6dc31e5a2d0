/**
 * The highest amounts that a request may name: a slip of a key is rejected, and never billed
 * (docs/rules/requests.md#amounts-have-a-ceiling).
 */
import { AppError, type ProblemFieldError } from './errors.ts'
import { MARKET_CEILINGS } from './market.ts'
import { exponentOf, type Money, formatGroupedMoney } from './money.ts'

/** An amount that has a ceiling. */
export type CeilingName = keyof typeof MARKET_CEILINGS

/** The part of a ceiling from which an agent's purchase needs a person. */
const ASKED_FROM = 1 / 5

/** Returns the ceiling in a currency; a tip may be as high as what it is given for, `atLeast`, in minor units. */
export function ceilingOf(capped: CeilingName, currency: string, atLeast = 0): Money {
  return { amount: Math.max(MARKET_CEILINGS[capped] * 10 ** exponentOf(currency), atLeast), currency }
}

/** Returns whether an agent's purchase with this amount needs a person. */
export function isLarge(capped: CeilingName, money: Money, atLeast?: number): boolean {
  return money.amount >= ceilingOf(capped, money.currency, atLeast).amount * ASKED_FROM
}

/** Returns why an amount above its ceiling is rejected: `£12,000.00 is more than £2,500.00, the most that is taken`. */
export function whyTooLarge(money: Money, most: Money): string | undefined {
  if (money.amount <= most.amount) return undefined
  return `${formatGroupedMoney(money)} is more than ${formatGroupedMoney(most)}, the most that is taken`
}

/** Throws `amount_too_large`, with the `limit`, naming the place of the request where the amount stands. */
export function assertWithinCeiling(
  capped: CeilingName,
  money: Money | undefined,
  place: Pick<ProblemFieldError, 'pointer' | 'parameter'>,
  atLeast?: number,
): void {
  if (money === undefined) return
  const most = ceilingOf(capped, money.currency, atLeast)
  const why = whyTooLarge(money, most)
  if (why === undefined) return
  const name = place.parameter ?? place.pointer?.split('/').at(-1) ?? ''
  const detail = `${name}: ${why}`
  throw new AppError('amount_too_large', `${detail}.`, {
    errors: [{ ...place, code: 'out_of_range', detail }],
    extra: { limit: most.amount },
  })
}
