/** The command of a control call. */
import type { CommandContext } from '../../cli/cli.ts'
import { assertProfileConfirmed } from '../../cli/confirm.ts'
import { printResult } from '../../cli/print.ts'
import { EXIT } from '../../core/errors.ts'
import { loadSpec } from '../../generated/registry.ts'
import type { ControlAnswer, ControlInput } from '../../sandbox/control/index.ts'

export type ControlPrintHints = Parameters<typeof printResult>[2]

/** Makes a control call and prints its response as declared. The hints of `more` replace declared ones. Throws AppError. */
export async function callControl<N extends string>(
  cli: CommandContext,
  name: N,
  input: ControlInput<N>,
  more:
    | ControlPrintHints
    | ((answer: ControlAnswer<N>) => ControlPrintHints | Promise<ControlPrintHints>) = {},
): Promise<number> {
  const declared = (await loadSpec(name))?.operation
  if (declared?.read !== true) {
    if (cli.globals.dryRun) {
      await printResult(cli, { control: name, input })
      await cli.say('Dry run: nothing was sent.')
      return EXIT.ok
    }
    await assertProfileConfirmed(cli)
  }
  const answer = await (await cli.client()).control(name, input)
  await printResult(cli, answer, {
    ...declared,
    ...(typeof more === 'function' ? await more(answer) : more),
  })
  return EXIT.ok
}
