import { settleCard } from '../../areas/orders/life/order.ts'
import { orderId } from '../../areas/orders/schema.ts'
import { closed } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import { holdOrder, orderMoney, showOrderMoney } from './named-order.ts'

export const settlePayment = defineControl({
  name: 'settle_payment',
  method: 'POST',
  path: '/sandbox/payments/{order_id}/settle',
  summary: 'Let the pending card payment of an order come in now',
  input: closed({ order_id: orderId }),
  output: orderMoney,
  run: ({ write }, { order_id }) =>
    write(async (tx, { world }, now) => {
      const order = await holdOrder(tx, world, now, order_id)
      await settleCard(tx, world, now, order)
      return showOrderMoney(tx, order)
    }),
})
