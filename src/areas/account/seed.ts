/** The sandbox's accounts and their permissions; people type their short names after `--as`. */
import { type Account, type Membership, SCOPES, type Scope } from '../../core/account.ts'
import type { Tx } from '../../core/db.ts'
import type { WorldSettings } from '../../core/world.ts'
import { newIds, nextSeq } from '../../db/counters.ts'
import { ensureWallet } from '../payments/lifecycle/payment.ts'
import { planMembership } from './lifecycle.ts'
import { insertAccount } from './queries/accounts.ts'
import { toUtcDayOfMonth, periodEnd } from './rules/membership.ts'

const DAY = 86_400_000

const CARRIER_SCOPES: readonly Scope[] = [
  'profile.read',
  'coverage.read',
  'shipments.create',
  'shipments.read',
  'shipments.manage',
]
const BUSINESS_SCOPES: readonly Scope[] = [
  'profile.read',
  'orders.read',
  'orders.manage',
  'menu.read',
  'menu.manage',
]
const CUSTOMER_SCOPES: readonly Scope[] = [
  'profile.read',
  'food.read',
  'food.order',
  'rides.read',
  'rides.request',
  'delivery.read',
  'delivery.request',
  'services.read',
  'services.book',
  'tasks.read',
  'tasks.create',
]

/** The terms of a new account. */
export type AccountTerms = {
  handle: string
  name: string
  scopes: readonly Scope[]
  membership: 'none' | 'active' | 'trialing' | 'expired'
  carrier: boolean
  business: boolean
}

export const ACCOUNTS: readonly AccountTerms[] = [
  {
    handle: 'everything',
    name: 'Alex Morgan',
    scopes: SCOPES,
    membership: 'active',
    carrier: true,
    business: true,
  },
  {
    handle: 'member',
    name: 'Priya Shah',
    scopes: CUSTOMER_SCOPES,
    membership: 'active',
    carrier: false,
    business: false,
  },
  {
    handle: 'guest',
    name: 'Tom Baker',
    scopes: CUSTOMER_SCOPES,
    membership: 'none',
    carrier: false,
    business: false,
  },
  {
    handle: 'lapsed',
    name: 'Nia Clarke',
    scopes: CUSTOMER_SCOPES,
    membership: 'expired',
    carrier: false,
    business: false,
  },
  {
    handle: 'owner',
    name: 'Lime Street Noodles',
    scopes: BUSINESS_SCOPES,
    membership: 'none',
    carrier: false,
    business: true,
  },
  {
    handle: 'shipper',
    name: 'Thames Books',
    scopes: CARRIER_SCOPES,
    membership: 'none',
    carrier: true,
    business: false,
  },
  {
    handle: 'shipper2',
    name: 'Harbour Supplies',
    scopes: CARRIER_SCOPES,
    membership: 'none',
    carrier: true,
    business: false,
  },
  {
    handle: 'chain',
    name: 'Goosefoot Grocers',
    scopes: BUSINESS_SCOPES,
    membership: 'none',
    carrier: false,
    business: true,
  },
]

/** Returns the scopes of an account that names none: those of its agreements. */
export function defaultScopes({ carrier, business }: Pick<AccountTerms, 'carrier' | 'business'>): Scope[] {
  const all = [CUSTOMER_SCOPES, carrier ? CARRIER_SCOPES : [], business ? BUSINESS_SCOPES : []].flat()
  return SCOPES.filter((scope) => all.includes(scope))
}

/** Opens an account with a wallet and plans its membership; returns undefined when the handle is taken. */
export async function openAccount(
  tx: Tx,
  world: WorldSettings,
  now: number,
  terms: AccountTerms,
): Promise<Account | undefined> {
  const seq = await nextSeq(tx, now)
  const makeId = async (prefix: string): Promise<string> =>
    (await newIds({ tx, world, at: now }, prefix))[0] ?? ''
  const account: Account = {
    account_id: await makeId(
      (terms.business || terms.carrier) && terms.membership === 'none' ? 'biz' : 'cus',
    ),
    handle: terms.handle,
    name: terms.name,
    scopes: terms.scopes,
    membership: membershipAt(now, terms.membership),
    carrierAgreement: terms.carrier
      ? { agreement_id: await makeId('agr'), kind: 'carrier', status: 'active' }
      : undefined,
    businessAgreement: terms.business
      ? { agreement_id: await makeId('agr'), kind: 'business', status: 'active' }
      : undefined,
  }
  if (!(await insertAccount(tx, account, seq))) return undefined
  await planMembership(tx, now, account)
  await ensureWallet(tx, world, now, account.account_id)
  return account
}

function membershipAt(now: number, status: AccountTerms['membership']): Membership {
  const rest = { plan_code: 'one_monthly', anchor_day: null, cancel_at_period_end: false }
  switch (status) {
    case 'none':
      return { ...rest, status, plan_code: null, current_period_start: null, current_period_end: null }
    case 'active':
      return {
        ...rest,
        status,
        current_period_start: now - 10 * DAY,
        current_period_end: periodEnd(now - 10 * DAY, 'month'),
        anchor_day: toUtcDayOfMonth(now - 10 * DAY),
      }
    case 'trialing':
      return { ...rest, status, current_period_start: now, current_period_end: now + 14 * DAY }
    case 'expired':
      return { ...rest, status, current_period_start: now - 60 * DAY, current_period_end: now - 30 * DAY }
  }
}
