/** The open orders that a change of the hours or of the menu touches: they stay as they are, and need a look. */
import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { strictObject, instant, describeField, nullable } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { listStoreOrders, type OrderDoc, type OrderRecord } from '../orders/queries/orders.ts'
import { unitsGone } from '../orders/rules/kitchen-lines.ts'
import { orderStatus } from '../orders/schema.ts'

/** The orders that an answer names, and those that are looked at. */
const MAX_NAMED = 20
const MAX_OPEN = 1000

export const affectedOrdersSchema = nullable(
  'Open orders that no longer fit, which stay as they are; null without any, and without the scope orders.read',
  strictObject({
    count: Type.Integer({ minimum: 1, meaning: 'Number of them' }),
    orders: Type.Array(
      strictObject({
        order_id: Type.String({ meaning: 'Order' }),
        display_number: Type.String({ meaning: 'Four-character order number' }),
        status: orderStatus,
        wanted_at: describeField('Start of its slot, or else its promised ready time', instant),
      }),
      { meaning: `The first of them, at most ${MAX_NAMED}, soonest first` },
    ),
  }),
)

export const previewField = Type.Optional(
  Type.Boolean({ description: 'True to see which open orders it touches, and change nothing' }),
)

type TouchedOrders = Type.Static<typeof affectedOrdersSchema>

/** Returns the orders of a store that are still to be cooked and that `touches` picks, by the time for which each is wanted. */
export async function findAffectedOrders(
  { tx, scopes }: Pick<OperationContext, 'tx' | 'scopes'>,
  merchantId: string,
  touches: (order: OrderRecord, wantedAt: number) => boolean,
): Promise<TouchedOrders> {
  if (!scopes.includes('orders.read')) return null
  const open = await listStoreOrders(
    tx,
    merchantId,
    { statuses: ['placed', 'accepted', 'preparing'] },
    { limit: MAX_OPEN },
  )
  const touched = open
    .filter((order) => touches(order, wantedAt(order)))
    .toSorted((a, b) => wantedAt(a) - wantedAt(b))
  if (touched.length === 0) return null
  return {
    count: touched.length,
    orders: touched.slice(0, MAX_NAMED).map((order) => ({
      order_id: order.order_id,
      display_number: order.display_number,
      status: order.status,
      wanted_at: toTimestamp(wantedAt(order)),
    })),
  }
}

function wantedAt({ doc }: OrderRecord): number {
  return doc.slot?.starts_at ?? doc.estimated_ready_at
}

/** Returns the items that are still to be cooked of an order, what replaced others among them. */
export function listItemIdsToCook({ lines, adjustments = [] }: OrderDoc): Set<string> {
  const changes = adjustments.filter(({ kind }) => kind !== 'refunded')
  const all = [
    ...lines,
    ...changes.flatMap((change) =>
      change.lines.flatMap(({ back, quantity }) => (back === undefined ? [] : [{ ...back, quantity }])),
    ),
  ]
  return new Set(
    all.flatMap(({ line_id, item_id, quantity }) => {
      const { removed, replaced } = unitsGone(changes, line_id)
      return quantity - removed - replaced > 0 ? [item_id] : []
    }),
  )
}
