import { defineOperation } from '../../operation.ts'
import { orderId } from '../order-schema.ts'
import { closed } from '../schema.ts'
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
  example: { order_id: 'ord_01m7vkystgfp1b10jk5dh9yvxy' },
  cli: {
    command: 'food show',
    danger: 'read',
    positionals: ['order_id'],
    last: true,
    columns: [
      { field: 'display_number', label: 'Order' },
      { field: 'order_id', label: 'Id' },
      { field: 'merchant.name', label: 'From' },
      { field: 'merchant.phone', label: 'Phone' },
      { field: 'status' },
      { field: 'fulfillment_type', label: 'How' },
      { field: 'lines' },
      { field: 'subtotal' },
      { field: 'fees_total', label: 'Fees' },
      { field: 'discount_total', label: 'Discount' },
      { field: 'total' },
      { field: 'payment.method', label: 'Paid by' },
      { field: 'payment.status', label: 'Payment' },
      { field: 'refund.amount', label: 'Refund' },
      { field: 'refund.status', label: 'Refund status' },
      { field: 'courier.name', label: 'Courier' },
      { field: 'courier.vehicle_type', label: 'Comes by' },
      { field: 'courier.eta_at', label: 'There at' },
      { field: 'dropoff.address', label: 'To' },
      { field: 'table.table_number', label: 'Table' },
      { field: 'slot.starts_at', label: 'For' },
      { field: 'estimated_ready_at', label: 'Ready by' },
      { field: 'estimated_delivery_at', label: 'Arrives by' },
      { field: 'completed_at', label: 'Completed' },
      { field: 'rejection.reason_code', label: 'Rejected because' },
      { field: 'rejection.note', label: 'Store says' },
      { field: 'cancellation.reason_code', label: 'Cancelled because' },
      { field: 'cancellable', label: 'Can be cancelled' },
    ],
    next: 'dray food track {order_id}',
    examples: [
      'dray food show',
      'dray food show X7KH',
      'dray food show ord_01m7vkystgfp1b10jk5dh9yvxy --json',
    ],
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  async run(context, { order_id }) {
    return viewFoodOrder(context.tx, await loadOwnOrder(context, order_id), context.now)
  },
})
