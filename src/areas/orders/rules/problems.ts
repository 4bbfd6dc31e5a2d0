/** Problems that a customer reports about an order, and the amounts that they are worth. Pure. */
import { AppError } from '../../../core/errors.ts'
import { MARKET_TAX_BPS } from '../../../core/market.ts'
import type { Money } from '../../../core/money.ts'
import { countsAsPaid, keptOf, type Payment } from '../../payments/rules/payment.ts'
import { sum, taxOn } from '../../payments/rules/price.ts'
import type { OrderRecord } from '../store/orders.ts'
import {
  type AdjustmentReason,
  backFor,
  type LineRequest,
  type Problem,
  takeLines,
  type UnitsTaken,
} from './adjust.ts'
import { endOf } from './allowed.ts'
import { linesOf, type Sold, takenOf } from './shares.ts'

const HOUR_MS = 3_600_000
/** The time after the end of an order in which its customer may report a problem. */
const REPORT_HOURS = 48

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
  if (now > endOf(order) + REPORT_HOURS * HOUR_MS)
    throw new AppError('problem_window_over', `${name} ended more than ${REPORT_HOURS} hours ago.`, { extra })
}

/** The part of an order that a problem takes now, and the amount that goes back for it. */
export type Claim = { lines: UnitsTaken[]; amount: Money }

/**
 * Returns what these lines are worth, beside the problems that are open. Throws `amount_exceeds_paid`, and
 * `adjustment_not_allowed` where the delivery cost nothing.
 */
export function claimOf(
  { doc, display_number }: OrderRecord,
  payment: Payment,
  { reason_code, lines }: { reason_code: AdjustmentReason; lines: readonly LineRequest[] },
): Claim {
  const open = (doc.problems ?? []).filter(({ status }) => status === 'open')
  if (lines.length === 0) {
    const amount = lateFee(doc)
    const others = [...open, ...(doc.adjustments ?? [])].filter((each) => each.lines.length === 0)
    if (reason_code === 'late' && amount.amount > 0 && others.length === 0)
      return atMost(payment, { lines: [], amount })
    const why = others.length > 0 ? 'its delivery is dealt with already' : 'its delivery cost nothing'
    throw new AppError('adjustment_not_allowed', `Order ${display_number} gets nothing back: ${why}.`)
  }
  const claimed = open.flatMap((problem) => leftLines(doc, problem.lines))
  const sold: Sold = {
    ...doc,
    adjustments: [...(doc.adjustments ?? []), { lines: claimed, refund_id: null }],
  }
  const taken = takeLines(sold, lines)
  return atMost(payment, { lines: taken, amount: backFor(sold, taken) })
}

/**
 * Returns what is left of a problem's lines, which may be less than was reported; of a late delivery its fee. `kept` is all that
 * can still go back.
 */
export function claimLeft(sold: Sold, kept: Money, problem: Pick<Problem, 'lines' | 'amount'>): Claim {
  const lines = leftLines(sold, problem.lines)
  const amount = problem.lines.length === 0 ? problem.amount : backFor(sold, lines)
  return { lines, amount: { ...amount, amount: Math.min(amount.amount, kept.amount) } }
}

function leftLines(sold: Sold, lines: Problem['lines']): UnitsTaken[] {
  const known = linesOf(sold)
  const gone = (id: string): number =>
    sum(takenOf(sold).flatMap(({ line_id, quantity }) => (line_id === id ? quantity : [])))
  const left = lines.flatMap(({ line_id, quantity }) => {
    const all = known.find((line) => line.line_id === line_id)?.quantity ?? 0
    const units = Math.min(quantity, all - gone(line_id))
    return units > 0 ? [{ line_id, quantity: units }] : []
  })
  return takeLines(sold, left)
}

function atMost(payment: Payment, claim: Claim): Claim {
  const kept = keptOf({ payment, refunds: payment.refunds })
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
