import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags } from '../../cli/fields.ts'
import { missingInputError } from '../../cli/prompts.ts'
import type { Client } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { spec } from '../../generated/specs/set_clock.ts'
import type { ControlAnswer } from '../../sandbox/control/index.ts'
import { readControlInput, readSandboxTime } from './arguments.ts'
import { callControl } from './call-control.ts'

export const sandboxClockSet = defineCommand({
  words: 'sandbox clock set',
  summary: 'Set the clock to a later time, or change how it runs',
  description:
    'real follows this machine, offset keeps a fixed difference to it, scaled runs --factor times as fast, frozen does not run. The clock never goes back. Events due by the new time take place.',
  positionals: [
    { name: 'time', description: 'new time, such as "tomorrow 09:00", 2026-11-21T09:00:00Z or +2h' },
  ],
  flags: pickOperationFlags(spec, {
    mode: { field: 'mode', description: 'mode of the clock from then on' },
    factor: 'factor',
  }),
  examples: [
    'dray sandbox clock set "tomorrow 09:00"',
    'dray sandbox clock set --mode scaled --factor 60',
    'dray sandbox clock set --mode real',
  ],
  danger: 'write',
  answer: { of: ['set_clock'] },
  takes: ['dry-run'],
  async run(cli, args) {
    const { time, mode, factor } = args
    if (time === undefined && mode === undefined && factor === undefined) {
      throw missingInputError(cli.argv, [{ flag: 'TIME', value: '+2h', description: 'a time, or --mode' }])
    }
    if (mode === 'real' && time !== undefined)
      throw new AppError(
        'usage',
        'With --mode real the clock shows the time of this machine: leave the time out.',
      )
    const flags = await readControlInput<'set_clock'>(cli, args)
    return callControl(cli, 'set_clock', {
      ...flags,
      ...(typeof time === 'string' && { at: await readSandboxTime(cli, time, '<time>') }),
      mode: flags.mode ?? (factor === undefined ? await runningMode(await cli.client()) : 'scaled'),
    })
  },
})

/** A clock that follows the machine cannot be set to another time and go on following it. */
async function runningMode(client: Client): Promise<ControlAnswer<'get_clock'>['mode']> {
  const { mode } = await client.control('get_clock', {})
  return mode === 'real' ? 'offset' : mode
}
