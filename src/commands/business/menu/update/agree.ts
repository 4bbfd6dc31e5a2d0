/** Consents that an update needs besides the question: to prices that jump, and to items that go. */
import type { ItemChange } from '../../../../areas/catalog/rules/item-changes.ts'
import type { CommandContext } from '../../../../cli/cli.ts'
import { confirmName } from '../../../../cli/confirm.ts'
import { ConfirmationDeclined } from '../../../../cli/declined.ts'
import { sanitizeForTerminal } from '../../../../cli/output/text.ts'
import { notConfirmedError } from '../../../../cli/prompts.ts'
import { AppError } from '../../../../core/errors.ts'
import { pluralize, joinFirst } from '../../../../tabular/wording.ts'
import { changeText } from '../../item/change-item.ts'
import { formatItemCount, shareText } from '../print.ts'
import type { MenuChanges } from './changes.ts'

/** The most items that are named where nothing can be asked; a menu in another currency has hundreds. */
const NAMED = 10

/** An item with a price that moves by more than half. `leave` takes it out of what is sent. */
export type Steep = { name: string; changes: readonly Omit<ItemChange, 'steep'>[]; leave?: () => void }

/** Asks about the items of an update; an item that is not confirmed stays as it is. Throws as `agreeToPrices`. */
export async function agreeToUpdates(cli: CommandContext, { updates }: MenuChanges): Promise<void> {
  const steep = [...updates.values()].filter((update) => update.steep.length > 0)
  await agreeToPrices(
    cli,
    steep.map(({ row, item, steep: changes }) => ({
      name: item.name,
      changes,
      leave: () => void updates.delete(row.row),
    })),
  )
}

/**
 * Asks for the exact name of each item whose price moves by more than half. `--confirm`, once for each, answers as well.
 * Throws AppError('not_confirmed') where nothing can be asked, or where an item that cannot be omitted is not confirmed.
 */
export async function agreeToPrices(cli: CommandContext, all: readonly Steep[]): Promise<void> {
  const given = [...cli.globals.confirm]
  const steep = all.filter(({ name }) => !removeNameOnce(given, name))
  if (steep.length === 0) return
  const ask = await cli.ask()
  if (ask === undefined) throw cannotAgree(cli, steep)
  for (const { name, changes, leave } of steep) {
    const said = changes.map((change) => changeText(cli.settings, change))
    const otherwise = leave === undefined ? 'to create nothing' : 'to leave it'
    const message = `A price changes by more than half. ${sanitizeForTerminal(name)}, ${said.join('; ')}. Type the item’s name to change it, or press Enter ${otherwise}`
    if ((await ask.input({ message })).trim() === name) {
      cli.answered.push({ flag: '--confirm', value: name })
      continue
    }
    if (leave === undefined) throw new ConfirmationDeclined('Nothing was sent.')
    leave()
    await cli.say(`${sanitizeForTerminal(name)} was not changed.`)
  }
}

/** Takes a name out once: it is of one item, and another of the same name needs its own. */
function removeNameOnce(names: string[], name: string): boolean {
  const at = names.indexOf(name)
  if (at >= 0) names.splice(at, 1)
  return at >= 0
}

function cannotAgree({ argv }: CommandContext, steep: readonly Steep[]): AppError {
  const names = steep.map(({ name }) => name)
  const shown = joinFirst(
    names.map((name) => sanitizeForTerminal(name)),
    NAMED,
  )
  const question = pluralize(names.length, '{A price changes|# prices change} by more than half: {}.', shown)
  const refused = notConfirmedError(argv, {
    question,
    flags: names.map((value) => ({ flag: '--confirm', value })),
  })
  if (names.length <= NAMED) return refused
  const hint = 'Add --confirm NAME for each of them; --dry-run shows all.'
  return new AppError('not_confirmed', refused.message, { hint })
}

/** Asks for the name of the item that goes, or for the count of several. Throws AppError('not_confirmed'). */
export async function agreeToRemoval(
  cli: CommandContext,
  { missing, present }: Pick<MenuChanges, 'present'> & { missing: readonly { name: string }[] },
): Promise<void> {
  const [only, ...more] = missing
  if (only === undefined) return
  const name = more.length === 0 ? only.name : formatItemCount(missing.length)
  const names = missing.map((each) => sanitizeForTerminal(each.name)).join(', ')
  await confirmName(cli, name, `Delete ${names}, for good.${shareText(missing.length, present)}`)
}
