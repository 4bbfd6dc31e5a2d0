import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/set_clock.ts'
import { readControlInput } from './arguments.ts'
import { callControl } from './call-control.ts'

export const sandboxClockRun = defineCommand({
  words: 'sandbox clock run',
  summary: 'Let the clock run from its current time',
  flags: pickOperationFlags(spec, {
    factor: { field: 'factor', description: 'speed factor: 60 runs a minute in a second' },
  }),
  examples: ['dray sandbox clock run', 'dray sandbox clock run --factor 60'],
  danger: 'write',
  answer: { of: ['set_clock'] },
  takes: ['dry-run'],
  async run(cli, args) {
    const flags = await readControlInput<'set_clock'>(cli, args)
    const mode = flags.factor === undefined ? 'offset' : 'scaled'
    return callControl(cli, 'set_clock', { ...flags, mode }, { done: 'The clock is running from {now}.' })
  },
})
