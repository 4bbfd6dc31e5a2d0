export const SCOPES = [
  'profile.read',
  'food.read',
  'food.order',
  'rides.read',
  'rides.request',
  'delivery.read',
  'delivery.request',
  'coverage.read',
  'shipments.create',
  'shipments.read',
  'shipments.manage',
  'services.read',
  'services.book',
  'tasks.read',
  'tasks.create',
  'orders.read',
  'orders.manage',
  'menu.read',
  'menu.manage',
] as const

export type Scope = (typeof SCOPES)[number]

export type MembershipStatus = 'none' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired'

export type Membership = {
  status: MembershipStatus
  plan_code: string | null
  current_period_start: number | null
  current_period_end: number | null
  /** The day of the month on which the paid periods began, 1 to 31; null where none has, or it is not known. */
  anchor_day: number | null
  cancel_at_period_end: boolean
}

export type Agreement = { agreement_id: string; kind: 'carrier' | 'business'; status: 'active' | 'ended' }

/** The caller, read live from the store on every request. */
export type Account = {
  account_id: string
  /** The short name that people type: `--as shipper`. */
  handle: string
  name: string
  scopes: readonly Scope[]
  membership: Membership
  carrierAgreement: Agreement | undefined
  businessAgreement: Agreement | undefined
  /** Service time of the account's last business call, at most five minutes old; absent before the first. */
  businessSeenAt?: number
}

/** Returns the granted scopes that the account still has. */
export function liveScopes(granted: readonly Scope[], { scopes }: Pick<Account, 'scopes'>): Scope[] {
  return granted.filter((scope) => scopes.includes(scope))
}

/**
 * Returns whether the membership gives its benefits at `now`
 * (docs/rules/requests.md#a-membership-gives-benefits-until-its-period-ends).
 */
export function isMembershipActive({ status, current_period_end }: Membership, now: number): boolean {
  const counts = status === 'active' || status === 'trialing' || status === 'cancelled'
  return counts && current_period_end !== null && now < current_period_end
}
