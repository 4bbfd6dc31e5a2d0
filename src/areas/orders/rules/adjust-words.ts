/** The question before a part of an order is taken off or refunded: in the terminal, and before an agent does it. */
import { type Money, spellMoney } from '../../../core/money.ts'
import { countsAsPaid, type Payment } from '../../payments/rules/payment.ts'
import { backFor, type LineRequest, soldOf, takeLines } from './adjust.ts'

type Adjusting = Parameters<typeof soldOf>[0] & {
  payment: Pick<Payment, 'status' | 'method' | 'collected_by' | 'amount'>
}

/** The lines, the amount, and a sentence about the money. */
export type AdjustmentWords = {
  lines: readonly LineRequest[]
  /** The units or the amount, such as `1 ×` or `£2.00 of`, and the name of the item. */
  parts: { taken: string; name: string }[]
  amount: Money
  money: string
}

/** Says what these lines cost, by the sums of the service. Throws `invalid_request` and `amount_exceeds_paid`. */
export function describeAdjustment(order: Adjusting, lines: readonly LineRequest[]): AdjustmentWords {
  const sold = soldOf(order)
  const taken = takeLines(sold, lines)
  const amount = backFor(sold, taken)
  const names = new Map(order.lines.map(({ line_id, name }) => [line_id, name]))
  return {
    lines,
    parts: taken.map(({ line_id, quantity, cost }) => ({
      taken: quantity === 0 ? `${spellMoney({ ...amount, amount: cost })} of` : `${quantity} ×`,
      name: names.get(line_id) ?? line_id,
    })),
    amount,
    money: moneyWords(order, amount),
  }
}

function moneyWords({ payment }: Adjusting, amount: Money): string {
  if (amount.amount === 0) return 'No money goes back.'
  if (!countsAsPaid(payment)) {
    const left = { ...amount, amount: payment.amount.amount - amount.amount }
    return `The customer pays ${spellMoney(left)} instead of ${spellMoney(payment.amount)}.`
  }
  return `${spellMoney(amount)} goes back to the customer ${wayBack(payment)}.`
}

/** Returns where a refund of a part goes. */
function wayBack({ collected_by, method }: Adjusting['payment']): string {
  if (collected_by === 'store_processor') return 'by card, through your own card processor'
  if (collected_by === 'store' || method === 'wallet') return 'in their wallet'
  return method === 'card' ? 'by card' : 'in cash'
}

type Wronged = {
  adjustments?: readonly { refund_id: string | null; amount: Money; reason_code: string }[]
  problems?: readonly { status: string; reason_code: string; amount: Money }[]
}

/** Returns the adjustments that were taken off before the payment. */
export function takenOff({ adjustments = [] }: Wronged): NonNullable<Wronged['adjustments']> {
  return adjustments.filter(({ refund_id, amount }) => refund_id === null && amount.amount > 0)
}

/** Says what was taken off before the payment, and which problems were reported. A service from before sends neither. */
export function wrongNotes(order: Wronged): string[] {
  const { problems = [] } = order
  const reason = (code: string): string => code.replaceAll('_', ' ')
  return [
    ...takenOff(order).map(
      ({ amount, reason_code }) => `Taken off: ${spellMoney(amount)} (${reason(reason_code)})`,
    ),
    ...problems.map(
      ({ status, reason_code, amount }) =>
        `Problem of ${spellMoney(amount)} (${reason(reason_code)}): ${status === 'open' ? 'waiting for the store' : status}`,
    ),
  ]
}
