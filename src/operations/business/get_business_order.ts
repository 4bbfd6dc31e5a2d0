import { defineOperation } from '../../operation.ts'
import { orderId } from '../order-schema.ts'
import { closed } from '../schema.ts'
import { viewBusinessOrder } from './order-views.ts'
import { loadOwnOrder } from './own-order.ts'
import { businessOrder } from './schema.ts'

export const getBusinessOrder = defineOperation({
  name: 'get_business_order',
  area: 'business',
  summary: 'Show one order of your store: its lines, its history, what can be done with it',
  method: 'GET',
  path: '/v1/business/orders/{order_id}',
  scope: 'orders.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({ order_id: orderId }),
  output: businessOrder,
  errors: ['order_not_found'],
  example: { order_id: 'ord_01m7vkystgfp1b10jk5dh9yvxy' },
  cli: {
    command: 'business orders show',
    danger: 'read',
    positionals: ['order_id'],
    columns: [
      { field: 'display_number', label: 'Order' },
      { field: 'order_id', label: 'Id' },
      { field: 'placed_at', label: 'Placed' },
      { field: 'status' },
      { field: 'fulfillment_type', label: 'How' },
      { field: 'customer.first_name', label: 'Customer' },
      { field: 'customer.phone_masked', label: 'Phone' },
      { field: 'customer.orders_count', label: 'Orders here' },
      { field: 'lines' },
      { field: 'notes' },
      { field: 'total' },
      { field: 'payment.method', label: 'Paid by' },
      { field: 'payment.status', label: 'Payment' },
      { field: 'refund.amount', label: 'Refund' },
      { field: 'refund.status', label: 'Refund status' },
      { field: 'table.table_number', label: 'Table' },
      { field: 'table.check.status', label: 'Check' },
      { field: 'table.check.balance', label: 'To pay' },
      { field: 'slot.starts_at', label: 'For' },
      { field: 'prep.estimated_ready_at', label: 'Ready by' },
      { field: 'delivery.status', label: 'Delivery' },
      { field: 'delivery.courier.name', label: 'Courier' },
      { field: 'delivery.courier.eta_at', label: 'Courier there at' },
      { field: 'rejection.reason_code', label: 'Rejected because' },
      { field: 'allowed_actions', label: 'Can be' },
    ],
    examples: [
      'dray business orders show ord_01m7vkystgfp1b10jk5dh9yvxy',
      'dray business orders show ord_01m7vkystgfp1b10jk5dh9yvxy --json',
    ],
  },
  touches: ({ order_id }) => ({ resource: order_id }),
  async run(context, { order_id }) {
    return viewBusinessOrder(context.tx, await loadOwnOrder(context, order_id), context.now)
  },
})
