import { defineOperation } from '../../core/operation.ts'
import { closed } from '../../core/schema.ts'
import { orderId } from '../orders/schema.ts'
import { loadOwnOrder } from './own.ts'
import { foodOrder } from './schema.ts'
import { viewFoodOrder } from './views.ts'

export const getFoodOrder = defineOperation({
  name: 'get_food_order',
  area: 'food',
  summary: 'Show one of your orders: its state, its courier, its price',
  method: 'GET',
  path: '/v1/food/orders/{order_id}',
  scope: 'food.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({ order_id: orderId }),
  output: foodOrder,
  errors: ['order_not_found'],
  example: (done) => ({ order_id: done['place_food_order'].order_id }),
  cli: {
    command: 'food show',
    danger: 'read',
    columns: [
      { field: 'display_number', label: 'Order' },
      { field: 'order_id', label: 'Id' },
      { field: 'merchant.name', label: 'From' },
      { field: 'merchant.phone' },
      { field: 'status' },
      { field: 'fulfillment_type', label: 'How' },
      { field: 'dropoff', label: 'To' },
      { field: 'merchant.address', label: 'At' },
      { field: 'table.table_number', label: 'Table' },
      { field: 'slot.starts_at', label: 'For' },
      { field: 'estimated_ready_at', label: 'Ready by' },
      { field: 'estimated_delivery_at', label: 'Arrives by' },
      { field: 'courier.name', label: 'Courier' },
      { field: 'courier.vehicle_type', label: 'Vehicle' },
      { field: 'courier.eta_at', label: 'There at' },
      { field: 'completed_at' },
      { field: 'proof_of_delivery.method', label: 'Proof' },
      { field: 'lines' },
      { field: 'subtotal' },
      { field: 'fees_total', label: 'Fees' },
      { field: 'discount_total', label: 'Discount' },
      { field: 'total' },
      { field: 'payment.method', label: 'Paid by' },
      { field: 'payment.status', label: 'Payment' },
      { field: 'refund.amount', label: 'Refund' },
      { field: 'refund.status', label: 'Refund status' },
      { field: 'rejection.reason_code', label: 'Rejected because' },
      { field: 'rejection.note', label: 'Store says' },
      { field: 'cancellation.reason_code', label: 'Cancelled because' },
      { field: 'cancellable', label: 'Can be cancelled' },
    ],
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  async run(context, { order_id }) {
    return viewFoodOrder(context.tx, await loadOwnOrder(context, order_id), context.now)
  },
})
