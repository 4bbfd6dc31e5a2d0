/** Problems that a customer reports about an order, and the amounts that they are worth. Pure. */
import { AppError } from '../../../core/errors.ts'
import { MARKET_TAX_BPS } from '../../../core/market.ts'
import type { Money } from '../../../core/money.ts'
import { formatLocalDateTime, toTimestamp } from '../../../core/time.ts'
import type { DeliveryRecord } from '../../couriers/queries/deliveries.ts'
import { countsAsPaid, netPaid, type Payment } from '../../payments/rules/payment.ts'
import { sum, taxOn } from '../../payments/rules/price.ts'
import type { OrderRecord } from '../queries/orders.ts'
import {
  type AdjustmentReason,
  refundFor,
  type LineAdjustmentRequest,
  type OrderProblem,
  computeUnitsTaken,
  type UnitsTaken,
} from './adjust.ts'
import { findOrderEnd } from './allowed.ts'
import { linesOf, type PricedOrder, takenOf } from './shares.ts'

const HOUR_MS = 3_600_000
/**
 * The time after the end of an order in which its customer may report a problem
 * (docs/rules/food-and-stores.md#a-customer-reports-a-problem-within-48-hours).
 */
const REPORT_HOURS = 48

/** The time after a decline in which its customer may appeal, where that ends later. */
const APPEAL_HOURS = 24

/** Returns the problem of an order. Throws `problem_not_found`. */
export function problemOf({ doc, order_id }: OrderRecord, problemId: string): OrderProblem {
  const problem = doc.problems?.find(({ problem_id }) => problem_id === problemId)
  if (problem !== undefined) return problem
  throw new AppError('problem_not_found', `Order ${order_id} has no problem ${problemId}.`)
}

/** Throws `adjustment_not_allowed` and `problem_window_over` unless the customer may report a problem now. */
export function assertReportable(order: OrderRecord, payment: Payment, now: number): void {
  const { display_number, status } = order
  const extra = { current_status: status }
  const name = `Order ${display_number}`
  if (status !== 'completed')
    throw new AppError(
      'adjustment_not_allowed',
      `${name} is ${status}: report a problem once it is completed.`,
      {
        extra,
      },
    )
  if (!countsAsPaid(payment))
    throw new AppError('adjustment_not_allowed', `All money of order ${display_number} went back already.`, {
      extra,
    })
  if (now > findOrderEnd(order) + REPORT_HOURS * HOUR_MS)
    throw new AppError('problem_window_over', `${name} ended more than ${REPORT_HOURS} hours ago.`, { extra })
}

/**
 * Throws `adjustment_not_allowed` unless a delivery came after the latest time that was promised. Orders from before that time was
 * kept pass, where they were delivered.
 */
function assertLate({ doc, display_number, fulfillment_type, status }: OrderRecord): void {
  const { merchant, completed_at: came, latest_delivery_at: latest = doc.slot?.ends_at } = doc
  const extra = { current_status: status }
  if (fulfillment_type !== 'delivery')
    throw new AppError(
      'adjustment_not_allowed',
      `Order ${display_number} is no delivery: late is for those.`,
      {
        extra,
      },
    )
  if (came === null || !isBefore(came, latest)) return
  const [at, until] = [came, latest].map((time) => formatLocalDateTime(time, merchant.timezone))
  throw new AppError(
    'adjustment_not_allowed',
    `Order ${display_number} came in time: at ${at}, and ${until} was promised at the latest.`,
    { extra: { ...extra, completed_at: toTimestamp(came), latest_delivery_at: toTimestamp(latest) } },
  )
}

function isBefore(came: number, latest: number | null | undefined): latest is number {
  return latest !== undefined && latest !== null && came <= latest
}

/** Returns whether a delivery came after the latest time that was promised; false where that time is unknown. */
function isLate({ completed_at: came, latest_delivery_at, slot }: OrderRecord['doc']): boolean {
  const latest = latest_delivery_at ?? slot?.ends_at
  return came !== null && latest !== undefined && came > latest
}

/** Throws `adjustment_not_allowed` where one of the lines, or the delivery, was reported before. */
function assertNew(
  { doc, display_number, status }: OrderRecord,
  lines: readonly Pick<LineAdjustmentRequest, 'line_id'>[],
): void {
  const before = doc.problems ?? []
  const known =
    lines.length === 0
      ? before.find((problem) => problem.lines.length === 0)
      : before.find((problem) =>
          problem.lines.some(({ line_id }) => lines.some((line) => line.line_id === line_id)),
        )
  if (known === undefined) return
  const what = lines.length === 0 ? 'The delivery' : 'A line'
  const hint = known.status === 'declined' && known.appeal === undefined
  throw new AppError(
    'adjustment_not_allowed',
    `${what} of order ${display_number} was reported already: that problem is ${known.status}.`,
    {
      extra: { current_status: status, problem_id: known.problem_id },
      ...(hint && { hint: `Appeal against the decline: \`dray food problem ${display_number} --appeal\`.` }),
    },
  )
}

/** Throws `adjustment_not_allowed` and `problem_window_over` unless the customer may appeal against this answer now. */
export function assertAppealable(order: OrderRecord, problem: OrderProblem, now: number): void {
  const { status, answer, appeal } = problem
  const extra = { current_status: status }
  if (appeal !== undefined) {
    const decision = appeal.accept ? 'the platform paid' : 'the decline stands'
    throw new AppError('adjustment_not_allowed', `The appeal is decided already: ${decision}.`, { extra })
  }
  if (status !== 'declined' || answer === null)
    throw new AppError(
      'adjustment_not_allowed',
      `The problem is ${status}: an appeal is against a problem that the store declined.`,
      { extra },
    )
  const until = Math.max(findOrderEnd(order) + REPORT_HOURS * HOUR_MS, answer.at + APPEAL_HOURS * HOUR_MS)
  if (now > until)
    throw new AppError(
      'problem_window_over',
      `Order ${order.display_number} ended more than ${REPORT_HOURS} hours ago, and the problem was declined more than ${APPEAL_HOURS} hours ago.`,
      { extra },
    )
}

/**
 * Returns whether the records of an order and its delivery say what its customer does
 * (docs/rules/food-and-stores.md#an-appeal-is-decided-by-the-record).
 */
export function isRecorded(
  { reason_code }: Pick<OrderProblem, 'reason_code'>,
  doc: OrderRecord['doc'],
  delivery: DeliveryRecord | undefined,
): boolean {
  if (reason_code === 'late') return isLate(doc)
  return (
    reason_code === 'damaged' && delivery?.doc.history.some(({ reason }) => reason === 'damaged') === true
  )
}

/** The part of an order that a problem takes now, and the amount that is refunded for it. */
export type ProblemClaim = { lines: UnitsTaken[]; amount: Money }

/**
 * Returns what these lines are worth, beside the problems that are open. Throws `amount_exceeds_paid`, and
 * `adjustment_not_allowed` where the order came in time, the delivery cost nothing, or the same was reported before.
 */
export function claimOf(
  order: OrderRecord,
  payment: Payment,
  { reason_code, lines }: { reason_code: AdjustmentReason; lines: readonly LineAdjustmentRequest[] },
): ProblemClaim {
  const { doc, display_number } = order
  assertNew(order, lines)
  if (reason_code === 'late') assertLate(order)
  const open = (doc.problems ?? []).filter(({ status }) => status === 'open')
  if (lines.length === 0) {
    const amount = lateFee(doc)
    if (amount.amount > 0) return atMost(payment, { lines: [], amount })
    const detail = `Order ${display_number} gets nothing back: its delivery cost nothing.`
    throw new AppError('adjustment_not_allowed', detail)
  }
  const claimed = open.flatMap((problem) => leftLines(doc, problem.lines))
  const sold: PricedOrder = {
    ...doc,
    adjustments: [...(doc.adjustments ?? []), { lines: claimed, refund_id: null }],
  }
  const taken = computeUnitsTaken(sold, lines)
  return atMost(payment, { lines: taken, amount: refundFor(sold, taken) })
}

/**
 * Returns what is left of a problem's lines, which may be less than was reported; of a late delivery its fee. `kept` is all that
 * can still go back.
 */
export function claimLeft(
  sold: PricedOrder,
  kept: Money,
  problem: Pick<OrderProblem, 'lines' | 'amount'>,
): ProblemClaim {
  const lines = leftLines(sold, problem.lines)
  const amount = problem.lines.length === 0 ? problem.amount : refundFor(sold, lines)
  return { lines, amount: { ...amount, amount: Math.min(amount.amount, kept.amount) } }
}

function leftLines(sold: PricedOrder, lines: OrderProblem['lines']): UnitsTaken[] {
  const known = linesOf(sold)
  const gone = (id: string): number =>
    sum(takenOf(sold).flatMap(({ line_id, quantity }) => (line_id === id ? quantity : [])))
  const left = lines.flatMap(({ line_id, quantity }) => {
    const all = known.find((line) => line.line_id === line_id)?.quantity ?? 0
    const units = Math.min(quantity, all - gone(line_id))
    return units > 0 ? [{ line_id, quantity: units }] : []
  })
  return computeUnitsTaken(sold, left)
}

/** Returns the claim. Throws `amount_exceeds_paid` where it is nothing, or more than is kept of the payment. */
export function atMost(payment: Payment, claim: ProblemClaim): ProblemClaim {
  const kept = netPaid({ payment, refunds: payment.refunds })
  if (claim.amount.amount > 0 && claim.amount.amount <= kept.amount) return claim
  throw new AppError('amount_exceeds_paid', 'Nothing is left to give back for this.', {
    extra: { amount: kept },
  })
}

/** Returns the delivery fee, with its tax where that is added. */
function lateFee({ fees, prices_include_tax, total }: OrderRecord['doc']): Money {
  const fee = sum(fees.flatMap(({ type, amount }) => (type === 'delivery_fee' ? amount.amount : [])))
  return { ...total, amount: fee + (prices_include_tax ? 0 : taxOn(fee, MARKET_TAX_BPS, false).tax) }
}
