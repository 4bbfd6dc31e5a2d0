/** Providers, quotes and bookings as their customer sees them. */
import type { Static } from 'typebox'
import type { Account } from '../../core/account.ts'
import type { Tx } from '../../core/db.ts'
import { haversineMetres, type Point } from '../../core/geometry.ts'
import { withLocal } from '../../core/local-times.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { maskPhone } from '../../core/privacy.ts'
import { CELL_MS, LEAD_MS } from '../../core/slots.ts'
import { serializeTimeWindow, toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import { computeLastPosition } from '../../core/travel.ts'
import { loadPayment } from '../payments/queries/ledger.ts'
import { PAYMENT_METHODS_BY_KIND, type Payment } from '../payments/rules/payment.ts'
import { serializePayment, serializeProblems, serializeRefunds } from '../payments/views.ts'
import type { QuoteRecord } from '../quotes/queries.ts'
import { serializeQuote, serializeQuoteTerms } from '../quotes/views.ts'
import { feeOfCancellingBooking, findMoveDeadline } from './lifecycle/change.ts'
import { arrivalWindow } from './lifecycle/slots.ts'
import type { BookingRecord } from './queries/bookings.ts'
import type { ProviderRecord } from './queries/providers.ts'
import { CANCELLATION_POLICY, type ServiceQuoteDoc } from './rules.ts'
import type { provider, serviceBooking, serviceQuoteSchema } from './schema.ts'
import { BOOKING_QUOTE_TIMES, BOOKING_TIMES, isBookingCancellable } from './states.ts'

/** Returns whether the earliest possible start is open. */
export function isAvailableNow(nextAt: number | undefined, now: number): boolean {
  return nextAt !== undefined && nextAt < now + LEAD_MS + CELL_MS
}

/** Shows a provider to a customer at a point; its home only roughly. */
export function serializeServiceProvider(
  { provider_id, name, location, time, rating_tenths, doc }: ProviderRecord,
  { point, nextAt, now }: { point: Point; nextAt: number | undefined; now: number },
): Static<typeof provider> {
  return {
    provider_id,
    name,
    categories: doc.categories,
    services: doc.services,
    rating: rating_tenths === null ? null : rating_tenths / 10,
    rating_count: doc.rating_count,
    languages: doc.languages,
    verified: doc.verified,
    base_location: { latitude: round3(location.latitude), longitude: round3(location.longitude) },
    travel: doc.travel,
    timezone: time.timezone,
    distance_m: Math.round(haversineMetres(point, location)),
    availability: {
      available_now: isAvailableNow(nextAt, now),
      next_available_at: toTimestampOrNull(nextAt ?? null),
      as_of: toTimestamp(now),
    },
    cancellation_policy: CANCELLATION_POLICY,
  }
}

/** Shows a new quote to its customer. */
export function serializeServiceQuote(
  quote: QuoteRecord<ServiceQuoteDoc>,
  account: Account,
): Static<typeof serviceQuoteSchema> {
  const { doc } = quote
  return withLocal(MARKET_TIMEZONE, BOOKING_QUOTE_TIMES, {
    ...serializeQuote('service', quote),
    provider_id: doc.provider_id,
    provider_name: doc.provider_name,
    service_code: doc.service_code,
    service_name: doc.service_name,
    duration_minutes: doc.duration_minutes,
    place: doc.place,
    starts_at: toTimestampOrNull(doc.starts_at),
    lines: doc.lines,
    total: doc.total,
    tax_included: doc.tax_included,
    slot_required: doc.slot_required,
    cancellation_policy: CANCELLATION_POLICY,
    estimated_arrival_window: serializeTimeWindow(
      doc.starts_at === null ? null : arrivalWindow(doc.starts_at),
    ),
    ...serializeQuoteTerms(PAYMENT_METHODS_BY_KIND.booking, account, quote),
  })
}

/** Shows a booking with its payment, and the provider's position at `now`. */
export async function serializeBooking(
  tx: Tx,
  booking: BookingRecord,
  now: number,
): Promise<Static<typeof serviceBooking>> {
  const payment = await loadPayment(tx, booking.booking_id)
  return toBooking(booking, payment, now)
}

function toBooking(
  { doc, ...booking }: BookingRecord,
  payment: Payment,
  now: number,
): Static<typeof serviceBooking> {
  const { status } = booking
  return withLocal(MARKET_TIMEZONE, BOOKING_TIMES, {
    booking_id: booking.booking_id,
    quote_id: booking.quote_id,
    status,
    provider: {
      provider_id: booking.provider_id,
      name: doc.provider.name,
      phone_masked: maskPhone(doc.provider.phone),
      photo_url: doc.provider.photo_url,
    },
    service_code: doc.service_code,
    service_name: doc.service_name,
    duration_minutes: doc.duration_minutes,
    slot: serializeTimeWindow(doc.slot),
    preferred_window: serializeTimeWindow(doc.preferred_window),
    arrival_window: serializeTimeWindow(doc.arrival_window),
    place: doc.place,
    contact: doc.contact,
    notes: doc.notes,
    access_notes: doc.access_notes,
    price: doc.price,
    lines: doc.lines ?? [],
    tax_included: doc.tax_included,
    payment: serializePayment(payment),
    ...serializeRefunds(payment),
    provider_location: locate({ doc, ...booking }, now),
    eta_at: status === 'en_route' ? toTimestampOrNull(doc.leg?.ends_at ?? null) : null,
    en_route_at: toTimestampOrNull(doc.en_route_at),
    arrived_at: toTimestampOrNull(doc.arrived_at),
    started_at: toTimestampOrNull(doc.started_at),
    completed_at: toTimestampOrNull(doc.completed_at),
    completion: doc.completion,
    cancellable: isBookingCancellable(status),
    cancellation_fee: feeOfCancellingBooking({ doc, ...booking }, now),
    movable_until: toTimestampOrNull(findMoveDeadline({ doc, ...booking }, now)),
    cancellation_policy: CANCELLATION_POLICY,
    cancellation: doc.cancellation && {
      ...doc.cancellation,
      fee: doc.cancellation.fee ?? { ...doc.price, amount: 0 },
      at: toTimestamp(doc.cancellation.at),
    },
    problems: serializeProblems(doc.problems),
    status_history: doc.history.map((step) => ({ ...step, at: toTimestamp(step.at) })),
    created_at: toTimestamp(booking.created_at),
    updated_at: toTimestamp(booking.updated_at),
  })
}

/** Returns the provider's position, which is shown only from setting off until the job is done. */
function locate({ status, doc }: BookingRecord, now: number): Point | null {
  if (status === 'en_route') return doc.leg && computeLastPosition(doc.leg, now)
  return status === 'arrived' || status === 'in_progress' ? doc.place.location : null
}

function round3(degrees: number): number {
  return Math.round(degrees * 1000) / 1000
}
