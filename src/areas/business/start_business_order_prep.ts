import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { startPrep } from '../orders/lifecycle/order.ts'
import { orderId } from '../orders/schema.ts'
import { actionColumns, actionDetails, internalNote, prepTimeMinutes } from './order-action.ts'
import { actOnOwnOrder } from './own-order.ts'
import { businessOrder } from './schema.ts'

export const startBusinessOrderPrep = defineOperation({
  name: 'start_business_order_prep',
  area: 'business',
  summary: 'Start preparing an order',
  description: 'Allowed once the order is accepted. The customer sees it at once.',
  method: 'POST',
  path: '/v1/business/orders/{order_id}/preparing',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'once',
  input: strictObject({ order_id: orderId, prep_time_minutes: prepTimeMinutes, note: internalNote }),
  output: businessOrder,
  errors: ['order_not_found', 'invalid_state'],
  example: (done) => ({ order_id: done['order_to_accept'].order_id }),
  cli: {
    command: 'business orders prepare',
    danger: 'write',
    positionals: ['order_id'],
    flags: { prep_time_minutes: 'prep' },
    columns: actionColumns,
    details: actionDetails,
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  run(context, { order_id, ...given }) {
    const { tx, world, now } = context
    return actOnOwnOrder(context, order_id, (order) => startPrep({ tx, world, at: now }, order, given))
  },
})
