import { ACCOUNT, ownedBy } from '../../core/owned.ts'
import { findBooking, lockBooking } from './queries/bookings.ts'
import { BOOKING } from './resource.ts'
import { bookingId, serviceBooking } from './schema.ts'
import { serializeBooking } from './views.ts'

export const OWN_BOOKING = ownedBy(ACCOUNT, {
  resource: BOOKING,
  path: '/v1/services/bookings',
  scopes: { read: 'services.read', act: 'services.read' },
  id: bookingId,
  output: serviceBooking,
  find: findBooking,
  lock: lockBooking,
  ownerOf: ({ account_id }) => account_id,
  hint: '`dray recent` lists bookings made on this machine.',
  serialize: ({ tx, now }, record) => serializeBooking(tx, record, now),
})
