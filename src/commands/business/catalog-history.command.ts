import type { Cli } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { clean } from '../../cli/output/text.ts'
import { printResult, printsWhole } from '../../cli/print.ts'
import type { Settings } from '../../cli/settings.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { findItem } from './item/find-item.ts'
import { type History, type Version, versionsOf, versionText } from './item/history.ts'

/** The most that are kept. */
const MOST = 50

/** `dray business catalog history ITEM`: who changed it, when, and from what to what. */
export const businessCatalogHistory = defineCommand({
  words: 'business catalog history',
  summary: 'Show the change history of an item',
  description:
    'Newest first. Identify an item by name, ID or your own reference; a deleted item by ID. Keeps the latest 50 changes per item. Changes made with earlier versions of dray may be missing or have no account. `dray business catalog undo` undoes changes.',
  positionals: [{ name: 'item', description: 'item name, ID or reference' }],
  takes: ['limit'],
  examples: [
    'dray business catalog history "Khao Soi"',
    'dray business catalog history "Khao Soi" --limit 5',
    "dray business catalog history itm_01m7vkystgf7vtyybg4s0p9p1s --query 'data[0].changes'",
  ],
  run: async (cli, { item }) => show(cli, item),
})

async function show(cli: Cli, asked: string | undefined): Promise<number> {
  if (asked === undefined)
    throw new AppError('usage', 'Missing: the item. dray business catalog history <item>', {
      hint: '`dray business catalog list` shows your items.',
    })
  const client = await cli.client()
  const { itemId } = await findItem(client, asked)
  const limit = Math.min(cli.globals.limit ?? MOST, MOST)
  const { value: history } = await client.call('get_catalog_item_history', { item_id: itemId, limit })
  await print(cli, history)
  return EXIT.ok
}

async function print(cli: Cli, history: History): Promise<void> {
  const { item, data: _, ...head } = history
  const versions = versionsOf(history)
  const undoes = head.deleted_at === null && head.version > 1 && versions.length > 0
  const value = printsWhole(cli)
    ? { ...head, name: item.name, data: versions }
    : { data: versions.map((made) => toRow(cli.settings, made)), has_more: false, next_cursor: null }
  await printResult(cli, value, {
    list: true,
    columns: [
      { field: 'version', label: 'Version' },
      { field: 'changed_at', label: 'Time' },
      { field: 'changed_by', label: 'Account' },
      { field: 'what', label: 'Changed' },
    ],
    empty: `No recorded changes for ${clean(item.name)}; it is at version ${head.version}.`,
    ...(undoes && { next: `dray business catalog undo ${head.item_id}` }),
  })
}

function toRow(settings: Settings, made: Version): Omit<Version, 'changes'> & { what: string } {
  const { changes: _, ...row } = made
  return { ...row, what: versionText(settings, made) }
}
