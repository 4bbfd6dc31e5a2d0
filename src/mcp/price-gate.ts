/**
 * The gate before prices that are probably mistakes: a person must consent before an agent changes a sale price by more
 * than half, in one step or in many, or puts an item on sale for nothing.
 */
import { isFreeOfCharge } from '../areas/catalog/rules/catalog.ts'
import { listItemChanges, type ItemNow, type ItemWanted } from '../areas/catalog/rules/item-changes.ts'
import { type PriceChange, steepChanges } from '../areas/catalog/rules/price-references.ts'
import type { Client } from '../client/client.ts'
import { findOwnItem } from '../client/list-store-items.ts'
import type { OperationInput } from '../client/operations.ts'
import { findLargePriceChanges, pickPriceFields } from '../client/price-check.ts'
import { foldForSearch } from '../core/fold.ts'
import { formatMoney, type Money, formatGroupedMoney } from '../core/money.ts'
import { type ConfirmationResult, requestConsent, ownAccount } from './consent.ts'
import type { ToolCall, GuardState } from './guard-types.ts'
import { sanitizeForPrompt, quoteUntrusted } from './sanitize.ts'

type Call = Readonly<Pick<ToolCall, 'input' | 'program'>>
type Item = ItemNow & { item_id: string; version: number }

/**
 * Returns the question for a call of `update_catalog_item`. Throws AppError('approval_required' | 'not_confirmed').
 */
export async function askAboutPrice(
  guard: GuardState,
  client: Client,
  { input, program }: Call,
): Promise<ConfirmationResult> {
  const itemId = String(input['item_id'])
  const { name, price, modifier_groups: groups } = input
  if ([name, price, groups].every((member) => member === undefined)) return undefined
  const item = await findOwnItem(client, itemId)
  // The service rejects unknown items and invalid prices.
  if (item === undefined) return undefined
  const renamed =
    typeof name === 'string' && foldForSearch(name) !== foldForSearch(item.name) ? name : undefined
  const keepsPrices = price === undefined && groups === undefined
  if (keepsPrices && renamed === undefined) return undefined
  const updates = [pickPriceFields(input)]
  const [steep = []] = (await findLargePriceChanges(client, 'updates', { updates })) ?? [steepOf(item, input)]
  if (steep.length === 0) return undefined
  // A yes counts for every price that the call changes, so the question names them all.
  const changes = [...steep, ...otherPrices(item, input, steep)]
  const texts = changes.map((change) => changeText(change, item))
  return requestConsent(guard, client, program, {
    change: ['update_catalog_item', itemId, price ?? null, groups ?? null, ...(keepsPrices ? [renamed] : [])],
    questioned: { input, about: ['update_catalog_item', item.version] },
    message: [questionOf(item, keepsPrices ? renamed : undefined), '', ...texts],
    subject: 'the new price',
    title: 'Yes, change it',
    what: `${texts.join('; ')} of ${quoteUntrusted(item.name)}`,
    way: commandOf(guard, input, changes),
  })
}

/**
 * Returns the question for a call that puts new items on sale: for nothing, or at a price far from that of an item that
 * they replace. Throws AppError('approval_required' | 'not_confirmed').
 */
export async function askAboutNew(
  guard: GuardState,
  client: Client,
  { input, program }: Call,
): Promise<ConfirmationResult> {
  const { items, ...more } = input
  const rows = Array.isArray(items) ? (items as unknown[]) : [input]
  const free = rows.flatMap((item) => (isFreeItem(item) ? [quoteUntrusted(item.name)] : []))
  const request = {
    ...(items === undefined ? merchantOf(input) : more),
    items: rows,
  } as OperationInput<'import_catalog_items'>
  const steep = (await findLargePriceChanges(client, 'items', request)) ?? []
  const moved = steep.flatMap((changes, at) =>
    changes.length === 0
      ? []
      : [`${quoteUntrusted(nameOf(rows[at]))}: ${changes.map((each) => changeText(each)).join('; ')}`],
  )
  if (free.length + moved.length === 0) return undefined
  const movesNone = moved.length === 0
  return requestConsent(guard, client, program, {
    change: movesNone ? ['free', free] : ['new', free, moved],
    questioned: { input, about: movesNone ? ['free'] : ['new', moved] },
    message: [
      ...(free.length === 0 ? [] : [`Put ${someOf(free)} on your menu for nothing?`]),
      ...(movesNone
        ? []
        : ['Put items back on your menu at another price?', '', ...moved.slice(0, SHOWN), ...restOf(moved)]),
    ],
    subject: 'the new price',
    title: movesNone ? 'Yes, for nothing' : 'Yes, at these prices',
    what: [
      ...(free.length === 0 ? [] : [`a price of zero of ${someOf(free)}`]),
      ...(movesNone ? [] : [`another price of ${someOf(moved)}`]),
    ].join(' and '),
    way: wayToCreate(guard, input),
  })
}

function merchantOf({ merchant_id }: Readonly<Record<string, unknown>>): { merchant_id?: unknown } {
  return merchant_id === undefined ? {} : { merchant_id }
}

function nameOf(row: unknown): string {
  return String((row as { name?: unknown } | null)?.name)
}

function someOf(texts: readonly string[]): string {
  const more = texts.length - SHOWN
  return `${texts.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function restOf(texts: readonly string[]): string[] {
  return texts.length > SHOWN ? [`and ${texts.length - SHOWN} more`] : []
}

const SHOWN = 5

/** Returns the command that creates the one item, or that imports several from a file. */
function wayToCreate(guard: GuardState, input: Readonly<Record<string, unknown>>): string {
  const { items, name, category, price } = input
  const section = (category as { name?: unknown } | undefined)?.name ?? category
  const words =
    items === undefined
      ? ['create', '--name', String(name), '--category', String(section), '--price', priceText(price)]
      : ['import', 'FILE', '--allow-free']
  const confirm = items === undefined ? ['--confirm', String(name)] : []
  return `\`${guard.commandOf(['business', 'catalog', ...words, ...ownAccount(guard), ...confirm])}\``
}

function priceText(price: unknown): string {
  const { amount } = price as Money
  return amount === 0 ? '0' : formatMoney(price as Money)
}

/** The service rejects an item that is not of its form. */
function isFreeItem(item: unknown): item is { name: string } {
  try {
    return (
      typeof (item as { name?: unknown }).name === 'string' &&
      isFreeOfCharge(item as Parameters<typeof isFreeOfCharge>[0])
    )
  } catch {
    return false
  }
}

function steepOf(item: Item, input: Readonly<Record<string, unknown>>): PriceChange[] {
  try {
    return steepChanges(item, [item], input as ItemWanted)
  } catch {
    // The service rejects an invalid change, with the wrong fields.
    return []
  }
}

type Change = Omit<PriceChange, 'from'> & { from: Money | null }

/** Returns the prices that change beside the steep ones, with those of new choices. */
function otherPrices(
  item: Item,
  input: Readonly<Record<string, unknown>>,
  steep: readonly Change[],
): Change[] {
  const asked = new Set(steep.map(({ field }) => field))
  const { price, modifier_groups } = input as ItemWanted
  const wanted = { ...(price && { price }), ...(modifier_groups && { modifier_groups }) }
  return listItemChanges(item, wanted).flatMap(({ field, from, to, percent }): Change[] => {
    if (asked.has(field) || to === null || typeof to === 'string' || typeof from === 'string') return []
    return [{ field, from, to, percent }]
  })
}

/** Formats a change: `price: £3.60 → £360.00 (+9900 %)`, and the present price of the item where that is another. */
function changeText({ field, from, to, percent }: Change, item?: Item): string {
  const share = percent === null ? '' : ` (${percent > 0 ? '+' : ''}${Math.round(percent)}%)`
  const now =
    item === undefined || field !== 'price' || item.price.amount === from?.amount ? undefined : item.price
  return `${sanitizeForPrompt(field)}: ${from ? formatGroupedMoney(from) : 'none'} → ${formatGroupedMoney(to)}${share}${now ? `; ${formatGroupedMoney(now)} now` : ''}`
}

/** Returns the question about new prices, or about another name at the prices that the item has. */
function questionOf({ name }: Item, renamed: string | undefined): string {
  return renamed === undefined
    ? `Change the price of ${quoteUntrusted(name)} on your menu?`
    : `Call ${quoteUntrusted(name)} ${quoteUntrusted(renamed)} on your menu, which had a different price?`
}

/** Returns the command that makes the change. */
function commandOf(
  guard: GuardState,
  input: Readonly<Record<string, unknown>>,
  changes: readonly Change[],
): string {
  const { item_id, name, price, modifier_groups: groups } = input
  const itemId = String(item_id)
  const words = [
    'business',
    'catalog',
    'update',
    itemId,
    ...(price === undefined ? [] : ['--price', formatMoney(price as Money)]),
    ...(typeof name === 'string' ? ['--name', name] : []),
    ...ownAccount(guard),
    '--confirm',
    itemId,
  ]
  const more = groups !== undefined && changes.some(({ field }) => field !== 'price')
  return `\`${guard.commandOf(words)}\`${more ? ' with the new choices as --modifiers' : ''}`
}
