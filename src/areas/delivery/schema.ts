/** Quotes and courier runs as customers see them (`contract.md` B4). */
import * as Type from 'typebox'
import { localTimes } from '../../core/local-times.ts'
import {
  aside,
  by,
  closed,
  contact,
  createdAt,
  group,
  idOf,
  instant,
  labelled,
  means,
  money,
  moneyUpTo,
  named,
  nameText,
  nullable,
  phoneMasked,
  place,
  point,
  quoteFields,
  remark,
  statusHistory,
  text,
  updatedAt,
} from '../../core/schema.ts'
import { VEHICLE_TYPES } from '../../core/travel.ts'
import { HEAVIEST_PARCEL_G, PARCEL_SIZES } from '../couriers/rules.ts'
import { DELIVERY_QUOTE_TIMES, DELIVERY_STATUSES, DELIVERY_TIMES, VERIFICATIONS } from '../couriers/states.ts'
import { confirmTerms, payment, refund, taxIncluded } from '../payments/schema.ts'
import { proofOfDelivery } from '../proofs/schema.ts'
import { RUN_LINES } from './rules/price.ts'

export const deliveryId = idOf('Delivery')

export const vehicleType = Type.Enum(VEHICLE_TYPES, {
  description: 'Vehicle of the courier; default: by size, weight and distance',
})

const size = Type.Enum(PARCEL_SIZES, { description: 'Size: small fits into a rucksack' })

/** As it is asked for. */
export const parcelRequest = named('DeliveryParcel', {
  size,
  weight_grams: Type.Optional(
    Type.Integer({ minimum: 1, maximum: HEAVIEST_PARCEL_G, description: 'Weight in grams' }),
  ),
  description: text(120, { description: 'Contents' }),
  value: Type.Optional(moneyUpTo('courier_goods', 'Value')),
  requires_id: Type.Optional(
    Type.Boolean({ default: false, description: 'Whoever receives it must show an identity document' }),
  ),
})

const parcel = group('Parcel', {
  size,
  weight_grams: nullable(Type.Integer(), 'Weight in grams'),
  description: Type.String({ meaning: 'In a few words', label: 'What' }),
  value: nullable(money, 'Value'),
  requires_id: Type.Boolean({ meaning: 'True if the recipient must show a document' }),
})

export const verification = Type.Array(Type.Enum(VERIFICATIONS), {
  minItems: 1,
  maxItems: VERIFICATIONS.length,
  uniqueItems: true,
  description: 'All proofs that the courier must bring back from the door',
})

export const deliveryQuote = closed({
  ...quoteFields('delivery'),
  pickup: means('Place of pickup', place),
  dropoff: means('Place of drop-off', place),
  parcel,
  vehicle_type: Type.Enum(VEHICLE_TYPES, { meaning: 'Kind of vehicle', label: 'By' }),
  road_distance_m: Type.Integer({ minimum: 0, meaning: 'Length of the way, in metres', label: 'Distance' }),
  duration_seconds: Type.Integer({ minimum: 0, meaning: 'Duration in seconds' }),
  lines: Type.Array(
    closed({
      type: Type.Enum(RUN_LINES, { meaning: 'Type of charge' }),
      amount: means('Amount of the line; of a discount, the amount taken off', money),
    }),
    { meaning: 'Line by line' },
  ),
  total: means('Total', money),
  tax_included: taxIncluded,
  pickup_ready_at: nullable(instant, 'Earliest time of collection'),
  pickup_eta_at: means('Estimated arrival of the courier at the pickup', instant),
  dropoff_eta_at: means('Estimated time of delivery', instant, 'There by'),
  ...confirmTerms,
  ...localTimes(DELIVERY_QUOTE_TIMES),
})

const stop = closed({
  place: means('Place', place),
  contact: nullable(contact, 'Contact'),
  notes: remark,
  verification: Type.Array(Type.Enum(VERIFICATIONS), {
    meaning: 'Verification at the handover',
    label: 'Brings back',
  }),
})

export const delivery = named('Delivery', {
  delivery_id: Type.String({ meaning: 'Delivery' }),
  quote_id: nullable(Type.String(), 'Quote'),
  origin: group('Origin', {
    kind: Type.Enum(['customer_request', 'food_order'] as const, { meaning: 'Kind' }),
    order_id: nullable(Type.String(), 'Order', 'Order'),
  }),
  status: Type.Enum(DELIVERY_STATUSES, { meaning: 'Status' }),
  pickup: means('Place of pickup', stop, 'From'),
  dropoff: means('Place of drop-off', stop, 'To'),
  parcel,
  price: means('Price', money),
  billed_to: Type.Enum(['customer', 'order'] as const, { meaning: 'Payer' }),
  tax_included: taxIncluded,
  payment: nullable(payment, 'Payment'),
  refund: nullable(refund, 'Refund; null unless something was refunded'),
  courier: nullable(
    closed({
      courier_id: Type.String({ meaning: 'Courier' }),
      name: by('worker', labelled('Courier', nameText)),
      vehicle_type: Type.Enum(VEHICLE_TYPES, { meaning: 'Kind of vehicle', label: 'Vehicle' }),
      phone_masked: phoneMasked,
      rating: Type.Number({ meaning: 'From 1 to 5; null without ratings' }),
      location: nullable(point, 'Where, as a point'),
      location_at: nullable(instant, 'Time of the location'),
    }),
    'Courier; null until one is assigned',
  ),
  pickup_eta_at: nullable(instant, 'Estimated arrival of the courier at the pickup', 'Collected by'),
  dropoff_eta_at: nullable(instant, 'Estimated time of delivery', 'There by'),
  courier_imminent: Type.Boolean({ meaning: 'True if the courier is about to arrive' }),
  dropoff_pincode: nullable(Type.String(), 'PIN that the recipient tells the courier', 'PIN'),
  pickup_proof: nullable(proofOfDelivery, 'Proof of collection; null until it is collected'),
  proof_of_delivery: nullable(proofOfDelivery, 'Proof of delivery; null until it is handed over'),
  undeliverable: nullable(
    closed({
      reason_code: Type.String({ meaning: 'Reason, as a word', label: 'Failed delivery' }),
      action: Type.Enum(['return', 'leave', 'redeliver'] as const, { meaning: 'Action' }),
    }),
    'Handling when nobody takes it',
  ),
  status_history: statusHistory(
    Type.Enum(DELIVERY_STATUSES),
    Type.Enum(['customer', 'store', 'courier', 'system'] as const),
  ),
  trail: aside(
    nullable(
      closed({
        type: Type.Literal('LineString', { meaning: 'LineString' }),
        coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
          maxItems: 50,
          meaning: 'The line, as longitude and latitude pairs (RFC 7946)',
        }),
      }),
      'Way of the courier so far',
    ),
  ),
  external_reference: nullable(Type.String(), 'Your own reference', 'Your reference'),
  created_at: createdAt,
  updated_at: updatedAt,
  delivered_at: nullable(instant, 'Time of delivery; null until then'),
  ...localTimes(DELIVERY_TIMES),
})
