/** Changes a part of an order, with the money that goes back for it. Callers have locked the order's row. */
import { AppError, type FieldError } from '../../../core/errors.ts'
import { formatMoney, type Money } from '../../../core/money.ts'
import { assertNoFaults } from '../../../core/schema.ts'
import { newIds } from '../../../store/counters.ts'
import { notBefore, type Scene } from '../../../store/life.ts'
import { lowerPayment, refundPayment } from '../../payments/life.ts'
import { countsAsPaid, type Payment, type Refund } from '../../payments/rules/payment.ts'
import { loadPayment } from '../../payments/store.ts'
import {
  type Adjustment,
  type AdjustmentKind,
  backFor,
  type LineRequest,
  takeLines,
  unitsLeft,
} from '../rules/adjust.ts'
import { assertAdjustable } from '../rules/allowed.ts'
import { partsLeft } from '../rules/shares.ts'
import type { OrderDoc, OrderRecord } from '../store/orders.ts'
import { writeOrder } from './write.ts'

type Wish = Pick<Adjustment, 'reason_code' | 'note'> & {
  kind: AdjustmentKind
  lines: readonly LineRequest[]
  /** The amount that the store has seen; another one is refused. */
  expected_amount: Money | undefined
}

/**
 * The store takes units off an order, or gives money back for a part of it. Throws `adjustment_not_allowed`,
 * `amount_exceeds_paid` and `invalid_request`.
 */
export async function adjustOrder(given: Scene, order: OrderRecord, wish: Wish): Promise<void> {
  const { kind, expected_amount: expected } = wish
  const { doc, display_number } = order
  const scene = notBefore(given, order)
  const payment = await loadPayment(scene.tx, order.order_id)
  assertAdjustable(kind, order, payment, scene.at)
  assertAmounts(wish, doc.total.currency)
  const lines = takeLines(doc, wish.lines)
  if (kind === 'removed' && unitsLeft(doc, lines) === 0) {
    throw new AppError('adjustment_not_allowed', `Nothing would be left of order ${display_number}.`, {
      hint: `Reject the whole order instead: \`dray business orders reject ${order.order_id}\`.`,
    })
  }
  const amount = backFor(doc, lines)
  if (expected !== undefined && expected.amount !== amount.amount) {
    const detail = `expected_amount is ${formatMoney(expected)}; ${formatMoney(amount)} goes back`
    throw new AppError('adjustment_not_allowed', `${detail}.`, {
      extra: { amount },
      errors: [{ pointer: '/expected_amount', code: 'out_of_range', detail }],
    })
  }
  if (kind === 'refunded' && amount.amount === 0)
    throw new AppError('amount_exceeds_paid', `Nothing is left to refund for these lines.`, {
      extra: { amount },
    })
  const { reason_code, note } = wish
  await adjust(scene, order, { by: 'store', kind, lines, amount, borne_by: 'store', reason_code, note })
}

/** Amounts are in the order's currency, and those of lines are refunded only. */
function assertAmounts({ kind, lines, expected_amount }: Wish, currency: string): void {
  const given = [
    ['/expected_amount', expected_amount] as const,
    ...lines.map(({ amount }, at) => [`/lines/${at}/amount`, amount] as const),
  ]
  const faults = given.flatMap(([pointer, amount]): FieldError[] => {
    if (amount === undefined) return []
    if (amount.currency !== currency)
      return [{ pointer, code: 'invalid_enum', detail: `the currency of the order is ${currency}` }]
    return kind === 'refunded' || pointer === '/expected_amount'
      ? []
      : [{ pointer, code: 'mutually_exclusive', detail: 'amount goes with kind refunded only' }]
  })
  assertNoFaults(faults)
}

type Draft = Omit<Adjustment, 'adjustment_id' | 'at' | 'refund_id' | 'free_at'>

/** Writes an adjustment: an unpaid payment is lowered by its amount, and of a paid one the amount goes back. */
export async function adjust(scene: Scene, order: OrderRecord, draft: Draft): Promise<Adjustment> {
  const { tx, at } = scene
  const { doc, order_id } = order
  const payment = await loadPayment(tx, order_id)
  const [adjustment_id = ''] = await newIds(scene, 'adj')
  const adjustment: Adjustment = { adjustment_id, at, ...draft, refund_id: null }
  const isPaid = countsAsPaid(payment)
  if (isPaid && draft.amount.amount > 0)
    adjustment.refund_id = await giveBack(scene, order, adjustment, payment)
  else if (isPaid) adjustment.free_at = at
  else await reduce(scene, order, payment, draft.amount)
  doc.adjustments = [...(doc.adjustments ?? []), adjustment]
  const { kind, amount, by } = draft
  await writeOrder(scene, order, { told: 'adjusted', by, data: { adjustment_id, kind, amount } })
  return adjustment
}

async function reduce(scene: Scene, { doc }: OrderRecord, payment: Payment, by: Money): Promise<void> {
  doc.reduced_by = (doc.reduced_by ?? 0) + by.amount
  const { amount } = await lowerPayment(scene, payment, by)
  if (doc.check?.status === 'open') doc.check.balance = amount
}

/** Pays the amount back the way it was paid, or to the wallet where the store collected it. Returns the refund's id. */
async function giveBack(
  scene: Scene,
  { order_id, doc }: OrderRecord,
  adjustment: Adjustment,
  payment: Payment,
): Promise<string> {
  const { amount, reason_code: reason, borne_by: borneBy } = adjustment
  const { refunds } = await refundPayment(scene, order_id, {
    to: 'original',
    reason,
    amount,
    borneBy,
    lost: partsLeft(doc, payment).store - storeAfter(doc, adjustment, payment),
    kind: 'order',
    counterpartyId: doc.merchant.agreement_id,
  })
  const refund = refunds.at(-1)
  if (refund === undefined) throw new Error(`${order_id} gave nothing back`)
  return refund.refund_id
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
