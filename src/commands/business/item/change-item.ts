/** Changes of an item that is on sale: the exact item, old beside new, and a question before a price jumps. */
import {
  type ItemChange,
  listItemChanges,
  type ItemWanted,
} from '../../../areas/catalog/rules/item-changes.ts'
import { findOpenCall, makeCall } from '../../../cli/calls/call-once.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import type { OperationHints } from '../../../cli/command.ts'
import { confirmName, confirmPrice, assertProfileConfirmed, confirmYes } from '../../../cli/confirm.ts'
import { cellText } from '../../../cli/output/cell.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import { printResult } from '../../../cli/print.ts'
import type { Settings } from '../../../cli/settings.ts'
import type { Client, CallResult } from '../../../client/client.ts'
import type { CatalogItem } from '../../../client/list-store-items.ts'
import { findLargePriceChanges, pickPriceFields } from '../../../client/price-check.ts'
import { EXIT } from '../../../core/errors.ts'
import { type Money, formatGroupedMoney } from '../../../core/money.ts'
import { resolveItem } from './find-item.ts'
import { isGroups, removedChoices, withKnown } from './known-groups.ts'

type Input = Record<string, unknown>

/** A change of an item that is not sent yet. */
export type ItemCall = {
  operation: OperationHints
  input: Input
  /** The words by which a call that was cut off is found again. */
  said: unknown
  /** Choices that a flag says keep what it omits; a body is sent as it is; an undo brings back what was seen. */
  source: 'flag' | 'body' | 'undo'
}

/** The ways of the command line to send a call and to print its answer. */
export type Ways = {
  send(sending: ItemCall): Promise<number>
  print(answer: CallResult): Promise<number>
}

/** Shows the difference, asks where that is needed, and sends exactly what was shown. Throws AppError. */
export async function runItemChange(
  cli: CommandContext,
  sending: ItemCall,
  { send, print }: Ways,
): Promise<number> {
  const held = cli.globals.dryRun ? undefined : await findOpenCall(cli, sending.said)
  if (held !== undefined) return makeCall(cli, held, print)
  const { operation } = sending
  const target = await findTarget(await cli.client(), String(sending.input['item_id']))
  const input = inputFor(sending, target)
  if (operation.name === 'delete_catalog_item') {
    if (!cli.globals.dryRun) await confirmDeletion(cli, target)
    return send({ ...sending, input })
  }
  const { item } = target
  const changes =
    item === undefined || isMalformed(input) ? undefined : differenceOf(operation.name, item, input)
  if (item !== undefined && changes?.length === 0 && isSettled(item, input))
    return printItemUnchanged(cli, operation, item)
  await printItemChanges(cli, target, changes)
  if (cli.globals.dryRun) return printItemDryRun(cli, operation, input, changes)
  await agree(cli, target, await jumps(cli, input, changes))
  if (sending.source !== 'undo') await agreeToRemoval(cli, target, input)
  // Rejected when another caller has changed the item since it was shown.
  const seen = operation.name === 'update_catalog_item' && item !== undefined ? { version: item.version } : {}
  return send({ ...sending, input: { ...seen, ...input } })
}

type Target = {
  itemId: string
  /** Missing where the credential may not read the menu. */
  item: CatalogItem | undefined
  /** As the user named it: what --confirm repeats. */
  word: string
  name: string
}

async function findTarget(client: Client, typed: string): Promise<Target> {
  const { itemId, item } = await resolveItem(client, typed)
  const name = item?.name ?? typed
  return { itemId, item, word: typed === itemId ? itemId : name, name }
}

function inputFor({ input, source }: ItemCall, { itemId, item }: Target): Input {
  const { modifier_groups: groups } = input
  const fills = source === 'flag' && item !== undefined && isGroups(groups)
  return {
    ...input,
    item_id: itemId,
    ...(fills && { modifier_groups: withKnown(groups, item.modifier_groups) }),
  }
}

async function confirmDeletion(cli: CommandContext, { itemId, item, word, name }: Target): Promise<void> {
  const about =
    item === undefined ? word : `${sanitizeForTerminal(item.name)}, ${formatGroupedMoney(item.price)}`
  await confirmName(cli, word, `Permanently delete ${about}.`, [itemId, name])
}

async function printItemChanges(
  cli: CommandContext,
  { name }: Target,
  changes: readonly ItemChange[] = [],
): Promise<void> {
  const lines = changes.map((change) => changeText(cli.settings, change))
  if (lines.length > 0) await cli.say([`${sanitizeForTerminal(name)}:`, ...lines].join('\n  '))
}

/** The changes that are asked about, in words. */
async function jumps(
  cli: CommandContext,
  input: Input,
  changes: readonly ItemChange[] | undefined,
): Promise<string[]> {
  if (changes === undefined) return priceWords(input)
  // An item under another name is compared with the one that had it.
  if (!changes.some(({ field, to }) => field === 'name' || (typeof to === 'object' && to !== null))) return []
  const checked = await findLargePriceChanges(await cli.client(), 'updates', {
    updates: [pickPriceFields(input)],
  })
  const [steep = []] = checked ?? [changes.filter((change) => change.steep)]
  return steep.map((change) => changeText(cli.settings, change))
}

/** A price that cannot be compared here is always asked about. */
function priceWords({ price }: Pick<ItemWanted, 'price'>): string[] {
  return price === undefined
    ? []
    : [`price to ${formatGroupedMoney(price)}; this credential cannot see the old price`]
}

/** Returns whether the service need not be asked: a change was named, of the version that the item has. */
function isSettled(item: CatalogItem, { version = item.version, ...named }: Input): boolean {
  return version === item.version && Object.keys(named).some((member) => member !== 'item_id')
}

/** The service rejects choices that are not of their form, and says what is wrong with them. */
function isMalformed({ modifier_groups: groups }: Input): boolean {
  return groups !== undefined && !isGroups(groups)
}

function differenceOf(operation: string, item: CatalogItem, input: Input): ItemChange[] {
  if (operation === 'update_catalog_item') return listItemChanges(item, input as ItemWanted)
  if (operation === 'set_item_schedule')
    return scheduleChange(item.schedule, input['spans'] as CatalogItem['schedule'])
  const { available, until = null, reason = null } = input
  const is = item.availability
  const same =
    is.available === available &&
    (available === true || (instantOf(is.until) === instantOf(until) && is.reason === reason))
  if (same) return []
  const wanted = { available: available === true, until: until as string | null }
  return [saleChange(is, wanted)]
}

function instantOf(until: unknown): number | null {
  return typeof until === 'string' ? Date.parse(until) : null
}

/** Returns whether an item is on sale as a change. */
export function saleChange(is: Sale, wanted: Sale): ItemChange {
  return { field: 'availability', from: saleWords(is), to: saleWords(wanted), percent: null, steep: false }
}

type Schedule = CatalogItem['schedule'] | undefined

/** Returns the change of a schedule; none where both are the same. A service that is older says none. */
export function scheduleChange(is: Schedule, wanted: Schedule): ItemChange[] {
  const [from, to] = [weekText(is ?? null), weekText(wanted ?? null)]
  return from === to ? [] : [{ field: 'schedule', from, to, percent: null, steep: false }]
}

/** `mon,tue 11:00-15:00; sat 12:00-23:00` */
function weekText(spans: CatalogItem['schedule']): string {
  if (spans === null) return 'always'
  const byTimes = Map.groupBy(spans, ({ opens, closes }) => `${opens}-${closes}`)
  return [...byTimes].map(([times, days]) => `${days.map(({ day }) => day).join(',')} ${times}`).join('; ')
}

type Sale = { available: boolean; until: string | null }

/** `unavailable until 14:00` */
function saleWords({ available, until }: Sale): string {
  if (available) return 'available'
  const time =
    until === null ? '' : ` until ${cellText(until, 'until', { tty: true, width: 80, colour: false })}`
  return `unavailable${time}`
}

/** `price: £3.60 → £360.00 (+9900 %)` */
export function changeText(
  { accessible }: Settings,
  { field, from, to, percent }: Omit<ItemChange, 'steep'>,
): string {
  const arrow = accessible ? 'becomes' : '→'
  const share = percent === null ? '' : ` (${percent > 0 ? '+' : ''}${Math.round(percent * 10) / 10}%)`
  return `${sanitizeForTerminal(field)}: ${valueText(from)} ${arrow} ${valueText(to)}${share}`
}

function valueText(value: Money | string | null): string {
  if (value === null) return 'none'
  return typeof value === 'string'
    ? JSON.stringify(sanitizeForTerminal(value)).slice(0, 80)
    : formatGroupedMoney(value)
}

async function printItemUnchanged(
  cli: CommandContext,
  operation: OperationHints,
  item: CatalogItem,
): Promise<number> {
  await printResult(cli, item, { columns: operation.columns })
  await cli.say(`Nothing changed: ${sanitizeForTerminal(item.name)} is so already.`)
  return EXIT.ok
}

async function printItemDryRun(
  cli: CommandContext,
  operation: OperationHints,
  input: Input,
  changes: ItemChange[] | undefined,
): Promise<number> {
  await printResult(cli, { operation: operation.name, input, changes: changes ?? null })
  await cli.say('Dry run: nothing was sent.')
  return EXIT.ok
}

/** A jump of a price is agreed to by name: --yes alone does not do it. Throws AppError('not_confirmed'). */
async function agree(
  cli: CommandContext,
  { itemId, word, name }: Target,
  asked: readonly string[],
): Promise<void> {
  if (asked.length === 0) return assertProfileConfirmed(cli)
  const question = `A price changes by more than half. Change ${sanitizeForTerminal(name)}, ${asked.join('; ')}?`
  await confirmPrice(cli, word, question, [name, itemId])
}

/** Asks before choices go that the request does not name; `--yes` answers it. Throws AppError('not_confirmed'). */
async function agreeToRemoval(cli: CommandContext, { item, name }: Target, input: Input): Promise<void> {
  const { modifier_groups: groups } = input
  if (!isGroups(groups)) return
  if (item === undefined)
    return confirmYes(
      cli,
      `This replaces all modifiers of ${sanitizeForTerminal(name)}, which this credential cannot see. Continue?`,
    )
  const gone = removedChoices(groups, item.modifier_groups)
  if (gone.length > 0)
    await confirmYes(
      cli,
      `Remove ${gone.map((each) => sanitizeForTerminal(each)).join(', ')} from ${sanitizeForTerminal(name)}?`,
    )
}
