import { defineCommand } from '../../cli/define-command.ts'
import { readSandboxTime } from './arguments.ts'
import { callControl } from './call-control.ts'

export const sandboxClockFreeze = defineCommand({
  words: 'sandbox clock freeze',
  summary: 'Freeze the clock: time passes only when you advance it',
  flags: [{ flag: 'at', kind: 'text', value: 'TIME', description: 'at this later time instead of now' }],
  examples: ['dray sandbox clock freeze', 'dray sandbox clock freeze --at "tomorrow 09:00"'],
  danger: 'write',
  answer: { of: ['set_clock'] },
  takes: ['dry-run'],
  async run(cli, { at }) {
    const input = {
      mode: 'frozen',
      ...(typeof at === 'string' && { at: await readSandboxTime(cli, at, '--at') }),
    } as const
    return callControl(cli, 'set_clock', input, {
      done: 'The clock is frozen at {now}.',
      next: 'dray sandbox clock advance 2h',
    })
  },
})
