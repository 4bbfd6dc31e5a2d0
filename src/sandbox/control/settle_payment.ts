import { settleCardPayment } from '../../areas/orders/lifecycle/order.ts'
import { strictObject } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import { changeOrderMoney, namedOrderId, orderMoney, orderMoneyColumns } from './named-order.ts'

export const settlePayment = defineControl({
  name: 'settle_payment',
  method: 'POST',
  path: '/sandbox/payments/{order_id}/settle',
  summary: 'Settle an order’s pending card payment',
  description:
    'A tok_pending card settles automatically after 2 minutes. Until then no store can accept the order.',
  input: strictObject({ order_id: namedOrderId }),
  output: orderMoney,
  errors: ['order_not_found', 'invalid_state'],
  example: (done) => ({ order_id: done['order_to_settle'].order_id }),
  cli: {
    command: 'sandbox settle',
    danger: 'write',
    positionals: ['order_id'],
    flags: { order_id: 'order' },
    columns: orderMoneyColumns,
    done: 'Order {display_number} is paid.',
    next: 'dray food show {display_number} --as {account}',
    examples: ['dray sandbox settle ord_01m7vkystgfp1b10jk5dh9yvxy'],
  },
  run: (context, { order_id }) => changeOrderMoney(context, order_id, settleCardPayment),
})
