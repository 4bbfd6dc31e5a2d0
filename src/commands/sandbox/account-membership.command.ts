import { PLAN_CODES } from '../../areas/account/rules.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { changeSandbox, readInput } from './sandbox.ts'

export const sandboxAccountMembership = defineCommand({
  words: 'sandbox account membership',
  summary: 'Start, pay, cancel or end the membership of an account',
  positionals: [
    { name: 'account', field: 'account', description: 'its short name or id', required: true },
    {
      name: 'status',
      field: 'status',
      kind: 'enum',
      choices: ['none', 'trialing', 'active', 'past_due', 'cancelled', 'expired'],
      description: 'the status it gets',
      required: true,
    },
  ],
  flags: [
    { flag: 'plan', kind: 'enum', choices: PLAN_CODES, field: 'plan_code', description: 'its plan' },
    {
      flag: 'renewal',
      kind: 'enum',
      choices: ['paid', 'fails'],
      field: 'renewal',
      description: 'how the next renewal goes',
    },
  ],
  examples: [
    'dray sandbox account membership guest active',
    'dray sandbox account membership member active --renewal fails',
  ],
  danger: 'write',
  takes: ['dry-run'],
  async run(cli, args) {
    return changeSandbox(cli, 'set_membership', await readInput(cli, args), {
      columns: [
        { field: 'handle', label: 'Account' },
        { field: 'membership.status', label: 'Membership' },
        { field: 'membership.plan_code', label: 'Plan' },
        { field: 'membership.current_period_end', label: 'Until' },
        { field: 'membership.cancel_at_period_end', label: 'Ends then' },
      ],
      done: 'The membership of {handle} is {membership.status}.',
      next: 'dray account membership --as {handle}',
    })
  },
})
