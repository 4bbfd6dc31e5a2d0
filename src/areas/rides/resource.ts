import { defineResource } from '../../core/resource.ts'
import { isRideOver, RIDE_STATUSES } from './states.ts'

export const RIDE = defineResource({
  area: 'rides',
  noun: 'ride',
  id: 'ride_id',
  prefix: 'rid',
  notFound: 'ride_not_found',
  quote: 'quote_ride',
  held: { kind: 'ride', ms: 300_000 },
  creates: ['request_ride'],
  show: 'get_ride',
  list: 'list_rides',
  cancel: 'cancel_ride',
  shared: 'ride',
  life: {
    success: 'completed',
    cancelled: 'cancelled',
    final: RIDE_STATUSES.filter(isRideOver),
    track: 'dray rides track',
    suggestedAdvance: '5m',
  },
  events: { name: 'ride', scope: 'rides.read', words: [...RIDE_STATUSES, 'delayed', 'problem_reported'] },
  last: {
    none: 'No rides yet.',
    hint: '`dray rides request` requests one.',
  },
  find: 'search_ride_options',
})
