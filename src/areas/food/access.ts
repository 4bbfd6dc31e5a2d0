import { ACCOUNT, ownedBy } from '../../core/owned.ts'
import { findOrder, lockOrder } from '../orders/queries/orders.ts'
import { orderId } from '../orders/schema.ts'
import { FOOD_ORDER } from './resource.ts'
import { foodOrder } from './schema.ts'
import { serializeFoodOrder } from './views.ts'

/** An order, as its customer sees it. */
export const OWN_FOOD_ORDER = ownedBy(ACCOUNT, {
  resource: FOOD_ORDER,
  path: '/v1/food/orders',
  scopes: { read: 'food.read', act: 'food.read' },
  id: orderId,
  output: foodOrder,
  find: findOrder,
  lock: lockOrder,
  ownerOf: ({ account_id }) => account_id,
  hint: '`dray food list` shows your orders.',
  serialize: ({ tx, now }, order) => serializeFoodOrder(tx, order, now),
})
