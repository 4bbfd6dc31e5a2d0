import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { CLOCK_COLUMNS } from './sandbox.ts'

export const sandboxClockShow = defineCommand({
  words: 'sandbox clock show',
  summary: 'What time it is in the sandbox, and how its clock runs',
  examples: ['dray sandbox clock show'],
  async run(cli) {
    await printResult(cli, await (await cli.client()).control('get_clock', {}), {
      columns: CLOCK_COLUMNS,
      next: 'dray sandbox clock advance 2h',
    })
    return 0
  },
})
