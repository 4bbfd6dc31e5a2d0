/** Providers, slots, quotes and bookings as customers see them (`contract.md` B6). */
import * as Type from 'typebox'
import { whyEmpty } from '../../core/empty-reason.ts'
import { localTimes } from '../../core/local-times.ts'
import {
  aside,
  by,
  closed,
  CODE,
  contact,
  createdAt,
  group,
  idOf,
  instant,
  labelled,
  means,
  money,
  named,
  nameText,
  nullable,
  phoneMasked,
  place,
  point,
  quoteFields,
  remark,
  slot as window,
  statusHistory,
  updatedAt,
} from '../../core/schema.ts'
import { confirmTerms, payment, refundMembers, taxIncludedField } from '../payments/schema.ts'
import { media } from '../proofs/schema.ts'
import {
  MAX_SERVICE_MINUTES,
  NO_STARTS,
  PRICING_MODELS,
  SERVICE_LINES,
  MIN_SERVICE_MINUTES,
} from './rules.ts'
import { BOOKING_QUOTE_TIMES, BOOKING_STATUSES, BOOKING_TIMES, SERVICE_CATEGORIES } from './states.ts'

export const providerId = idOf('Provider')

export const serviceCode = Type.String({
  minLength: 1,
  maxLength: 40,
  ...CODE,
  pattern: '^[a-z0-9]+(_[a-z0-9]+)*$',
  errorMessage: 'must be a service such as deep_clean',
  description: 'Service code, such as deep_clean',
})

export const durationMinutes = Type.Integer({
  minimum: MIN_SERVICE_MINUTES,
  maximum: MAX_SERVICE_MINUTES,
  description: 'Duration in minutes',
})

export const category = Type.Enum(SERVICE_CATEGORIES, { description: 'Service category' })

export const startsAt = Type.String({
  format: 'date-time',
  description: 'Start time, one of those of get_provider_availability',
})

export const provider = named('Provider', {
  provider_id: Type.String({ meaning: 'Provider' }),
  name: by('worker', nameText),
  categories: Type.Array(Type.Enum(SERVICE_CATEGORIES), { meaning: 'Service categories' }),
  services: Type.Array(
    closed({
      service_code: Type.String({ meaning: 'Service code, such as deep_clean' }),
      name: by('worker', nameText),
      description: by('worker', Type.String({ meaning: 'Short description' })),
      pricing: group('Pricing', {
        model: Type.Enum(PRICING_MODELS, { meaning: 'Pricing model' }),
        price: means('Price', money),
        minimum_minutes: Type.Integer({ meaning: 'Minimum billed minutes' }),
        callout_fee: means('Call-out fee', money),
      }),
      default_duration_minutes: Type.Integer({ meaning: 'Default duration in minutes' }),
      buffer_minutes: Type.Integer({ meaning: 'Minutes kept free after each job' }),
      slot_required: Type.Boolean({ meaning: 'True if a start time must be chosen' }),
    }),
    { meaning: 'Services' },
  ),
  rating: nullable('Rating from 1 to 5; null without ratings', Type.Number()),
  rating_count: Type.Integer({ meaning: 'Number of ratings' }),
  languages: by('worker', Type.Array(Type.String(), { meaning: 'Languages' })),
  verified: Type.Boolean({ meaning: 'True if the identity is verified' }),
  base_location: means('Base location', point),
  travel: group('Travel area and charges', {
    radius_m: Type.Integer({ meaning: 'Radius in metres' }),
    free_radius_m: Type.Integer({ meaning: 'Free travel radius in metres' }),
    per_km: means('Price per kilometre', money),
  }),
  timezone: Type.String({ meaning: 'Local time zone (IANA)' }),
  distance_m: Type.Integer({ minimum: 0, meaning: 'Distance from the search place in metres' }),
  availability: group('Availability', {
    available_now: Type.Boolean({ meaning: 'True if available now' }),
    next_available_at: nullable('Next available time', instant, 'Next available'),
    as_of: means('Time of this information', instant),
  }),
  cancellation_policy: by('worker', Type.String({ meaning: 'Cancellation policy' })),
})

const slot = closed({
  provider_id: Type.String({ meaning: 'Provider' }),
  starts_at: means('Start time', instant, 'Starts at'),
  ends_at: means('End time, excluded', instant, 'Ends at'),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes', label: 'Minutes' }),
  local_start: Type.String({ meaning: 'Start in local time', label: 'Start' }),
})

/** The starts of one date; two rows stand for a date on which the clocks change between two starts. */
const day = closed({
  date: Type.String({ format: 'date', meaning: 'Date, in the provider’s time zone' }),
  utc_offset: Type.String({ meaning: 'UTC offset of the local times' }),
  starts: Type.Array(Type.String(), { meaning: 'Free start times, local' }),
})

/** A start; with `view: days` a day, for which only agents ask: the types of our own callers are those of starts. */
const slotOrDay = Type.Unsafe<Type.Static<typeof slot>>(Type.Union([slot, day]))

export const availability = closed({
  provider_id: Type.String({ meaning: 'Provider' }),
  timezone: Type.String({ meaning: 'Local time zone (IANA)' }),
  granularity_minutes: Type.Integer({ meaning: 'Minutes between starts' }),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes' }),
  date: Type.String({ format: 'date', meaning: 'Date, in the provider’s time zone' }),
  as_of: means('Time of this information', instant),
  data: Type.Array(slotOrDay, { meaning: 'Rows of this page' }),
  has_more: Type.Literal(false, { meaning: 'True if more pages follow' }),
  next_cursor: Type.Null({ meaning: 'Cursor for the next page; null on the last page' }),
  empty: whyEmpty(NO_STARTS, 'worker'),
})

const lines = Type.Array(
  closed({
    type: Type.Enum(SERVICE_LINES, { meaning: 'Type of the line' }),
    amount: means('Amount of the line; for a discount, the amount deducted', money),
  }),
  { meaning: 'Price lines' },
)

export const serviceQuote = closed({
  ...quoteFields('service'),
  provider_id: Type.String({ meaning: 'Provider' }),
  provider_name: by('worker', Type.String({ meaning: 'Name of the provider', label: 'Provider' })),
  service_code: Type.String({ meaning: 'Service code, such as deep_clean' }),
  service_name: by('worker', Type.String({ meaning: 'Name of the service', label: 'Service' })),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes' }),
  place: means('Service address', place),
  starts_at: nullable('Start time', instant),
  lines,
  total: means('Total', money),
  tax_included: taxIncludedField,
  slot_required: Type.Boolean({ meaning: 'True if a start time must be chosen' }),
  cancellation_policy: by('worker', Type.String({ meaning: 'Cancellation policy' })),
  estimated_arrival_window: nullable('Estimated arrival window of the provider', window),
  ...confirmTerms,
  ...localTimes(BOOKING_QUOTE_TIMES),
})

const bookingStatus = Type.Enum(BOOKING_STATUSES, { meaning: 'Status' })
const actor = Type.Enum(['customer', 'provider', 'system'] as const)

export const serviceBooking = named('ServiceBooking', {
  booking_id: Type.String({ meaning: 'Booking' }),
  quote_id: Type.String({ meaning: 'Quote' }),
  status: bookingStatus,
  provider: group('Provider; null until one is assigned', {
    provider_id: Type.String({ meaning: 'Provider' }),
    name: by('worker', labelled('Provider', nameText)),
    phone_masked: phoneMasked,
    photo_url: nullable('Photo URL', Type.String()),
  }),
  service_code: Type.String({ meaning: 'Service code, such as deep_clean' }),
  service_name: by('worker', Type.String({ meaning: 'Name of the service', label: 'Service' })),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes', label: 'Minutes' }),
  slot: nullable('Reserved slot', window),
  preferred_window: nullable('Preferred window', window),
  arrival_window: nullable('Arrival window', window),
  place: means('Service address', place, 'Place'),
  contact: means('Contact', contact),
  notes: remark,
  access_notes: nullable('Access notes', Type.String()),
  price: means('Price', money),
  lines: aside(lines),
  tax_included: taxIncludedField,
  payment: means('Payment', payment),
  ...refundMembers,
  provider_location: nullable('Location of the provider; null unless on the way', point),
  eta_at: nullable('Estimated time of arrival', instant, 'ETA'),
  en_route_at: nullable('Departure time; null until then', instant),
  arrived_at: nullable('Arrival time', instant),
  started_at: nullable('Start time; null until then', instant),
  completed_at: nullable('Completion time; null until then', instant),
  completion: nullable(
    'Result; null until completed',
    closed({
      summary: by('worker', Type.String({ meaning: 'Summary of the work', label: 'Done' })),
      media: Type.Array(media, { meaning: 'Captured files' }),
    }),
  ),
  cancellation: nullable(
    'Cancellation; null if not cancelled',
    closed({
      by: means('Actor', actor),
      reason_code: Type.String({ meaning: 'Reason code', label: 'Reason' }),
      note: by('worker', remark),
      at: means('Time of cancellation', instant),
    }),
  ),
  status_history: statusHistory(bookingStatus, actor),
  created_at: createdAt,
  updated_at: updatedAt,
  ...localTimes(BOOKING_TIMES),
})
