import * as Type from 'typebox'
import { nonBlankText } from '../../core/schema.ts'
import { markReady } from '../orders/lifecycle/order.ts'
import { ORDER_ACTION_LIST_COLUMNS, ORDER_ACTION_DETAIL_COLUMNS, internalNote } from './order-action.ts'
import { OWN_STORE_ORDER } from './own-order.ts'

export const markBusinessOrderReady = OWN_STORE_ORDER.action({
  name: 'mark_business_order_ready',
  summary: 'Mark an order as ready',
  description: 'Allowed once the order is accepted. A delivery gets its courier.',
  below: '/ready',
  spends: { how: 'nothing' },
  repetition: 'once',
  input: {
    note: internalNote,
    collection_instructions: Type.Optional(
      nonBlankText(300, { description: 'Instructions for the courier at the store' }),
    ),
  },
  errors: ['invalid_state'],
  example: (done) => ({ order_id: done['order_to_accept'].order_id, collection_instructions: 'Side door' }),
  cli: {
    command: 'business orders ready',
    flags: { collection_instructions: 'instructions' },
    columns: ORDER_ACTION_LIST_COLUMNS,
    details: ORDER_ACTION_DETAIL_COLUMNS,
  },
  act: markReady,
})
