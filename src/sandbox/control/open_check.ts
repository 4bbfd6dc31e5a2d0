import { openCheck as open } from '../../areas/orders/life/check.ts'
import { closed } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import {
  changeOrder,
  holdOrder,
  orderId,
  orderMoney,
  orderMoneyColumns,
  showOrderMoney,
} from './named-order.ts'

export const openCheck = defineControl({
  name: 'open_check',
  method: 'POST',
  path: '/sandbox/orders/{order_id}/check/open',
  summary: 'Open a table check for an order, as the staff would',
  description:
    'Only for guests at a table who have no check yet. While it is open the order cannot be completed.',
  input: closed({ order_id: orderId }),
  output: orderMoney,
  cli: {
    command: 'sandbox check open',
    danger: 'write',
    positionals: ['order_id'],
    flags: { order_id: 'order' },
    columns: orderMoneyColumns,
    done: 'The check of order {display_number} is open.',
    next: 'dray sandbox check settle {order_id}',
    examples: ['dray sandbox check open ord_01m7vkystgfp1b10jk5dh9yvxy'],
  },
  run: ({ write }, { order_id }) =>
    write(async (tx, { world }, now) => {
      const order = await holdOrder(tx, world, now, order_id)
      await changeOrder(tx, order, () => open({ tx, world, at: now }, order))
      return showOrderMoney(tx, order)
    }),
})
