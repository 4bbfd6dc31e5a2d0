import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, nonBlankText } from '../../core/schema.ts'
import { markReady } from '../orders/lifecycle/order.ts'
import { orderId } from '../orders/schema.ts'
import { actionColumns, actionDetails, internalNote } from './order-action.ts'
import { actOnOwnOrder } from './own-order.ts'
import { businessOrder } from './schema.ts'

export const markBusinessOrderReady = defineOperation({
  name: 'mark_business_order_ready',
  area: 'business',
  summary: 'Mark an order as ready',
  description: 'Allowed once the order is accepted. A delivery gets its courier.',
  method: 'POST',
  path: '/v1/business/orders/{order_id}/ready',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'once',
  input: strictObject({
    order_id: orderId,
    note: internalNote,
    collection_instructions: Type.Optional(
      nonBlankText(300, { description: 'Instructions for the courier at the store' }),
    ),
  }),
  output: businessOrder,
  errors: ['order_not_found', 'invalid_state'],
  example: (done) => ({ order_id: done['order_to_accept'].order_id, collection_instructions: 'Side door' }),
  cli: {
    command: 'business orders ready',
    danger: 'write',
    positionals: ['order_id'],
    flags: { collection_instructions: 'instructions' },
    columns: actionColumns,
    details: actionDetails,
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  run(context, { order_id, ...given }) {
    const { tx, world, now } = context
    return actOnOwnOrder(context, order_id, (order) => markReady({ tx, world, at: now }, order, given))
  },
})
