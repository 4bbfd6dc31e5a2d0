/** The lifecycle of a membership. The only writer of its status. */
import type { Account, Membership, MembershipStatus } from '../../core/account.ts'
import type { Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import type { WorldSettings } from '../../core/world.ts'
import { appendEvents } from '../../db/events.ts'
import type { ChangeContext } from '../../db/lifecycle.ts'
import { scheduleEvents, type TimelineEvent, unscheduleResource } from '../../db/timeline.ts'
import { lockAccount, updateMembership } from './queries/accounts.ts'
import { toUtcDayOfMonth, membershipPath, periodEnd, type PlanCode, PLANS } from './rules/membership.ts'

const DAY = 86_400_000
const TRIAL_MS = 14 * DAY
/** The time that an unpaid renewal may be paid late. */
const GRACE_MS = 7 * DAY

export type Renewal = 'paid' | 'fails'

/**
 * Applies what the timeline planned. A plan that no longer fits is dropped silently
 * (docs/rules/simulation.md#an-event-that-no-longer-fits-is-dropped).
 */
/** The events that may be planned for a membership. */
export const MEMBERSHIP_EVENTS = ['renewal', 'expiry'] as const

export async function applyMembershipEvent(
  tx: Tx,
  world: WorldSettings,
  event: TimelineEvent,
  now = event.due_at,
): Promise<void> {
  const account = await lockAccount(tx, event.resource_id)
  if (account === undefined) return
  const to = outcomeOf(event)
  const { status } = account.membership
  const renewed = to === 'active' && status === 'active'
  if (!renewed && !(membershipPath(status, to)?.length === 1)) return
  const membership = await enter({ tx, world, at: now }, account, to, 'clock')
  await planMembership(tx, now, { account_id: account.account_id, membership })
}

function outcomeOf({ event, payload }: TimelineEvent): MembershipStatus {
  if (event === 'expiry') return 'expired'
  return payload['renewal'] === 'fails' ? 'past_due' : 'active'
}

/**
 * Takes a membership to a status by the steps of the table, each recorded; `renewal` decides how its next one ends.
 * Throws `invalid_state` when no way leads there.
 */
export async function changeMembership(
  scene: ChangeContext,
  account: Account,
  {
    status,
    planCode,
    renewal = 'paid',
  }: { status: MembershipStatus; planCode?: PlanCode | undefined; renewal?: Renewal | undefined },
): Promise<Membership> {
  const { tx, at: now } = scene
  const from = account.membership.status
  const path = status === from ? [] : membershipPath(from, status)
  if (path === undefined) {
    throw new AppError('invalid_state', `A membership that is ${from} cannot become ${status}.`, {
      extra: { current_status: from },
    })
  }
  let { membership } = account
  if (planCode !== undefined) membership = { ...membership, plan_code: planCode }
  await unscheduleResource(tx, account.account_id)
  for (const step of path) membership = await enter(scene, { ...account, membership }, step, 'sandbox')
  if (path.length === 0) await updateMembership(tx, account.account_id, membership)
  await planMembership(tx, now, { account_id: account.account_id, membership }, renewal)
  return membership
}

/** Puts on the timeline what happens next to a membership. */
export async function planMembership(
  tx: Tx,
  now: number,
  {
    account_id: accountId,
    membership: { status, current_period_end: end },
  }: Pick<Account, 'account_id' | 'membership'>,
  renewal: Renewal = 'paid',
): Promise<void> {
  const next = nextStep(status, end ?? now)
  if (next === undefined) return
  await scheduleEvents(tx, now, [
    {
      due_at: next.due_at,
      kind: 'membership',
      resource_id: accountId,
      owner_id: accountId,
      event: next.event,
      payload: next.event === 'renewal' && renewal === 'fails' ? { renewal } : {},
    },
  ])
}

function nextStep(status: MembershipStatus, end: number): { event: string; due_at: number } | undefined {
  switch (status) {
    case 'trialing':
    case 'active':
      return { event: 'renewal', due_at: end }
    case 'past_due':
      return { event: 'expiry', due_at: end + GRACE_MS }
    case 'cancelled':
      return { event: 'expiry', due_at: end }
    case 'none':
    case 'expired':
      return undefined
  }
}

/** Writes one step and records it. */
async function enter(
  { tx, world, at }: ChangeContext,
  { account_id, membership }: Account,
  to: MembershipStatus,
  by: 'clock' | 'sandbox',
): Promise<Membership> {
  const after = {
    ...membership,
    ...periodIn(membership, to, at),
    status: to,
    cancel_at_period_end: to === 'cancelled',
  }
  await updateMembership(tx, account_id, after)
  await appendEvents(tx, world, at, [
    {
      type: membership.status === to ? 'membership.renewed' : `membership.${to}`,
      resource_id: account_id,
      owner_id: account_id,
      occurred_at: at,
      from: membership.status,
      to,
      by,
      data: { plan_code: after.plan_code },
    },
  ])
  return after
}

type Period = Pick<Membership, 'plan_code' | 'current_period_start' | 'current_period_end'> &
  Partial<Pick<Membership, 'anchor_day'>>

function periodIn(membership: Membership, to: MembershipStatus, at: number): Period {
  const { status, current_period_start, current_period_end } = membership
  const plan_code = membership.plan_code ?? 'one_monthly'
  const end = current_period_end ?? at
  if (to === 'trialing') return { plan_code, current_period_start: at, current_period_end: at + TRIAL_MS }
  if (to === 'active') {
    // A renewal joins the period before without a gap; anything else begins now.
    const joins = (status === 'active' || status === 'trialing') && end <= at
    const start = joins ? end : at
    // The day is kept, because a renewal in a short month falls on an earlier one.
    const anchor_day = joins && status === 'active' ? anchorOf(membership, start) : toUtcDayOfMonth(start)
    const current_period_end = periodEnd(start, PLANS[plan_code as PlanCode].interval, anchor_day)
    return { plan_code, current_period_start: start, current_period_end, anchor_day }
  }
  // An unpaid renewal ends the period, even one that the sandbox makes fail before its time.
  const over = to === 'expired' || to === 'past_due'
  return { plan_code, current_period_start, current_period_end: over ? Math.min(end, at) : end }
}

/** Older programs stored no anchor: there it is the day on which the current period began. */
function anchorOf({ anchor_day, current_period_start }: Membership, otherwise: number): number {
  return anchor_day ?? toUtcDayOfMonth(current_period_start ?? otherwise)
}
