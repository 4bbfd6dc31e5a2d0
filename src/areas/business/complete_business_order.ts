import * as Type from 'typebox'
import { nonBlankText } from '../../core/schema.ts'
import { completeOrder } from '../orders/lifecycle/order.ts'
import { ORDER_ACTION_LIST_COLUMNS, ORDER_ACTION_DETAIL_COLUMNS, internalNote } from './order-action.ts'
import { OWN_STORE_ORDER } from './own-order.ts'

export const completeBusinessOrder = OWN_STORE_ORDER.action({
  name: 'complete_business_order',
  summary: 'Complete an order',
  description: 'For pickup and dine-in, once the order is accepted. A table bill must be closed first.',
  details: 'Cash counts as paid from then on. The courier completes a delivery.',
  below: '/complete',
  spends: { how: 'nothing' },
  repetition: 'once',
  input: {
    note: internalNote,
    collected_by_name: Type.Optional(
      nonBlankText(100, { description: 'Name of the person who collected it' }),
    ),
  },
  errors: ['fulfillment_type_mismatch', 'invalid_state', 'table_check_open', 'payment_required'],
  example: (done) => ({ order_id: done['order_to_accept'].order_id, collected_by_name: 'Priya' }),
  cli: {
    command: 'business orders complete',
    flags: { collected_by_name: 'collected-by' },
    columns: ORDER_ACTION_LIST_COLUMNS,
    details: ORDER_ACTION_DETAIL_COLUMNS,
  },
  act: completeOrder,
})
