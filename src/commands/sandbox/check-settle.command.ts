import { defineCommand } from '../../cli/define-command.ts'
import { ORDER_MONEY_COLUMNS } from './order-money.ts'
import { changeSandbox, readInput } from './sandbox.ts'

export const sandboxCheckSettle = defineCommand({
  words: 'sandbox check settle',
  summary: 'Let the guests of a table pay its check, which closes it',
  positionals: [{ name: 'order', field: 'check_id', description: 'the order, or its check', required: true }],
  examples: ['dray sandbox check settle ord_01m7vkystgfp1b10jk5dh9yvxy'],
  danger: 'write',
  takes: ['dry-run'],
  async run(cli, args) {
    return changeSandbox(cli, 'settle_check', await readInput(cli, args), {
      columns: ORDER_MONEY_COLUMNS,
      done: 'The check of order {display_number} is paid and closed.',
      next: 'dray business orders complete {order_id}',
    })
  },
})
