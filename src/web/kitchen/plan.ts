/** The choice to take off or to replace a part of an order: the call that is sent, and its effect on the money. Pure. */
import { type AdjustmentWords, describeAdjustment } from '../../areas/orders/rules/adjust-words.ts'
import { countUnitsLeftByLine } from '../../areas/orders/rules/adjust.ts'
import {
  isWholeOrderCancelWanted,
  isCustomerAnswerNeeded,
  resolveReplacements,
} from '../../areas/orders/rules/substitution.ts'
import { AppError } from '../../core/errors.ts'
import type { CatalogItem } from './items.ts'
import type { Order } from './order.ts'

/** An item, `''` until one is chosen, and the ids of the options chosen of each group. */
export type Swap = { itemId: string; chosen: ReadonlyMap<string, readonly string[]> }

/** Returns the options of a replacement, as the service takes them. */
function modifiersOf({ chosen }: Swap): { modifier_id: string }[] {
  return [...chosen.values()].flatMap((ids) => ids.map((modifier_id) => ({ modifier_id })))
}

/** The chosen units; with `swap` another item comes in their place. */
export type Wish = { lineId: string | undefined; units: number; swap: Swap | undefined }

/** The call and its effect; else the reason why nothing can be sent, and whether the order is to be rejected instead. */
export type Plan =
  | { kind: 'removed' | 'replaced'; lines: PlannedLine[]; words: AdjustmentWords }
  | { why: string; mayReject?: boolean }
type PlannedLine = {
  line_id: string
  quantity: number
  replacement?: { item_id: string; modifiers: { modifier_id: string }[] }
}

/** Returns the plan of a wish, by the sums of the service. */
export function planOf(order: Order, items: readonly CatalogItem[], { lineId, units, swap }: Wish): Plan {
  const line = countUnitsLeftByLine(order).find(({ line_id }) => line_id === lineId)
  if (line === undefined) return { why: 'Choose an item of the order.' }
  const kind = swap === undefined ? 'removed' : 'replaced'
  const replacement = swap && { item_id: swap.itemId, modifiers: modifiersOf(swap) }
  const quantity = Math.min(units, line.left)
  const lines = [{ line_id: line.line_id, quantity, ...(replacement && { replacement }) }]
  if (swap?.itemId === '') return { why: 'Choose the item in its place.' }
  try {
    const found = swap === undefined ? [] : resolveReplacements(items, lines)
    if (order.status === 'ready' && swap !== undefined && isCustomerAnswerNeeded(order, found))
      return {
        why: 'The order is ready: it is too late to ask the customer. Choose another item or take it off.',
      }
    return { kind, lines, words: describeAdjustment(order, lines, { kind, items: found }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { why: error.message, mayReject: error.code === 'adjustment_not_allowed' }
  }
}

/** `Take off 1 × Khao Soi`, `Replace 1 × Khao Soi by Pad Thai`; without a plan only the verb. */
export function phraseOf(order: Order, plan: Plan): string {
  if ('why' in plan) return 'Take off or replace'
  if (isWholeOrderCancelWanted(plan.kind, order)) return `Reject ${order.display_number}`
  const parts = plan.words.parts.map(({ taken, name }) => `${taken} ${name}`).join(', ')
  return `${plan.kind === 'removed' ? 'Take off' : 'Replace'} ${parts}`
}

/** Returns the chosen options of a line, which tell it from another of the same item. */
export function optionsOf({ lines, adjustments }: Order, lineId: string): string {
  const replaced = adjustments.flatMap((each) => each.lines.flatMap(({ replacement }) => replacement ?? []))
  const line = [...lines, ...replaced].find(({ line_id }) => line_id === lineId)
  return (line?.modifiers ?? []).map(({ name }) => name).join(', ')
}
