/** The order of a command that was typed without one. */
import { chooseOwn, findOwn } from '../../../cli/choose-own.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { formatTargetFlags } from '../../../cli/print.ts'
import { AppError } from '../../../core/errors.ts'

/** Asks for an order that `fits`, and returns its word: by default the id. Throws AppError('usage') where nobody can be asked. */
export async function chooseOrder(
  cli: CommandContext,
  usage: string,
  offered: Parameters<typeof chooseOwn>[3] = {},
): Promise<string> {
  const ask = await cli.ask()
  const own = ask && (await findOwn(cli, 'order_id'))
  if (ask === undefined || own === undefined) {
    throw new AppError('usage', `Which order? dray ${cli.spec.words} ${usage}`, {
      hint: `\`dray business orders list --active${formatTargetFlags(cli.globals)}\` shows them.`,
    })
  }
  const chosen = await chooseOwn(cli, ask, own, offered)
  cli.answered.push({ flag: chosen })
  return chosen
}
