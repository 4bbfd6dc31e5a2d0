/** The members of an order that its customer and its store see alike. */
import { toTimestamp } from '../../core/time.ts'
import type { OrderDoc } from './store/orders.ts'

/** The members of a view that tell which parts went wrong. */
export function showAdjustments({ adjustments = [], problems = [], total }: OrderDoc) {
  return {
    problems: problems.map(({ at, answer_by, answer, ...problem }) => ({
      ...problem,
      at: toTimestamp(at),
      answer_by: toTimestamp(answer_by),
      answer: answer && { ...answer, at: toTimestamp(answer.at) },
    })),
    adjustments: adjustments.map((each) => ({
      adjustment_id: each.adjustment_id,
      at: toTimestamp(each.at),
      by: each.by,
      kind: each.kind,
      lines: each.lines.map(({ line_id, quantity, cost, worth }) => ({
        line_id,
        quantity,
        amount: { ...total, amount: cost },
        goods: { ...total, amount: worth },
      })),
      amount: each.amount,
      borne_by: each.borne_by,
      reason_code: each.reason_code,
      note: each.note,
      refund_id: each.refund_id,
    })),
  }
}
