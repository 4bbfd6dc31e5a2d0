/** What the services operations answer, as far as the commands read it (`contract.md` B6). */
import type { BookingStatus } from '../../areas/services/states.ts'
import type { Point } from '../../core/geometry.ts'
import type { Money } from '../../core/money.ts'
import type { Place } from '../../core/places/place.ts'
import type { Quote } from '../../journal/quotes.ts'

export type ServiceOffer = {
  service_code: string
  name: string
  description: string
  pricing: { model: 'fixed' | 'hourly'; price: Money; minimum_minutes: number; callout_fee: Money }
  default_duration_minutes: number
  slot_required: boolean
}

export type Provider = {
  provider_id: string
  name: string
  categories: string[]
  services: ServiceOffer[]
  rating: number | null
  timezone: string
  distance_m: number
  availability: { available_now: boolean; next_available_at: string | null }
}

export type Slot = { starts_at: string; duration_minutes: number; local_start: string }

export type Availability = {
  provider_id: string
  timezone: string
  duration_minutes: number
  date: string
  data: Slot[]
}

type Window = { starts_at: string; ends_at: string }

export type ServiceQuote = Quote & {
  created_at: string
  expires_in_seconds: number
  provider_name: string
  service_name: string
  duration_minutes: number
  place: Place
  starts_at: string | null
  lines: { type: 'labour' | 'callout' | 'travel'; amount: Money }[]
  tax_included: Money
  cancellation_policy: string
}

export type ServiceBooking = {
  booking_id: string
  status: BookingStatus
  provider: { name: string }
  service_name: string
  slot: Window | null
  arrival_window: Window | null
  place: Place
  price: Money
  refund: { amount: Money; status: string; destination: string } | null
  provider_location: Point | null
  eta_at: string | null
  en_route_at: string | null
  completion: { summary: string } | null
  status_history: { status: BookingStatus; at: string; by: string; reason: string | null }[]
}
