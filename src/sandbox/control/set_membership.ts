import * as Type from 'typebox'
import { changeMembership } from '../../areas/account/lifecycle.ts'
import { loadAccount, lockAccount } from '../../areas/account/queries/accounts.ts'
import { PLAN_CODES } from '../../areas/account/rules/membership.ts'
import { strictObject } from '../../core/schema.ts'
import { runDueEvents } from '../due-events.ts'
import { invalidMemberError } from './clock.ts'
import { defineControl } from './control.ts'
import { account, accountParam, serializeAccount } from './schema.ts'

export const setMembership = defineControl({
  name: 'set_membership',
  method: 'PUT',
  path: '/sandbox/accounts/{account}/membership',
  summary: 'Start, pay, cancel or end the membership of an account',
  input: strictObject({
    account: accountParam,
    status: Type.Enum(['none', 'trialing', 'active', 'past_due', 'cancelled', 'expired'] as const, {
      description: 'the status it gets',
    }),
    plan_code: Type.Optional(Type.Enum(PLAN_CODES, { description: 'its plan' })),
    renewal: Type.Optional(
      Type.Enum(['paid', 'fails'] as const, { description: 'outcome of the next renewal' }),
    ),
  }),
  output: account,
  errors: ['account_not_found', 'invalid_state'],
  example: () => ({ account: 'guest', status: 'active', renewal: 'fails' }),
  cli: {
    command: 'sandbox account membership',
    danger: 'write',
    positionals: ['account', 'status'],
    flags: { plan_code: 'plan' },
    columns: [
      'handle',
      'membership.status',
      'membership.plan_code',
      'membership.current_period_end',
      'membership.cancel_at_period_end',
    ],
    done: 'The membership of {handle} is {membership.status}.',
    next: 'dray account membership --as {handle}',
    examples: [
      'dray sandbox account membership guest active',
      'dray sandbox account membership member active --renewal fails',
    ],
  },
  async run({ write }, { account: name, status, plan_code, renewal }) {
    if (status === 'none' && plan_code !== undefined)
      throw invalidMemberError('plan_code', 'needs a membership')
    return write(async (tx, { world }, now) => {
      const { account_id } = await loadAccount(tx, name)
      await lockAccount(tx, account_id)
      await runDueEvents({ tx, world, at: now }, { resource: account_id })
      const found = await loadAccount(tx, account_id)
      const membership = await changeMembership({ tx, world, at: now }, found, {
        status,
        planCode: plan_code,
        renewal,
      })
      return serializeAccount({ ...found, membership })
    })
  },
})
