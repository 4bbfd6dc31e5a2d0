import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, nonBlankText } from '../../core/schema.ts'
import { lockCatalog, setAvailability } from '../catalog/lifecycle/catalog.ts'
import { findItem } from '../catalog/queries/catalog.ts'
import { lockMerchant } from '../merchants/queries.ts'
import { rejectOrder } from '../orders/lifecycle/order.ts'
import type { OrderRecord } from '../orders/queries/orders.ts'
import { itemId, orderId } from '../orders/schema.ts'
import {
  ORDER_ACTION_LIST_COLUMNS,
  ORDER_ACTION_DETAIL_COLUMNS,
  makeOrderExampleCalls,
} from './order-action.ts'
import { OWN_STORE_ORDER } from './own-order.ts'
import { businessOrder, rejectReason } from './schema.ts'

export const rejectBusinessOrder = defineOperation({
  name: 'reject_business_order',
  area: 'business',
  summary: 'Reject an order and refund the customer',
  description:
    'Allowed until the courier collects the order. Refunds the customer’s wallet, or the card if your own processor took the payment. mark_unavailable marks the items in item_ids unavailable.',
  details: 'Frees the reserved slot.',
  method: 'POST',
  path: '/v1/business/orders/{order_id}/reject',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'refund', amountAt: 'refund.amount' },
  idempotency: 'supported',
  repetition: 'once',
  input: strictObject({
    order_id: orderId,
    reason_code: Type.Optional(rejectReason),
    note: Type.Optional(nonBlankText(300, { description: 'Note to the customer' })),
    item_ids: Type.Optional(
      Type.Array(itemId, { maxItems: 50, description: 'Items that the rejection is about' }),
    ),
    mark_unavailable: Type.Optional(Type.Boolean({ description: 'True to mark those items unavailable' })),
  }),
  output: businessOrder,
  errors: ['order_not_found', 'invalid_state'],
  exampleNeeds: makeOrderExampleCalls('to_reject'),
  example: (done) => ({
    order_id: done['order_to_reject'].order_id,
    reason_code: 'too_busy',
    note: 'Sorry, full house',
  }),
  cli: {
    command: 'business orders reject',
    danger: 'destructive',
    positionals: ['order_id'],
    flags: { reason_code: 'reason', item_ids: 'item' },
    columns: [...ORDER_ACTION_LIST_COLUMNS, 'refund.amount', 'refund.destination'],
    details: ORDER_ACTION_DETAIL_COLUMNS,
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  async run(context, { order_id, reason_code = 'other', note, item_ids = [], mark_unavailable = false }) {
    const { tx, world, now } = context
    // A change of the catalogue locks the store's row, always before the order's row.
    if (mark_unavailable) await lockMerchant(tx, (await OWN_STORE_ORDER.load(context, order_id)).merchant_id)
    return OWN_STORE_ORDER.act(context, order_id, async (order) => {
      assertItems(order, item_ids, mark_unavailable)
      await rejectOrder({ tx, world, at: now }, order, { reason_code, note, item_ids })
      if (mark_unavailable) await makeItemsUnavailable(context, order, item_ids)
    })
  },
})

function assertItems({ doc }: OrderRecord, itemIds: readonly string[], marks: boolean): void {
  const ordered = new Set(doc.lines.map(({ item_id }) => item_id))
  const strange = itemIds.findIndex((id) => !ordered.has(id))
  if (strange !== -1) {
    const detail = `${itemIds[strange]} is not an item of the order`
    throw new AppError('invalid_request', `${detail}: item_ids must be items of its lines.`, {
      errors: [{ pointer: `/item_ids/${strange}`, code: 'not_in_menu', detail }],
    })
  }
  if (!marks || itemIds.length > 0) return
  const detail = 'item_ids is required with mark_unavailable'
  throw new AppError('invalid_request', `${detail}: give the items to mark unavailable.`, {
    errors: [{ pointer: '/item_ids', code: 'required', detail }],
  })
}

/** Makes the rejected items unavailable; deleted ones are skipped. */
async function makeItemsUnavailable(
  context: OperationContext,
  { merchant_id }: OrderRecord,
  itemIds: readonly string[],
): Promise<void> {
  const { tx, world } = context
  const hold = await lockCatalog(context, merchant_id)
  const items = await Promise.all([...new Set(itemIds)].map((id) => findItem(tx, id)))
  await setAvailability(
    { tx, world },
    hold,
    items.filter((item) => item !== undefined),
    { availability: { available: false, until: null, reason: 'sold_out' } },
  )
}
