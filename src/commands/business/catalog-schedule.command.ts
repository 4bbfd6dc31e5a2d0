import { askValues } from '../../cli/ask-values.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { assertProfileConfirmed } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { listStoreItems } from '../../client/list-store-items.ts'
import { AppError } from '../../core/errors.ts'
import { foldForSearch } from '../../core/fold.ts'
import type { OpeningHours } from '../../core/opening-hours.ts'
import { joinFirst } from '../../tabular/wording.ts'
import { callOperation } from '../operation.ts'
import { readSpans } from './hours/times.ts'
import { resolveItem } from './item/find-item.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

const OPERATIONS = ['set_item_schedule', 'set_category_schedule'] as const

/** `dray business catalog schedule ITEM mon-fri 11:00-15:00`: when an item, or a category, is on sale. */
export const businessCatalogSchedule = defineCommand({
  words: 'business catalog schedule',
  summary: 'Set the days and times at which an item or a category is on sale',
  description:
    'Local time of the store. Outside these times customers see the item as unavailable, and from when it is on sale; orders for later are compared with their own time. Days are named alone (sat), in a range (mon-fri) or with daily; a day has several periods (07-11,12-15), and a day that is not named has none. A period that ends at or before its start ends on the next day (18-02). --always removes the schedule. With --category the times are those of all items of that category; an item with times of its own is on sale within both. A bank holiday counts as a Sunday.',
  danger: 'write',
  answer: ({ category }) => ({ of: [OPERATIONS[category === undefined ? 0 : 1]] }),
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [
    { name: 'item', description: 'item name, ID or reference; left out with --category' },
    { name: 'times', repeat: true, description: 'days and their times, such as mon-fri 11:00-15:00' },
  ],
  flags: [
    {
      flag: 'category',
      kind: 'text',
      value: 'NAME',
      description: 'category by name or ID, instead of an item',
    },
    { flag: 'always', kind: 'boolean', description: 'on sale at any time' },
    MERCHANT_FLAG,
  ],
  examples: [
    'dray business catalog schedule Focaccia mon-fri 11:00-15:00 sat 12-23',
    'dray business catalog schedule --category Breakfast daily 07-11',
    'dray business catalog schedule Focaccia --always',
  ],
  run: setSchedule,
})

type ScheduleArgs = {
  item?: string | undefined
  times?: string[] | undefined
  category?: string | undefined
  always?: boolean | undefined
  merchant?: string | undefined
}

async function setSchedule(cli: CommandContext, typed: ScheduleArgs): Promise<number> {
  const asked = await completeSchedule(cli, typed)
  const { item, category, merchant } = asked
  const spans = readTimesOf(asked)
  const target =
    category === undefined
      ? { item_id: (await resolveItem(await cli.client(), item ?? '')).itemId }
      : { category_id: await findCategory(cli, category, merchant) }
  if (!cli.globals.dryRun) await assertProfileConfirmed(cli)
  const input = { ...target, spans }
  const operation = await loadOperationHints(OPERATIONS[category === undefined ? 0 : 1])
  return callOperation(cli, operation, { input, said: input })
}

/** Asks for the item and its times where they were not typed. Throws AppError('usage') for a script. */
async function completeSchedule(cli: CommandContext, asked: ScheduleArgs): Promise<ScheduleArgs> {
  const { item, times = [], category, always } = asked
  // With a category the first word is a part of the times.
  const hasTimes = times.length > 0 || (category !== undefined && item !== undefined)
  const answers = await askValues(cli, [
    ...((category ?? item) === undefined ? [ITEM] : []),
    ...(hasTimes || always === true ? [] : [TIMES]),
  ])
  return {
    ...asked,
    ...(answers.item !== undefined && { item: answers.item }),
    ...(answers.times !== undefined && { times: answers.times.split(/\s+/) }),
  }
}

const ITEM = {
  key: 'item',
  flag: 'ITEM',
  value: 'Focaccia',
  description: 'item name, ID or reference; `dray business catalog list` shows them',
  message: 'Item name, ID or reference',
} as const

const TIMES = {
  key: 'times',
  flag: 'TIMES',
  value: 'daily 11-15',
  description: 'days and their times, such as mon-fri 11:00-15:00',
} as const

/** Returns the periods that the line gives, null for `--always`. Throws AppError('usage'). */
function readTimesOf({ item, times = [], category, always = false }: ScheduleArgs): OpeningHours[] | null {
  // With a category the first word is a part of the times.
  const words = [...(category === undefined || item === undefined ? [] : [item]), ...times]
  if (words.length > 0 && always)
    throw new AppError('usage', '--always removes the schedule: leave it out, or the times.')
  return always ? null : readSpans(words)
}

/** Returns the id of the category with this name or id. Throws AppError that names the others. */
async function findCategory(
  cli: CommandContext,
  named: string,
  merchant: string | undefined,
): Promise<string> {
  const items = await listStoreItems(await cli.client(), merchant)
  const all = new Map(items.map(({ category }) => [category.category_id, category.name]))
  const found = [...all].find(([id, name]) => id === named || foldForSearch(name) === foldForSearch(named))
  if (found !== undefined) return found[0]
  throw new AppError('category_not_found', `No category ${JSON.stringify(named.slice(0, 60))}.`, {
    hint: `Your categories: ${joinFirst([...all.values()], 10)}.`,
  })
}
