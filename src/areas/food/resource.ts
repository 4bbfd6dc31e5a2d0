import { defineResource } from '../../core/resource.ts'
import { isOrderOver, ORDER_NEWS_EVENTS, ORDER_STATUSES } from '../orders/states.ts'

export const FOOD_ORDER = defineResource({
  area: 'food',
  noun: 'order',
  bought: 'food order',
  id: 'order_id',
  prefix: 'ord',
  notFound: 'order_not_found',
  quote: 'quote_food_order',
  held: { kind: 'food', ms: 900_000 },
  creates: ['place_food_order'],
  show: 'get_food_order',
  list: 'list_food_orders',
  cancel: 'cancel_food_order',
  shared: 'order',
  life: {
    success: 'completed',
    cancelled: 'cancelled',
    final: ORDER_STATUSES.filter(isOrderOver),
    track: 'dray food track',
    suggestedAdvance: '15m',
  },
  events: { name: 'food_order', scope: 'food.read', words: [...ORDER_STATUSES, ...ORDER_NEWS_EVENTS] },
  find: 'search_restaurants',
  menu: 'get_restaurant_menu',
  starts: 'quote_food_order',
})
