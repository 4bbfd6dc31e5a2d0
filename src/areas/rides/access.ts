import { ACCOUNT, ownedBy } from '../../core/owned.ts'
import { findRide, lockRide } from './queries/rides.ts'
import { RIDE } from './resource.ts'
import { ride, rideId } from './schema.ts'
import { serializeRide } from './views.ts'

export const OWN_RIDE = ownedBy(ACCOUNT, {
  resource: RIDE,
  path: '/v1/rides',
  scopes: { read: 'rides.read', act: 'rides.read' },
  id: rideId,
  output: ride,
  find: findRide,
  lock: lockRide,
  ownerOf: ({ account_id }) => account_id,
  hint: '`dray rides list` shows your rides.',
  serialize: ({ tx, now }, record) => serializeRide(tx, record, now),
})
