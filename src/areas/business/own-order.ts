import { ownedBy } from '../../core/owned.ts'
import { findOrder, lockOrder } from '../orders/queries/orders.ts'
import { orderId } from '../orders/schema.ts'
import { BUSINESS_AGREEMENT } from './access.ts'
import { serializeBusinessOrder } from './order-views.ts'
import { STORE_ORDER } from './resource.ts'
import { businessOrder } from './schema.ts'

/** An order, as its store sees it. */
export const OWN_STORE_ORDER = ownedBy(BUSINESS_AGREEMENT, {
  resource: STORE_ORDER,
  path: '/v1/business/orders',
  scopes: { read: 'orders.read', act: 'orders.manage' },
  id: orderId,
  output: businessOrder,
  find: findOrder,
  lock: lockOrder,
  ownerOf: ({ doc }) => doc.merchant.agreement_id,
  hint: '`dray business orders list` shows your orders.',
  serialize: ({ tx, now }, order) => serializeBusinessOrder(tx, order, now),
})
