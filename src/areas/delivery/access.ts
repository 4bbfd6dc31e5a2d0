import { ACCOUNT, ownedBy } from '../../core/owned.ts'
import { findDelivery, lockDelivery } from '../couriers/queries/deliveries.ts'
import { DELIVERY } from './resource.ts'
import { delivery, deliveryId } from './schema.ts'
import { serializeDelivery } from './views.ts'

export const OWN_DELIVERY = ownedBy(ACCOUNT, {
  resource: DELIVERY,
  path: '/v1/deliveries',
  scopes: { read: 'delivery.read', act: 'delivery.read' },
  id: deliveryId,
  output: delivery,
  find: findDelivery,
  lock: lockDelivery,
  ownerOf: ({ account_id }) => account_id,
  hint: '`dray recent` lists what you created on this machine.',
  serialize: ({ tx, now }, record) => serializeDelivery(tx, record, now),
})
