import * as Type from 'typebox'
import { AppError } from '../../core/errors.ts'
import { nonBlankText } from '../../core/schema.ts'
import { reportProblem } from '../orders/lifecycle/problem.ts'
import { adjustmentReason, problemLinesField } from '../orders/schema.ts'
import { OWN_FOOD_ORDER } from './access.ts'
import { exampleOrder } from './example-order.ts'

export const reportOrderProblem = OWN_FOOD_ORDER.action({
  name: 'report_order_problem',
  toolset: 'order-help',
  summary: 'Report a problem with an order',
  description:
    'Within 48 hours after the order is completed, once for each line. The store answers within 24 hours, else the platform pays. Without lines only late, which is worth the delivery fee and needs an order that came after latest_delivery_at.',
  below: '/problems',
  spends: { how: 'nothing' },
  idempotency: 'required',
  repetition: 'makes',
  input: {
    reason_code: adjustmentReason,
    lines: Type.Optional(problemLinesField),
    note: Type.Optional(nonBlankText(300, { description: 'Note to the store' })),
  },
  errors: ['problem_window_over', 'adjustment_not_allowed', 'amount_exceeds_paid'],
  exampleNeeds: exampleOrder('with_problem'),
  example: (done) => ({
    order_id: done['order_with_problem'].order_id,
    reason_code: 'missing',
    lines: [{ line_id: 'line_1', quantity: 1 }],
  }),
  cli: {
    command: 'food problem',
    flags: { reason_code: 'reason' },
    columns: ['display_number', 'merchant.name', 'status', 'problems'],
  },
  async act(scene, order, { reason_code, lines = [], note = null }) {
    if (lines.length === 0 && reason_code !== 'late') {
      const detail = `lines are required with reason_code ${reason_code}`
      throw new AppError('invalid_request', `${detail}.`, {
        errors: [{ pointer: '/lines', code: 'required', detail }],
      })
    }
    await reportProblem(scene, order, { reason_code, lines, note })
  },
})
