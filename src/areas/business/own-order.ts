import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { findOrder, lockOrder, type OrderRecord } from '../orders/queries/orders.ts'
import { requireBusinessAgreement } from './access.ts'
import { serializeBusinessOrder } from './order-views.ts'

/** Loads the order of one of the caller's stores; with `lock`, for a change. Throws `order_not_found` for any other. */
export async function loadStoreOrder(
  context: OperationContext,
  orderId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<OrderRecord> {
  const order = await (lock ? lockOrder : findOrder)(context.tx, orderId)
  if (order === undefined || order.doc.merchant.agreement_id !== requireBusinessAgreement(context)) {
    throw new AppError('order_not_found', `No order ${orderId}.`, {
      hint: '`dray business orders list` shows your orders.',
    })
  }
  return order
}

/** Lets a store act on its order, whose row is locked; returns the changed order. Throws `order_not_found`. */
export async function actOnOwnOrder(
  context: OperationContext,
  orderId: string,
  act: (order: OrderRecord) => Promise<unknown>,
): ReturnType<typeof serializeBusinessOrder> {
  const order = await loadStoreOrder(context, orderId, { lock: true })
  await act(order)
  return serializeBusinessOrder(context.tx, order, context.now)
}
