import { defineResource } from '../../core/resource.ts'
import { BOOKING_STATUSES, isBookingOver } from './states.ts'

export const BOOKING = defineResource({
  area: 'services',
  noun: 'booking',
  id: 'booking_id',
  prefix: 'bkg',
  notFound: 'booking_not_found',
  quote: 'quote_service',
  held: { kind: 'service', ms: 900_000 },
  creates: ['book_service'],
  show: 'get_service_booking',
  cancel: 'cancel_booking',
  shared: 'booking',
  life: {
    success: 'completed',
    cancelled: 'cancelled',
    final: BOOKING_STATUSES.filter(isBookingOver),
    track: 'dray services track',
    suggestedAdvance: '1d',
  },
  events: {
    name: 'service_booking',
    scope: 'services.read',
    words: [...BOOKING_STATUSES, 'moved', 'problem_reported'],
  },
  last: {
    none: 'No bookings on this machine yet.',
    hint: '`dray services book` makes one; `dray recent` lists bookings made on this machine.',
  },
  find: 'search_service_providers',
  starts: 'get_provider_availability',
})
