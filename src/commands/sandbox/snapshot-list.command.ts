import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { listSnapshots, SERVICE_TIME } from './snapshots.ts'

export const sandboxSnapshotList = defineCommand({
  words: 'sandbox snapshot list',
  summary: 'List saved snapshots',
  examples: ['dray sandbox snapshot list'],
  async run(cli) {
    await printResult(
      cli,
      { data: listSnapshots(cli), has_more: false, next_cursor: null },
      {
        list: true,
        columns: [
          { field: 'name' },
          SERVICE_TIME,
          { field: 'seed' },
          { field: 'bytes' },
          { field: 'saved_at' },
        ],
        empty: 'No saved snapshots: `dray sandbox snapshot save before-lunch` creates one.',
      },
    )
    return 0
  },
})
