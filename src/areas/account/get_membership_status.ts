import * as Type from 'typebox'
import { isMembershipActive } from '../../core/account.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, instant, describeField, money, nullable } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { BENEFITS, type PlanCode, PLANS } from './rules/membership.ts'

export const getMembershipStatus = defineOperation({
  name: 'get_membership_status',
  area: 'account',
  summary: 'Check your membership',
  description: 'Call this before offering member-only purchases.',
  details: 'It works for every account.',
  method: 'GET',
  path: '/v1/me/membership',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({}),
  output: strictObject({
    active: Type.Boolean({ description: 'True if its benefits are yours now' }),
    entitlement: Type.Literal('service_one', { meaning: 'Entitlement of the account' }),
    status: Type.Enum(['none', 'trialing', 'active', 'past_due', 'cancelled', 'expired'] as const, {
      meaning: 'Status',
    }),
    plan: nullable(
      'Plan; null without a membership',
      strictObject({
        plan_code: Type.String({ meaning: 'Plan code' }),
        name: Type.String({ meaning: 'Name of the plan', label: 'Plan' }),
        price: describeField('Price per billing interval', money),
        interval: Type.Enum(['month', 'year'] as const, { meaning: 'Billing interval' }),
      }),
    ),
    current_period_start: nullable('Start of the current period', instant),
    current_period_end: nullable('End of the current period', instant, 'Period ends'),
    cancel_at_period_end: Type.Boolean({ meaning: 'True if it ends with the current period' }),
    benefits: Type.Array(
      strictObject({
        code: Type.String({ meaning: 'Benefit code' }),
        description: Type.String({ meaning: 'Short description' }),
        discount_bps: Type.Optional(Type.Integer({ meaning: 'Discount in basis points (1000 = 10%)' })),
      }),
      { meaning: 'Benefits' },
    ),
    checked_at: describeField('Time of this check', instant),
  }),
  errors: [],
  example: () => ({}),
  cli: {
    command: 'account membership',
    danger: 'read',
    columns: ['status', 'active', 'plan.name', 'current_period_end'],
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
