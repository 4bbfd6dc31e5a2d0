import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { ACCOUNT_COLUMNS } from './sandbox.ts'

export const sandboxAccountList = defineCommand({
  words: 'sandbox account list',
  summary: 'Who there is, and what each may do',
  description:
    '`--as NAME` acts as one of them for a command, `dray login --sandbox --account NAME` from now on.',
  examples: ['dray sandbox account list', 'dray carrier list --as shipper'],
  async run(cli) {
    const page = await (await cli.client()).control('list_accounts', {})
    await printResult(cli, page, { list: true, columns: ACCOUNT_COLUMNS, next: 'dray whoami --as shipper' })
    return 0
  },
})
