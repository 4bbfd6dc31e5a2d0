import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { acceptOrder } from '../orders/lifecycle/order.ts'
import { orderId } from '../orders/schema.ts'
import { actionColumns, actionDetails, leaveOrder, internalNote, prepTimeMinutes } from './order-action.ts'
import { actOnOwnOrder } from './own-order.ts'
import { businessOrder } from './schema.ts'

export const acceptBusinessOrder = defineOperation({
  name: 'accept_business_order',
  area: 'business',
  summary: 'Accept an order',
  description: 'Allowed while the order is placed. A card or wallet order must be paid first.',
  details: 'An order that pays at the table gets its bill.',
  method: 'POST',
  path: '/v1/business/orders/{order_id}/accept',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'once',
  input: strictObject({ order_id: orderId, prep_time_minutes: prepTimeMinutes, note: internalNote }),
  output: businessOrder,
  errors: ['order_not_found', 'invalid_state', 'payment_required'],
  exampleNeeds: leaveOrder('to_accept'),
  example: (done) => ({ order_id: done['order_to_accept'].order_id, prep_time_minutes: 20 }),
  cli: {
    command: 'business orders accept',
    danger: 'write',
    positionals: ['order_id'],
    flags: { prep_time_minutes: 'prep' },
    columns: actionColumns,
    details: actionDetails,
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  run(context, { order_id, ...given }) {
    const { tx, world, now } = context
    return actOnOwnOrder(context, order_id, (order) => acceptOrder({ tx, world, at: now }, order, given))
  },
})
