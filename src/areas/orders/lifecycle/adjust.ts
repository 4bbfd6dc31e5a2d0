/** Changes a part of an order, with the money that is refunded for it. Callers have locked the order's row. */
import type { Money } from '../../../core/money.ts'
import { newIds } from '../../../db/counters.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { lowerPayment, refundPayment } from '../../payments/lifecycle/payment.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import { countsAsPaid, type Payment, type Refund } from '../../payments/rules/payment.ts'
import type { OrderDoc, OrderRecord } from '../queries/orders.ts'
import type { Adjustment } from '../rules/adjust.ts'
import { type OrderParts, partsLeft } from '../rules/shares.ts'
import { enterChange } from './books.ts'
import { writeOrder } from './write.ts'

type AdjustmentDraft = Omit<Adjustment, 'adjustment_id' | 'at' | 'refund_id' | 'free_at'> & {
  /** That of the question which it answers. */
  adjustment_id?: string
}

/** Writes an adjustment: an unpaid payment is lowered by its amount, and of a paid one the amount is refunded. */
export async function applyAdjustment(
  scene: ChangeContext,
  order: OrderRecord,
  draft: AdjustmentDraft,
): Promise<Adjustment> {
  const { tx, at } = scene
  const { doc, order_id } = order
  const payment = await loadPayment(tx, order_id)
  const [adjustment_id = ''] =
    draft.adjustment_id === undefined ? await newIds(scene, 'adj') : [draft.adjustment_id]
  const adjustment: Adjustment = { ...draft, adjustment_id, at, refund_id: null }
  const isPaid = countsAsPaid(payment)
  const before = { parts: partsLeft(doc, payment), payment }
  let now = payment
  if (isPaid && draft.amount.amount > 0) {
    now = await giveBack(scene, order, adjustment, before)
    adjustment.refund_id = now.refunds.at(-1)?.refund_id ?? null
  } else if (isPaid) adjustment.free_at = at
  else await reduce(scene, order, payment, draft.amount)
  doc.adjustments = [...(doc.adjustments ?? []), adjustment]
  if (isPaid) await enterChange(scene, order, now, before)
  const { kind, amount, by } = draft
  await writeOrder(scene, order, { told: 'adjusted', by, data: { adjustment_id, kind, amount } })
  return adjustment
}

async function reduce(
  scene: ChangeContext,
  { doc }: OrderRecord,
  payment: Payment,
  by: Money,
): Promise<void> {
  doc.reduced_by = (doc.reduced_by ?? 0) + by.amount
  const { amount } = await lowerPayment(scene, payment, by)
  if (doc.check?.status === 'open') doc.check.balance = amount
}

/** Pays the amount back the way it was paid, or to the wallet where the store collected it. Returns the payment with the refund. */
async function giveBack(
  scene: ChangeContext,
  { order_id, doc }: OrderRecord,
  adjustment: Adjustment,
  { parts, payment }: { parts: OrderParts; payment: Payment },
): Promise<Payment> {
  const { amount, reason_code: reason, borne_by: borneBy } = adjustment
  const refunded = await refundPayment(scene, order_id, {
    to: 'original',
    reason,
    amount,
    borneBy,
    lost: parts.store - storeAfter(doc, adjustment, payment),
    kind: 'order',
    counterpartyId: doc.merchant.agreement_id,
  })
  if (refunded.refunds.length === payment.refunds.length) throw new Error(`${order_id} gave nothing back`)
  return refunded
}

/** Returns the part of the store once an adjustment has gone back. */
function storeAfter(doc: OrderDoc, adjustment: Adjustment, payment: Payment): number {
  const { at, amount, reason_code: reason, borne_by } = adjustment
  const refund: Refund = {
    refund_id: adjustment.adjustment_id,
    status: 'succeeded',
    destination: 'original_method',
    amount,
    reason,
    borne_by,
    share: null,
    created_at: at,
    settled_at: at,
  }
  const adjustments = [...(doc.adjustments ?? []), { ...adjustment, refund_id: refund.refund_id }]
  return partsLeft({ ...doc, adjustments }, { ...payment, refunds: [...payment.refunds, refund] }).store
}
