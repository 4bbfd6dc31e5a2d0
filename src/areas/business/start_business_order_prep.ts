import { startPrep } from '../orders/lifecycle/order.ts'
import {
  ORDER_ACTION_LIST_COLUMNS,
  ORDER_ACTION_DETAIL_COLUMNS,
  internalNote,
  prepTimeMinutes,
} from './order-action.ts'
import { OWN_STORE_ORDER } from './own-order.ts'

export const startBusinessOrderPrep = OWN_STORE_ORDER.action({
  name: 'start_business_order_prep',
  summary: 'Start preparing an order',
  description: 'Allowed once the order is accepted. The customer sees it at once.',
  below: '/preparing',
  spends: { how: 'nothing' },
  repetition: 'once',
  input: { prep_time_minutes: prepTimeMinutes, note: internalNote },
  errors: ['invalid_state'],
  example: (done) => ({ order_id: done['order_to_accept'].order_id }),
  cli: {
    command: 'business orders prepare',
    flags: { prep_time_minutes: 'prep' },
    columns: ORDER_ACTION_LIST_COLUMNS,
    details: ORDER_ACTION_DETAIL_COLUMNS,
  },
  act: startPrep,
})
