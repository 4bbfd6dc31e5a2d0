/** What every change of an order begins and ends with. */
import type { Payment } from '../domain/payment.ts'
import type { Tx } from '../store/db.ts'
import { type OrderRecord, updateOrder } from '../store/orders.ts'
import { findPayment } from '../store/payments.ts'

/** Never before the order's last change. */
export function timeOf({ doc, updated_at }: OrderRecord, now: number): number {
  return Math.max(now, updated_at, doc.history.at(-1)?.at ?? 0)
}

export async function paymentOf(tx: Tx, { order_id }: OrderRecord): Promise<Payment> {
  const payment = await findPayment(tx, order_id)
  if (payment === undefined) throw new Error(`${order_id} has no payment`)
  return payment
}

/** Writes what changed besides the status. */
export async function touch(tx: Tx, order: OrderRecord, at: number): Promise<void> {
  order.updated_at = at
  await updateOrder(tx, order)
}
