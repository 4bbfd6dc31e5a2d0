import { defineCommand } from '../../cli/define-command.ts'
import { changeSandbox, CLOCK_COLUMNS, readInput } from './sandbox.ts'

export const sandboxClockRun = defineCommand({
  words: 'sandbox clock run',
  summary: 'Let the clock run again from where it stands',
  flags: [
    {
      flag: 'factor',
      kind: 'integer',
      value: 'N',
      field: 'factor',
      description: 'so many times as fast as real time',
    },
  ],
  examples: ['dray sandbox clock run', 'dray sandbox clock run --factor 60'],
  danger: 'write',
  takes: ['dry-run'],
  async run(cli, args) {
    const input = await readInput(cli, args)
    return changeSandbox(
      cli,
      'set_clock',
      { ...input, mode: input['factor'] === undefined ? 'offset' : 'scaled' },
      {
        columns: CLOCK_COLUMNS,
        done: 'The clock runs from {now}.',
        next: 'dray sandbox status',
      },
    )
  },
})
