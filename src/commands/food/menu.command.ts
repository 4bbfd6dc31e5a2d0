import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { isInteractiveTable, renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { printResult } from '../../cli/print.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { matchByName } from '../items.ts'
import { menuText } from './menu-text.ts'
import { chooseMerchant, resolveMerchant, MERCHANT, NEAR_FLAG } from './merchants.ts'

type Menu = OperationOutput<'get_restaurant_menu'>

const FLAGS = [
  { flag: 'category', kind: 'text', value: 'NAME', description: 'one section only' },
  { flag: 'available-only', kind: 'boolean', description: 'only what can be had now' },
  NEAR_FLAG,
] as const satisfies readonly Flag[]

/** `dray food menu MERCHANT`: as a person reads a menu; for a pipe one line for each item. */
export const foodMenu = defineCommand({
  words: 'food menu',
  summary: 'Show a store’s menu: prices, options, allergens',
  description:
    'Identify a store by ID or name, even while it is closed. Sold-out items stay on the menu, marked as such. Piped output has one line per item; --json prints the menu as the service sends it.',
  positionals: [MERCHANT],
  flags: FLAGS,
  examples: [
    'dray food menu "Lime Street Noodles"',
    'dray food menu "Lime Street Noodles" --category noodles --available-only',
    'dray food menu "Lime Street Noodles" --output csv --fields category,name,price',
  ],
  run: printRestaurantMenu,
})

async function printRestaurantMenu(
  cli: CommandContext,
  args: FlagValues<typeof FLAGS, [typeof MERCHANT]>,
): Promise<number> {
  const asked = args.merchant
  const chosen =
    asked === undefined ? await chooseMerchant(cli, args.near) : await resolveMerchant(cli, args.near, asked)
  const category = args.category
  const client = await cli.client()
  const { value } = await client.call('get_restaurant_menu', {
    merchant_id: chosen.id,
    ...(args['available-only'] === true && { available_only: true }),
  })
  const menu = category === undefined ? value : sectionOf(value, category)
  const empty = 'The menu is empty.'
  if (isInteractiveTable(cli)) {
    if (menu.categories.length === 0) await cli.say(empty)
    else
      await cli.io.stdout.write(`${menuText(menu, chosen.merchant?.name, renderOptionsOf(cli, 'stdout'))}\n`)
    return EXIT.ok
  }
  const { format } = cli.settings
  if (format === 'json' || format === 'yaml') await printResult(cli, menu)
  else await printResult(cli, toRows(menu), { columns: COLUMNS, empty })
  return EXIT.ok
}

/** The menu with the one section that is meant. Throws AppError('usage') that names those there are. */
function sectionOf(menu: Menu, asked: string): Menu {
  const found = matchByName(menu.categories, asked, ({ category_id }) => category_id)
  if ('one' in found) return { ...menu, categories: [found.one] }
  const names = (found.several.length > 0 ? found.several : menu.categories).map(({ name }) => name)
  throw new AppError(
    'usage',
    `--category must be a category of this menu: ${names.join(', ')}; not ${JSON.stringify(asked.slice(0, 60))}.`,
  )
}

const COLUMNS = [
  { field: 'category' },
  { field: 'item_id' },
  { field: 'name' },
  { field: 'price' },
  { field: 'available' },
  { field: 'dietary_tags' },
  { field: 'allergens' },
]

function toRows({ categories }: Menu): { data: unknown[]; has_more: boolean; next_cursor: null } {
  const data = categories.flatMap(({ name, items }) => items.map((item) => ({ category: name, ...item })))
  return { data, has_more: false, next_cursor: null }
}
