import { defineResource } from '../../core/resource.ts'
import { isOrderOver, ORDER_NEWS_EVENTS, ORDER_STATUSES } from '../orders/states.ts'

/** A customer's order, as its store sees it. */
export const STORE_ORDER = defineResource({
  area: 'business',
  noun: 'order',
  id: 'order_id',
  prefix: 'ord',
  notFound: 'order_not_found',
  creates: [],
  show: 'get_business_order',
  list: 'list_business_orders',
  cancel: 'reject_business_order',
  changes: [
    'accept_business_order',
    'start_business_order_prep',
    'mark_business_order_ready',
    'complete_business_order',
    'adjust_business_order',
    'answer_order_problem',
    'tick_order_lines',
  ],
  life: {
    success: 'completed',
    cancelled: 'rejected',
    final: ORDER_STATUSES.filter(isOrderOver),
    track: 'dray business orders show',
    suggestedAdvance: '15m',
  },
  events: { name: 'business_order', scope: 'orders.read', words: [...ORDER_STATUSES, ...ORDER_NEWS_EVENTS] },
  menu: 'list_catalog_items',
})

export const CATALOG_ITEM = defineResource({
  area: 'business',
  noun: 'item',
  id: 'item_id',
  prefix: 'itm',
  notFound: 'item_not_found',
  creates: ['create_catalog_item'],
  list: 'list_catalog_items',
  changes: ['update_catalog_item', 'set_catalog_item_availability', 'delete_catalog_item'],
})
