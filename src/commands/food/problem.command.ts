import { defineCommand } from '../../cli/define-command.ts'
import { fields, readFields } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/report_order_problem.ts'
import { changeOrder, readUnits, withReason } from '../order-lines.ts'
import { orderIdOf } from './find-order.ts'

const FLAGS = fields(spec, {
  reason: { field: 'reason_code', description: 'reason' },
  note: { field: 'note', description: 'note to the store' },
})

/** `dray food problem ORDER --line 1 --reason missing`. */
export const foodProblem = defineCommand({
  words: 'food problem',
  summary: 'Report a problem with an order',
  description:
    'Within 48 hours after the order is completed. Name each line by its number, 1 for the first, or by its item. The store answers within 24 hours, else the platform pays. A late delivery needs no line: it is worth the delivery fee.',
  danger: 'write',
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [{ name: 'order', description: 'order ID or number; the last one if omitted' }],
  flags: [
    {
      flag: 'line',
      kind: 'text',
      value: 'LINE[=UNITS]',
      repeat: true,
      description: 'line that the problem is about, all its units or so many',
    },
    ...FLAGS,
  ],
  answer: { of: ['report_order_problem'] },
  examples: [
    'dray food problem X7KH --line 1 --reason missing',
    'dray food problem --line "Pad Thai=1" --reason quality --note "Cold"',
    'dray food problem X7KH --reason late',
  ],
  async run(cli, { order, line = [], ...args }) {
    const order_id = await orderIdOf(cli, order)
    const given = await readFields(cli, FLAGS, args)
    return changeOrder(cli, {
      said: ['problem', order_id, line, given],
      done: 'Reported a problem with order {display_number}.',
      prepare: async () => {
        const { value } = await (await cli.client()).call('get_food_order', { order_id })
        const lines = readUnits(line, value)
        const body = await withReason(cli, given)
        const input = { order_id, ...body, ...(lines.length > 0 && { lines }) }
        return { operation: 'report_order_problem', input }
      },
    })
  },
})
