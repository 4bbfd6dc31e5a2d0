/**
 * The gate before prices that are probably mistakes: a person must consent before an agent changes a sale price by more
 * than half, in one step or in many, or puts an item on sale for nothing.
 */
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import { isFree } from '../areas/catalog/rules/catalog.ts'
import type { ItemNow, ItemWanted } from '../areas/catalog/rules/item-changes.ts'
import { type PriceChange, steepChanges } from '../areas/catalog/rules/price-references.ts'
import type { Client } from '../client/client.ts'
import type { Input } from '../client/operations.ts'
import { findOwnItem } from '../client/own-items.ts'
import { checkPrices, priced } from '../client/price-check.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import { formatMoney, type Money, spellMoney } from '../core/money.ts'
import { readLedger } from '../journal/ledger.ts'
import { askYesOrNo, closeQuestion, isDeclined, keepQuestion, readAnswer } from './ask.ts'
import type { Program, Questioned } from './ask.ts'
import type { Guard } from './guarded.ts'
import { plain, quoted } from './plain.ts'

type Item = ItemNow & { item_id: string; version: number }

/** The question to ask first; `agreed` once a person said yes to it; undefined when none is needed. */
type Asked = InputRequiredResult | 'agreed' | undefined

/**
 * Returns the question for a call of `update_catalog_item`. Throws AppError('approval_required' | 'not_confirmed').
 */
export async function askAboutPrice(
  guard: Guard,
  client: Client,
  input: Readonly<Record<string, unknown>>,
  program: Program,
): Promise<Asked> {
  const itemId = String(input['item_id'])
  const { price, modifier_groups: groups } = input
  if (price === undefined && groups === undefined) return undefined
  const item = await findOwnItem(client, itemId)
  // The service rejects unknown items and invalid prices.
  if (item === undefined) return undefined
  const updates = [priced(input)]
  const [steep = []] = (await checkPrices(client, 'updates', { updates })) ?? [steepOf(item, input)]
  if (steep.length === 0) return undefined
  const texts = steep.map((change) => changeText(change, item))
  return consent(guard, client, program, {
    change: ['update_catalog_item', itemId, price ?? null, groups ?? null],
    questioned: { input, about: ['update_catalog_item', item.version] },
    message: [`Change the price of ${quoted(item.name)} on your menu?`, '', ...texts],
    title: 'Yes, change it',
    what: `${texts.join('; ')} of ${quoted(item.name)}`,
    way: commandOf(guard, itemId, steep),
  })
}

/**
 * Returns the question for a call that puts new items on sale: for nothing, or at a price far from that of an item that
 * they replace. Throws AppError('approval_required' | 'not_confirmed').
 */
export async function askAboutNew(
  guard: Guard,
  client: Client,
  input: Readonly<Record<string, unknown>>,
  program: Program,
): Promise<Asked> {
  const { items, ...more } = input
  const rows = Array.isArray(items) ? (items as unknown[]) : [input]
  const free = rows.flatMap((item) => (isFreeItem(item) ? [quoted(item.name)] : []))
  const request = {
    ...(items === undefined ? merchantOf(input) : more),
    items: rows,
  } as Input<'import_catalog_items'>
  const steep = (await checkPrices(client, 'items', request)) ?? []
  const moved = steep.flatMap((changes, at) =>
    changes.length === 0
      ? []
      : [`${quoted(nameOf(rows[at]))}: ${changes.map((each) => changeText(each)).join('; ')}`],
  )
  if (free.length + moved.length === 0) return undefined
  const isFree = moved.length === 0
  return consent(guard, client, program, {
    change: isFree ? ['free', free] : ['new', free, moved],
    questioned: { input, about: isFree ? ['free'] : ['new', moved] },
    message: [
      ...(free.length === 0 ? [] : [`Put ${someOf(free)} on your menu for nothing?`]),
      ...(isFree
        ? []
        : ['Put items back on your menu at another price?', '', ...moved.slice(0, SHOWN), ...restOf(moved)]),
    ],
    title: isFree ? 'Yes, for nothing' : 'Yes, at these prices',
    what: [
      ...(free.length === 0 ? [] : [`a price of zero of ${someOf(free)}`]),
      ...(isFree ? [] : [`another price of ${someOf(moved)}`]),
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

/** How long an answer counts. */
const HOLDS_MS = 24 * 3_600_000

/** Returns the command that creates the one item, or that imports several from a file. */
function wayToCreate(guard: Guard, input: Readonly<Record<string, unknown>>): string {
  const { items, name, category, price } = input
  const section = (category as { name?: unknown } | undefined)?.name ?? category
  const words =
    items === undefined
      ? ['create', '--name', String(name), '--category', String(section), '--price', priceText(price)]
      : ['import', 'FILE', '--allow-free']
  const confirm = items === undefined ? ['--confirm', String(name)] : []
  return `\`${guard.commandOf(['business', 'catalog', ...words, ...ownAccount(guard), ...confirm])}\``
}

/** Names the account in the sandbox; a live service knows the person by the login. */
function ownAccount({ actor: { service, account } }: Guard): string[] {
  return account === null || service.startsWith('http') ? [] : ['--as', account]
}

function priceText(price: unknown): string {
  const { amount } = price as Money
  return amount === 0 ? '0' : formatMoney(price as Money)
}

/** The service rejects an item that is not of its form. */
function isFreeItem(item: unknown): item is { name: string } {
  try {
    return (
      typeof (item as { name?: unknown }).name === 'string' && isFree(item as Parameters<typeof isFree>[0])
    )
  } catch {
    return false
  }
}

type Doubt = {
  /** The decision of the person is about it: a no holds, whatever else the call says. */
  change: unknown[]
  questioned: Questioned
  message: string[]
  title: string
  what: string
  /** The way to do it without the agent. */
  way: string
}

/** Returns the question, or that a person said yes. */
async function consent(guard: Guard, client: Client, program: Program, doubt: Doubt): Promise<Asked> {
  const { now } = await client.serviceTime()
  const change = sha256Hex(canonicalJson(doubt.change))
  if (isDeclined(readLedger(guard.runtime, await guard.purse()), change, now)) throw saidNo(doubt)
  if (!program.canAsk) throw mustWait(doubt, 'and this program cannot ask one')
  const { questioned } = doubt
  const answer = readAnswer(program)
  if (answer === undefined || closeQuestion(guard, program, questioned, now) !== undefined)
    return askYesOrNo(doubt.message.join('\n'), {
      title: doubt.title,
      description: 'Nothing is changed without it.',
      state: keepQuestion(guard, questioned, now + HOLDS_MS),
    })
  if (answer === 'cancelled') throw mustWait(doubt, 'and did not answer')
  if (answer === 'yes') return 'agreed'
  await guard.decline(change, now)
  throw saidNo(doubt)
}

function steepOf(item: Item, input: Readonly<Record<string, unknown>>): PriceChange[] {
  try {
    return steepChanges(item, [item], input as ItemWanted)
  } catch {
    // The service rejects an invalid change, with the wrong members.
    return []
  }
}

/** Formats a change: `price: £3.60 → £360.00 (+9900 %)`, and the present price of the item where that is another. */
function changeText({ field, from, to, percent }: PriceChange, item?: Item): string {
  const share = percent === null ? '' : ` (${percent > 0 ? '+' : ''}${Math.round(percent)} %)`
  const now =
    item === undefined || field !== 'price' || item.price.amount === from.amount ? undefined : item.price
  return `${plain(field)}: ${spellMoney(from)} → ${spellMoney(to)}${share}${now ? `; ${spellMoney(now)} now` : ''}`
}

function mustWait({ what, way }: Doubt, why: string): AppError {
  return new AppError(
    'approval_required',
    `A person has to agree to ${what} first, ${why}. Nothing was changed.`,
    { hint: `Ask the person to run ${way} in a terminal.` },
  )
}

function saidNo({ way }: Doubt): AppError {
  return new AppError('not_confirmed', 'The person said no to the new price. Nothing was changed.', {
    hint: `Do not call this again: nobody is asked about this price again for a day. If the person changes their mind, they run ${way} in a terminal.`,
  })
}

/** Returns the command that makes the change. */
function commandOf(guard: Guard, itemId: string, steep: readonly PriceChange[]): string {
  const price = steep.find(({ field }) => field === 'price')?.to
  const words = [
    'business',
    'catalog',
    'update',
    itemId,
    ...(price === undefined ? [] : ['--price', formatMoney(price)]),
    ...ownAccount(guard),
    '--confirm',
    itemId,
  ]
  const more = steep.some(({ field }) => field !== 'price') ? ' with the new choices as --modifiers' : ''
  return `\`${guard.commandOf(words)}\`${more}`
}
