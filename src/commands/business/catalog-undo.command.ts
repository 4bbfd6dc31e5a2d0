import { defineCommand } from '../../cli/define-command.ts'
import { argumentQuote } from '../../cli/output/shell.ts'
import { AppError } from '../../core/errors.ts'
import { undo } from './item/undo.ts'

/** `dray business catalog undo ITEM`: an item becomes what it was. */
export const businessCatalogUndo = defineCommand({
  words: 'business catalog undo',
  summary: 'Undo the last change to an item, or return to a version',
  description:
    'Shows the differences, then sends the previous values as a new change: undoing twice restores the change. Without --to it undoes the latest change; with --to it restores the values of that version. To change a price by more than half, confirm with the item’s name, as in `update`. If the item has changed since, nothing is overwritten. A deleted item cannot be restored: its ID is never used again. Removed modifiers come back with new IDs.',
  danger: 'write',
  answer: { of: ['update_catalog_item', 'set_catalog_item_availability'] },
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [{ name: 'item', description: 'item name, ID or reference' }],
  flags: [
    {
      flag: 'to',
      kind: 'integer',
      value: 'VERSION',
      description: 'as it was at this version of its history',
    },
  ],
  examples: [
    'dray business catalog undo "Khao Soi"',
    'dray business catalog undo "Khao Soi" --to 3 --dry-run',
  ],
  async run(cli, { item, to }) {
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
      hint: `\`dray business catalog history ${argumentQuote(item)}\` shows the versions.`,
    },
  )
}
