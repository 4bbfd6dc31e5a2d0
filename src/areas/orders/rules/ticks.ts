/** The lines that a kitchen makes of an order as it is stored, and those that it has made. Pure. */
import type { OrderDoc } from '../queries/orders.ts'
import type { OrderStatus } from '../states.ts'
import type { AdjustedLine } from './adjust.ts'
import { cookedRows, findKitchenAlert } from './kitchen-lines.ts'

/** The statuses in which the kitchen ticks lines. */
export const TICKABLE_STATUSES = ['accepted', 'preparing', 'ready'] as const satisfies readonly OrderStatus[]

/** A line to make: one of the order, or a replacement. */
export type LineToMake = { line_id: string; item_id: string }

/** Returns the lines of which units are left to make, replacements under theirs. */
export function listLinesToMake(doc: OrderDoc): LineToMake[] {
  // The notes are left out, because nothing here looks for allergens.
  const lines = doc.lines.map((line) => ({ ...line, notes: null }))
  return cookedRows(toKitchenOrder({ ...doc, notes: null, lines })).map(({ line_id, item_id }) => ({
    line_id,
    item_id,
  }))
}

/** Returns the ticked lines with some more, and without those that are not made after all. */
export function withTicks(
  { ticked = [] }: OrderDoc,
  lines: readonly { line_id: string; done: boolean }[],
): readonly string[] {
  const undone = new Set(lines.flatMap(({ line_id, done }) => (done ? [] : [line_id])))
  const done = lines.flatMap((line) => (line.done ? [line.line_id] : []))
  return [...new Set([...ticked, ...done])].filter((id) => !undone.has(id))
}

/** Returns whether the kitchen is warned of an allergy before it makes the order. */
export function hasAllergyAlert(doc: OrderDoc): boolean {
  return findKitchenAlert(toKitchenOrder(doc)) === 'ALLERGY'
}

function toKitchenOrder({ notes, lines, adjustments = [], questions = [], allergens = {} }: OrderDoc) {
  const asked = questions.map((question) => ({ ...question, kind: 'replaced' as const }))
  const toLine = ({ line_id, quantity, back }: AdjustedLine) => ({
    line_id,
    quantity,
    replacement: back ?? null,
  })
  return {
    notes,
    lines: lines.map((line) => ({ ...line, allergens: allergens[line.item_id] ?? [] })),
    adjustments: [...adjustments, ...asked].map((change) => ({ ...change, lines: change.lines.map(toLine) })),
  }
}
