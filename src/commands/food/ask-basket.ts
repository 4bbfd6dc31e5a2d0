/** Putting a basket together on the terminal, one question after the other; limits hold while choosing. */
import type { ModifierGroup } from '../../areas/catalog/rules/modifiers.ts'
import { askPlace } from '../../cli/ask-place.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { isMoment } from '../../cli/moment.ts'
import { canUseTestCards } from '../../cli/payment.ts'
import { DEFAULT_SANDBOX_ADDRESS } from '../../cli/places.ts'
import { type Prompts, type PromptChoice, requirePrompts } from '../../cli/questions.ts'
import type { OperationInput } from '../../client/operations.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { type Money, parseMoney, formatGroupedMoney } from '../../core/money.ts'
import { formatLocalDateTime } from '../../core/time.ts'
import {
  type QuoteItem,
  type Menu,
  type MenuItem,
  presetOf,
  readItem,
  formatRequestedItem,
  type RequestedItem,
} from '../items.ts'
import { factsOf, limits, modifierWords } from './menu-text.ts'
import { type Merchant, typedAt } from './merchants.ts'
import { readTime, readTip } from './tip-and-time.ts'

/** The facts of a store that a person needs: its name, and the least that it delivers. */
export type BasketStore = { name?: string | undefined; deliversFrom?: Money | undefined }

/** Picks items until there are enough, in addition to those in the basket. */
export async function askItems(
  cli: CommandContext,
  menu: Menu,
  store: BasketStore,
  basket: PickedItem[] = [],
): Promise<QuoteItem[]> {
  const ask = await requirePrompts(cli)
  for (;;) {
    const next = await askSection(ask, menu, basket, store)
    if (next === undefined) break
    if ('spelled' in next) {
      basket.splice(basket.indexOf(next), 1)
      continue
    }
    const picked = await askItem(ask, next)
    if (picked !== undefined) basket.push(picked)
  }
  for (const { spelled } of basket) cli.answered.push({ flag: '--item', value: spelled })
  return basket.map(({ item }) => item)
}

type Order = OperationInput<'quote_food_order'>
/** An item with its choices, as it is typed after `--item`. */
export type PickedItem = { item: QuoteItem; spelled: string; total: Money }
type Section = Menu['categories'][number]

/** Returns the section to go on with, or the line to take out again; undefined: that is all. */
async function askSection(
  ask: Prompts,
  { categories }: Menu,
  basket: readonly PickedItem[],
  { name, deliversFrom }: BasketStore,
): Promise<Section | PickedItem | undefined> {
  const count = basket.reduce((sum, { item }) => sum + item.quantity, 0)
  const amount = basket.reduce((sum, { total }) => sum + total.amount, 0)
  const currency = basket[0]?.total.currency ?? ''
  const least =
    deliversFrom === undefined || amount >= deliversFrom.amount
      ? ''
      : `; the minimum for delivery is ${formatGroupedMoney(deliversFrom)}`
  const held = `${count} ${count === 1 ? 'item' : 'items'}, ${currency === '' ? '' : formatGroupedMoney({ amount, currency })}`
  const message =
    count === 0
      ? `What would you like${name === undefined ? '' : ` from ${name}`}?`
      : `${held} so far${least}. Anything else?`
  const sections = categories
    .map((section) => ({ ...section, items: section.items.filter(({ available }) => available) }))
    .filter(({ items }) => items.length > 0)
  return ask.select<Section | PickedItem | undefined>({
    message,
    choices: [
      ...(count === 0 ? [] : [{ value: undefined, name: 'Done: show the price' }]),
      ...sections.map((section) => ({
        value: section,
        name: section.name,
        description: section.items.map(({ name }) => name).join(', '),
      })),
      ...basket.map((picked) => ({ value: picked, name: `Without ${picked.spelled}` })),
    ],
  })
}

async function askItem(ask: Prompts, section: Section): Promise<PickedItem | undefined> {
  const item = await ask.select<MenuItem | undefined>({
    message: section.name,
    choices: [
      ...section.items.map((each) => ({
        value: each,
        name: `${each.name}, ${formatGroupedMoney(each.price)}`,
        ...describe(each),
      })),
      { value: undefined, name: 'Another category' },
    ],
  })
  if (item === undefined) return undefined
  const chosen: ModifierPick[] = []
  for (const group of item.modifier_groups) chosen.push(...(await askGroup(ask, group)))
  const quantity = await ask.number({ message: `How many ${item.name}?`, default: 1, min: 1, max: 99 })
  const whole = Math.trunc(quantity)
  const each = chosen.reduce((sum, { price, quantity: count }) => sum + price * count, item.price.amount)
  const wanted: RequestedItem = {
    item: item.name,
    quantity: whole,
    modifiers: chosen.map(({ name, group, quantity: count }) => ({
      modifier: isAmbiguous(item, name) ? `${group}: ${name}` : name,
      quantity: count,
    })),
    notes: undefined,
  }
  return {
    item: {
      item_id: item.item_id,
      quantity: whole,
      modifiers: chosen.map(({ id, quantity: count }) => ({ modifier_id: id, quantity: count })),
    },
    spelled: formatUnambiguousItem(wanted, item, chosen),
    total: { amount: each * whole, currency: item.price.currency },
  }
}

/** Returns the description of an item with its dietary facts, shown before the choice. */
function describe(item: MenuItem): { description?: string } {
  const description = [...(item.description === null ? [] : [item.description]), ...factsOf(item)].join(' ')
  return description === '' ? {} : { description }
}

/** By names where they are read back as they are meant, else by ids: a name may hold `#` or end in `x2`. */
function formatUnambiguousItem(
  wanted: RequestedItem,
  { item_id }: MenuItem,
  chosen: readonly ModifierPick[],
): string {
  const spelled = formatRequestedItem(wanted)
  const read = readItem(spelled)
  const isSame =
    formatRequestedItem(read) === spelled && read.item === wanted.item && read.notes === undefined
  if (isSame && read.modifiers.every(({ modifier }, at) => modifier === wanted.modifiers[at]?.modifier))
    return spelled
  const modifiers = chosen.map(({ id, quantity }) => ({ modifier: id, quantity }))
  return formatRequestedItem({ ...wanted, item: item_id, modifiers })
}

function isAmbiguous(item: MenuItem, name: string): boolean {
  return (
    item.modifier_groups.filter(({ modifiers }) => modifiers.some((each) => each.name === name)).length > 1
  )
}

type ModifierPick = { id: string; name: string; group: string; price: number; quantity: number }

/** One choice, or one after the other until there is no more to choose or enough is chosen. */
async function askGroup(ask: Prompts, group: ModifierGroup): Promise<ModifierPick[]> {
  const open = group.modifiers.filter(({ available }) => available)
  const { min_selections: min } = group
  const max = group.max_selections ?? Infinity
  if (open.length === 0 || max === 0) return []
  if (max === 1 && min === 1) {
    const one = await ask.select({
      message: group.name,
      choices: open.map((each) => ({ value: each, name: modifierWords(each) })),
      ...presetChoice(group),
    })
    return [toModifierPick(one, group)]
  }
  const chosen: ModifierPick[] = min === 0 ? [] : presetOf(group).map((each) => toModifierPick(each, group))
  while (countOf(chosen) < max) {
    const left = open.filter(
      ({ modifier_id }) => group.allow_repeats || !chosen.some(({ id }) => id === modifier_id),
    )
    if (left.length === 0) break
    const next = await askNext(ask, group, left, chosen)
    if (next === undefined) break
    if ('taken' in next) chosen.splice(chosen.indexOf(next.taken), 1)
    else add(chosen, toModifierPick(next.added, group))
  }
  return chosen
}

type ModifierStep = { added: ModifierGroup['modifiers'][number] } | { taken: ModifierPick } | undefined

/** Undefined: enough. That is offered only once the least is chosen. */
async function askNext(
  ask: Prompts,
  group: ModifierGroup,
  left: readonly ModifierGroup['modifiers'][number][],
  chosen: readonly ModifierPick[],
): Promise<ModifierStep> {
  const count = countOf(chosen)
  const held = chosen.map(({ name, quantity }) => (quantity > 1 ? `${quantity} × ${name}` : name)).join(', ')
  return ask.select<ModifierStep>({
    message: `${group.name} (${limits(group)})${count === 0 ? '' : `: ${held}`}`,
    choices: [
      ...(count >= group.min_selections ? [{ value: undefined, name: count === 0 ? 'None' : 'Done' }] : []),
      ...left.map((each) => ({ value: { added: each }, name: modifierWords(each) })),
      ...chosen.map((each) => ({ value: { taken: each }, name: `Without ${each.name}` })),
    ],
  })
}

function presetChoice(group: ModifierGroup): { default?: ModifierGroup['modifiers'][number] } {
  const [preset] = presetOf(group)
  return preset === undefined ? {} : { default: preset }
}

function toModifierPick(
  { modifier_id, name, price_delta }: ModifierGroup['modifiers'][number],
  group: ModifierGroup,
): ModifierPick {
  return { id: modifier_id, name, group: group.name, price: price_delta.amount, quantity: 1 }
}

function add(chosen: ModifierPick[], pick: ModifierPick): void {
  const before = chosen.find(({ id }) => id === pick.id)
  if (before === undefined) chosen.push(pick)
  else before.quantity += 1
}

function countOf(chosen: readonly ModifierPick[]): number {
  return chosen.reduce((sum, { quantity }) => sum + quantity, 0)
}

const WAYS = [
  { value: 'delivery', name: 'Delivery' },
  { value: 'pickup', name: 'Pickup' },
  { value: 'dine_in', name: 'Dine-in' },
] as const

/** The fulfilment, among those that the store offers, where they are known. */
export async function askFulfillment(
  cli: CommandContext,
  merchant: Merchant | undefined,
): Promise<Order['fulfillment_type']> {
  const ask = await requirePrompts(cli)
  const offered = WAYS.filter(({ value }) => merchant?.fulfillment_types.includes(value) ?? true)
  const [only, ...more] = offered
  const way =
    only !== undefined && more.length === 0
      ? only.value
      : await ask.select({ message: 'Delivery, pickup or dine-in?', choices: [...offered] })
  cli.answered.push({ flag: '--fulfillment', value: way })
  return way
}

/** Place or table, time, and tip of the courier; asks only for what was not said. */
export async function askWays(
  cli: CommandContext,
  fulfillment: string,
  given: Partial<Order>,
  { currency, isClosed }: { currency: string; isClosed: boolean },
): Promise<Partial<Order>> {
  const place = fulfillment === 'delivery' && given.dropoff === undefined ? await askDropoff(cli) : {}
  const table = fulfillment === 'dine_in' && given.table === undefined ? await askTable(cli) : {}
  const time = given.scheduled_for === undefined ? await askTime(cli, { isClosed }) : {}
  const tip = fulfillment === 'delivery' && given.tip === undefined ? await askTip(cli, currency) : {}
  return { ...place, ...table, ...time, ...tip }
}

/** The delivery address. */
export async function askDropoff(cli: CommandContext): Promise<Partial<Order>> {
  const preset = canUseTestCards(cli) && { default: DEFAULT_SANDBOX_ADDRESS }
  return { dropoff: await askPlace(cli, 'to', { message: 'Delivery address?', ...preset }) }
}

export async function askTable(cli: CommandContext): Promise<Partial<Order>> {
  const ask = await requirePrompts(cli)
  const table = await ask.input({
    message: 'Table number?',
    validate: (answer) => (answer.trim() === '' ? 'Please type your table number.' : undefined),
  })
  const party = Math.trunc(await ask.number({ message: 'Party size?', default: 2, min: 1, max: 99 }))
  cli.answered.push({ flag: '--table', value: table }, { flag: '--party', value: String(party) })
  return { table: { table_number: table.trim(), party_size: party } }
}

/** A store that is closed now takes orders for later only; `free` are slots that can be had instead. */
export async function askTime(
  cli: CommandContext,
  {
    isClosed,
    free = [],
    zone = MARKET_TIMEZONE,
  }: { isClosed: boolean; free?: readonly string[]; zone?: string },
): Promise<Partial<Order>> {
  const ask = await requirePrompts(cli)
  const offered: PromptChoice<string | undefined>[] = [
    ...(isClosed ? [] : [{ value: '', name: 'As soon as possible' }]),
    ...free.map((at) => ({ value: typedAt(at, zone), name: formatLocalDateTime(Date.parse(at), zone) })),
  ]
  const chosen =
    offered.length > 0
      ? await ask.select({
          message: 'When?',
          choices: [...offered, { value: undefined, name: 'At a set time' }],
        })
      : undefined
  if (chosen === '') return {}
  const typed =
    chosen ??
    (await ask.input({
      message: 'Time? 19:30, or tomorrow 12:00',
      validate: (answer) =>
        isMoment(answer) ? undefined : 'Please type a time, such as 19:30 or tomorrow 12:00.',
    }))
  cli.answered.push({ flag: '--for', value: typed })
  return { scheduled_for: await readTime(cli, typed) }
}

export async function askTip(cli: CommandContext, currency: string): Promise<Partial<Order>> {
  const ask = await requirePrompts(cli)
  const typed = await ask.input({
    message: 'Courier tip? 2.00, or Enter for none',
    validate: (answer) => (answer.trim() === '' ? undefined : tipProblem(answer.trim(), currency)),
  })
  const value = typed.trim()
  if (value === '') return {}
  cli.answered.push({ flag: '--tip', value })
  return { tip: readTip(value, currency) }
}

function tipProblem(typed: string, currency: string): string | undefined {
  const money = parseMoney(typed, currency)
  if (!('amount' in money)) return money.detail
  return money.currency === currency ? undefined : `The tip must be in ${currency}, like the prices.`
}

/** As many characters as `place_food_order` takes. */
const MAX_NOTE_LENGTH = 500

/** The note to the store; undefined without one. */
export async function askNotes(cli: CommandContext): Promise<string | undefined> {
  const ask = await requirePrompts(cli)
  const typed = await ask.input({
    message: 'Note to the store, such as an allergy? Enter for none',
    validate: (answer) =>
      answer.trim().length > MAX_NOTE_LENGTH
        ? `Please type at most ${MAX_NOTE_LENGTH} characters.`
        : undefined,
  })
  const value = typed.trim()
  if (value === '') return undefined
  cli.answered.push({ flag: '--notes', value })
  return value
}
