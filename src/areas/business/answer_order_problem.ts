import * as Type from 'typebox'
import type { ProblemFieldError } from '../../core/errors.ts'
import { throwIfErrors, idParam, nonBlankText } from '../../core/schema.ts'
import { answerProblem } from '../orders/lifecycle/problem.ts'
import { ACCEPTANCES, type Acceptance, type OrderProblem } from '../orders/rules/adjust.ts'
import { problemOf } from '../orders/rules/problems.ts'
import { problemLinesField } from '../orders/schema.ts'
import { ORDER_ACTION_LIST_COLUMNS, ORDER_ACTION_DETAIL_COLUMNS } from './order-action.ts'
import { OWN_STORE_ORDER } from './own-order.ts'

export const answerOrderProblem = OWN_STORE_ORDER.action({
  name: 'answer_order_problem',
  toolset: 'order-help',
  summary: 'Answer a problem that a customer reported',
  description:
    'full refunds all of it, part the given lines, none nothing, with a note that says why. The store bears the goods, the platform a late courier.',
  below: '/problems/{problem_id}/answer',
  spends: { how: 'refund', amountAt: 'refund.amount' },
  repetition: 'once',
  input: {
    problem_id: idParam('Problem'),
    accept: Type.Enum(ACCEPTANCES, { description: 'Part of the problem that you accept' }),
    lines: Type.Optional(problemLinesField),
    note: Type.Optional(nonBlankText(300, { description: 'Note to the customer' })),
  },
  errors: ['problem_not_found', 'adjustment_not_allowed', 'amount_exceeds_paid'],
  example: (done) => ({
    order_id: done['report_order_problem'].order_id,
    problem_id: done['report_order_problem'].problems[0].problem_id,
    accept: 'full',
  }),
  cli: {
    command: 'business orders answer',
    danger: 'destructive',
    positionals: ['order_id', 'problem_id'],
    columns: [...ORDER_ACTION_LIST_COLUMNS, 'refunded', 'refund.destination'],
    details: ORDER_ACTION_DETAIL_COLUMNS,
  },
  async act(scene, order, { problem_id, accept, lines, note = null }) {
    const problem = problemOf(order, problem_id)
    assertAnswer(problem, { accept, lines, note })
    const asked = new Map(problem.lines.map((line) => [line.line_id, line.quantity]))
    const part = lines?.map(({ line_id, quantity = asked.get(line_id) }) => ({ line_id, quantity }))
    await answerProblem(scene, order, problem, { accept, lines: part, note })
  },
})

type ProblemAnswerInput = {
  accept: Acceptance
  lines: { line_id: string; quantity?: number }[] | undefined
  note: string | null
}

/** Lines go with a part, and are among those of the problem; who accepts nothing says why. */
function assertAnswer(problem: OrderProblem, { accept, lines, note }: ProblemAnswerInput): void {
  const faults: ProblemFieldError[] = []
  if ((accept === 'part') !== (lines !== undefined))
    faults.push({
      pointer: '/lines',
      code: lines === undefined ? 'required' : 'mutually_exclusive',
      detail: lines === undefined ? 'lines are required with accept part' : 'lines go with accept part only',
    })
  if (accept === 'none' && note === null)
    faults.push({ pointer: '/note', code: 'required', detail: 'note is required with accept none' })
  for (const [at, { line_id, quantity = 1 }] of (lines ?? []).entries()) {
    const asked = problem.lines.find((line) => line.line_id === line_id)
    if (asked === undefined || quantity > asked.quantity)
      faults.push({
        pointer: `/lines/${at}/${asked === undefined ? 'line_id' : 'quantity'}`,
        code: 'out_of_range',
        detail: `the problem is about ${asked === undefined ? 'other lines' : `${asked.quantity} units of ${line_id}`}`,
      })
  }
  throwIfErrors(faults)
}
