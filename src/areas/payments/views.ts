/** A price, a payment and a refund as their owner sees them. Pure. */
import { toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import { type Payment, refundedSum } from './rules/payment.ts'
import type { PricedBasket } from './rules/price.ts'
import type { ReportedProblem } from './rules/reported-problem.ts'

/** Returns the price of a basket without its lines and without other fields of the argument. */
export function serializePrice(basket: PricedBasket): Omit<PricedBasket, 'lines'> {
  const {
    subtotal,
    fees,
    fees_total,
    discounts,
    discount_total,
    taxes,
    tax_total,
    prices_include_tax,
    total,
  } = basket
  return {
    subtotal,
    fees,
    fees_total,
    discounts,
    discount_total,
    taxes,
    tax_total,
    prices_include_tax,
    total,
  }
}

export function serializePayment({ payment_id, method, status, collected_by, amount }: Payment) {
  return { payment_id, method, status, collected_by, amount }
}

/** Shows the problems of a ride, a run or a visit. */
export function serializeProblems(problems: readonly ReportedProblem[] = []) {
  return problems.map((problem) => ({ ...problem, at: toTimestamp(problem.at) }))
}

/** The fields of a view that tell what was refunded: the latest refund, all of them, oldest first, and their sum. */
export function serializeRefunds(payment: Pick<Payment, 'refunds'> | undefined) {
  const refunds = (payment?.refunds ?? []).map((refund) => ({
    refund_id: refund.refund_id,
    status: refund.status,
    destination: refund.destination,
    amount: refund.amount,
    reason: refund.reason,
    borne_by: refund.borne_by,
    created_at: toTimestamp(refund.created_at),
    settled_at: toTimestampOrNull(refund.settled_at),
  }))
  return { refund: refunds.at(-1) ?? null, refunds, refunded: refundedSum(refunds) ?? null }
}
