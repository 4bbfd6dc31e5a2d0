/** The fields of an order that its customer and its store see alike. */
import type { Money } from '../../core/money.ts'
import { toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import { orderCharge, type Payment } from '../payments/rules/payment.ts'
import type { IfAbsent } from '../proofs/rules/absent.ts'
import type { OrderDoc, OrderRecord, TableCheck } from './queries/orders.ts'
import type { AdjustedLine, Adjustment } from './rules/adjust.ts'
import { unitsGone } from './rules/kitchen-lines.ts'
import type { TableShare } from './rules/table-shares.ts'
import { isOrderOver } from './states.ts'

/** Returns the wish for goods without a taker; null without delivery. */
export function serializeIfAbsentChoice({
  dropoff,
  if_absent,
}: Pick<OrderDoc, 'dropoff' | 'if_absent'>): IfAbsent | null {
  return dropoff === null ? null : (if_absent ?? 'return')
}

/** Shows the lines of an order as quoted, with the units that left each. */
export function serializeOrderLines({ lines, adjustments = [] }: OrderDoc) {
  return lines.map((line) => ({ ...line, ...unitsGone(adjustments, line.line_id) }))
}

/** The fields of a view that tell which parts went wrong, and what is charged. Open questions come last. */
export function serializeAdjustments({ status, doc }: Pick<OrderRecord, 'status' | 'doc'>, payment: Payment) {
  const { adjustments = [], questions = [], problems = [], substitutions = 'refund' } = doc
  const asked = questions.map((question): Adjustment => {
    const { reserved: _, ...shown } = question
    return { ...shown, by: 'store', kind: 'replaced', borne_by: 'store', refund_id: null }
  })
  const isLost = isOrderOver(status) && status !== 'completed'
  return {
    charged: orderCharge({ payment, refunds: payment.refunds }, isLost),
    problems: problems.map(({ at, answer_by, answer, appeal, ...problem }) => ({
      ...problem,
      at: toTimestamp(at),
      answer_by: toTimestamp(answer_by),
      answer: answer && { ...answer, at: toTimestamp(answer.at) },
      appeal: appeal === undefined ? null : { ...appeal, at: toTimestamp(appeal.at) },
    })),
    adjustments: [...adjustments, ...asked].map((each) => serializeAdjustment(each, doc)),
    substitutions,
  }
}

function serializeAdjustment(adjustment: Adjustment, { adjustments = [], total }: OrderDoc) {
  const { at, lines, answer_by, answer, free_at: _, ...each } = adjustment
  const money = ({ cost, worth }: { cost: number; worth: number }) => ({
    amount: { ...total, amount: cost },
    goods: { ...total, amount: worth },
  })
  return {
    ...each,
    at: toTimestamp(at),
    lines: lines.map(({ line_id, quantity, back, ...taken }) => ({
      line_id,
      quantity,
      ...money(taken),
      replacement:
        back === undefined
          ? null
          : { ...serializeReplacement(back, money(back)), ...unitsGone(adjustments, back.line_id) },
    })),
    answer_by: toTimestampOrNull(answer_by ?? null),
    answer: answer === undefined ? null : { ...answer, at: toTimestamp(answer.at) },
  }
}

function serializeReplacement(
  back: NonNullable<AdjustedLine['back']>,
  money: { amount: Money; goods: Money },
) {
  const { cost: _, worth: __, allergens, ...item } = back
  return { ...item, ...money, allergens: [...allergens] }
}

/** Shows the check of a table to its store; null without one. */
export function serializeTableCheck(check: TableCheck | null) {
  return (
    check && {
      ...check,
      opened_at: toTimestamp(check.opened_at),
      closed_at: toTimestampOrNull(check.closed_at),
      shares: serializeTableShares(check.shares, check.balance),
    }
  )
}

/** Shows the shares of a table's bill. */
export function serializeTableShares(
  shares: readonly TableShare[] = [],
  { currency }: Pick<Money, 'currency'>,
) {
  return shares.map(({ amount, orders }) => ({
    amount: { amount, currency },
    orders: orders.map((order) => ({ ...order, amount: { amount: order.amount, currency } })),
  }))
}

/** Shows the table of an order to its customer, with what each share paid of the order; no shares unless there were several. */
export function serializeTable({ doc, order_id }: Pick<OrderRecord, 'doc' | 'order_id'>) {
  const { table, check } = doc
  if (table === null) return null
  const shares = check?.shares ?? []
  const parts = shares.flatMap(({ orders }, at) =>
    orders.flatMap(({ amount, ...order }) =>
      order.order_id === order_id
        ? [{ number: at + 1, of: shares.length, amount: { ...doc.total, amount } }]
        : [],
    ),
  )
  return { ...table, shares: shares.length > 1 ? parts : [] }
}
