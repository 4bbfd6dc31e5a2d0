/** Consents that an update needs besides the question: to prices that jump, and to items that go. */
import type { Cli } from '../../../../cli/cli.ts'
import { confirmName } from '../../../../cli/confirm.ts'
import { commandLine, shellQuote } from '../../../../cli/output/shell.ts'
import { clean } from '../../../../cli/output/text.ts'
import { cannotConfirm } from '../../../../cli/prompts.ts'
import { AppError } from '../../../../core/errors.ts'
import { spellMoney } from '../../../../core/money.ts'
import { changeText } from '../change-item.ts'
import { items } from '../print.ts'
import type { ItemUpdate, MenuChanges } from './changes.ts'

/**
 * Asks for the exact name of each item whose price moves by more than half; an item that is not confirmed stays as it
 * is. Throws AppError('not_confirmed') where nothing can be asked.
 */
export async function agreeToPrices(cli: Cli, { updates }: MenuChanges): Promise<void> {
  const steep = [...updates.values()].filter(({ changes }) => changes.some((change) => change.steep))
  const [only, ...more] = steep
  if (only === undefined) return
  const { confirm } = cli.globals
  if (more.length === 0 && confirm === only.item.name) return
  const ask = await cli.ask()
  if (ask === undefined) throw cannotAgree(cli, steep)
  for (const { row, item, changes } of steep) {
    const said = changes.filter((change) => change.steep).map((change) => changeText(cli, change))
    const message = `A price moves by more than half. ${clean(item.name)}, ${said.join('; ')}. Type its name to change it, or nothing to leave it`
    if ((await ask.input({ message })).trim() === item.name) continue
    updates.delete(row.row)
    await cli.say(`${clean(item.name)} stays as it is.`)
  }
}

function cannotAgree({ argv, globals: { confirm } }: Cli, steep: readonly ItemUpdate[]): AppError {
  const [first, ...more] = steep
  const name = first?.item.name ?? ''
  if (more.length === 0) {
    const question = `A price moves by more than half: ${clean(name)}.`
    const refused = cannotConfirm(argv, { question, flag: `--confirm ${name}` })
    // The typed command names something else already, so it is not completed by a second name.
    if (confirm === undefined) return refused
    return new AppError('not_confirmed', refused.message, { hint: `Give --confirm ${shellQuote(name)}.` })
  }
  const price = first?.wanted.price ?? first?.item.price
  const each = commandLine([
    'dray',
    'business',
    'catalog',
    'update',
    name,
    '--price',
    price === undefined ? '' : spellMoney(price),
    '--confirm',
    name,
  ])
  const names = steep.map(({ item }) => clean(item.name))
  return new AppError(
    'not_confirmed',
    `${names.length} prices move by more than half: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}. This could not be asked here; nothing changed.`,
    { hint: `Change each with its name, and import the file again: \`${each}\`` },
  )
}

/** Asks for the name of the item that goes, or for the count of several. Throws AppError('not_confirmed'). */
export async function agreeToRemoval(cli: Cli, { missing }: MenuChanges): Promise<void> {
  const [only, ...more] = missing
  if (only === undefined) return
  const name = more.length === 0 ? only.name : items(missing.length)
  await confirmName(cli, name, `Delete ${missing.map((each) => clean(each.name)).join(', ')}, for good.`)
}
