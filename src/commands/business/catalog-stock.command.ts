import { confirmProtected } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { hintsOf } from '../../cli/hints-of.ts'
import { AppError } from '../../core/errors.ts'
import { callOperation } from '../operation.ts'
import { findItem } from './item/find-item.ts'

/** `dray business catalog stock ITEM 12`: how many of an item are left. */
export const businessCatalogStock = defineCommand({
  words: 'business catalog stock',
  summary: 'Count the stock of an item',
  description:
    'A number sets the count; +5 adds and -2 takes some; uncounted ends the count. Orders take what they contain, and at 0 the item cannot be ordered. Its availability stays as it is.',
  danger: 'write',
  answer: { of: ['set_item_stock'] },
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [
    { name: 'item', description: 'item name, ID or reference' },
    { name: 'count', signed: true, description: 'a number, such as 12, +5 or -2, or uncounted' },
  ],
  examples: [
    'dray business catalog stock Focaccia 12',
    'dray business catalog stock Focaccia +5',
    'dray business catalog stock Focaccia -2',
    'dray business catalog stock Focaccia uncounted',
  ],
  async run(cli, { item, count }) {
    if (item === undefined || count === undefined)
      throw new AppError(
        'usage',
        'Missing: the item or its count. dray business catalog stock <item> <count>',
        {
          hint: '`dray business catalog list` shows your items.',
        },
      )
    const counted = readCount(count)
    const { itemId } = await findItem(await cli.client(), item)
    if (!cli.globals.dryRun) await confirmProtected(cli)
    const input = { item_id: itemId, ...counted }
    return callOperation(cli, await hintsOf('set_item_stock'), { input, said: input })
  },
})

function readCount(typed: string): { stock: number | null } | { change: number } {
  if (typed === 'uncounted') return { stock: null }
  if (/^\d{1,10}$/.test(typed)) return { stock: Number(typed) }
  if (/^[+-]\d{1,10}$/.test(typed)) return { change: Number(typed) }
  throw new AppError(
    'usage',
    `<count> must be a number such as 12, +5 or -2, or uncounted, not ${JSON.stringify(typed.slice(0, 40))}.`,
  )
}
