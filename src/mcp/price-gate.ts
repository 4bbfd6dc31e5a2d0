/**
 * The gate before a large price change: a person must consent before an agent changes a sale price by more than half.
 */
import type { InputRequiredResult } from '@modelcontextprotocol/server'
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
import { hmacHex, sha256Hex } from '../core/hash.ts'
import { formatMoney, spellMoney } from '../core/money.ts'
import { readLedger } from '../journal/ledger.ts'
import { askYesOrNo, isDeclined, isSameSeal, readAnswer } from './ask.ts'
import type { Program } from './ask.ts'
import type { Guard } from './guarded.ts'
import { plain } from './question.ts'

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
  const { now } = await client.serviceTime()
  const change = sha256Hex(canonicalJson(['update_catalog_item', itemId, price ?? null, groups ?? null]))
  const command = commandOf(guard, itemId, steep)
  if (isDeclined(readLedger(guard.runtime, await guard.purse()), change, now)) throw saidNo(command)
  const seal = sealOf(guard, item, input)
  if (!program.canAsk) throw mustWait(item, steep, command, 'and this program cannot ask one')
  const answer = readAnswer(program)
  if (answer === undefined || !isSameSeal(program.mcpReq.requestState(), seal)) return ask(item, steep, seal)
  if (answer === 'cancelled') throw mustWait(item, steep, command, 'and did not answer')
  if (answer === 'yes') return undefined
  await guard.decline(change, now)
  throw saidNo(command)
}

function steepOf(item: Item, input: Readonly<Record<string, unknown>>): ItemChange[] {
  try {
    return itemChanges(item, input as ItemWanted).filter(({ steep }) => steep)
  } catch {
    // The service rejects an invalid change, with the wrong members.
    return []
  }
}

/** Returns a seal for this change to this version of the item. */
function sealOf(
  { actor, secret }: Pick<Guard, 'actor' | 'secret'>,
  { version }: Item,
  input: Readonly<Record<string, unknown>>,
): string {
  return hmacHex(secret(), canonicalJson([actor.profile, actor.service, actor.account, version, input]))
}

function ask({ name }: Item, steep: readonly ItemChange[], seal: string): InputRequiredResult {
  const message = [`Change the price of “${plain(name)}” on your menu?`, '', ...steep.map(changeText)]
  return askYesOrNo(message.join('\n'), {
    title: 'Yes, change it',
    description: 'Nothing is changed without it.',
    state: seal,
  })
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

function mustWait({ name }: Item, steep: readonly ItemChange[], command: string, why: string): AppError {
  return new AppError(
    'approval_required',
    `A person has to agree to ${steep.map(changeText).join('; ')} of “${plain(name)}” first, ${why}. Nothing was changed.`,
    { hint: `Ask the person to run ${command} in a terminal.` },
  )
}

function saidNo(command: string): AppError {
  return new AppError('not_confirmed', 'The person said no to the new price. Nothing was changed.', {
    hint: `Do not call this again: nobody is asked about this price again for a day. If the person changes their mind, they run ${command} in a terminal.`,
  })
}

/**
 * Returns the command that makes the change. A live service knows the person by the login; in the sandbox the command
 * names the account.
 */
function commandOf(
  { actor: { service, account }, commandOf: lineOf }: Guard,
  itemId: string,
  steep: readonly ItemChange[],
): string {
  const price = steep.find(({ field }) => field === 'price')?.to
  const words = [
    'business',
    'catalog',
    'update',
    itemId,
    ...(typeof price === 'object' && price !== null ? ['--price', formatMoney(price)] : []),
    ...(account === null || service.startsWith('http') ? [] : ['--as', account]),
    '--confirm',
    itemId,
  ]
  const more = steep.some(({ field }) => field !== 'price') ? ' with the new choices as --modifiers' : ''
  return `\`${lineOf(words)}\`${more}`
}
