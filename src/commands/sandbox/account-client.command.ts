import { defineCommand } from '../../cli/define-command.ts'
import { changeSandbox, readInput } from './sandbox.ts'

export const sandboxAccountClient = defineCommand({
  words: 'sandbox account client',
  summary: 'Give an account a program with a secret of its own; it is shown this once',
  description:
    'For programs that run without a person: with client id and secret they get their tokens at /oauth/token of `dray serve`, by client_credentials.',
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
  ],
  examples: [
    'dray sandbox account client shipper',
    'dray sandbox account client owner --scope orders.read --scope orders.manage --json',
  ],
  danger: 'write',
  takes: ['dry-run'],
  async run(cli, args) {
    return changeSandbox(cli, 'create_client', await readInput(cli, args), {
      columns: [
        { field: 'client_id' },
        { field: 'client_secret' },
        { field: 'handle', label: 'Account' },
        { field: 'scopes' },
      ],
      done: 'Keep the secret: it cannot be shown again.',
    })
  },
})
