/** Ticks of an order's lines: what its kitchen has made (docs/rules/food-and-stores.md#a-kitchen-ticks-lines). */
import { AppError, type ProblemFieldError } from '../../../core/errors.ts'
import { throwIfErrors } from '../../../core/schema.ts'
import { appendEvents } from '../../../db/events.ts'
import { clampToLastUpdate, type ChangeContext } from '../../../db/lifecycle.ts'
import { type OrderRecord, updateOrder } from '../queries/orders.ts'
import { listLinesToMake, TICKABLE_STATUSES, withTicks } from '../rules/ticks.ts'

type Tick = { line_id: string; done: boolean }

/**
 * Ticks lines of an order, or takes ticks back; the others stay. The screens of its store are told, its customer is not.
 * Throws `invalid_state`, and `invalid_request` for a line of which nothing is left to make.
 */
export async function tickLines(
  given: ChangeContext,
  order: OrderRecord,
  { lines }: { lines: readonly Tick[] },
): Promise<void> {
  const { order_id, display_number, merchant_id, status, doc } = order
  if (!TICKABLE_STATUSES.some((each) => each === status))
    throw new AppError(
      'invalid_state',
      `Order ${display_number} is ${status}: its lines are not ticked now.`,
      {
        extra: { current_status: status, allowed_statuses: TICKABLE_STATUSES },
      },
    )
  assertLines(order, lines)
  const ticked = withTicks(doc, lines)
  if (ticked.join() === (doc.ticked ?? []).join()) return
  const { tx, world, at } = clampToLastUpdate(given, order)
  doc.ticked = ticked
  order.updated_at = at
  await updateOrder(tx, order)
  await appendEvents(tx, world, at, [
    {
      type: 'food_order.ticked',
      resource_id: order_id,
      owner_id: doc.merchant.agreement_id ?? merchant_id,
      occurred_at: at,
      from: status,
      to: status,
      by: 'store',
      data: { merchant_id, lines },
    },
  ])
}

function assertLines({ display_number, doc }: OrderRecord, lines: readonly Tick[]): void {
  const left = new Set(listLinesToMake(doc).map(({ line_id }) => line_id))
  throwIfErrors(
    lines.flatMap(({ line_id }, at): ProblemFieldError[] => {
      const pointer = `/lines/${at}/line_id`
      if (!left.has(line_id))
        return [
          {
            pointer,
            code: 'not_in_menu',
            detail: `${line_id} is no line of order ${display_number} that is to be made`,
          },
        ]
      const isRepeated = lines.findIndex((other) => other.line_id === line_id) < at
      return isRepeated ? [{ pointer, code: 'mutually_exclusive', detail: `${line_id} is given twice` }] : []
    }),
  )
}
