import * as Type from 'typebox'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, nonBlankText } from '../../core/schema.ts'
import { reportProblem } from '../orders/lifecycle/problem.ts'
import { adjustmentReason, orderId, problemLinesField } from '../orders/schema.ts'
import { loadCustomerOrder } from './access.ts'
import { exampleOrder } from './example-order.ts'
import { foodOrder } from './schema.ts'
import { serializeFoodOrder } from './views.ts'

export const reportOrderProblem = defineOperation({
  name: 'report_order_problem',
  area: 'food',
  toolset: 'order-help',
  summary: 'Report a problem with an order',
  description:
    'Within 48 hours after the order is completed, once for each line. The store answers within 24 hours, else the platform pays. Without lines only late, which is worth the delivery fee and needs an order that came after latest_delivery_at.',
  method: 'POST',
  path: '/v1/food/orders/{order_id}/problems',
  scope: 'food.read',
  entitlement: 'none',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'required',
  repetition: 'makes',
  input: strictObject({
    order_id: orderId,
    reason_code: adjustmentReason,
    lines: Type.Optional(problemLinesField),
    note: Type.Optional(nonBlankText(300, { description: 'Note to the store' })),
  }),
  output: foodOrder,
  errors: ['order_not_found', 'problem_window_over', 'adjustment_not_allowed', 'amount_exceeds_paid'],
  exampleNeeds: exampleOrder('with_problem'),
  example: (done) => ({
    order_id: done['order_with_problem'].order_id,
    reason_code: 'missing',
    lines: [{ line_id: 'line_1', quantity: 1 }],
  }),
  cli: {
    command: 'food problem',
    danger: 'write',
    positionals: ['order_id'],
    flags: { reason_code: 'reason' },
    columns: ['display_number', 'merchant.name', 'status', 'problems'],
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  async run(context, { order_id, reason_code, lines = [], note = null }) {
    const { tx, world, now } = context
    const order = await loadCustomerOrder(context, order_id, { lock: true })
    if (lines.length === 0 && reason_code !== 'late') {
      const detail = `lines are required with reason_code ${reason_code}`
      throw new AppError('invalid_request', `${detail}.`, {
        errors: [{ pointer: '/lines', code: 'required', detail }],
      })
    }
    await reportProblem({ tx, world, at: now }, order, { reason_code, lines, note })
    return serializeFoodOrder(tx, order, now)
  },
})
