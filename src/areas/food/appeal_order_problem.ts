import type { ExampleCall } from '../../core/operation.ts'
import { idParam } from '../../core/schema.ts'
import { appealProblem } from '../orders/lifecycle/problem.ts'
import { problemOf } from '../orders/rules/problems.ts'
import { OWN_FOOD_ORDER } from './access.ts'
import { exampleOrder } from './example-order.ts'

/** The calls after which a store has declined a problem. */
const DECLINED: ExampleCall[] = [
  ...exampleOrder('to_decline'),
  {
    operation: 'report_order_problem',
    name: 'problem_to_decline',
    input: (done) => ({
      order_id: done['order_to_decline'].order_id,
      reason_code: 'quality',
      lines: [{ line_id: 'line_1', quantity: 1 }],
    }),
  },
  {
    operation: 'answer_order_problem',
    name: 'decline',
    input: (done) => ({
      order_id: done['problem_to_decline'].order_id,
      problem_id: done['problem_to_decline'].problems[0].problem_id,
      accept: 'none',
      note: 'It left the kitchen hot.',
    }),
  },
]

export const appealOrderProblem = OWN_FOOD_ORDER.action({
  name: 'appeal_order_problem',
  toolset: 'order-help',
  summary: 'Appeal against a declined problem',
  description:
    'Once for each problem, within 48 hours after the order is completed or 24 hours after the decline. It is decided at once. The platform pays for late where the order came after latest_delivery_at, and for damaged where the courier recorded it. Any other decline stands.',
  below: '/problems/{problem_id}/appeal',
  spends: { how: 'nothing' },
  repetition: 'once',
  input: { problem_id: idParam('Problem') },
  errors: ['problem_not_found', 'problem_window_over', 'adjustment_not_allowed', 'amount_exceeds_paid'],
  exampleNeeds: DECLINED,
  example: (done) => ({
    order_id: done['decline'].order_id,
    problem_id: done['decline'].problems[0].problem_id,
  }),
  cli: {
    command: 'food problem',
    positionals: ['order_id', 'problem_id'],
    columns: ['display_number', 'merchant.name', 'status', 'problems', 'charged', 'refunded'],
  },
  act: (scene, order, { problem_id }) => appealProblem(scene, order, problemOf(order, problem_id)),
})
