import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { listProfiles } from '../../cli/profiles.ts'

export const profileList = defineCommand({
  words: 'profile list',
  summary: 'List the profiles and which one is in use',
  examples: ['dray profile list', 'dray profile list --json'],
  async run(cli) {
    await printResult(
      cli,
      { data: listProfiles(cli), has_more: false, next_cursor: null },
      {
        list: true,
        columns: [
          { field: 'name' },
          { field: 'in_use' },
          { field: 'address', label: 'Service or store' },
          { field: 'account' },
          { field: 'protected' },
        ],
      },
    )
    return 0
  },
})
