/** The arguments of the sandbox commands that are hand-written. */
import type { CommandContext } from '../../cli/cli.ts'
import type { Args } from '../../cli/command.ts'
import { requireMoment } from '../../cli/moment.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ControlInput, ControlName } from '../../sandbox/control/index.ts'
import { readOperationInput } from '../operation.ts'

/** Reads the flags that set fields of a control call; the service checks their values. Throws AppError('usage'). */
export async function readControlInput<N extends ControlName>(
  cli: CommandContext,
  args: Args,
): Promise<Partial<ControlInput<N>>> {
  return (await readOperationInput(cli, args)).input as Partial<ControlInput<N>>
}

/** Returns the instant that a person typed, by the sandbox clock: `tomorrow 09:00`, `+2h`, `2026-11-21`, RFC 3339. */
export async function readSandboxTime(cli: CommandContext, text: string, flag: string): Promise<string> {
  const examples = '"tomorrow 09:00", 2026-11-21 or +2h'
  const now = async () => Date.parse((await (await cli.client()).control('get_clock', {})).now)
  return toTimestamp(await requireMoment(cli, text, { flag, examples, now }))
}
