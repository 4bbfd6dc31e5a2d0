/** A courier delivery as its customer sees it, either the customer's own or that of an order. */
import type { Static } from 'typebox'
import type { Account } from '../../core/account.ts'
import type { Tx } from '../../core/db.ts'
import { withLocal } from '../../core/local-times.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import { extendTrail, isImminent, computeLastPingTime, computeLastPosition } from '../../core/travel.ts'
import type { DeliveryRecord } from '../couriers/queries/deliveries.ts'
import { DELIVERY_QUOTE_TIMES, DELIVERY_TIMES } from '../couriers/states.ts'
import { serializeCourier, WITH_COURIER } from '../couriers/views.ts'
import { findPayment } from '../payments/queries/ledger.ts'
import { PAYMENT_METHODS_BY_KIND } from '../payments/rules/payment.ts'
import { serializePayment, serializeProblems, serializeRefunds } from '../payments/views.ts'
import { methodsFor } from '../proofs/rules/absent.ts'
import type { QuoteRecord } from '../quotes/queries.ts'
import { serializeQuote, serializeQuoteTerms } from '../quotes/views.ts'
import type { DeliveryQuoteDoc } from './lifecycle/quote.ts'
import type { delivery, deliveryQuoteSchema } from './schema.ts'

export type Delivery = Static<typeof delivery>

/** Shows a new quote to its customer. */
export function serializeDeliveryQuote(
  quote: QuoteRecord<DeliveryQuoteDoc>,
  account: Account,
): Static<typeof deliveryQuoteSchema> {
  const { doc } = quote
  return withLocal(MARKET_TIMEZONE, DELIVERY_QUOTE_TIMES, {
    ...serializeQuote('delivery', quote),
    pickup: doc.pickup,
    dropoff: doc.dropoff,
    parcel: doc.parcel,
    vehicle_type: doc.vehicle_type,
    road_distance_m: doc.road_distance_m,
    duration_seconds: doc.duration_seconds,
    lines: doc.lines,
    total: doc.total,
    tax_included: doc.tax_included,
    if_absent: doc.if_absent ?? 'return',
    pickup_ready_at: toTimestampOrNull(doc.pickup_ready_at),
    pickup_eta_at: toTimestamp(doc.pickup_eta_at),
    dropoff_eta_at: toTimestamp(doc.dropoff_eta_at),
    ...serializeQuoteTerms(methodsFor(doc.if_absent, PAYMENT_METHODS_BY_KIND.delivery), account, quote),
  })
}

/** Shows a delivery as of `now`, with its payment. */
export async function serializeDelivery(tx: Tx, record: DeliveryRecord, now: number): Promise<Delivery> {
  const { delivery_id, order_id, status, doc } = record
  // The payment of an order includes its delivery.
  const payment = order_id === null ? await findPayment(tx, delivery_id) : undefined
  return withLocal(MARKET_TIMEZONE, DELIVERY_TIMES, {
    delivery_id,
    quote_id: record.quote_id,
    origin: { kind: order_id === null ? 'customer_request' : 'food_order', order_id },
    status,
    pickup: { ...serializeStop(doc.pickup), verification: ['photo'] },
    dropoff: { ...serializeStop(doc.dropoff), verification: doc.dropoff.verification },
    parcel: doc.parcel,
    if_absent: doc.dropoff.if_absent ?? 'return',
    price: doc.price,
    lines: doc.quoted?.lines ?? [],
    billed_to: order_id === null ? 'customer' : 'order',
    tax_included: doc.quoted?.tax_included ?? { ...doc.price, amount: 0 },
    payment: payment === undefined ? null : serializePayment(payment),
    ...serializeRefunds(payment),
    courier: toCourier(record, now),
    pickup_eta_at: toTimestampOrNull(doc.pickup_eta_at),
    dropoff_eta_at: toTimestampOrNull(doc.dropoff_eta_at),
    promised_delivery_at: toTimestampOrNull(doc.promised_delivery_at ?? null),
    problems: serializeProblems(doc.problems),
    courier_imminent: isComing(record, now),
    dropoff_pincode: doc.dropoff_pincode,
    pickup_proof: doc.pickup_proof,
    proof_of_delivery: doc.proof_of_delivery,
    undeliverable: doc.undeliverable && { attempts: 0, waited_seconds: 0, ...doc.undeliverable },
    status_history: doc.history.map((step) => ({ ...step, at: toTimestamp(step.at) })),
    trail: toTrail(record, now),
    external_reference: doc.quoted?.external_reference ?? null,
    created_at: toTimestamp(record.created_at),
    updated_at: toTimestamp(record.updated_at),
    delivered_at: toTimestampOrNull(record.delivered_at),
  })
}

function serializeStop({ place, contact, notes }: DeliveryRecord['doc']['pickup']) {
  return { place, contact, notes }
}

/** The customer also follows a courier who brings the parcel back. */
const FOLLOWED = [...WITH_COURIER, 'returning'] as const

function isFollowed({ status, doc }: DeliveryRecord): boolean {
  return doc.courier !== null && FOLLOWED.some((each) => each === status)
}

function toCourier(record: DeliveryRecord, now: number): Delivery['courier'] {
  const shown = serializeCourier(record, now, FOLLOWED)
  const { courier, leg } = record.doc
  if (shown === null || courier === null) return null
  const { courier_id, name, vehicle_type, phone_masked, location } = shown
  return {
    courier_id,
    name,
    vehicle_type,
    phone_masked,
    rating: courier.rating_tenths / 10,
    location,
    location_at: location && leg && toTimestamp(computeLastPingTime(leg, now)),
  }
}

/** Returns whether the courier will arrive soon. */
function isComing(record: DeliveryRecord, now: number): boolean {
  const { leg } = record.doc
  return leg !== null && isFollowed(record) && isImminent(computeLastPosition(leg, now), leg.to)
}

/** Returns the positions up to the last report; null when there are fewer than two. */
function toTrail(record: DeliveryRecord, now: number): Delivery['trail'] {
  const { trail, leg } = record.doc
  const points =
    leg !== null && isFollowed(record) ? extendTrail(trail, computeLastPosition(leg, now)) : trail
  if (points.length < 2) return null
  return {
    type: 'LineString',
    coordinates: points.map(({ latitude, longitude }) => [longitude, latitude]),
  }
}
