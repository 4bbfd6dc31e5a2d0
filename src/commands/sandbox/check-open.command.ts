import { defineCommand } from '../../cli/define-command.ts'
import { ORDER_MONEY_COLUMNS } from './order-money.ts'
import { changeSandbox, readInput } from './sandbox.ts'

export const sandboxCheckOpen = defineCommand({
  words: 'sandbox check open',
  summary: 'Open a table check for an order, as the staff would',
  description:
    'Only for guests at a table who have no check yet. While it is open the order cannot be completed.',
  positionals: [{ name: 'order', field: 'order_id', description: 'the order', required: true }],
  examples: ['dray sandbox check open ord_01m7vkystgfp1b10jk5dh9yvxy'],
  danger: 'write',
  takes: ['dry-run'],
  async run(cli, args) {
    return changeSandbox(cli, 'open_check', await readInput(cli, args), {
      columns: ORDER_MONEY_COLUMNS,
      done: 'The check of order {display_number} is open.',
      next: 'dray sandbox check settle {order_id}',
    })
  },
})
