import { acceptOrder } from '../orders/lifecycle/order.ts'
import {
  ORDER_ACTION_LIST_COLUMNS,
  ORDER_ACTION_DETAIL_COLUMNS,
  makeOrderExampleCalls,
  internalNote,
  prepTimeMinutes,
} from './order-action.ts'
import { OWN_STORE_ORDER } from './own-order.ts'

export const acceptBusinessOrder = OWN_STORE_ORDER.action({
  name: 'accept_business_order',
  summary: 'Accept an order',
  description: 'Allowed while the order is placed. A card or wallet order must be paid first.',
  details: 'An order that pays at the table gets its bill.',
  below: '/accept',
  spends: { how: 'nothing' },
  repetition: 'once',
  input: { prep_time_minutes: prepTimeMinutes, note: internalNote },
  errors: ['invalid_state', 'payment_required'],
  exampleNeeds: makeOrderExampleCalls('to_accept'),
  example: (done) => ({ order_id: done['order_to_accept'].order_id, prep_time_minutes: 20 }),
  cli: {
    command: 'business orders accept',
    flags: { prep_time_minutes: 'prep' },
    columns: ORDER_ACTION_LIST_COLUMNS,
    details: ORDER_ACTION_DETAIL_COLUMNS,
  },
  act: acceptOrder,
})
