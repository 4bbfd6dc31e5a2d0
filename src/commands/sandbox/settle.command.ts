import { defineCommand } from '../../cli/define-command.ts'
import { ORDER_MONEY_COLUMNS } from './order-money.ts'
import { changeSandbox, readInput } from './sandbox.ts'

export const sandboxSettle = defineCommand({
  words: 'sandbox settle',
  summary: 'Let the pending card payment of an order come in, now',
  description:
    'A card tok_pending settles by itself after two minutes. Until then no store can accept the order.',
  positionals: [{ name: 'order', field: 'order_id', description: 'the order', required: true }],
  examples: ['dray sandbox settle ord_01m7vkystgfp1b10jk5dh9yvxy'],
  danger: 'write',
  takes: ['dry-run'],
  async run(cli, args) {
    return changeSandbox(cli, 'settle_payment', await readInput(cli, args), {
      columns: ORDER_MONEY_COLUMNS,
      done: 'Order {display_number} is paid.',
      next: 'dray food show {order_id}',
    })
  },
})
