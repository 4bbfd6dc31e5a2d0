/** Providers, slots, quotes and bookings as customers see them (`contract.md` B6). */
import * as Type from 'typebox'
import { whyEmpty } from '../../core/empty.ts'
import { localTimes } from '../../core/local-times.ts'
import {
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
import { confirmTerms, payment, refund, taxIncluded } from '../payments/schema.ts'
import { media } from '../proofs/schema.ts'
import { LONGEST_MINUTES, NO_STARTS, PRICING_MODELS, SERVICE_LINES, SHORTEST_MINUTES } from './rules.ts'
import { BOOKING_QUOTE_TIMES, BOOKING_STATUSES, BOOKING_TIMES, SERVICE_CATEGORIES } from './states.ts'

export const providerId = idOf('Provider')

export const serviceCode = Type.String({
  minLength: 1,
  maxLength: 40,
  ...CODE,
  pattern: '^[a-z0-9]+(_[a-z0-9]+)*$',
  errorMessage: 'must be a service such as deep_clean',
  description: 'Service, such as deep_clean',
})

export const durationMinutes = Type.Integer({
  minimum: SHORTEST_MINUTES,
  maximum: LONGEST_MINUTES,
  description: 'Duration of the job in minutes',
})

export const category = Type.Enum(SERVICE_CATEGORIES, { description: 'Kind of service' })

export const startsAt = Type.String({
  format: 'date-time',
  description: 'One of the starts of get_provider_availability',
})

export const provider = named('Provider', {
  provider_id: Type.String({ meaning: 'Provider' }),
  name: by('worker', nameText),
  categories: Type.Array(Type.Enum(SERVICE_CATEGORIES), { meaning: 'Its sections, in their order' }),
  services: Type.Array(
    closed({
      service_code: Type.String({ meaning: 'Service, such as deep_clean' }),
      name: by('worker', nameText),
      description: by('worker', Type.String({ meaning: 'In a few words' })),
      pricing: group('Pricing', {
        model: Type.Enum(PRICING_MODELS, { meaning: 'Pricing model' }),
        price: means('Price', money),
        minimum_minutes: Type.Integer({ meaning: 'At least so many minutes are charged' }),
        callout_fee: means('Charged once for coming', money),
      }),
      default_duration_minutes: Type.Integer({ meaning: 'Usual duration in minutes' }),
      buffer_minutes: Type.Integer({ meaning: 'Kept free after each job' }),
      slot_required: Type.Boolean({ meaning: 'True if a start time must be chosen' }),
    }),
    { meaning: 'Services' },
  ),
  rating: nullable(Type.Number(), 'From 1 to 5; null without ratings'),
  rating_count: Type.Integer({ meaning: 'Number of ratings' }),
  languages: by('worker', Type.Array(Type.String(), { meaning: 'Languages spoken there' })),
  verified: Type.Boolean({ meaning: 'True if the identity is verified' }),
  base_location: means('Base of the provider', point),
  travel: group('Travel area and charges', {
    radius_m: Type.Integer({ meaning: 'Within so many metres' }),
    free_radius_m: Type.Integer({ meaning: 'Within so many metres the way costs nothing' }),
    per_km: means('For each kilometre', money),
  }),
  timezone: Type.String({ meaning: 'Time zone there (IANA)' }),
  distance_m: Type.Integer({ minimum: 0, meaning: 'Distance from the place asked about, in metres' }),
  availability: group('Availability', {
    available_now: Type.Boolean({ meaning: 'True if one could come at once' }),
    next_available_at: nullable(instant, 'Next available time', 'Next available'),
    as_of: means('Time of this information', instant),
  }),
  cancellation_policy: by('worker', Type.String({ meaning: 'Cancellation policy' })),
})

const slot = closed({
  provider_id: Type.String({ meaning: 'Provider' }),
  starts_at: means('From', instant, 'Starts at'),
  ends_at: means('Until, not included', instant, 'Ends at'),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes', label: 'Minutes' }),
  local_start: Type.String({ meaning: 'The start as a clock there shows it', label: 'Start' }),
})

/** The starts of one date; two rows stand for a date on which the clocks change between two starts. */
const day = closed({
  date: Type.String({ format: 'date', meaning: 'The day, in the time zone named' }),
  utc_offset: Type.String({ meaning: 'The offset of its times, which makes each of them an instant' }),
  starts: Type.Array(Type.String(), { meaning: 'Local times at which the job can begin' }),
})

/** A start; with `view: days` a day, for which only agents ask: the types of our own callers are those of starts. */
const slotOrDay = Type.Unsafe<Type.Static<typeof slot>>(Type.Union([slot, day]))

export const availability = closed({
  provider_id: Type.String({ meaning: 'Provider' }),
  timezone: Type.String({ meaning: 'Time zone there (IANA)' }),
  granularity_minutes: Type.Integer({ meaning: 'Starts are so many minutes apart' }),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes' }),
  date: Type.String({ format: 'date', meaning: 'The day, in the time zone named' }),
  as_of: means('Time of this information', instant),
  data: Type.Array(slotOrDay, { meaning: 'The rows of this page' }),
  has_more: Type.Literal(false, { meaning: 'True if there is another page' }),
  next_cursor: Type.Null({ meaning: 'Send it as cursor for the next page; null on the last one' }),
  empty: whyEmpty(NO_STARTS, 'worker'),
})

export const serviceQuote = closed({
  ...quoteFields('service'),
  provider_id: Type.String({ meaning: 'Provider' }),
  provider_name: by('worker', Type.String({ meaning: 'Name of the provider', label: 'Provider' })),
  service_code: Type.String({ meaning: 'Service, such as deep_clean' }),
  service_name: by('worker', Type.String({ meaning: 'Name of the service', label: 'Service' })),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes' }),
  place: means('Service address', place),
  starts_at: nullable(instant, 'From'),
  lines: Type.Array(
    closed({
      type: Type.Enum(SERVICE_LINES, { meaning: 'Type of charge' }),
      amount: means('Amount of the line; of a discount, the amount taken off', money),
    }),
    { meaning: 'Line by line' },
  ),
  total: means('Total', money),
  tax_included: taxIncluded,
  slot_required: Type.Boolean({ meaning: 'True if a start time must be chosen' }),
  cancellation_policy: by('worker', Type.String({ meaning: 'Cancellation policy' })),
  estimated_arrival_window: nullable(window, 'Estimated arrival of the provider'),
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
    photo_url: nullable(Type.String(), 'A picture'),
  }),
  service_code: Type.String({ meaning: 'Service, such as deep_clean' }),
  service_name: by('worker', Type.String({ meaning: 'Name of the service', label: 'Service' })),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes', label: 'Minutes' }),
  slot: nullable(window, 'The time agreed'),
  preferred_window: nullable(window, 'Window preferred by the customer'),
  arrival_window: nullable(window, 'Arrival window of the provider'),
  place: means('Service address', place, 'Place'),
  contact: means('Contact', contact),
  notes: remark,
  access_notes: nullable(Type.String(), 'Access notes'),
  price: means('Price', money),
  tax_included: taxIncluded,
  payment: means('Payment', payment),
  refund: nullable(refund, 'Refund; null unless something was refunded'),
  provider_location: nullable(point, 'Location of the provider; null unless on the way'),
  eta_at: nullable(instant, 'Estimated time of arrival', 'There at'),
  en_route_at: nullable(instant, 'Time of setting out; null until then'),
  arrived_at: nullable(instant, 'Time of arrival'),
  started_at: nullable(instant, 'Start time; null until then'),
  completed_at: nullable(instant, 'Time of completion; null until then'),
  completion: nullable(
    closed({
      summary: by('worker', Type.String({ meaning: 'Summary of the work', label: 'Done' })),
      media: Type.Array(media, { meaning: 'Captured files' }),
    }),
    'Result; null until it is done',
  ),
  cancellation: nullable(
    closed({
      by: means('Actor', actor),
      reason_code: Type.String({ meaning: 'Reason, as a word', label: 'Off because' }),
      note: by('worker', remark),
      at: means('Time of cancellation', instant),
    }),
    'Cancellation; null unless it was cancelled',
  ),
  status_history: statusHistory(bookingStatus, actor),
  created_at: createdAt,
  updated_at: updatedAt,
  ...localTimes(BOOKING_TIMES),
})
