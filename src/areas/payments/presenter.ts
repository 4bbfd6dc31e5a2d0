/** The words of a payment and its refunds. */
import { type Money, negate, formatGroupedMoney } from '../../core/money.ts'
import type { BillLine, Receipt } from '../../core/presenter.ts'
import {
  netPaid,
  orderCharge,
  type Payment,
  type PaymentMethod,
  type Refund,
  refundsOf,
} from './rules/payment.ts'

/** Returns a note about each refund. */
export function refundNotes(
  resource: Parameters<typeof refundsOf<{ status: string; amount: Money; destination: string }>>[0],
): string[] {
  return refundsOf(resource).map(
    ({ amount, destination, status }) =>
      `Refund of ${formatGroupedMoney(amount)} to ${destination.replaceAll('_', ' ')}: ${status}`,
  )
}

/** Returns a note about what each problem gave beyond its refund. */
export function goodwillNotes({ problems = [] }: Pick<PurchasePayment, 'problems'>): string[] {
  return problems.flatMap(({ goodwill = null }) =>
    goodwill === null ? [] : [`Goodwill of ${formatGroupedMoney(goodwill)} in your wallet`],
  )
}

type RefundSummary = Pick<Refund, 'status' | 'amount' | 'destination'>
type PurchasePayment = {
  payment: Pick<Payment, 'method' | 'status' | 'amount'> | null
  refund?: RefundSummary | null
  refunds?: readonly RefundSummary[]
  problems?: readonly { reason_code: string; goodwill?: Money | null }[]
}

/** Says how money in the wallet is spent, once a refund has arrived there. */
export function walletNotes(bought: PurchasePayment): string[] {
  const arrived = refundsOf(bought).some(
    (refund) => refund.status === 'succeeded' && wayOf(refund, bought.payment?.method) === 'your wallet',
  )
  return arrived ? ['The refund is in your wallet. The next purchase with --pay wallet spends it.'] : []
}

const PAID: Readonly<Record<PaymentMethod, string>> = {
  card: 'by card',
  wallet: 'from the wallet',
  cash: 'in cash',
  pay_at_table: 'at the table',
}

/** Returns where a refund goes: `original_method` is the way of the payment. */
function wayOf({ destination }: Pick<Refund, 'destination'>, method: PaymentMethod | undefined): string {
  if (destination === 'card_via_store_processor') return 'your card'
  const back = destination === 'platform_wallet' ? 'wallet' : method
  return back === 'wallet' ? 'your wallet' : back === 'card' ? 'your card' : 'you'
}

/** Returns what a purchase is charged, in words: its price, less all that went back. `isLost`: it ended without success. */
export function formatPurchaseCharge(
  bought: PurchasePayment & { payment: NonNullable<PurchasePayment['payment']> },
  isLost: boolean,
): string {
  return formatGroupedMoney(orderCharge(bought, isLost))
}

/**
 * Returns the lines of a receipt below its total: what was removed before the payment, the payment, each refund that did
 * not fail, and what is charged in all. They add up: the payment is the total less `off`, the charge the payment less the refunds.
 */
export function receiptTotals(
  bought: PurchasePayment & { payment: NonNullable<PurchasePayment['payment']> },
  isLost: boolean,
  off: readonly BillLine[] = [],
): Pick<Receipt, 'paid' | 'settled' | 'notes'> {
  const { method, status, amount } = bought.payment
  const paid = status !== 'unpaid' && status !== 'failed'
  const nothing = [{ label: 'Charged', amount: { ...amount, amount: 0 } }]
  if (status === 'failed' || (!paid && isLost)) return { paid, settled: nothing, notes: [] }
  const refunds = refundsOf(bought).filter((refund) => refund.status !== 'failed')
  const back = refunds.map((refund) => ({
    label: `Refund to ${wayOf(refund, method)}${refund.status === 'pending' ? ', pending' : ''}`,
    amount: negate(refund.amount),
  }))
  const charged = back.length === 0 ? [] : [{ label: 'Charged in all', amount: netPaid(bought) }]
  return {
    paid,
    settled: [...off, { label: `${paid ? 'Paid' : 'To pay'} ${PAID[method]}`, amount }, ...back, ...charged],
    notes: [
      ...(back.length === 0 ? [] : ['The VAT is that of the total, before refunds.']),
      ...goodwillNotes(bought),
      ...walletNotes(bought),
    ],
  }
}

/** Returns the lines of a price; where they are not known, as of older purchases, the one for all of it. */
export function pricedLines<T extends string>(
  lines: readonly { type: T; amount: Money }[] | undefined,
  labels: Readonly<Record<T, string>>,
  whole: BillLine,
): BillLine[] {
  if (lines === undefined || lines.length === 0) return [whole]
  return lines.map(({ type, amount }) => ({ label: labels[type], amount }))
}
