import { isOrderOver, type OrderStatus } from '../areas/orders/states.ts'
/** Orders as people name them: by the number on the ticket, with the day where the number repeats. */
import type { CommandContext } from '../cli/cli.ts'
import { sanitizeForTerminal } from '../cli/output/text.ts'
import { AppError } from '../core/errors.ts'
import { localDate } from '../core/time.ts'

/** A number, and the day by the clock of the store if the user gave it. */
export type OrderNumber = { number: string; day: string | undefined }

/** Base32 without letters that look like figures, as the service draws it. */
const FORM = /^#?([0-9a-hjkmnp-tv-z]{4})(?:@(\d{4}-\d\d-\d\d))?$/i

/** Parses `7K2M`, `#7k2m` or `7K2M@2026-11-27`; returns undefined for any other word. */
export function readOrderNumber(word: string): OrderNumber | undefined {
  const [, number, day] = FORM.exec(word.trim()) ?? []
  return number === undefined ? undefined : { number: number.toUpperCase(), day }
}

export type NumberedOrder = {
  order_id: string
  display_number: string
  status: OrderStatus
  timezone?: string
  created_at: string
  updated_at: string
}

const DAY_MS = 86_400_000
/** A store refunds parts of an order until so long after its end: what ended before can only be shown. */
const ACTIONABLE_DAYS = 30

/** Returns the day of an order by the clock of its store, as `2026-11-27`. */
function dayOfOrder({ created_at, timezone = 'UTC' }: NumberedOrder): string {
  return localDate(Date.parse(created_at), timezone)
}

type Choice<T> = {
  named: OrderNumber
  now: number
  /** True for a command that fits active orders only: an active one is meant before those that have ended. */
  activeOnly: boolean
  /** What tells an order from others of its number: the store, or the customer. */
  describe: (order: T) => string
}

/**
 * Returns the order that a number names among all with that number: the only one with which something can still be done, else
 * the only one. Returns undefined without any. Throws AppError('usage') that lists the candidates with their days.
 */
export function chooseNumbered<T extends NumberedOrder>(
  cli: Pick<CommandContext, 'spec'>,
  alike: readonly T[],
  { named, now, activeOnly, describe }: Choice<T>,
): T | undefined {
  const all = alike.filter(
    (order) =>
      order.display_number === named.number && (named.day === undefined || dayOfOrder(order) === named.day),
  )
  const active = all.filter(({ status }) => !isOrderOver(status))
  const [only, second] = active
  if (activeOnly && only !== undefined && second === undefined) return only
  const isActionable = ({ status, updated_at }: T): boolean =>
    !isOrderOver(status) || Date.parse(updated_at) >= now - ACTIONABLE_DAYS * DAY_MS
  const actionable = all.filter(isActionable)
  const candidates = activeOnly && active.length > 0 ? active : actionable.length > 0 ? actionable : all
  if (candidates.length <= 1) return candidates[0]
  throw severalNumbered(cli, candidates, named.number, describe)
}

function severalNumbered<T extends NumberedOrder>(
  { spec }: Pick<CommandContext, 'spec'>,
  candidates: readonly T[],
  number: string,
  describe: (order: T) => string,
): AppError {
  const days = new Set(candidates.map(dayOfOrder))
  // Two stores may have the number on one day.
  const isDayEnough = days.size === candidates.length
  const listed = candidates.map((order) => {
    const name = isDayEnough ? `${number}@${dayOfOrder(order)}` : `${order.order_id} of ${dayOfOrder(order)}`
    return `${name} (${order.status.replaceAll('_', ' ')}, ${sanitizeForTerminal(describe(order))})`
  })
  const [first] = candidates
  const example = isDayEnough && first !== undefined ? `${number}@${dayOfOrder(first)}` : first?.order_id
  return new AppError('usage', `Several orders have the number ${number}: ${listed.join('; ')}.`, {
    hint: `Name the ${isDayEnough ? 'day, too' : 'ID'}: \`dray ${spec.words} ${example}\`.`,
  })
}
