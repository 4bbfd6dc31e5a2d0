import { OWN_BOOKING } from './access.ts'

export const getServiceBooking = OWN_BOOKING.show({
  name: 'get_service_booking',
  summary: 'Show one of your bookings: status, provider, price',
  example: (done) => ({ booking_id: done['book_service'].booking_id }),
  cli: {
    command: 'services show',
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
      'cancellation.fee',
      'cancellation_fee',
      'movable_until',
      'cancellation_policy',
    ],
  },
})
