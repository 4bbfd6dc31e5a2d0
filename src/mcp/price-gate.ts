/**
 * The gate before prices that are probably mistakes: a person must consent before an agent changes a sale price by more
 * than half, or puts an item on sale for nothing.
 */
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import { isFree } from '../areas/catalog/rules/catalog.ts'
import {
  type ItemChange,
  itemChanges,
  type ItemNow,
  type ItemWanted,
} from '../areas/catalog/rules/item-changes.ts'
import type { Client } from '../client/client.ts'
import { findOwnItem } from '../client/own-items.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import { formatMoney, spellMoney } from '../core/money.ts'
import { readLedger } from '../journal/ledger.ts'
import { askYesOrNo, closeQuestion, isDeclined, keepQuestion, readAnswer } from './ask.ts'
import type { Program, Questioned } from './ask.ts'
import type { Guard } from './guarded.ts'
import { plain, quoted } from './plain.ts'

type Item = ItemNow & { item_id: string; version: number }

/**
 * Returns the question for a call of `update_catalog_item`; undefined when none is needed. Throws
 * AppError('approval_required' | 'not_confirmed').
 */
export async function askAboutPrice(
  guard: Guard,
  client: Client,
  input: Readonly<Record<string, unknown>>,
  program: Program,
): Promise<InputRequiredResult | undefined> {
  const itemId = String(input['item_id'])
  const { price, modifier_groups: groups } = input
  if (price === undefined && groups === undefined) return undefined
  const item = await findOwnItem(client, itemId)
  // The service rejects unknown items and invalid prices.
  if (item === undefined) return undefined
  const steep = steepOf(item, input)
  if (steep.length === 0) return undefined
  return consent(guard, client, program, {
    change: ['update_catalog_item', itemId, price ?? null, groups ?? null],
    questioned: { input, about: ['update_catalog_item', item.version] },
    message: [`Change the price of ${quoted(item.name)} on your menu?`, '', ...steep.map(changeText)],
    title: 'Yes, change it',
    what: `${steep.map(changeText).join('; ')} of ${quoted(item.name)}`,
    way: commandOf(guard, itemId, steep),
  })
}

/**
 * Returns the question for a call that puts new items on sale for nothing; undefined when none does. Throws
 * AppError('approval_required' | 'not_confirmed').
 */
export async function askAboutFree(
  guard: Guard,
  client: Client,
  input: Readonly<Record<string, unknown>>,
  program: Program,
): Promise<InputRequiredResult | undefined> {
  const items = Array.isArray(input['items']) ? (input['items'] as unknown[]) : [input]
  const names = items.flatMap((item) => (isFreeItem(item) ? [quoted(item.name)] : []))
  if (names.length === 0) return undefined
  const more = names.length - SHOWN
  const shown = `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return consent(guard, client, program, {
    change: ['free', names],
    questioned: { input, about: ['free'] },
    message: [`Put ${shown} on your menu for nothing?`],
    title: 'Yes, for nothing',
    what: `a price of zero of ${shown}`,
    way: wayToFree(guard, input),
  })
}

const SHOWN = 5

/** How long an answer counts. */
const HOLDS_MS = 24 * 3_600_000

/** Returns the command that creates the one item, or that imports several from a file. */
function wayToFree(guard: Guard, input: Readonly<Record<string, unknown>>): string {
  const { items, name, category } = input
  const section = (category as { name?: unknown } | undefined)?.name ?? category
  const words =
    items === undefined
      ? ['create', '--name', String(name), '--category', String(section), '--price', '0']
      : ['import', 'FILE', '--allow-free']
  const confirm = items === undefined ? ['--confirm', String(name)] : []
  return `\`${guard.commandOf(['business', 'catalog', ...words, ...ownAccount(guard), ...confirm])}\``
}

/** Names the account in the sandbox; a live service knows the person by the login. */
function ownAccount({ actor: { service, account } }: Guard): string[] {
  return account === null || service.startsWith('http') ? [] : ['--as', account]
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

/** Returns the question; undefined once a person said yes. */
async function consent(
  guard: Guard,
  client: Client,
  program: Program,
  doubt: Doubt,
): Promise<InputRequiredResult | undefined> {
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
  if (answer === 'yes') return undefined
  await guard.decline(change, now)
  throw saidNo(doubt)
}

function steepOf(item: Item, input: Readonly<Record<string, unknown>>): ItemChange[] {
  try {
    return itemChanges(item, input as ItemWanted).filter(({ steep }) => steep)
  } catch {
    // The service rejects an invalid change, with the wrong members.
    return []
  }
}

/** Formats a change: `price: £3.60 → £360.00 (+9900 %)`. */
function changeText({ field, from, to, percent }: ItemChange): string {
  const share = percent === null ? '' : ` (${percent > 0 ? '+' : ''}${Math.round(percent)} %)`
  return `${plain(field)}: ${valueText(from)} → ${valueText(to)}${share}`
}

function valueText(value: ItemChange['from']): string {
  if (value === null) return 'none'
  return typeof value === 'string' ? plain(value) : spellMoney(value)
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
function commandOf(guard: Guard, itemId: string, steep: readonly ItemChange[]): string {
  const price = steep.find(({ field }) => field === 'price')?.to
  const words = [
    'business',
    'catalog',
    'update',
    itemId,
    ...(typeof price === 'object' && price !== null ? ['--price', formatMoney(price)] : []),
    ...ownAccount(guard),
    '--confirm',
    itemId,
  ]
  const more = steep.some(({ field }) => field !== 'price') ? ' with the new choices as --modifiers' : ''
  return `\`${guard.commandOf(words)}\`${more}`
}
