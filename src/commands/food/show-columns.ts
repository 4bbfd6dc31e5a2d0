import { ORDER_DONE } from '../../areas/orders/presenter.ts'
/** The lines of an order for people: its destination, worded by its fulfilment, and nothing that no longer matters. */
import { isOrderOver } from '../../areas/orders/states.ts'
import type { OperationOutput } from '../../client/operations.ts'
import type { Column } from '../../core/operation.ts'

type FoodOrder = OperationOutput<'get_food_order'>

/** The destination of an order. */
const PLACES: Readonly<Record<FoodOrder['fulfillment_type'], Readonly<Record<string, string>>>> = {
  delivery: { dropoff: 'Deliver to' },
  pickup: { 'merchant.address': 'Pick up at' },
  dine_in: { 'table.table_number': 'Table', 'merchant.address': 'Store address' },
}
const PLACE_FIELDS = new Set(Object.values(PLACES).flatMap((place) => Object.keys(place)))
/** Columns that are only useful while the order is active. */
const UNTIL_OVER = new Set(['estimated_ready_at', 'estimated_delivery_at', 'cancellable'])

/**
 * The columns of an order for people, under the words of how it gets to the customer. The notes below tell the state of each of
 * several refunds.
 */
export function columnsFor(
  { fulfillment_type: type, status, refunds }: Pick<FoodOrder, 'fulfillment_type' | 'status' | 'refunds'>,
  columns: readonly Column[],
): Column[] {
  const isOver = isOrderOver(status)
  return columns.flatMap((column) => {
    const { field } = column
    if (isOver && UNTIL_OVER.has(field)) return []
    if (refunds.length > 1 && field === 'refund.status') return []
    if (field === 'completed_at') return [{ field, label: ORDER_DONE[type] }]
    if (!PLACE_FIELDS.has(field)) return [column]
    const label = PLACES[type][field]
    return label === undefined
      ? []
      : [{ field, label: isOver && field === 'dropoff' ? 'Delivered to' : label }]
  })
}
