import * as Type from 'typebox'
import { isMembershipActive } from '../../core/account.ts'
import { defineOperation } from '../../core/operation.ts'
import { closed, instant, means, money, nullable } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { BENEFITS, type PlanCode, PLANS } from './rules.ts'

export const getMembershipStatus = defineOperation({
  name: 'get_membership_status',
  area: 'account',
  summary: 'Tell whether you hold an active membership',
  description: 'Ask before offering anything that needs one.',
  details: 'Answers for everybody, never-members too.',
  method: 'GET',
  path: '/v1/me/membership',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({}),
  output: closed({
    active: Type.Boolean({ description: 'Whether its benefits are yours now' }),
    entitlement: Type.Literal('service_one', { meaning: 'What the account is entitled to' }),
    status: Type.Enum(['none', 'trialing', 'active', 'past_due', 'cancelled', 'expired'] as const, {
      meaning: 'Where it stands',
    }),
    plan: nullable(
      closed({
        plan_code: Type.String({ meaning: 'The plan, as a word' }),
        name: Type.String({ meaning: 'What the plan is called', label: 'Plan' }),
        price: means('For one interval', money),
        interval: Type.Enum(['month', 'year'] as const, { meaning: 'How often it is paid' }),
      }),
      'What was subscribed to; null without a membership',
    ),
    current_period_start: nullable(instant, 'When the current period began'),
    current_period_end: nullable(instant, 'When the current period ends', 'Until'),
    cancel_at_period_end: Type.Boolean({ meaning: 'Whether it ends with the current period' }),
    benefits: Type.Array(
      closed({
        code: Type.String({ meaning: 'What the membership gives, as a word' }),
        description: Type.String({ meaning: 'In a few words' }),
        discount_bps: Type.Optional(Type.Integer({ meaning: 'Discount in hundredths of a per cent' })),
      }),
      { meaning: 'What the membership gives' },
    ),
    checked_at: means('When this was looked up', instant),
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
