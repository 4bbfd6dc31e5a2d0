import { defineCommand } from '../../cli/define-command.ts'
import { quoteArgument } from '../../cli/output/shell.ts'
import { AppError } from '../../core/errors.ts'
import { UNDO_OPERATIONS } from './item/history.ts'
import { undo } from './item/undo.ts'
import { undoImport, UNDO_FIELDS } from './menu/undo/undo.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

/** `dray business catalog undo ITEM`: an item becomes what it was; with `--import` all that an import changed. */
export const businessCatalogUndo = defineCommand({
  words: 'business catalog undo',
  summary: 'Undo the last change to an item, return to a version, or undo an import',
  description:
    'Shows the differences, then sends the previous values as a new change: undoing twice restores the change. Without --to it undoes the latest change; with --to it restores the values of that version. To change a price by more than half, confirm with the item’s name, as in `update`. If the item has changed since, nothing is overwritten. A deleted item cannot be restored: its ID is never used again. Removed modifiers come back with new IDs. --import takes an import back: items that it changed get their former values, items that it created are deleted after their count is typed (--confirm "3 items"), and an item or value that was changed since stays and is listed with the reason. Running it again changes nothing more.',
  danger: 'write',
  answer: (args) => (args['import'] === undefined ? { of: UNDO_OPERATIONS } : { fields: UNDO_FIELDS }),
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [{ name: 'item', description: 'item name, ID or reference' }],
  flags: [
    {
      flag: 'to',
      kind: 'integer',
      value: 'VERSION',
      description: 'as it was at this version of its history',
    },
    {
      flag: 'import',
      kind: 'text',
      value: 'ID|last',
      description: 'all changes of this import, or of the latest one',
    },
    MERCHANT_FLAG,
  ],
  examples: [
    'dray business catalog undo "Khao Soi"',
    'dray business catalog undo "Khao Soi" --to 3 --dry-run',
    'dray business catalog undo --import last',
    'dray business catalog undo --import last --yes --confirm "3 items"',
  ],
  async run(cli, { item, to, import: importId, merchant }) {
    if (importId !== undefined) {
      if (item !== undefined || to !== undefined)
        throw new AppError('usage', '--import takes a whole import back: leave out the item and --to.')
      return undoImport(cli, importId, merchant)
    }
    if (item === undefined)
      throw new AppError('usage', 'Missing: the item. dray business catalog undo <item>', {
        hint: '`dray business catalog list` shows your items.',
      })
    return undo(cli, item, readVersion(to, item))
  },
})

function readVersion(typed: string | undefined, item: string): number | undefined {
  if (typed === undefined || /^[1-9]\d{0,8}$/.test(typed))
    return typed === undefined ? undefined : Number(typed)
  throw new AppError(
    'usage',
    `--to must be a version, such as 3, not ${JSON.stringify(typed.slice(0, 20))}.`,
    {
      hint: `\`dray business catalog history ${quoteArgument(item)}\` shows the versions.`,
    },
  )
}
