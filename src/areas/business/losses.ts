/** The orders that a store lost in a stretch of time, for its statement. */
import type { OperationContext } from '../../core/context.ts'
import type { TimeRange } from '../../core/period.ts'
import { findOrders, listLostOrders, type OrderRecord } from '../orders/queries/orders.ts'
import { LOSS_REASONS, type LossReason, lossReasonOf, computeStoreLoss } from '../orders/rules/losses.ts'
import { findPayments } from '../payments/queries/ledger.ts'
import type { StoreStatement } from './statement-schema.ts'

/** The orders that are read at once. */
const PAGE = 500
/** An order ends within this time after it was placed. */
const MAX_LIFE_MS = 31 * 86_400_000

type LossTally = { orders: number; amount: number }

/** Returns the orders that were lost in a stretch of time, with the goods that they cost the store, by reason. */
export async function sumLostOrders(
  { tx }: Pick<OperationContext, 'tx'>,
  { merchant_id, currency }: { merchant_id: string; currency: string },
  stretch: TimeRange,
): Promise<StoreStatement['lost']> {
  const { from, to } = stretch
  const ids = await listLostOrders(tx, merchant_id, { from: from - MAX_LIFE_MS, to, changedFrom: from })
  const tallies = new Map<LossReason, LossTally>()
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE)
    const orders = await findOrders(tx, page)
    const payments = await findPayments(tx, page)
    for (const order of orders.values()) {
      const [reason, payment, endedAt] = [
        lossReasonOf({ status: order.status, rejection: order.doc.rejection }),
        payments.get(order.order_id),
        endOf(order),
      ]
      if (reason === undefined || payment === undefined || endedAt < from || endedAt >= to) continue
      const { orders: count, amount } = tallies.get(reason) ?? { orders: 0, amount: 0 }
      tallies.set(reason, { orders: count + 1, amount: amount + computeStoreLoss(order.doc, payment) })
    }
  }
  return LOSS_REASONS.flatMap((reason) => {
    const tally = tallies.get(reason)
    return tally === undefined
      ? []
      : [{ reason, orders: tally.orders, amount: { amount: tally.amount, currency } }]
  })
}

/** Returns the time at which an order got its last status. */
function endOf({ status, doc: { history }, updated_at }: OrderRecord): number {
  return history.findLast((step) => step.status === status)?.at ?? updated_at
}
