import { openCheck as open } from '../../areas/orders/life/check.ts'
import { orderId } from '../../areas/orders/schema.ts'
import { closed } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import { holdOrder, orderMoney, showOrderMoney } from './named-order.ts'

export const openCheck = defineControl({
  name: 'open_check',
  method: 'POST',
  path: '/sandbox/orders/{order_id}/check/open',
  summary: 'Open a table check for an order, as the staff would',
  input: closed({ order_id: orderId }),
  output: orderMoney,
  run: ({ write }, { order_id }) =>
    write(async (tx, { world }, now) => {
      const order = await holdOrder(tx, world, now, order_id)
      await open(tx, world, now, order)
      return showOrderMoney(tx, order)
    }),
})
