import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { readInputFromFlags } from '../../cli/fields.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { printResult, isWholeResponsePrinted } from '../../cli/print.ts'
import type { Settings } from '../../cli/settings.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { readRemainingPages } from '../../client/pages.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { resolveItem } from './item/find-item.ts'
import { diffItemFields, type History, type Version, versionsOf, versionText } from './item/history.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

/** The most that are kept. */
const MAX_ITEM_VERSIONS = 50

const FLAGS = [
  { flag: 'from', kind: 'store_when', field: 'from', value: 'TIME', description: 'earliest time, included' },
  { flag: 'to', kind: 'store_when', field: 'to', value: 'TIME', description: 'end, not included' },
  {
    flag: 'import',
    kind: 'text',
    field: 'import_id',
    value: 'ID|last',
    description: 'changes of this import only, or of the latest one',
  },
  { ...MERCHANT_FLAG, field: 'merchant_id' },
] as const satisfies readonly Flag[]

type Flags = Omit<FlagValues<typeof FLAGS>, 'merchant_id'>

/** `dray business catalog history [ITEM]`: who changed an item, or the menu, when, and from what to what. */
export const businessCatalogHistory = defineCommand({
  words: 'business catalog history',
  summary: 'Show the changes of your menu, or of one item',
  description:
    'Newest first. Without an item, the changes of the whole menu, page by page: --from and --to choose a time, --import an import. Identify an item by name, ID or your own reference; a deleted item by ID. Keeps the latest 50 changes per item. Changes made with earlier versions of dray may be missing or have no account. `dray business catalog undo` undoes changes.',
  positionals: [{ name: 'item', description: 'item name, ID or reference' }],
  flags: FLAGS,
  takes: ['limit', 'cursor', 'all'],
  examples: [
    'dray business catalog history --from yesterday --to today',
    'dray business catalog history --import last',
    'dray business catalog history "Khao Soi" --limit 5',
    "dray business catalog history itm_01m7vkystgf7vtyybg4s0p9p1s --query 'data[0].changes'",
  ],
  run: async (cli, { item, ...flags }) =>
    item === undefined ? printMenuHistory(cli, flags) : printItemHistory(cli, item, flags),
})

async function printItemHistory(cli: CommandContext, asked: string, flags: Flags): Promise<number> {
  const { cursor, all } = cli.globals
  const given = Object.entries({ ...flags, cursor, all }).find(([, value]) => value !== undefined)
  if (given !== undefined && given[1] !== false)
    throw new AppError('usage', `--${given[0]} is for the whole menu: leave it out, or the item.`)
  const client = await cli.client()
  const { itemId } = await resolveItem(client, asked)
  const limit = Math.min(cli.globals.limit ?? MAX_ITEM_VERSIONS, MAX_ITEM_VERSIONS)
  const { value: history } = await client.call('get_catalog_item_history', { item_id: itemId, limit })
  await print(cli, history)
  return EXIT.ok
}

async function print(cli: CommandContext, history: History): Promise<void> {
  const { item, data: _, ...head } = history
  const versions = versionsOf(history)
  const undoes = head.deleted_at === null && head.version > 1 && versions.length > 0
  const value = isWholeResponsePrinted(cli)
    ? { ...head, name: item.name, data: versions }
    : { data: versions.map((made) => toRow(cli.settings, made)), has_more: false, next_cursor: null }
  await printResult(cli, value, {
    list: true,
    columns: [{ field: 'version', label: 'Version' }, TIME, ACCOUNT, WHAT],
    empty: `No recorded changes for ${sanitizeForTerminal(item.name)}; it is at version ${head.version}.`,
    ...(undoes && { next: `dray business catalog undo ${head.item_id}` }),
  })
}

const TIME = { field: 'changed_at', label: 'Time' }
const ACCOUNT = { field: 'changed_by', label: 'Account' }
const WHAT = { field: 'what', label: 'Changed' }

function toRow<V extends Version>(settings: Settings, made: V): Omit<V, 'changes'> & { what: string } {
  const { changes: _, ...row } = made
  return { ...row, what: versionText(settings, made) }
}

type Page = OperationOutput<'list_catalog_changes'>

async function printMenuHistory(cli: CommandContext, flags: Flags): Promise<number> {
  const { limit = cli.globals.all === true ? 100 : undefined, cursor, all } = cli.globals
  const asked = await readInputFromFlags(cli, FLAGS, flags)
  const client = await cli.client()
  const read = async (at?: string): Promise<Page> => {
    const input = { ...asked, ...(limit !== undefined && { limit }), ...(at !== undefined && { cursor: at }) }
    return (await client.call('list_catalog_changes', input)).value
  }
  const first = await read(cursor)
  const page =
    all === true ? { data: await readRemainingPages(first, read), has_more: false, next_cursor: null } : first
  const rows = page.data.map(({ replaced, values, ...made }) => ({
    ...made,
    changes: replaced === null ? [] : diffItemFields(replaced, values),
  }))
  const data = isWholeResponsePrinted(cli) ? rows : rows.map((row) => toRow(cli.settings, row))
  await printResult(
    cli,
    { ...page, data },
    {
      list: true,
      columns: [TIME, { field: 'name', label: 'Item' }, WHAT, ACCOUNT],
      empty: 'No recorded changes.',
      ...(flags.import !== undefined &&
        rows.length > 0 && { next: `dray business catalog undo --import ${flags.import}` }),
    },
  )
  return EXIT.ok
}
