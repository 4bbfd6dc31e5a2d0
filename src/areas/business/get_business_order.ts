import { OWN_STORE_ORDER } from './own-order.ts'

export const getBusinessOrder = OWN_STORE_ORDER.show({
  name: 'get_business_order',
  summary: 'Show one order of your store: lines, history, allowed actions',
  example: (done) => ({ order_id: done['order_to_accept'].order_id }),
  cli: {
    command: 'business orders show',
    positionals: ['order_id'],
  },
})
