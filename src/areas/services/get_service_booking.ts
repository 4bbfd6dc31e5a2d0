import { defineOperation } from '../../core/operation.ts'
import { strictObject, idParam } from '../../core/schema.ts'
import { loadOwnBooking } from './access.ts'
import { serviceBooking } from './schema.ts'
import { serializeBooking } from './views.ts'

export const getServiceBooking = defineOperation({
  name: 'get_service_booking',
  area: 'services',
  summary: 'Show one of your bookings: status, provider, price',
  method: 'GET',
  path: '/v1/services/bookings/{booking_id}',
  scope: 'services.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    booking_id: idParam('Booking'),
  }),
  output: serviceBooking,
  errors: ['booking_not_found'],
  example: (done) => ({ booking_id: done['book_service'].booking_id }),
  cli: {
    command: 'services show',
    danger: 'read',
    details: [
      'booking_id',
      'service_name',
      'provider.name',
      'provider.phone_masked',
      'status',
      'slot.starts_at',
      'duration_minutes',
      // These schemas serve several fields, and this screen says which one it shows.
      { field: 'preferred_window.starts_at', label: 'Preferred from' },
      { field: 'preferred_window.ends_at', label: 'Preferred to' },
      'eta_at',
      { field: 'place.address', label: 'Service address' },
      'place.name',
      'price',
      'payment.method',
      'payment.status',
      'refunded',
      'refund.status',
      'started_at',
      'completed_at',
      'completion.summary',
      'cancellation.reason_code',
    ],
  },
  touches: ({ booking_id }) => ({ resource: booking_id }),
  async run(context, { booking_id }) {
    return serializeBooking(context.tx, await loadOwnBooking(context, booking_id), context.now)
  },
})
