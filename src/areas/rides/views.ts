/** A quote and a ride as their rider sees them. */
import type { Static } from 'typebox'
import type { Account } from '../../core/account.ts'
import type { Tx } from '../../core/db.ts'
import { withLocal } from '../../core/local-times.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { headingAt } from '../../core/path.ts'
import { maskPhone } from '../../core/privacy.ts'
import { toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import { findPayments } from '../payments/queries/ledger.ts'
import { PAYMENT_METHODS_BY_KIND, type Payment } from '../payments/rules/payment.ts'
import { serializePayment, serializeProblems, serializeRefunds } from '../payments/views.ts'
import type { QuoteRecord } from '../quotes/queries.ts'
import { serializeQuote, serializeQuoteTerms } from '../quotes/views.ts'
import { feeOfCancelling } from './lifecycle/ride.ts'
import type { RideDoc, RideQuoteDoc, RideRecord } from './queries/rides.ts'
import type { ride, rideQuoteSchema } from './schema.ts'
import { isRideCancellable, RIDE_QUOTE_TIMES, RIDE_TIMES, type RideStatus } from './states.ts'

export type Ride = Static<typeof ride>

/** Shows a new quote to its customer. */
export function serializeRideQuote(
  quote: QuoteRecord<RideQuoteDoc>,
  account: Account,
): Static<typeof rideQuoteSchema> {
  const { doc } = quote
  return withLocal(MARKET_TIMEZONE, RIDE_QUOTE_TIMES, {
    ...serializeQuote('ride', quote),
    pickup: doc.pickup,
    dropoff: doc.dropoff,
    stops: doc.stops,
    passengers: doc.passengers,
    scheduled_for: toTimestampOrNull(doc.scheduled_for),
    road_distance_m: doc.road_distance_m,
    driving_time_seconds: doc.driving_time_seconds,
    polyline: {
      type: 'LineString',
      coordinates: doc.path.map(({ latitude, longitude }) => [longitude, latitude]),
    },
    fares: doc.fares,
    ...serializeQuoteTerms(PAYMENT_METHODS_BY_KIND.ride, account, quote),
  })
}

/** Looks up the payments of rides; returns a function that shows each of them, as of `now`. */
export async function makeRideSerializer(
  tx: Tx,
  rides: readonly RideRecord[],
  now: number,
): Promise<(record: RideRecord) => Ride> {
  const payments = await findPayments(
    tx,
    rides.map(({ ride_id }) => ride_id),
  )
  return (record) => {
    const payment = payments.get(record.ride_id)
    if (payment === undefined) throw new Error(`${record.ride_id} has no payment`)
    return toRide(record, payment, now)
  }
}

export async function serializeRide(tx: Tx, record: RideRecord, now: number): Promise<Ride> {
  return (await makeRideSerializer(tx, [record], now))(record)
}

function toRide(ride: RideRecord, payment: Payment, now: number): Ride {
  const { doc, ...record } = ride
  const { cancellation, dispatch } = doc
  return withLocal(MARKET_TIMEZONE, RIDE_TIMES, {
    ride_id: record.ride_id,
    quote_id: record.quote_id,
    status: record.status,
    tier: record.tier,
    pickup: doc.pickup,
    dropoff: doc.dropoff,
    stops: doc.stops,
    passenger: doc.passenger,
    notes: doc.notes,
    fare: doc.fare,
    lines: doc.lines,
    tax_included: doc.tax_included,
    payment: serializePayment(payment),
    ...serializeRefunds(payment),
    ...serializeDriver(doc),
    ...serializeMotion(record.status, doc, now),
    dropoff_eta_at: toTimestampOrNull(doc.dropoff_eta_at),
    dispatch: { ...dispatch, last_offer_at: toTimestampOrNull(dispatch.last_offer_at) },
    pickup_pin: doc.pickup_pin,
    cancellable: isRideCancellable(record.status),
    cancellation_fee: feeOfCancelling(ride, now),
    cancellation: cancellation && {
      ...cancellation,
      balance_due: cancellation.balance_due ?? null,
      at: toTimestamp(cancellation.at),
    },
    receipt: doc.receipt,
    promised_pickup_at: toTimestampOrNull(doc.promised_pickup_at ?? null),
    problems: serializeProblems(doc.problems),
    status_history: doc.history.map((entry) => ({ ...entry, at: toTimestamp(entry.at) })),
    created_at: toTimestamp(record.created_at),
    updated_at: toTimestamp(record.updated_at),
    scheduled_for: toTimestampOrNull(doc.scheduled_for),
    completed_at: toTimestampOrNull(doc.completed_at),
  })
}

/** Copies named fields only: the driver's home and phone number stay private. */
function serializeDriver({ driver }: RideDoc): Pick<Ride, 'driver' | 'vehicle'> {
  if (driver === null) return { driver: null, vehicle: null }
  const { driver_id, name, rating_tenths, phone, vehicle } = driver
  return {
    driver: {
      driver_id,
      name,
      rating: rating_tenths / 10,
      phone_masked: maskPhone(phone),
      photo_url: null,
    },
    vehicle,
  }
}

const TO_PICKUP: readonly RideStatus[] = ['accepted', 'arriving']

/** Returns the position of the car and the time until it is at the pickup. */
function serializeMotion(
  status: RideStatus,
  { leg, reserved }: RideDoc,
  now: number,
): Pick<Ride, 'vehicle_location' | 'pickup_eta_seconds'> {
  const until = (instant: number) => Math.max(0, Math.ceil((instant - now) / 1000))
  if (leg === null) {
    const isFound = status === 'processing' && reserved
    return { vehicle_location: null, pickup_eta_seconds: isFound ? until(reserved.arrives_at) : null }
  }
  const { at, ...heading } = headingAt(leg, now)
  return {
    vehicle_location: { ...heading, at: toTimestamp(at) },
    pickup_eta_seconds: TO_PICKUP.includes(status) ? until(leg.ends_at) : null,
  }
}
