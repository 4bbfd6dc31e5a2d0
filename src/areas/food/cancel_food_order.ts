import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, nonBlankText } from '../../core/schema.ts'
import { cancelOrder } from '../orders/lifecycle/order.ts'
import { orderId } from '../orders/schema.ts'
import { loadCustomerOrder } from './access.ts'
import { foodOrder, orderCancelReason } from './schema.ts'
import { serializeFoodOrder } from './views.ts'

export const cancelFoodOrder = defineOperation({
  name: 'cancel_food_order',
  area: 'food',
  summary: 'Cancel an order that the store has not started',
  description:
    'Allowed while the order is placed or accepted. Refunds the full amount to the original payment method.',
  details: 'Frees the reserved slot.',
  method: 'POST',
  path: '/v1/food/orders/{order_id}/cancel',
  scope: 'food.read',
  entitlement: 'none',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'once',
  input: strictObject({
    order_id: orderId,
    reason_code: Type.Optional(orderCancelReason),
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  }),
  output: foodOrder,
  errors: ['order_not_found', 'not_cancellable'],
  example: (done) => ({ order_id: done['place_food_order'].order_id, reason_code: 'changed_mind' }),
  cli: {
    command: 'food cancel',
    danger: 'destructive',
    positionals: ['order_id'],
    last: true,
    flags: { reason_code: 'reason' },
    columns: [
      'display_number',
      'merchant.name',
      'status',
      'total',
      'payment.status',
      'refund.amount',
      'refund.destination',
      'refund.status',
    ],
    done: 'Cancelled order {display_number}.',
    next: 'dray food show {display_number}',
    examples: [
      'dray food cancel X7KH --reason changed_mind',
      'dray food cancel ord_01m7vkystgfp1b10jk5dh9yvxy --confirm ord_01m7vkystgfp1b10jk5dh9yvxy',
    ],
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  async run(context, { order_id, reason_code = 'other', note = null }) {
    const { tx, world, now } = context
    const order = await loadCustomerOrder(context, order_id, { lock: true })
    await cancelOrder({ tx, world, at: now }, order, { reason_code, note })
    return serializeFoodOrder(tx, order, now)
  },
})
