/**
 * The wish of a customer for an item that is missing
 * (docs/rules/food-and-stores.md#the-customer-decides-about-replacements), and the items that replace others. Pure.
 */
import type {
  AdjustedLine,
  Adjustment,
  AdjustmentKind,
  SubstitutionQuestion,
  ItemReplacement,
  UnitsTaken,
} from './adjust.ts'
import { allergensNamed } from './allergens.ts'
import { type BasketItem, type BasketItemRequest, makeLines } from './lines.ts'
import { toOrderedLineId, type LineTaken, type PricedOrder } from './shares.ts'

export const SUBSTITUTIONS = ['ask', 'replace', 'refund', 'cancel_order'] as const
export type Substitution = (typeof SUBSTITUTIONS)[number]

type SubstitutableOrder = Omit<PricedOrder, 'adjustments'> & {
  adjustments?: readonly Pick<Adjustment, 'lines' | 'refund_id'>[]
  questions?: readonly SubstitutionQuestion[]
}

type ListedBasketItem = BasketItem & { allergens: readonly string[] }

/**
 * Returns the items that replace lines, with their options, at present prices; `rate` is that of a store for items without their
 * own. Throws `invalid_modifier_selection`.
 */
export function makeReplacements(
  items: ReadonlyMap<string, ListedBasketItem>,
  requests: readonly BasketItemRequest[],
  rate: number,
): ItemReplacement[] {
  const lines = makeLines(items, requests, (at) => `/lines/${at}/replacement`)
  return lines.map(({ item_id, name, modifiers, quantity, total, tax_rate_bps }) => ({
    item_id,
    name,
    modifiers,
    unit_price: { ...total, amount: total.amount / quantity },
    tax_rate_bps: tax_rate_bps ?? rate,
    allergens: items.get(item_id)?.allergens ?? [],
  }))
}

/** Returns the replacements that a request names among items of a store. Throws like `makeReplacements`. */
export function resolveReplacements(
  items: readonly ListedBasketItem[],
  lines: readonly {
    quantity?: number | undefined
    replacement?: Omit<BasketItemRequest, 'quantity'> | undefined
  }[],
): ItemReplacement[] {
  const requests = lines.map(({ quantity = 1, replacement }) => ({ item_id: '', ...replacement, quantity }))
  return makeReplacements(new Map(items.map((item) => [item.item_id, item])), requests, 0)
}

/** Returns the units that a line takes, without their replacement. */
export function withoutBack(line: AdjustedLine): UnitsTaken {
  const { back: _, ...units } = line
  return units
}

/** Returns an order as the next change sees it: the units of open questions are gone. */
export function withQuestions(sold: SubstitutableOrder): PricedOrder {
  const asked = (sold.questions ?? []).map(({ lines }) => ({
    refund_id: null,
    lines: lines.map(withoutBack),
  }))
  return { ...sold, adjustments: [...(sold.adjustments ?? []), ...asked] }
}

/**
 * Puts the replacements in the place of taken units, each at the lower of both prices
 * (docs/rules/food-and-stores.md#a-replacement-costs-the-lower-of-both-prices). The cost of a line falls as its price does,
 * so that discounts stay in proportion.
 */
export function replaceLines(
  sold: SubstitutableOrder,
  taken: readonly LineTaken[],
  items: readonly ItemReplacement[],
): AdjustedLine[] {
  const known = [...(sold.adjustments ?? []), ...(sold.questions ?? [])].flatMap(({ lines }) => lines)
  const done: AdjustedLine[] = []
  for (const [at, line] of taken.entries()) {
    const item = items[at]
    if (item === undefined) throw new Error(`${line.line_id} has no replacement`)
    const was = unitPriceOf(sold, [...known, ...done], line.line_id)
    const unit = Math.min(was, item.unit_price.amount)
    const lower = (amount: number): number => (was === 0 ? 0 : Math.round((amount * unit) / was))
    const back = {
      ...item,
      line_id: nextLine(line.line_id, [...known, ...done]),
      unit_price: { ...item.unit_price, amount: unit },
      cost: lower(line.cost),
      worth: lower(line.worth),
    }
    done.push({ ...line, back })
  }
  return done
}

/** Returns the price of a unit of a line with its options, before discounts. */
function unitPriceOf({ lines }: PricedOrder, known: readonly AdjustedLine[], lineId: string): number {
  const replaced = known.find(({ back }) => back?.line_id === lineId)?.back
  const ordered = lines.find(({ line_id }) => line_id === lineId)
  if (replaced !== undefined) return replaced.unit_price.amount
  return ordered === undefined ? 0 : ordered.total.amount / ordered.quantity
}

/** Returns `line_1.2` after `line_1.1`. */
function nextLine(lineId: string, known: readonly AdjustedLine[]): string {
  const first = toOrderedLineId(lineId)
  const used = known.flatMap(({ back }) =>
    back !== undefined && toOrderedLineId(back.line_id) === first
      ? Number(back.line_id.slice(first.length + 1))
      : [],
  )
  return `${first}.${Math.max(0, ...used) + 1}`
}

/**
 * Returns whether a customer must be asked about these replacements: by the wish, or because of the notes of the order
 * (docs/rules/food-and-stores.md#an-allergen-in-the-notes-is-always-asked-about).
 */
export function isCustomerAnswerNeeded(
  order: { substitutions?: Substitution; notes: string | null; lines: readonly { notes: string | null }[] },
  items: readonly Pick<ItemReplacement, 'allergens'>[],
): boolean {
  const notes = [order.notes, ...order.lines.map((line) => line.notes)].flatMap((text) => text ?? [])
  return (
    order.substitutions === 'ask' ||
    items.some(({ allergens }) => allergensNamed(notes, allergens).length > 0)
  )
}

/** Returns whether the customer wants the whole order ended, instead of getting less or something else. */
export function isWholeOrderCancelWanted(
  kind: AdjustmentKind,
  { substitutions }: { substitutions?: Substitution },
): boolean {
  return kind !== 'refunded' && substitutions === 'cancel_order'
}
