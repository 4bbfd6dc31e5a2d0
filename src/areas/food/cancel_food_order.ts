import * as Type from 'typebox'
import { nonBlankText } from '../../core/schema.ts'
import { cancelOrder } from '../orders/lifecycle/order.ts'
import { OWN_FOOD_ORDER } from './access.ts'
import { orderCancelReason } from './schema.ts'

export const cancelFoodOrder = OWN_FOOD_ORDER.action({
  name: 'cancel_food_order',
  summary: 'Cancel an order that the store has not started',
  description:
    'Allowed while the order is placed or accepted. Refunds the full amount to the original payment method.',
  details: 'Frees the reserved slot.',
  below: '/cancel',
  spends: { how: 'nothing' },
  repetition: 'once',
  input: {
    reason_code: Type.Optional(orderCancelReason),
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  },
  errors: ['not_cancellable'],
  example: (done) => ({ order_id: done['place_food_order'].order_id, reason_code: 'changed_mind' }),
  cli: {
    command: 'food cancel',
    danger: 'destructive',
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
  act: (scene, order, { reason_code = 'other', note = null }) =>
    cancelOrder(scene, order, { reason_code, note }),
})
