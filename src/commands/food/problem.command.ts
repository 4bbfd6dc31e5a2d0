import { formatOrderProblem } from '../../areas/orders/rules/wrong-words.ts'
import { assertComplete } from '../../cli/ask-values.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { spec } from '../../generated/specs/report_order_problem.ts'
import { askLine, changeOrder, makeMissingLineInput, readUnits, REASON, withReason } from '../order-lines.ts'
import { orderIdOf } from './find-order.ts'

const FLAGS = pickOperationFlags(spec, {
  reason: { field: 'reason_code', description: 'reason' },
  note: { field: 'note', description: 'note to the store' },
})

/** `dray food problem ORDER --line 1 --reason missing`. */
export const foodProblem = defineCommand({
  words: 'food problem',
  summary: 'Report a problem with an order, or appeal against a decline',
  description:
    'Within 48 hours after the order is completed, once for each line. Name each line by its number, 1 for the first, or by its item. The store answers within 24 hours, else the platform pays. A late delivery needs no line: it is worth the delivery fee, if it came after the latest time that was promised. --appeal asks the platform about a problem that the store declined, once, and is decided at once.',
  danger: 'write',
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [{ name: 'order', description: 'order ID or number; the last one if omitted' }],
  flags: [
    {
      flag: 'line',
      kind: 'text',
      value: 'LINE[=UNITS]',
      repeat: true,
      description: 'line that the problem is about, whole or a number of units',
    },
    ...FLAGS,
    { flag: 'appeal', kind: 'boolean', description: 'appeal against a declined problem' },
    {
      flag: 'problem',
      kind: 'text',
      value: 'ID',
      description: 'problem to appeal about, if several were declined',
    },
  ],
  answer: { of: ['report_order_problem', 'appeal_order_problem'] },
  examples: [
    'dray food problem X7KH --line 1 --reason missing',
    'dray food problem --line "Pad Thai=1" --reason quality --note "Cold"',
    'dray food problem X7KH --reason late',
    'dray food problem X7KH --appeal',
  ],
  async run(cli, { order, line = [], appeal, problem, ...args }) {
    const given = await readInputFromFlags(cli, FLAGS, args)
    if (appeal === true) {
      if (line.length > 0 || Object.keys(given).length > 0)
        throw new AppError(
          'usage',
          '--appeal is about the problem as it was reported: leave out the other flags.',
        )
      return appealProblem(cli, order, problem)
    }
    if (problem !== undefined) throw new AppError('usage', '--problem goes with --appeal.')
    const needsLine = (reason: unknown): boolean => line.length === 0 && reason !== 'late'
    await assertComplete(cli, [
      ...(needsLine(given.reason_code) ? [makeMissingLineInput('--line')] : []),
      ...(given.reason_code === undefined ? [REASON] : []),
    ])
    const order_id = await orderIdOf(cli, order)
    return changeOrder(cli, {
      said: ['problem', order_id, line, given],
      done: 'Reported a problem with order {display_number}.',
      prepare: async () => {
        const { value } = await (await cli.client()).call('get_food_order', { order_id })
        const named = readUnits(line, value)
        const body = await withReason(cli, given)
        const lines = needsLine(body['reason_code'])
          ? readUnits([await askLine(cli, value, '--line')], value)
          : named
        const input = { order_id, ...body, ...(lines.length > 0 && { lines }) }
        return { operation: 'report_order_problem', input }
      },
    })
  },
})

type FoodOrder = OperationOutput<'get_food_order'>

async function appealProblem(
  cli: CommandContext,
  typed: string | undefined,
  named: string | undefined,
): Promise<number> {
  const order_id = await orderIdOf(cli, typed)
  return changeOrder(cli, {
    said: ['appeal', order_id, named],
    done: (changed) => decisionOf(changed as FoodOrder),
    prepare: async () => {
      const { value } = await (await cli.client()).call('get_food_order', { order_id })
      const { problem_id } = findDeclined(value, named)
      return { operation: 'appeal_order_problem', input: { order_id, problem_id } }
    },
  })
}

/** Says how the latest appeal was decided. */
function decisionOf({ problems, display_number }: FoodOrder): string {
  const [latest] = problems
    .flatMap(({ appeal }) => appeal ?? [])
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
  return latest?.accept === true
    ? `The platform pays for the problem of order ${display_number}.`
    : `The decline stands: the records of order ${display_number} do not say otherwise.`
}

/** Returns the problem to appeal about. The service decides about one that is named. Throws AppError('problem_not_found' | 'usage'). */
function findDeclined(order: FoodOrder, named: string | undefined): FoodOrder['problems'][number] {
  const name = `Order ${order.display_number}`
  const some =
    named === undefined
      ? order.problems.filter(({ status, appeal }) => status === 'declined' && (appeal ?? null) === null)
      : order.problems.filter(({ problem_id }) => problem_id === named)
  const [found, second] = some
  if (found !== undefined && second === undefined) return found
  if (found === undefined)
    throw new AppError(
      'problem_not_found',
      named === undefined
        ? `${name} has no declined problem without an appeal.`
        : `${name} has no problem ${sanitizeForTerminal(named)}.`,
    )
  const all = some
    .map((each) => `${each.problem_id} (${sanitizeForTerminal(formatOrderProblem(order, each))})`)
    .join(', ')
  throw new AppError('usage', `${name} has several declined problems; name one with --problem: ${all}.`)
}
