import * as Type from 'typebox'
import { isMembershipActive } from '../../core/account.ts'
import { defineOperation } from '../../core/operation.ts'
import { closed, instant, money, nullable } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { BENEFITS, type PlanCode, PLANS } from './rules.ts'

export const getMembershipStatus = defineOperation({
  name: 'get_membership_status',
  area: 'account',
  summary: 'Tell whether you hold an active membership',
  description: 'Ask before offering anything that needs one. Answers for everybody, never-members too.',
  method: 'GET',
  path: '/v1/me/membership',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({}),
  output: closed({
    active: Type.Boolean({ description: 'Whether its benefits are yours now' }),
    entitlement: Type.Literal('service_one'),
    status: Type.Enum(['none', 'trialing', 'active', 'past_due', 'cancelled', 'expired'] as const),
    plan: nullable(
      closed({
        plan_code: Type.String(),
        name: Type.String(),
        price: money,
        interval: Type.Enum(['month', 'year'] as const),
      }),
    ),
    current_period_start: nullable(instant),
    current_period_end: nullable(instant),
    cancel_at_period_end: Type.Boolean(),
    benefits: Type.Array(
      closed({
        code: Type.String(),
        description: Type.String(),
        discount_bps: Type.Optional(Type.Integer()),
      }),
    ),
    checked_at: instant,
  }),
  errors: [],
  example: {},
  cli: {
    command: 'account membership',
    danger: 'read',
    columns: [
      { field: 'status' },
      { field: 'active' },
      { field: 'plan.name', label: 'Plan' },
      { field: 'current_period_end', label: 'Until' },
    ],
    examples: ['dray account membership', 'dray account membership --as guest --json'],
  },
  async run({ account: { membership }, now }) {
    const { status, plan_code, current_period_start: start, current_period_end: end } = membership
    const active = isMembershipActive(membership, now)
    return {
      active,
      entitlement: 'service_one' as const,
      status,
      plan: plan_code === null ? null : PLANS[plan_code as PlanCode],
      current_period_start: start === null ? null : toTimestamp(start),
      current_period_end: end === null ? null : toTimestamp(end),
      cancel_at_period_end: membership.cancel_at_period_end,
      benefits: active ? [...BENEFITS] : [],
      checked_at: toTimestamp(now),
    }
  },
})
