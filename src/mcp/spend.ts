/**
 * Spending limits such as `--max-spend 50GBP/day`: the most that purchases may cost together, in a period or in
 * total.
 */
import { AppError } from '../core/errors.ts'
import { type Money, parseMoney, formatGroupedMoney } from '../core/money.ts'
import { toTimestamp } from '../core/time.ts'
import type { Ledger, SpendEntry } from '../local-state/ledger.ts'

const PERIOD_WORDS = { hour: 'an hour', day: 'a day', week: 'a week', total: 'in all' } as const
const PERIODS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const

export type SpendLimit = { max: Money; per: keyof typeof PERIODS | 'total' }

/** Parses `50GBP/day`, `£5/hour`, `200 EUR/week`, or `50GBP` for all purchases together. Throws AppError('usage'). */
export function parseSpendLimit(text: string): SpendLimit {
  const shown = JSON.stringify(text.slice(0, 40))
  const [amount = '', per = 'total', ...rest] = text.split('/').map((part) => part.trim().toLowerCase())
  if (
    rest.length > 0 ||
    (per !== 'total' && !Object.hasOwn(PERIODS, per)) ||
    (per === 'total' && text.includes('/'))
  )
    throw new AppError(
      'usage',
      `--max-spend: ${shown} must end in /hour, /day or /week, or have no period.`,
      {
        hint: 'Write it like 50GBP/day.',
      },
    )
  const max = parseMoney(amount)
  if ('problem' in max)
    throw new AppError('usage', `--max-spend: ${max.detail}`, { hint: 'Write it like 50GBP/day.' })
  return { max, per: per as SpendLimit['per'] }
}

/** Throws AppError('spend_limit_reached') when the price would exceed a limit. */
export function checkSpend(
  limits: readonly SpendLimit[],
  ledger: Ledger,
  price: Money | undefined,
  now: number,
): void {
  if (limits.length === 0) return
  if (price === undefined) {
    throw new AppError(
      'spend_limit_reached',
      'dray does not know the price of this, so it cannot check --max-spend. Nothing was bought.',
      { hint: 'Ask for the quote here first, then confirm it with its quote_id.' },
    )
  }
  const own = limits.filter(({ max }) => max.currency === price.currency)
  if (own.length === 0) {
    const currencies = [...new Set(limits.map(({ max }) => max.currency))].join(', ')
    const said = limits.map(({ max, per }) => `${formatGroupedMoney(max)} ${PERIOD_WORDS[per]}`).join(', ')
    throw new AppError(
      'spend_limit_reached',
      `The spending limit is in ${currencies}, not ${price.currency}. Nothing was bought.`,
      {
        hint: `The limit is ${said}. Tell the user: only they can restart the server with a limit in ${price.currency}, such as --max-spend 50${price.currency}/day.`,
      },
    )
  }
  for (const limit of own) {
    const left = leftOf(limit, ledger, now)
    if (price.amount > left) throw reached({ limit, left }, ledger, price, now)
  }
}

type SpendKey = Pick<SpendEntry, 'intent' | 'generation'>

/** Counts a purchase before it is sent. Repeats of the same purchase count once. */
export function reserveSpend(ledger: Ledger, spent: SpendEntry): void {
  if (ledger.spent.some((each) => isSame(each, spent))) return
  const oldest = spent.at - PERIODS.week
  const isRecent = ({ at }: SpendEntry): boolean => at > oldest
  for (const { total } of ledger.spent.filter((each) => !isRecent(each)))
    ledger.before[total.currency] = (ledger.before[total.currency] ?? 0) + total.amount
  ledger.spent = [...ledger.spent.filter(isRecent), spent]
}

/** Replaces the reserved amount by the final one; undefined means no cost. */
export function settleSpend(
  ledger: Ledger,
  spent: Omit<SpendEntry, 'total'>,
  total: Money | undefined,
): void {
  const reserved = ledger.spent.find((each) => isSame(each, spent))
  if (total === undefined) releaseSpend(ledger, spent)
  else if (reserved === undefined) reserveSpend(ledger, { ...spent, total })
  else reserved.total = total
}

/** Counts a cancellation fee, unless the full price has counted: the fee is a part of it. */
export function countFee(ledger: Ledger, fee: SpendEntry): void {
  if (fee.quote === null || ledger.spent.every(({ quote }) => quote !== fee.quote)) reserveSpend(ledger, fee)
}

/** Stops counting a purchase that was rejected for good. */
export function releaseSpend(ledger: Ledger, spent: SpendKey): void {
  ledger.spent = ledger.spent.filter((each) => !isSame(each, spent))
}

function isSame(one: SpendKey, other: SpendKey): boolean {
  return one.intent === other.intent && one.generation === other.generation
}

/**
 * Returns the purchases that count for a limit. Purchases after `now` count too, so setting the clock back frees
 * nothing.
 */
function countedBy({ per, max }: SpendLimit, { spent }: Ledger, now: number): SpendEntry[] {
  const since = per === 'total' ? -Infinity : now - PERIODS[per]
  return spent.filter(({ at, total }) => at > since && total.currency === max.currency)
}

function leftOf(limit: SpendLimit, ledger: Ledger, now: number): number {
  const { max, per } = limit
  const before = per === 'total' ? (ledger.before[max.currency] ?? 0) : 0
  const counted = countedBy(limit, ledger, now).reduce((sum, { total }) => sum + total.amount, before)
  return Math.max(0, max.amount - counted)
}

function reached(
  { limit, left }: { limit: SpendLimit; left: number },
  ledger: Ledger,
  price: Money,
  now: number,
): AppError {
  const { max, per } = limit
  const more =
    per === 'total' || price.amount > max.amount ? undefined : freeAt({ limit, left }, ledger, price, now)
  const rest = { amount: left, currency: max.currency }
  const period = PERIOD_WORDS[per]
  return new AppError(
    'spend_limit_reached',
    `This costs ${formatGroupedMoney(price)}; of the limit of ${formatGroupedMoney(max)} ${period}, ${formatGroupedMoney(rest)} is left. Nothing was bought.`,
    {
      hint:
        more === undefined
          ? 'Tell the user: only they can raise the limit, with --max-spend.'
          : `The limit allows this again at ${more}. Until then, tell the user or buy something cheaper.`,
      extra: { limit: max, period: per, left: rest, price, more_at: more ?? null },
    },
  )
}

/** Returns the time at which enough of the spending is out of the period. */
function freeAt(
  { limit, left }: { limit: SpendLimit; left: number },
  ledger: Ledger,
  price: Money,
  now: number,
): string | undefined {
  if (limit.per === 'total') return undefined
  let free = left
  for (const { at, total } of countedBy(limit, ledger, now).toSorted((one, other) => one.at - other.at)) {
    free += total.amount
    if (free >= price.amount) return toTimestamp(at + PERIODS[limit.per])
  }
  return undefined
}
