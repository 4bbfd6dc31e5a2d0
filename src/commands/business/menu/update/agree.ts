/** Consents that an update needs besides the question: to prices that jump, and to items that go. */
import type { Cli } from '../../../../cli/cli.ts'
import { confirmName } from '../../../../cli/confirm.ts'
import { clean } from '../../../../cli/output/text.ts'
import { cannotConfirm } from '../../../../cli/prompts.ts'
import { AppError } from '../../../../core/errors.ts'
import { counted, firstOf } from '../../../../rows/wording.ts'
import { changeText } from '../change-item.ts'
import { items } from '../print.ts'
import type { ItemUpdate, MenuChanges } from './changes.ts'

/** So many items are named where nothing can be asked; a menu in another currency has hundreds. */
const NAMED = 10

/**
 * Asks for the exact name of each item whose price moves by more than half; an item that is not confirmed stays as it
 * is. `--confirm`, once for each, answers as well. Throws AppError('not_confirmed') where nothing can be asked.
 */
export async function agreeToPrices(cli: Cli, { updates }: MenuChanges): Promise<void> {
  const given = [...cli.globals.confirm]
  const steep = [...updates.values()].filter(
    ({ item, changes }) => changes.some((change) => change.steep) && !takeOut(given, item.name),
  )
  if (steep.length === 0) return
  const ask = await cli.ask()
  if (ask === undefined) throw cannotAgree(cli, steep)
  for (const { row, item, changes } of steep) {
    const said = changes.filter((change) => change.steep).map((change) => changeText(cli, change))
    const message = `A price moves by more than half. ${clean(item.name)}, ${said.join('; ')}. Type its name to change it, or nothing to leave it`
    if ((await ask.input({ message })).trim() === item.name) {
      cli.answered.push({ flag: '--confirm', value: item.name })
      continue
    }
    updates.delete(row.row)
    await cli.say(`${clean(item.name)} stays as it is.`)
  }
}

/** Takes a name out once: it is of one item, and another of the same name needs its own. */
function takeOut(names: string[], name: string): boolean {
  const at = names.indexOf(name)
  if (at >= 0) names.splice(at, 1)
  return at >= 0
}

function cannotAgree({ argv }: Cli, steep: readonly ItemUpdate[]): AppError {
  const names = steep.map(({ item }) => item.name)
  const shown = firstOf(
    names.map((name) => clean(name)),
    NAMED,
  )
  const question = counted(names.length, '{A price moves|# prices move} by more than half: {}.', shown)
  const refused = cannotConfirm(argv, {
    question,
    flags: names.map((value) => ({ flag: '--confirm', value })),
  })
  if (names.length <= NAMED) return refused
  const hint = 'Add --confirm NAME for each of them; --dry-run shows all.'
  return new AppError('not_confirmed', refused.message, { hint })
}

/** Asks for the name of the item that goes, or for the count of several. Throws AppError('not_confirmed'). */
export async function agreeToRemoval(cli: Cli, { missing }: MenuChanges): Promise<void> {
  const [only, ...more] = missing
  if (only === undefined) return
  const name = more.length === 0 ? only.name : items(missing.length)
  await confirmName(cli, name, `Delete ${missing.map((each) => clean(each.name)).join(', ')}, for good.`)
}
