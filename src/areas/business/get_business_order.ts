import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { orderId } from '../orders/schema.ts'
import { serializeBusinessOrder } from './order-views.ts'
import { loadStoreOrder } from './own-order.ts'
import { businessOrder } from './schema.ts'

export const getBusinessOrder = defineOperation({
  name: 'get_business_order',
  area: 'business',
  summary: 'Show one order of your store: lines, history, allowed actions',
  method: 'GET',
  path: '/v1/business/orders/{order_id}',
  scope: 'orders.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ order_id: orderId }),
  output: businessOrder,
  errors: ['order_not_found'],
  example: (done) => ({ order_id: done['order_to_accept'].order_id }),
  cli: {
    command: 'business orders show',
    danger: 'read',
    positionals: ['order_id'],
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  async run(context, { order_id }) {
    return serializeBusinessOrder(context.tx, await loadStoreOrder(context, order_id), context.now)
  },
})
