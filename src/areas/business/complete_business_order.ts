import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, nonBlankText } from '../../core/schema.ts'
import { completeOrder } from '../orders/lifecycle/order.ts'
import { orderId } from '../orders/schema.ts'
import { actionColumns, actionDetails, internalNote } from './order-action.ts'
import { actOnOwnOrder } from './own-order.ts'
import { businessOrder } from './schema.ts'

export const completeBusinessOrder = defineOperation({
  name: 'complete_business_order',
  area: 'business',
  summary: 'Complete an order',
  description: 'For pickup and dine-in, once the order is accepted. A table bill must be closed first.',
  details: 'Cash counts as paid from then on. The courier completes a delivery.',
  method: 'POST',
  path: '/v1/business/orders/{order_id}/complete',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'once',
  input: strictObject({
    order_id: orderId,
    note: internalNote,
    collected_by_name: Type.Optional(
      nonBlankText(100, { description: 'Name of the person who collected it' }),
    ),
  }),
  output: businessOrder,
  errors: [
    'order_not_found',
    'fulfillment_type_mismatch',
    'invalid_state',
    'table_check_open',
    'payment_required',
  ],
  example: (done) => ({ order_id: done['order_to_accept'].order_id, collected_by_name: 'Priya' }),
  cli: {
    command: 'business orders complete',
    danger: 'write',
    positionals: ['order_id'],
    flags: { collected_by_name: 'collected-by' },
    columns: actionColumns,
    details: actionDetails,
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  run(context, { order_id, ...given }) {
    const { tx, world, now } = context
    return actOnOwnOrder(context, order_id, (order) => completeOrder({ tx, world, at: now }, order, given))
  },
})
