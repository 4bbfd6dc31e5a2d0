import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { listPendingCalls } from '../../local-state/pending-calls.ts'
import { toPendingCallRow } from './view.ts'

export const pendingList = defineCommand({
  words: 'pending list',
  summary: 'List calls without a response',
  description:
    'Calls interrupted by a crash, a kill or a lost connection: dray does not know their result. Running the same command again finds out, and does nothing twice; so does `dray pending resolve`. `running` marks calls of commands that are still running.',
  examples: ['dray pending list', 'dray pending list --json'],
  async run(cli) {
    await printResult(
      cli,
      { data: listPendingCalls(cli.runtime).map(toPendingCallRow), has_more: false, next_cursor: null },
      {
        list: true,
        columns: [
          { field: 'call_id' },
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
