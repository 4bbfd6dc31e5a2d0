import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { readInput } from './sandbox.ts'

export const sandboxAccountWallet = defineCommand({
  words: 'sandbox account wallet',
  summary: 'What a customer’s wallet holds, and what went in and out',
  positionals: [{ name: 'account', field: 'account', description: 'its short name or id', required: true }],
  examples: ['dray sandbox account wallet member', 'dray sandbox account wallet member --json'],
  async run(cli, args) {
    const { account } = await readInput(cli, args)
    const wallet = await (await cli.client()).control('get_wallet', { account: String(account) })
    await printResult(cli, wallet, {
      columns: [
        { field: 'handle', label: 'Account' },
        { field: 'balance' },
        { field: 'owed' },
        { field: 'owed_entries', label: 'Owed and paid' },
        { field: 'entries', label: 'In and out' },
      ],
    })
    return 0
  },
})
