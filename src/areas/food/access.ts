import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { findOrder, lockOrder, type OrderRecord } from '../orders/queries/orders.ts'

/** Loads the caller's order; with `lock`, for a change. Throws as if another customer's order did not exist. */
export async function loadCustomerOrder(
  { tx, account }: OperationContext,
  orderId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<OrderRecord> {
  const order = await (lock ? lockOrder : findOrder)(tx, orderId)
  if (order === undefined || order.account_id !== account.account_id) {
    throw new AppError('order_not_found', `No order ${orderId}.`, {
      hint: '`dray food list` shows your orders.',
    })
  }
  return order
}
