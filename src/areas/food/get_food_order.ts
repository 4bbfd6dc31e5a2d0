import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { orderId } from '../orders/schema.ts'
import { loadCustomerOrder } from './access.ts'
import { foodOrder } from './schema.ts'
import { serializeFoodOrder } from './views.ts'

export const getFoodOrder = defineOperation({
  name: 'get_food_order',
  area: 'food',
  summary: 'Show one of your orders: status, courier, price',
  method: 'GET',
  path: '/v1/food/orders/{order_id}',
  scope: 'food.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ order_id: orderId }),
  output: foodOrder,
  errors: ['order_not_found'],
  example: (done) => ({ order_id: done['place_food_order'].order_id }),
  cli: {
    command: 'food show',
    danger: 'read',
    columns: [
      'display_number',
      'order_id',
      'merchant.name',
      'merchant.phone',
      'status',
      'fulfillment_type',
      'dropoff',
      'merchant.address',
      'table.table_number',
      // A slot's schema serves several fields.
      { field: 'slot.starts_at', label: 'Slot' },
      'estimated_ready_at',
      'estimated_delivery_at',
      'courier.name',
      'courier.vehicle_type',
      'courier.eta_at',
      'completed_at',
      'proof_of_delivery.method',
      'lines',
      'subtotal',
      'fees_total',
      'discount_total',
      'total',
      'charged',
      'payment.method',
      'payment.status',
      'refunded',
      'refund.status',
      { field: 'rejection.reason_code', label: 'Rejection reason' },
      'rejection.note',
      { field: 'cancellation.reason_code', label: 'Cancellation reason' },
      'cancellable',
    ],
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  async run(context, { order_id }) {
    return serializeFoodOrder(context.tx, await loadCustomerOrder(context, order_id), context.now)
  },
})
