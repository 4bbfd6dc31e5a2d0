/** Doubts about new items: a price of nothing, and prices in pence. */
import { isFreeOfCharge } from '../../../areas/catalog/rules/catalog.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { confirmByFlag, confirmPrice } from '../../../cli/confirm.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import type { CatalogItem } from '../../../client/list-store-items.ts'
import { findLargePriceChanges } from '../../../client/price-check.ts'
import { exponentOf, majorUnits, type Money, formatGroupedMoney } from '../../../core/money.ts'
import { pluralize, joinFirst, pluralizeList } from '../../../tabular/wording.ts'
import { changeText } from '../item/change-item.ts'
import { isGroups } from '../item/known-groups.ts'
import type { ItemDraft, MenuOutcome, MenuFileRow } from './draft.ts'
import type { Steep } from './update/agree.ts'

type AllowFlag = 'allow-free' | 'allow-high'

/** A sentence about new items, with the question and the flag that answers it; --yes does not. */
type PriceWarning = { text: string; question: string; flag: AllowFlag }

/** Returns what is doubtful about the new items of a file. */
export function findDoubts(
  rows: readonly MenuFileRow[],
  outcomes: readonly MenuOutcome[],
  catalogue: readonly CatalogItem[],
): PriceWarning[] {
  const created = newItems(rows, outcomes)
  const free = created.filter((draft) => isFreeOfCharge(draft))
  const high = highItems(created, catalogue)
  return [...(free.length > 0 ? [freeDoubt(free)] : []), ...(high.length > 0 ? [highDoubt(high)] : [])]
}

/** Asks before such items go on sale, unless their flag has answered. Throws AppError('not_confirmed'). */
export async function agreeToDoubts(
  cli: CommandContext,
  doubts: readonly PriceWarning[],
  flags: Readonly<Partial<Record<AllowFlag, boolean | undefined>>>,
): Promise<void> {
  for (const { question, flag } of doubts)
    if (flags[flag] !== true) await confirmByFlag(cli, question, { flag: `--${flag}` })
}

/** More often a cell that was left at 0.00 than a gift: `2 items cost nothing: Laksa, Pho.` */
function freeDoubt(items: readonly { name: string }[]): PriceWarning {
  const shown = joinFirst(items.map(({ name }) => sanitizeForTerminal(name)))
  const text = pluralize(items.length, '{1 item has|# items have} a price of zero: {}.', shown)
  return { text, question: pluralize(items.length, '{} Create {it|them}?', text), flag: 'allow-free' }
}

/** Asks before one new item goes on sale for nothing. Throws AppError('not_confirmed'). */
export async function agreeToFreeItem(
  cli: CommandContext,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { name, price, modifier_groups: groups = [] } = input
  // The service rejects a body that is not of its form.
  if (typeof name !== 'string' || typeof price !== 'object' || price === null || !isGroups(groups)) return
  if (!isFreeOfCharge({ price: price as Money, modifier_groups: groups })) return
  await confirmPrice(cli, name, freeDoubt([{ name }]).question)
}

/** Asks before one new item goes on sale at a price far from that of the one that it replaces. Throws AppError('not_confirmed'). */
export async function agreeToMovedItem(
  cli: CommandContext,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { name, merchant_id } = input
  const request = { items: [input], ...(typeof merchant_id === 'string' && { merchant_id }) }
  const [changes = []] = (await findLargePriceChanges(await cli.client(), 'items', request)) ?? []
  if (changes.length === 0) return
  const said = changes.map((change) => changeText(cli.settings, change)).join('; ')
  const question = `${sanitizeForTerminal(String(name))} was on the menu in the last 24 hours, and its price changes by more than half: ${said}. Create it?`
  await confirmPrice(cli, String(name), question)
}

/** Returns the new items of a file with a price far from that of the replaced item. */
export async function findMoved(
  cli: CommandContext,
  rows: readonly MenuFileRow[],
  outcomes: readonly MenuOutcome[],
  merchant: string | undefined,
): Promise<Steep[]> {
  const items = newItems(rows, outcomes)
  if (items.length === 0) return []
  const request = { items, ...(merchant !== undefined && { merchant_id: merchant }) }
  const found = (await findLargePriceChanges(await cli.client(), 'items', request)) ?? []
  return items.flatMap(({ name }, at) => {
    const changes = found[at] ?? []
    return changes.length === 0 ? [] : [{ name, changes }]
  })
}

/** `1 new item replaces one at a price that differs by more than half: Laksa.` */
export function movedText(moved: readonly Steep[]): string[] {
  const form =
    '{1 new item replaces an item|# new items replace items} removed today, at a price that differs by more than half: {}.'
  return pluralizeList(
    moved.map(({ name }) => sanitizeForTerminal(name)),
    form,
  )
}

function newItems(rows: readonly MenuFileRow[], outcomes: readonly MenuOutcome[]): ItemDraft[] {
  return rows.flatMap(({ draft }, at) =>
    draft !== undefined && outcomes[at]?.result === 'created' ? [draft] : [],
  )
}

/** A middle price from which whole ones are doubted, in major units. Menus of most shops are far below. */
const HIGH = 100
/** A high price is usual in a store with present prices nearly as high. */
const FAR_ABOVE = 10

type PricedItem = Pick<ItemDraft, 'name' | 'price'>

/** Returns the new items if all their prices are whole and the middle one is high, also beside the present menu. */
function highItems(items: readonly PricedItem[], catalogue: readonly CatalogItem[]): PricedItem[] {
  const priced = items.filter(({ price }) => price.amount > 0)
  const isWhole = priced.every(
    ({ price }) => exponentOf(price.currency) > 0 && Number.isInteger(majorUnits(price)),
  )
  const middle = median(priced.map(({ price }) => majorUnits(price)))
  const present = median(catalogue.map(({ price }) => majorUnits(price)))
  return isWhole && middle >= HIGH && middle > present * FAR_ABOVE ? priced : []
}

/** Returns the middle value, of two the lower; 0 of none. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? 0
}

/** `340` is read as £340.00: `All 2 new prices are whole and high, as pence or cents would be: Laksa £340.00, Pho £1,195.00.` */
function highDoubt(items: readonly PricedItem[]): PriceWarning {
  const named = items.map(({ name, price }) => `${sanitizeForTerminal(name)} ${formatGroupedMoney(price)}`)
  const form = '{The new price is|All # new prices are} whole and high, as if in pence or cents: {}.'
  const text = pluralize(items.length, form, joinFirst(named, 3))
  return { text, question: pluralize(items.length, '{} Create {it|them}?', text), flag: 'allow-high' }
}
