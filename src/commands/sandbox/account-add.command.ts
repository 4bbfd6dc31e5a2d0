import { defineCommand } from '../../cli/define-command.ts'
import { ACCOUNT_COLUMNS, changeSandbox, readInput } from './sandbox.ts'

export const sandboxAccountAdd = defineCommand({
  words: 'sandbox account add',
  summary: 'Add an account',
  positionals: [
    {
      name: 'handle',
      field: 'handle',
      description: 'a short name of lower-case letters, digits and dashes',
      required: true,
    },
  ],
  flags: [
    { flag: 'name', kind: 'text', field: 'name', description: 'name of the person or the company' },
    {
      flag: 'scope',
      kind: 'text',
      field: 'scopes',
      repeat: true,
      value: 'SCOPE',
      description: 'what it may do; without it everything its agreements allow',
    },
    {
      flag: 'membership',
      kind: 'enum',
      choices: ['none', 'active', 'trialing'],
      field: 'membership',
      description: 'the membership it starts with',
    },
    { flag: 'carrier', kind: 'boolean', field: 'carrier', description: 'with a carrier agreement' },
    { flag: 'business', kind: 'boolean', field: 'business', description: 'with a business agreement' },
  ],
  examples: [
    'dray sandbox account add books --name "Strand Books" --carrier',
    'dray sandbox account add reader --carrier --scope shipments.read',
  ],
  danger: 'write',
  takes: ['dry-run'],
  async run(cli, args) {
    return changeSandbox(cli, 'add_account', await readInput(cli, args), {
      columns: [...ACCOUNT_COLUMNS, { field: 'account_id', label: 'Account id' }],
      done: 'Added the account {handle}.',
      next: 'dray whoami --as {handle}',
    })
  },
})
