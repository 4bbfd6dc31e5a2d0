import type { MembershipStatus } from '../../../core/account.ts'
import type { Money } from '../../../core/money.ts'

export type MembershipPlan = { plan_code: string; name: string; price: Money; interval: 'month' | 'year' }

export const PLAN_CODES = ['one_monthly', 'one_yearly'] as const

export type PlanCode = (typeof PLAN_CODES)[number]

export const PLANS: Readonly<Record<PlanCode, MembershipPlan>> = {
  one_monthly: {
    plan_code: 'one_monthly',
    name: 'Service One, monthly',
    price: { amount: 599, currency: 'GBP' },
    interval: 'month',
  },
  one_yearly: {
    plan_code: 'one_yearly',
    name: 'Service One, yearly',
    price: { amount: 5990, currency: 'GBP' },
    interval: 'year',
  },
}

export type Benefit = { code: string; description: string; discount_bps?: number }

/** The benefits of every plan. */
export const BENEFITS: readonly Benefit[] = [
  { code: 'food_discount', description: '10% off the subtotal of every food order', discount_bps: 1000 },
]

/** The statuses that may follow each membership status. */
const NEXT_STATUS: Readonly<Record<MembershipStatus, readonly MembershipStatus[]>> = {
  none: ['trialing', 'active'],
  trialing: ['active', 'past_due', 'cancelled'],
  active: ['past_due', 'cancelled'],
  past_due: ['active', 'expired'],
  cancelled: ['expired'],
  expired: ['trialing', 'active'],
}

/** Returns the shortest legal path from one status to another, without the first; undefined when there is none. */
export function membershipPath(from: MembershipStatus, to: MembershipStatus): MembershipStatus[] | undefined {
  const ways: MembershipStatus[][] = [[from]]
  const seen = new Set<MembershipStatus>([from])
  for (const way of ways) {
    const last = way.at(-1) ?? from
    for (const next of NEXT_STATUS[last]) {
      if (next === to) return [...way.slice(1), next]
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return undefined
}

/**
 * Returns when a period ends: in the next month or year, at the same time in UTC, on the anchor day. In a shorter month
 * that is its last day: begun on 31 January, periods end on 28 February, 31 March and 30 April.
 */
export function periodEnd(
  start: number,
  interval: MembershipPlan['interval'],
  anchorDay = toUtcDayOfMonth(start),
): number {
  const next = atUtc(start).add(interval === 'month' ? { months: 1 } : { years: 1 })
  return next.with({ day: anchorDay }).epochMilliseconds
}

/** Returns the day of the month in UTC. */
export function toUtcDayOfMonth(instant: number): number {
  return atUtc(instant).day
}

function atUtc(instant: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('UTC')
}
