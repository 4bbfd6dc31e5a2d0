/** Providers, slots, quotes and bookings as customers see them. */
import * as Type from 'typebox'
import { whyEmpty } from '../../core/empty-reason.ts'
import { makeLocalTimeFields } from '../../core/local-times.ts'
import {
  secondaryField,
  writtenBy,
  cancellable,
  strictObject,
  IDENTIFIER,
  contact,
  createdAt,
  objectField,
  idParam,
  instant,
  withLabel,
  describeField,
  money,
  component,
  nameField,
  nullable,
  phoneMasked,
  placeField,
  point,
  quoteFields,
  noteField,
  slot as window,
  statusHistory,
  updatedAt,
} from '../../core/schema.ts'
import {
  quoteTermsFields,
  payment,
  refundMembers,
  reportedProblems,
  taxIncludedField,
} from '../payments/schema.ts'
import { media } from '../proofs/schema.ts'
import {
  MAX_SERVICE_MINUTES,
  NO_STARTS,
  PRICING_MODELS,
  SERVICE_LINES,
  MIN_SERVICE_MINUTES,
} from './rules.ts'
import {
  BOOKING_CANCEL_REASONS,
  BOOKING_PROBLEM_REASONS,
  BOOKING_QUOTE_TIMES,
  BOOKING_STATUSES,
  BOOKING_TIMES,
  SERVICE_CATEGORIES,
} from './states.ts'

export const providerId = idParam('Provider')

export const serviceCode = Type.String({
  minLength: 1,
  maxLength: 40,
  ...IDENTIFIER,
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

export const bookingCancelReason = Type.Enum(BOOKING_CANCEL_REASONS, { description: 'Reason' })

export const bookingProblemReason = Type.Enum(BOOKING_PROBLEM_REASONS, { description: 'Problem' })

const cancellationPolicy = Type.String({ meaning: 'Cancellation policy', label: 'Cancellation' })

export const bookingId = idParam('Booking')

export const provider = component('Provider', {
  provider_id: Type.String({ meaning: 'Provider' }),
  name: writtenBy('worker', nameField),
  categories: Type.Array(Type.Enum(SERVICE_CATEGORIES), { meaning: 'Service categories' }),
  services: Type.Array(
    strictObject({
      service_code: Type.String({ meaning: 'Service code, such as deep_clean' }),
      name: writtenBy('worker', nameField),
      description: writtenBy('worker', Type.String({ meaning: 'Short description' })),
      pricing: objectField('Pricing', {
        model: Type.Enum(PRICING_MODELS, { meaning: 'Pricing model' }),
        price: describeField('Price', money),
        minimum_minutes: Type.Integer({ meaning: 'Minimum billed minutes' }),
        callout_fee: describeField('Call-out fee', money),
      }),
      default_duration_minutes: Type.Integer({ meaning: 'Default duration in minutes' }),
      buffer_minutes: Type.Integer({ meaning: 'Minutes kept free after each job' }),
      slot_required: Type.Boolean({ meaning: 'True if a start time must be chosen' }),
    }),
    { meaning: 'Services' },
  ),
  rating: nullable('Rating from 1 to 5; null without ratings', Type.Number()),
  rating_count: Type.Integer({ meaning: 'Number of ratings' }),
  languages: writtenBy('worker', Type.Array(Type.String(), { meaning: 'Languages' })),
  verified: Type.Boolean({ meaning: 'True if the identity is verified' }),
  base_location: describeField('Base location', point),
  travel: objectField('Travel area and charges', {
    radius_m: Type.Integer({ meaning: 'Radius in metres' }),
    free_radius_m: Type.Integer({ meaning: 'Free travel radius in metres' }),
    per_km: describeField('Price per kilometre', money),
  }),
  timezone: Type.String({ meaning: 'Local time zone (IANA)' }),
  distance_m: Type.Integer({ minimum: 0, meaning: 'Distance from the search place in metres' }),
  availability: objectField('Availability', {
    available_now: Type.Boolean({ meaning: 'True if available now' }),
    next_available_at: nullable('Next available time', instant, 'Next available'),
    as_of: describeField('Time of this information', instant),
  }),
  // A short answer tells the policy once, in the quote that a purchase needs.
  cancellation_policy: secondaryField(cancellationPolicy),
})

const slot = strictObject({
  provider_id: Type.String({ meaning: 'Provider' }),
  starts_at: describeField('Start time', instant, 'Starts at'),
  ends_at: describeField('End time, excluded', instant, 'Ends at'),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes', label: 'Minutes' }),
  local_start: Type.String({ meaning: 'Start in local time', label: 'Start' }),
})

/** The starts of one date; two rows stand for a date on which the clocks change between two starts. */
const day = strictObject({
  date: Type.String({ format: 'date', meaning: 'Date, in the provider’s time zone' }),
  utc_offset: Type.String({ meaning: 'UTC offset of the local times' }),
  starts: Type.Array(Type.String(), { meaning: 'Free start times, local' }),
})

/** A start; with `view: days` a day, for which only agents ask: the types of our own callers are those of starts. */
const slotOrDay = Type.Unsafe<Type.Static<typeof slot>>(Type.Union([slot, day]))

export const availability = strictObject({
  provider_id: Type.String({ meaning: 'Provider' }),
  timezone: Type.String({ meaning: 'Local time zone (IANA)' }),
  granularity_minutes: Type.Integer({ meaning: 'Minutes between starts' }),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes' }),
  date: Type.String({ format: 'date', meaning: 'Date, in the provider’s time zone' }),
  as_of: describeField('Time of this information', instant),
  data: Type.Array(slotOrDay, { meaning: 'Rows of this page' }),
  has_more: Type.Literal(false, { meaning: 'True if more pages follow' }),
  next_cursor: Type.Null({ meaning: 'Cursor for the next page; null on the last page' }),
  empty: whyEmpty(NO_STARTS, 'worker'),
})

const lines = Type.Array(
  strictObject({
    type: Type.Enum(SERVICE_LINES, { meaning: 'Type of the line' }),
    amount: describeField('Amount of the line; for a discount, the amount deducted', money),
  }),
  { meaning: 'Price lines' },
)

export const serviceQuoteSchema = strictObject({
  ...quoteFields('service'),
  provider_id: Type.String({ meaning: 'Provider' }),
  provider_name: writtenBy('worker', Type.String({ meaning: 'Name of the provider', label: 'Provider' })),
  service_code: Type.String({ meaning: 'Service code, such as deep_clean' }),
  service_name: writtenBy('worker', Type.String({ meaning: 'Name of the service', label: 'Service' })),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes' }),
  place: describeField('Service address', placeField),
  starts_at: nullable('Start time', instant),
  lines,
  total: describeField('Total', money),
  tax_included: taxIncludedField,
  slot_required: Type.Boolean({ meaning: 'True if a start time must be chosen' }),
  cancellation_policy: cancellationPolicy,
  estimated_arrival_window: nullable('Estimated arrival window of the provider', window),
  ...quoteTermsFields,
  ...makeLocalTimeFields(BOOKING_QUOTE_TIMES),
})

const bookingStatus = Type.Enum(BOOKING_STATUSES, { meaning: 'Status' })
const actor = Type.Enum(['customer', 'provider', 'system'] as const)

export const serviceBooking = component('ServiceBooking', {
  booking_id: Type.String({ meaning: 'Booking' }),
  quote_id: Type.String({ meaning: 'Quote' }),
  status: bookingStatus,
  provider: objectField('Provider; null until one is assigned', {
    provider_id: Type.String({ meaning: 'Provider' }),
    name: writtenBy('worker', withLabel('Provider', nameField)),
    phone_masked: phoneMasked,
    photo_url: nullable('Photo URL', Type.String()),
  }),
  service_code: Type.String({ meaning: 'Service code, such as deep_clean' }),
  service_name: writtenBy('worker', Type.String({ meaning: 'Name of the service', label: 'Service' })),
  duration_minutes: Type.Integer({ meaning: 'Duration in minutes', label: 'Minutes' }),
  slot: nullable('Reserved slot', window),
  preferred_window: nullable('Preferred window', window),
  arrival_window: nullable('Arrival window', window),
  place: describeField('Service address', placeField, 'Place'),
  contact: describeField('Contact', contact),
  notes: noteField,
  access_notes: nullable('Access notes', Type.String()),
  price: describeField('Price', money),
  lines: secondaryField(lines),
  tax_included: taxIncludedField,
  payment: describeField('Payment', payment),
  ...refundMembers,
  provider_location: nullable('Location of the provider; null unless on the way', point),
  eta_at: nullable('Estimated time of arrival', instant, 'ETA'),
  en_route_at: nullable('Departure time; null until then', instant),
  arrived_at: nullable('Arrival time', instant),
  started_at: nullable('Start time; null until then', instant),
  completed_at: nullable('Completion time; null until then', instant),
  completion: nullable(
    'Result; null until completed',
    strictObject({
      summary: writtenBy('worker', Type.String({ meaning: 'Summary of the work', label: 'Done' })),
      media: Type.Array(media, { meaning: 'Captured files' }),
    }),
  ),
  cancellable,
  cancellation_fee: nullable(
    'Current cancellation fee, kept from the payment; null if the booking cannot be cancelled',
    money,
    'Cancelling costs',
  ),
  movable_until: nullable(
    'Last time at which the start can be moved; null if it cannot be moved',
    instant,
    'Movable until',
  ),
  cancellation_policy: secondaryField(cancellationPolicy),
  cancellation: nullable(
    'Cancellation; null if not cancelled',
    strictObject({
      by: describeField('Actor', actor),
      reason_code: Type.String({ meaning: 'Reason code', label: 'Reason' }),
      note: writtenBy('worker', noteField),
      fee: describeField('Cancellation fee', money, 'Cancellation fee'),
      at: describeField('Time of cancellation', instant),
    }),
  ),
  problems: reportedProblems,
  status_history: statusHistory(bookingStatus, actor),
  created_at: createdAt,
  updated_at: updatedAt,
  ...makeLocalTimeFields(BOOKING_TIMES),
})
