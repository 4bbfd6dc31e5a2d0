/** The money of an order that ended without its goods. Its row is locked. */
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { refundPayment } from '../../payments/lifecycle/payment.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import { countsAsPaid } from '../../payments/rules/payment.ts'
import type { OrderRecord } from '../queries/orders.ts'
import { partsLeft } from '../rules/shares.ts'
import type { OrderStatus } from '../states.ts'
import { enterChange } from './books.ts'

/** Gives back what is left of an order's payment; nothing where no one was at the door: the dishes were made and brought. */
export async function refundRemaining(
  { tx, world, at }: ChangeContext,
  order: OrderRecord,
  { to, reason, isKept }: { to: OrderStatus; reason: string; isKept: boolean },
): Promise<void> {
  const { order_id, doc } = order
  const payment = await loadPayment(tx, order_id)
  if (isKept && countsAsPaid(payment)) return
  const borneBy = to === 'failed' ? 'platform' : 'store'
  const parts = partsLeft(doc, payment)
  const refunded = await refundPayment({ tx, world, at }, order_id, {
    to: to === 'rejected' ? 'wallet' : 'original',
    reason,
    borneBy,
    lost: borneBy === 'store' ? parts.store : 0,
    kind: 'order',
    counterpartyId: doc.merchant.agreement_id,
  })
  if (refunded.refunds.length > payment.refunds.length)
    await enterChange({ tx, at }, order, refunded, { parts, payment })
}
