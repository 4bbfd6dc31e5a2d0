import { defineCommand } from '../../cli/define-command.ts'
import { changeSandbox, readInput } from './sandbox.ts'

export const sandboxAccountToken = defineCommand({
  words: 'sandbox account token',
  summary: 'Mint a token for calls over HTTP; it is shown this once',
  description:
    'For `dray login` there is a shorter way that shows no token: `dray login --sandbox --account NAME`.',
  positionals: [{ name: 'account', field: 'account', description: 'its short name or id', required: true }],
  flags: [
    {
      flag: 'scope',
      kind: 'text',
      field: 'scopes',
      repeat: true,
      value: 'SCOPE',
      description: 'fewer scopes than the account has',
    },
    {
      flag: 'expires-in',
      kind: 'text',
      field: 'expires_in',
      value: 'SPAN',
      description: 'its life by the sandbox clock, such as 1h; 365d without it',
    },
  ],
  examples: [
    'dray sandbox account token shipper',
    'TOKEN=$(dray sandbox account token shipper --scope shipments.read --query token)',
  ],
  danger: 'write',
  takes: ['dry-run'],
  async run(cli, args) {
    return changeSandbox(cli, 'mint_token', await readInput(cli, args), {
      columns: [
        { field: 'token' },
        { field: 'handle', label: 'Account' },
        { field: 'expires_at' },
        { field: 'scopes' },
      ],
      done: 'Keep it: it cannot be shown again.',
    })
  },
})
