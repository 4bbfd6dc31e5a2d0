import { askValues } from '../../cli/ask-values.ts'
import { assertProfileConfirmed } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { AppError } from '../../core/errors.ts'
import { callOperation } from '../operation.ts'
import { resolveItem } from './item/find-item.ts'

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
    const asked = await askValues(cli, [
      ...(item === undefined ? [ITEM] : []),
      ...(count === undefined ? [COUNT] : []),
    ])
    const counted = readCount(count ?? asked.count ?? '')
    const { itemId } = await resolveItem(await cli.client(), item ?? asked.item ?? '')
    if (!cli.globals.dryRun) await assertProfileConfirmed(cli)
    const input = { item_id: itemId, ...counted }
    return callOperation(cli, await loadOperationHints('set_item_stock'), { input, said: input })
  },
})

const ITEM = {
  key: 'item',
  flag: 'ITEM',
  value: 'Focaccia',
  description: 'item name, ID or reference; `dray business catalog list` shows them',
  message: 'Item name, ID or reference',
} as const

const COUNT = {
  key: 'count',
  flag: 'COUNT',
  value: '12',
  description: 'a number, such as 12, +5 or -2, or uncounted',
  message: 'Count: a number, +5 or -2, or uncounted',
  validate: (text: string) =>
    COUNT_FORM.test(text.trim()) ? undefined : 'Please type a number such as 12, +5 or -2, or uncounted.',
} as const

const COUNT_FORM = /^(?:uncounted|[+-]?\d{1,10})$/

function readCount(typed: string): { stock: number | null } | { change: number } {
  if (typed === 'uncounted') return { stock: null }
  if (/^\d{1,10}$/.test(typed)) return { stock: Number(typed) }
  if (/^[+-]\d{1,10}$/.test(typed)) return { change: Number(typed) }
  throw new AppError(
    'usage',
    `<count> must be a number such as 12, +5 or -2, or uncounted, not ${JSON.stringify(typed.slice(0, 40))}.`,
  )
}
