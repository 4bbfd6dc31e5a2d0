/** The question before a part of an order is removed or refunded: in the terminal, and before an agent does it. */
import { type Money, formatGroupedMoney } from '../../../core/money.ts'
import { countsAsPaid, netPaid, type Payment } from '../../payments/rules/payment.ts'
import {
  type AdjustmentKind,
  assertSomeLeft,
  refundFor,
  type LineAdjustmentRequest,
  type OrderProblem,
  type ItemReplacement,
  toPricedOrder,
  computeUnitsTaken,
  type UnitsTaken,
} from './adjust.ts'
import { claimLeft } from './problems.ts'
import { isWholeOrderCancelWanted, isCustomerAnswerNeeded, replaceLines } from './substitution.ts'
import { isAwaitingCustomerAnswer, lineNames } from './wrong-words.ts'

type AdjustableOrder = Parameters<typeof toPricedOrder>[0] &
  Parameters<typeof isCustomerAnswerNeeded>[0] &
  Parameters<typeof netPaid>[0] & {
    order_id: string
    display_number: string
    payment: Pick<Payment, 'status' | 'method' | 'collected_by' | 'amount'>
  }

/** The lines, the amount, and a sentence about the money. */
export type AdjustmentWords = {
  lines: readonly LineAdjustmentRequest[]
  /** The units or the amount, such as `1 ×` or `£2.00 of`, and the name of the item. */
  parts: { taken: string; name: string }[]
  amount: Money
  money: string
}

type Change = { kind: AdjustmentKind; items?: readonly ItemReplacement[] }

/**
 * Says what these lines cost, by the sums of the service; `items` are the replacements, one for each line. Throws
 * `invalid_request`, `amount_exceeds_paid`, and `adjustment_not_allowed` where nothing would be left.
 */
export function describeAdjustment(
  order: AdjustableOrder,
  lines: readonly LineAdjustmentRequest[],
  { kind, items = [] }: Change = { kind: 'refunded' },
): AdjustmentWords {
  const sold = toPricedOrder(order)
  const taken = computeUnitsTaken(sold, lines)
  const off = refundFor(sold, taken)
  const words = { lines, parts: listAdjustedParts(order, taken, items) }
  if (isWholeOrderCancelWanted(kind, order)) {
    const money = `The customer wants no part of it then: the order is rejected, and ${formatGroupedMoney(netPaid(order))} goes back.`
    return { ...words, amount: netPaid(order), money }
  }
  if (kind === 'removed') assertSomeLeft(toPricedOrder(withoutQuestions(order)), taken, order)
  const amount = kind === 'replaced' ? refundFor(sold, replaceLines(sold, taken, items)) : off
  const asks = kind === 'replaced' && isCustomerAnswerNeeded(order, items)
  const money = asks
    ? `The customer is asked first, for 5 minutes. After a yes: ${moneyWords(order, amount)} Else: ${moneyWords(order, off)}`
    : moneyWords(order, amount)
  return { ...words, amount, money }
}

/**
 * Says what goes back where a problem is accepted: for these lines, or else for all of it that is left. A late delivery has no
 * parts. Throws like `describeAdjustment`.
 */
export function describeAnswer(
  order: AdjustableOrder,
  problem: Pick<OrderProblem, 'lines' | 'amount'>,
  lines?: readonly LineAdjustmentRequest[],
): AdjustmentWords {
  const unitsOf = (id: string) => problem.lines.find(({ line_id }) => line_id === id)?.quantity
  if (lines !== undefined)
    return describeAdjustment(
      order,
      lines.map((line) => ({ ...line, quantity: line.quantity ?? unitsOf(line.line_id) })),
    )
  const { lines: taken, amount } = claimLeft(toPricedOrder(order), netPaid(order), problem)
  return { lines: taken, parts: listAdjustedParts(order, taken), amount, money: moneyWords(order, amount) }
}

function listAdjustedParts(
  order: AdjustableOrder,
  taken: readonly UnitsTaken[],
  items: readonly ItemReplacement[] = [],
): AdjustmentWords['parts'] {
  const names = lineNames(order)
  return taken.map(({ line_id, quantity, cost }, at) => ({
    taken: quantity === 0 ? `${formatGroupedMoney({ ...order.total, amount: cost })} of` : `${quantity} ×`,
    name: `${names.get(line_id) ?? line_id}${items[at] === undefined ? '' : ` by ${items[at].name}`}`,
  }))
}

/** Until they are answered, the units of a question are part of the order. */
function withoutQuestions({ adjustments = [], ...order }: AdjustableOrder): AdjustableOrder {
  return { ...order, adjustments: adjustments.filter((each) => !isAwaitingCustomerAnswer(each)) }
}

function moneyWords({ payment }: AdjustableOrder, amount: Money): string {
  if (amount.amount === 0) return 'No money goes back.'
  if (!countsAsPaid(payment)) {
    const left = { ...amount, amount: payment.amount.amount - amount.amount }
    return `The customer pays ${formatGroupedMoney(left)} instead of ${formatGroupedMoney(payment.amount)}.`
  }
  return `${formatGroupedMoney(amount)} goes back to the customer ${wayBack(payment)}.`
}

/** Returns where a refund of a part goes. */
function wayBack({ collected_by, method }: AdjustableOrder['payment']): string {
  if (collected_by === 'store_processor') return 'by card, through your own card processor'
  if (collected_by === 'store' || method === 'wallet') return 'in their wallet'
  return method === 'card' ? 'by card' : 'in cash'
}
