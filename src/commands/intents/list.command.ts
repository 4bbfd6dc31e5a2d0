import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { listIntents } from '../../journal/intents.ts'
import { toRow } from './view.ts'

export const intentsList = defineCommand({
  words: 'intents list',
  summary: 'Calls that were sent and never answered',
  description:
    'What was cut off by a crash, a kill or a lost connection: whether it was done is not known. The same command again finds out, and does nothing twice; `dray intents resolve` does too. `running` are those of commands that are still at it.',
  examples: ['dray intents list', 'dray intents list --json'],
  async run(cli) {
    await printResult(
      cli,
      { data: listIntents(cli.runtime).map(toRow), has_more: false, next_cursor: null },
      {
        list: true,
        columns: [
          { field: 'intent_id' },
          { field: 'started_at', label: 'Sent' },
          { field: 'total' },
          { field: 'command' },
          { field: 'state' },
          { field: 'account' },
        ],
        empty: 'No pending calls.',
      },
    )
    return 0
  },
})
