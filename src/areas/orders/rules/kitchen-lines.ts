/** The lines of an order as its kitchen reads them: the units to cook, those that left it, and what came in their place. Pure. */
import type { Money } from '../../../core/money.ts'
import { type AllergenWarning, warnOfAllergens } from './allergens.ts'
import { notesOf } from './waiting.ts'
import { isAwaitingCustomerAnswer } from './wrong-words.ts'

type Item = {
  item_id: string
  name: string
  modifiers: readonly Option[]
  /** Absent in older orders, and at services that do not tell them. */
  allergens?: readonly string[]
}
type Option = { name: string; quantity: number }

type Change = {
  kind: 'removed' | 'replaced' | 'refunded'
  lines: readonly { line_id: string; quantity: number }[]
  answer_by?: number | string | null
  answer?: object | null
}

/** An order as the service shows it. A service from before there were adjustments sends none. */
type KitchenOrder = {
  /** The notes on the whole order. */
  notes?: string | null
  lines: readonly (Item & { line_id: string; quantity: number; notes: string | null; total: Money })[]
  adjustments?: readonly (Change & {
    lines: readonly { quantity: number; replacement?: (Item & { line_id: string }) | null }[]
  })[]
}

/** The units that left a line: removed from it, and replaced by another item. */
type UnitsGone = { removed: number; replaced: number }

/** Returns the units that left a line. The units of an open question are still there, and so are refunded ones. */
export function unitsGone(adjustments: readonly Change[], lineId: string): UnitsGone {
  const settled = adjustments.filter((change) => !isAwaitingCustomerAnswer(change))
  return {
    removed: unitsOf(settled, 'removed', lineId),
    replaced: unitsOf(settled, 'replaced', lineId),
  }
}

function unitsOf(changes: readonly Change[], kind: Change['kind'], lineId: string): number {
  return changes
    .flatMap((change) => (change.kind === kind ? change.lines : []))
    .reduce((sum, { line_id, quantity }) => (line_id === lineId ? sum + quantity : sum), 0)
}

/** The way in which units leave an order; `asked` while the customer is asked about their replacement. */
export type OrderLineDeparture = 'removed' | 'replaced' | 'asked'

/** Units of a line that have one fate. */
export type KitchenRow = Omit<Item, 'allergens'> & {
  line_id: string
  quantity: number
  /** Undefined for units to cook. */
  leaving: OrderLineDeparture | undefined
  isReplacement: boolean
  /** Of the first row of a line, because they stand once. */
  notes: string | null
  /** The allergens that the kitchen reads beside it. */
  warning: AllergenWarning
  /** The quoted price of the units, before discounts; null for a replacement. */
  amount: Money | null
}

/** The words for units that are not cooked. */
export const LINE_DEPARTURE_WORDS: Readonly<Record<OrderLineDeparture, string>> = {
  removed: 'taken off',
  replaced: 'replaced',
  asked: 'customer asked',
}

/**
 * Returns the rows of an order in the order of its lines. The units to cook stand first, then those that are struck, and the
 * replacements of a line below it.
 */
export function kitchenRows({ notes = null, lines, adjustments = [] }: KitchenOrder): KitchenRow[] {
  const replacements = adjustments
    .filter((change) => !isAwaitingCustomerAnswer(change))
    .flatMap((change) => change.lines)
  return lines.flatMap((line) => {
    const wishes = [notes, line.notes].flatMap((text) => text ?? [])
    const inPlace = replacements.flatMap(({ quantity, replacement }) =>
      replacement?.line_id.startsWith(`${line.line_id}.`) === true ? [{ ...replacement, quantity }] : [],
    )
    return [
      ...rowsOf(line, adjustments, wishes),
      ...inPlace.flatMap((each) => rowsOf({ ...each, notes: null, total: null }, adjustments, wishes)),
    ]
  })
}

type Line = Item & { line_id: string; quantity: number; notes: string | null; total: Money | null }

function rowsOf(line: Line, adjustments: readonly Change[], wishes: readonly string[]): KitchenRow[] {
  const { line_id, item_id, name, modifiers, allergens = [], notes, quantity, total } = line
  const warning = warnOfAllergens(wishes, allergens)
  const { removed, replaced } = unitsGone(adjustments, line_id)
  const asked = unitsOf(adjustments.filter(isAwaitingCustomerAnswer), 'replaced', line_id)
  const parts = [
    [undefined, quantity - removed - replaced - asked],
    ['asked', asked],
    ['removed', removed],
    ['replaced', replaced],
  ] as const
  return parts
    .filter(([, units]) => units > 0)
    .map(([leaving, units], at) => ({
      line_id,
      item_id,
      name,
      modifiers,
      quantity: units,
      leaving,
      isReplacement: total === null,
      notes: at === 0 ? notes : null,
      warning,
      amount: total && { ...total, amount: (total.amount / quantity) * units },
    }))
}

/** Returns the rows that are cooked. */
export function cookedRows(order: KitchenOrder): KitchenRow[] {
  return kitchenRows(order).filter(({ leaving }) => leaving === undefined)
}

/** Returns `2 × Pad Thai, Spring rolls` for what is cooked of an order. */
export function cookedWords(order: KitchenOrder): string {
  return cookedRows(order)
    .map(({ quantity, name }) => (quantity === 1 ? name : `${quantity} × ${name}`))
    .join(', ')
}

/** Returns the items of an order and their replacements, each once. */
export function listItemsOfOrder(order: KitchenOrder): { id: string; name: string }[] {
  const all = kitchenRows(order).map(({ item_id: id, name }) => [id, { id, name }] as const)
  return [...new Map(all).values()]
}

/** Returns what the kitchen must notice: `ALLERGY` also for a dish with an allergen that the notes name, `NOTE`, or undefined. */
export function findKitchenAlert(
  order: KitchenOrder & { notes: string | null },
): 'ALLERGY' | 'NOTE' | undefined {
  const [first] = notesOf(order)
  const isNamed = cookedRows(order).some(({ warning }) => warning.named.length > 0)
  return first && (first.allergy || isNamed ? 'ALLERGY' : 'NOTE')
}
