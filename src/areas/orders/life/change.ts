/** What every change of an order begins and ends with. */
import type { Tx } from '../../../core/db.ts'
import { type OrderRecord, updateOrder } from '../store/orders.ts'

/** Never before the order's last change. */
export function timeOf({ doc, updated_at }: OrderRecord, now: number): number {
  return Math.max(now, updated_at, doc.history.at(-1)?.at ?? 0)
}

/** Writes what changed besides the status. */
export async function touch(tx: Tx, order: OrderRecord, at: number): Promise<void> {
  order.updated_at = at
  await updateOrder(tx, order)
}
