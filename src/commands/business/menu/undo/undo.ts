/** `dray business catalog undo --import`: what an import changed becomes as it was, where it is unchanged since. */
import type { CommandContext } from '../../../../cli/cli.ts'
import { assertProfileConfirmed, confirmYes } from '../../../../cli/confirm.ts'
import { sanitizeForTerminal } from '../../../../cli/output/text.ts'
import { printResult } from '../../../../cli/print.ts'
import type { Client } from '../../../../client/client.ts'
import { type CatalogItem, listStoreItems } from '../../../../client/list-store-items.ts'
import { readRemainingPages } from '../../../../client/pages.ts'
import { AppError, EXIT } from '../../../../core/errors.ts'
import { pluralize, withRemainder } from '../../../../tabular/wording.ts'
import { changeText } from '../../item/change-item.ts'
import { diffItemFields, planUndoSteps } from '../../item/history.ts'
import { HalfDone, type ItemCalls, sendSteps, startItemCalls } from '../item-calls.ts'
import { askTo, formatItemCount } from '../print.ts'
import { agreeToRemoval } from '../update/agree.ts'
import { type ImportedItem, joinChanges, type LaterChange, planItemUndo, type ItemUndo } from './plan.ts'

/** Items that are shown before the question; the answer has all of them. */
const SHOWN = 20

type Row = Omit<ItemUndo, 'result' | 'restore' | 'kept'> & {
  row: number
  result: ItemUndo['result'] | 'not_sent'
  changes: ReturnType<typeof diffItemFields>
  reason: string | null
}

export const UNDO_FIELDS = ['row', 'item_id', 'name', 'result', 'reason', 'changes.*']

/** Takes an import back, after a question that says how many items come back and how many go. Throws AppError. */
export async function undoImport(
  cli: CommandContext,
  asked: string,
  merchant: string | undefined,
): Promise<number> {
  const client = await cli.client()
  const store = merchant === undefined ? {} : { merchant_id: merchant }
  const read = async (cursor?: string) => {
    const input = { ...store, import_id: asked, limit: 100, ...(cursor !== undefined && { cursor }) }
    return (await client.call('list_catalog_changes', input)).value
  }
  const changes = await readRemainingPages(await read(), read)
  const importId = changes[0]?.import_id
  if (importId === undefined || importId === null)
    throw new AppError(
      'invalid_state',
      asked === 'last'
        ? 'No import has changed this menu.'
        : `The import ${asked} changed nothing on this menu.`,
      { hint: '`dray business catalog history` shows the changes and their imports.' },
    )
  const catalogue = await listStoreItems(client, merchant)
  const plan: PlannedItemUndo[] = []
  for (const imported of joinChanges(changes)) plan.push(await planOne(client, imported, importId, catalogue))
  if (cli.globals.dryRun) {
    await cli.say(planText(cli, importId, plan))
    return report(cli, importId, plan.map(toRow), 'Dry run: nothing was sent.')
  }
  await assertProfileConfirmed(cli)
  if (plan.some(isSent)) await agree(cli, importId, plan, catalogue)
  const calls = startItemCalls(cli, plan.filter(isSent).length)
  const rows: Row[] = []
  try {
    // A new item may have the name that another one gets back.
    for (const each of plan.toSorted(
      (a, b) => Number(b.result === 'deleted') - Number(a.result === 'deleted'),
    ))
      rows.push(await undoItemImport(client, each, calls))
  } finally {
    calls.end()
  }
  const code = await report(
    cli,
    importId,
    rows.map((row, index) => ({ ...row, row: index + 1 })),
  )
  if (calls.stopped !== undefined) throw calls.stopped
  return code
}

/** The item with its return; `item` is missing where it is gone. */
type PlannedItemUndo = ItemUndo & { item: CatalogItem | undefined }

const isSent = ({ result }: ItemUndo): boolean => result === 'restored' || result === 'deleted'

async function planOne(
  client: Client,
  imported: ImportedItem,
  importId: string,
  catalogue: readonly CatalogItem[],
): Promise<PlannedItemUndo> {
  const item = catalogue.find(({ item_id }) => item_id === imported.item_id)
  const isLater = item !== undefined && item.version > imported.version
  const later = isLater ? await laterChanges(client, imported, importId) : []
  return { ...planItemUndo(imported, item, later, catalogue), item }
}

/** Returns the changes of an item since an import; undefined where some of them are not kept any more. */
async function laterChanges(
  client: Client,
  { item_id, version }: ImportedItem,
  importId: string,
): Promise<LaterChange[] | undefined> {
  const { data } = (await client.call('get_catalog_item_history', { item_id })).value
  if ((data.at(-1)?.version ?? Infinity) > version + 1) return undefined
  return data.filter((each) => each.version > version && each.import_id !== importId)
}

async function agree(
  cli: CommandContext,
  importId: string,
  plan: readonly PlannedItemUndo[],
  catalogue: readonly CatalogItem[],
): Promise<void> {
  const missing = plan.filter(({ result }) => result === 'deleted')
  const restored = plan.filter(({ result }) => result === 'restored').length
  const parts = [
    ...(restored === 0 ? [] : [`restore ${formatItemCount(restored)}`]),
    ...(missing.length === 0 ? [] : [`delete ${formatItemCount(missing.length)} that the import created`]),
  ]
  if (!cli.settings.yes) await cli.say(planText(cli, importId, plan))
  await confirmYes(cli, askTo(parts))
  await agreeToRemoval(cli, { missing, present: catalogue.length })
}

function planText(cli: CommandContext, importId: string, plan: readonly PlannedItemUndo[]): string {
  const restored = plan.filter(({ result }) => result === 'restored')
  const deleted = plan
    .filter(({ result }) => result === 'deleted')
    .map(({ name }) => sanitizeForTerminal(name))
  const kept = plan.flatMap(({ name, kept: why }) =>
    why === undefined ? [] : [`  ${sanitizeForTerminal(name)}: ${sanitizeForTerminal(why)}`],
  )
  const lines = restored.map(
    (each) =>
      `  ${sanitizeForTerminal(each.name)}: ${changesBack(each)
        .map((change) => changeText(cli.settings, change))
        .join('; ')}`,
  )
  return [
    `Import ${importId}:`,
    ...(lines.length === 0 ? [] : [pluralize(lines.length, '{1 item comes|# items come} back:')]),
    ...withRemainder(lines, SHOWN),
    ...(deleted.length === 0
      ? []
      : [`${formatItemCount(deleted.length)} will be permanently deleted: ${deleted.join(', ')}.`]),
    ...(kept.length === 0
      ? []
      : [pluralize(kept.length, '{1 item stays|# items stay} as {it is|they are}, or in part:')]),
    ...withRemainder(kept, SHOWN),
  ].join('\n')
}

function changesBack({ item, restore }: PlannedItemUndo): Row['changes'] {
  return item === undefined ? [] : diffItemFields(item, { ...item, ...restore })
}

function toRow(planned: PlannedItemUndo, index: number): Row {
  const { item_id, name, result, kept = null } = planned
  return { row: index + 1, item_id, name, result, reason: kept, changes: changesBack(planned) }
}

async function undoItemImport(
  client: Client,
  planned: PlannedItemUndo,
  { attempt }: ItemCalls,
): Promise<Row> {
  const row = toRow(planned, 0)
  const { item_id, item, result, restore } = planned
  if (!isSent(planned) || item === undefined) return row
  const { version } = item
  try {
    const isDone = await attempt(item_id, async (options) => {
      if (result === 'deleted') return client.call('delete_catalog_item', { item_id, version }, options)
      const { now } = await client.serviceTime()
      return sendSteps(
        client,
        planUndoSteps({ item_id, version, item }, { ...item, ...restore }, now),
        options,
      )
    })
    return isDone ? row : { ...row, result: 'not_sent' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Another item may have the name that comes back, or another caller is changing this one.
    const why = error.code === 'version_conflict' ? 'Someone else changed it just now.' : error.message
    return error instanceof HalfDone
      ? { ...row, reason: `Only in part: ${why}` }
      : { ...row, result: 'kept', reason: why }
  }
}

async function report(
  cli: CommandContext,
  importId: string,
  rows: readonly Row[],
  dry?: string,
): Promise<number> {
  const count = (result: Row['result']): number => rows.filter((row) => row.result === result).length
  const counts = {
    restored: count('restored'),
    deleted: count('deleted'),
    unchanged: count('unchanged'),
    kept: rows.filter(({ reason }) => reason !== null).length,
    not_sent: count('not_sent'),
  }
  const done = [
    `${formatItemCount(counts.restored)} restored, ${counts.deleted} deleted`,
    ...(counts.unchanged > 0 ? [`${counts.unchanged} already as before`] : []),
    ...(counts.kept > 0 ? [`${counts.kept} not, or only in part`] : []),
  ].join(', ')
  await printResult(
    cli,
    { import_id: importId, counts, data: rows, has_more: false, next_cursor: null },
    {
      list: true,
      columns: [
        { field: 'name', label: 'Item' },
        { field: 'result', label: 'Result' },
        { field: 'reason', label: 'Reason' },
      ],
      done: dry ?? `${done}.`,
      ...(dry === undefined && { next: 'dray business catalog history' }),
    },
  )
  if (counts.kept === 0) return EXIT.ok
  return counts.kept === rows.length && count('kept') === rows.length ? EXIT.rejected : EXIT.partial
}
