import { listCreated } from '../../client/recent.ts'
import { defineCommand } from '../command.ts'
import { printResult } from '../print.ts'

export const recent = defineCommand({
  words: 'recent',
  summary: 'What was created from here: orders, rides, parcels, tasks',
  description:
    'Newest first, the last 200, from a journal on this machine; states are those at creation. `--limit` shows fewer.',
  examples: ['dray recent', 'dray recent --limit 5 --json'],
  takes: ['limit'],
  async run(cli) {
    const all = listCreated(cli.runtime)
    const data = all.slice(0, cli.globals.limit ?? all.length)
    await printResult(
      cli,
      { data, has_more: data.length < all.length, next_cursor: null },
      {
        list: true,
        columns: [
          { field: 'created_at', label: 'Created' },
          { field: 'id' },
          { field: 'total' },
          { field: 'status', label: 'State then' },
          { field: 'operation', label: 'By' },
          { field: 'account' },
          { field: 'profile' },
        ],
        empty: 'Nothing was created from here yet.',
      },
    )
    return 0
  },
})
