import { openTableCheck } from '../../areas/orders/lifecycle/check.ts'
import { strictObject } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import { changeOrderMoney, namedOrderId, orderMoney, orderMoneyColumns } from './named-order.ts'

export const openCheck = defineControl({
  name: 'open_check',
  method: 'POST',
  path: '/sandbox/orders/{order_id}/check/open',
  summary: 'Open a table check for an order, as the staff would',
  description:
    'The order must be dine-in and have no bill yet. While the bill is open, the order cannot be completed.',
  input: strictObject({ order_id: namedOrderId }),
  output: orderMoney,
  errors: ['order_not_found', 'invalid_state'],
  example: (done) => ({ order_id: done['order_at_table'].order_id }),
  cli: {
    command: 'sandbox check open',
    danger: 'write',
    positionals: ['order_id'],
    flags: { order_id: 'order' },
    columns: orderMoneyColumns,
    done: 'The check of order {display_number} is open.',
    next: 'dray sandbox check settle {display_number}',
    examples: ['dray sandbox check open ord_01m7vkystgfp1b10jk5dh9yvxy'],
  },
  run: (context, { order_id }) => changeOrderMoney(context, order_id, openTableCheck),
})
