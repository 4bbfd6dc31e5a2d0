import { AppError } from '../../core/errors.ts'
import { MARKET_CURRENCY } from '../../core/market.ts'

/** Returns the currency of a report: the one asked for, or the only one there is. Throws AppError('usage'). */
export function oneCurrency(found: Iterable<string>, asked: string | undefined, things: string): string {
  if (asked !== undefined) return asked.toUpperCase()
  const [first, ...more] = [...found].toSorted()
  if (first === undefined || more.length === 0) return first ?? MARKET_CURRENCY
  throw new AppError(
    'usage',
    `The ${things} are in ${[first, ...more].join(' and ')}, which cannot be added up.`,
    {
      hint: `Make one report for each: --currency ${first}.`,
    },
  )
}
