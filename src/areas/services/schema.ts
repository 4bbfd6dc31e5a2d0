/** Providers, slots, quotes and bookings as customers see them (`contract.md` B6). */
import * as Type from 'typebox'
import {
  closed,
  contact,
  instant,
  money,
  named,
  nullable,
  place,
  point,
  slot as window,
} from '../../core/schema.ts'
import { payment, refund } from '../payments/schema.ts'
import { media } from '../proofs/schema.ts'
import { LONGEST_MINUTES, PRICING_MODELS, SERVICE_LINES, SHORTEST_MINUTES } from './rules.ts'
import { BOOKING_STATUSES, SERVICE_CATEGORIES } from './states.ts'

export const providerId = Type.String({ minLength: 1, maxLength: 60, description: 'Provider' })

export const serviceCode = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[a-z0-9]+(_[a-z0-9]+)*$',
  errorMessage: 'must be a service such as deep_clean',
  description: 'Service, such as deep_clean',
})

export const durationMinutes = Type.Integer({
  minimum: SHORTEST_MINUTES,
  maximum: LONGEST_MINUTES,
  description: 'How long the job takes, in minutes',
})

export const category = Type.Enum(SERVICE_CATEGORIES, { description: 'Kind of service' })

export const startsAt = Type.String({
  format: 'date-time',
  description: 'One of the starts of get_provider_availability',
})

export const provider = named('Provider', {
  provider_id: Type.String(),
  name: Type.String(),
  categories: Type.Array(Type.Enum(SERVICE_CATEGORIES)),
  services: Type.Array(
    closed({
      service_code: Type.String(),
      name: Type.String(),
      description: Type.String(),
      pricing: closed({
        model: Type.Enum(PRICING_MODELS),
        price: money,
        minimum_minutes: Type.Integer(),
        callout_fee: money,
      }),
      default_duration_minutes: Type.Integer(),
      buffer_minutes: Type.Integer(),
      slot_required: Type.Boolean(),
    }),
  ),
  rating: nullable(Type.Number()),
  rating_count: Type.Integer(),
  languages: Type.Array(Type.String()),
  verified: Type.Boolean(),
  base_location: point,
  travel: closed({ radius_m: Type.Integer(), free_radius_m: Type.Integer(), per_km: money }),
  timezone: Type.String(),
  distance_m: Type.Integer({ minimum: 0 }),
  availability: closed({
    available_now: Type.Boolean(),
    next_available_at: nullable(instant),
    as_of: instant,
  }),
  cancellation_policy: Type.String(),
})

const slot = closed({
  provider_id: Type.String(),
  starts_at: instant,
  ends_at: instant,
  duration_minutes: Type.Integer(),
  local_start: Type.String(),
})

export const availability = closed({
  provider_id: Type.String(),
  timezone: Type.String(),
  granularity_minutes: Type.Integer(),
  duration_minutes: Type.Integer(),
  date: Type.String({ format: 'date' }),
  as_of: instant,
  data: Type.Array(slot),
  has_more: Type.Literal(false),
  next_cursor: Type.Null(),
})

export const serviceQuote = closed({
  quote_id: Type.String(),
  kind: Type.Literal('service'),
  status: Type.Enum(['open', 'used', 'expired'] as const),
  created_at: instant,
  expires_at: instant,
  expires_in_seconds: Type.Integer({ minimum: 0 }),
  provider_id: Type.String(),
  provider_name: Type.String(),
  service_code: Type.String(),
  service_name: Type.String(),
  duration_minutes: Type.Integer(),
  place,
  starts_at: nullable(instant),
  lines: Type.Array(closed({ type: Type.Enum(SERVICE_LINES), amount: money })),
  total: money,
  tax_included: money,
  slot_required: Type.Boolean(),
  cancellation_policy: Type.String(),
  estimated_arrival_window: nullable(window),
})

const bookingStatus = Type.Enum(BOOKING_STATUSES)
const actor = Type.Enum(['customer', 'provider', 'system'] as const)

export const serviceBooking = named('ServiceBooking', {
  booking_id: Type.String(),
  quote_id: Type.String(),
  status: bookingStatus,
  provider: closed({
    provider_id: Type.String(),
    name: Type.String(),
    phone_masked: Type.String(),
    photo_url: nullable(Type.String()),
  }),
  service_code: Type.String(),
  service_name: Type.String(),
  duration_minutes: Type.Integer(),
  slot: nullable(window),
  preferred_window: nullable(window),
  arrival_window: nullable(window),
  place,
  contact,
  notes: nullable(Type.String()),
  access_notes: nullable(Type.String()),
  price: money,
  tax_included: money,
  payment,
  refund: nullable(refund),
  provider_location: nullable(point),
  eta_at: nullable(instant),
  en_route_at: nullable(instant),
  arrived_at: nullable(instant),
  started_at: nullable(instant),
  completed_at: nullable(instant),
  completion: nullable(closed({ summary: Type.String(), media: Type.Array(media) })),
  cancellation: nullable(
    closed({ by: actor, reason_code: Type.String(), note: nullable(Type.String()), at: instant }),
  ),
  status_history: Type.Array(
    closed({ status: bookingStatus, at: instant, by: actor, reason: nullable(Type.String()) }),
  ),
  created_at: instant,
  updated_at: instant,
})
