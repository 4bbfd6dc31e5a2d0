/** Quotes and courier runs as customers see them (`contract.md` B4). */
import * as Type from 'typebox'
import { localTimes } from '../../core/local-times.ts'
import {
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
  description: 'What the courier must come with; chosen by size, weight and distance when left out',
})

const size = Type.Enum(PARCEL_SIZES, { description: 'How large it is: small fits into a rucksack' })

/** As it is asked for. */
export const parcelRequest = named('DeliveryParcel', {
  size,
  weight_grams: Type.Optional(
    Type.Integer({ minimum: 1, maximum: HEAVIEST_PARCEL_G, description: 'Weight in grams' }),
  ),
  description: text(120, { description: 'What it is' }),
  value: Type.Optional(moneyUpTo('courier_goods', 'What it is worth')),
  requires_id: Type.Optional(
    Type.Boolean({ default: false, description: 'Whoever receives it must show an identity document' }),
  ),
})

const parcel = group('What is sent', {
  size,
  weight_grams: nullable(Type.Integer(), 'Weight in grams'),
  description: Type.String({ meaning: 'In a few words', label: 'What' }),
  value: nullable(money, 'What it is worth'),
  requires_id: Type.Boolean({ meaning: 'Whether the recipient must show a document' }),
})

export const verification = Type.Array(Type.Enum(VERIFICATIONS), {
  minItems: 1,
  maxItems: VERIFICATIONS.length,
  uniqueItems: true,
  description: 'What the courier must bring back from the door, all of them',
})

export const deliveryQuote = closed({
  ...quoteFields('delivery'),
  pickup: means('Where it begins', place),
  dropoff: means('Where it goes', place),
  parcel,
  vehicle_type: Type.Enum(VEHICLE_TYPES, { meaning: 'Kind of vehicle', label: 'By' }),
  road_distance_m: Type.Integer({ minimum: 0, meaning: 'Length of the way, in metres', label: 'Distance' }),
  duration_seconds: Type.Integer({ minimum: 0, meaning: 'How long it takes, in seconds' }),
  lines: Type.Array(
    closed({
      type: Type.Enum(RUN_LINES, { meaning: 'What is charged' }),
      amount: means('What this line costs; of a discount, what it takes off', money),
    }),
    { meaning: 'Line by line' },
  ),
  total: means('What it all comes to', money),
  tax_included: taxIncluded,
  pickup_ready_at: nullable(instant, 'When it can be collected'),
  pickup_eta_at: means('When somebody should be there to collect it', instant),
  dropoff_eta_at: means('When it should arrive', instant, 'There by'),
  ...confirmTerms,
  ...localTimes(DELIVERY_QUOTE_TIMES),
})

const stop = closed({
  place: means('Where', place),
  contact: nullable(contact, 'Whom to call or write to'),
  notes: remark,
  verification: Type.Array(Type.Enum(VERIFICATIONS), {
    meaning: 'How handing over is verified',
    label: 'Brings back',
  }),
})

export const delivery = named('Delivery', {
  delivery_id: Type.String({ meaning: 'Delivery' }),
  quote_id: nullable(Type.String(), 'Quote'),
  origin: group('Where it came from', {
    kind: Type.Enum(['customer_request', 'food_order'] as const, { meaning: 'Of which kind' }),
    order_id: nullable(Type.String(), 'Order', 'Of the order'),
  }),
  status: Type.Enum(DELIVERY_STATUSES, { meaning: 'Where it stands' }),
  pickup: means('Where it begins', stop, 'From'),
  dropoff: means('Where it goes', stop, 'To'),
  parcel,
  price: means('What it costs', money),
  billed_to: Type.Enum(['customer', 'order'] as const, { meaning: 'Who pays' }),
  tax_included: taxIncluded,
  payment: nullable(payment, 'How it is paid'),
  refund: nullable(refund, 'What was paid back; null unless something was'),
  courier: nullable(
    closed({
      courier_id: Type.String({ meaning: 'Courier' }),
      name: by('worker', labelled('Courier', nameText)),
      vehicle_type: Type.Enum(VEHICLE_TYPES, { meaning: 'Kind of vehicle', label: 'Vehicle' }),
      phone_masked: phoneMasked,
      rating: Type.Number({ meaning: 'From 1 to 5; null without ratings' }),
      location: nullable(point, 'Where, as a point'),
      location_at: nullable(instant, 'When it was there'),
    }),
    'Who brings it; null until somebody does',
  ),
  pickup_eta_at: nullable(instant, 'When somebody should be there to collect it', 'Collected by'),
  dropoff_eta_at: nullable(instant, 'When it should arrive', 'There by'),
  courier_imminent: Type.Boolean({ meaning: 'Whether the courier is about to arrive' }),
  dropoff_pincode: nullable(Type.String(), 'What the recipient tells the courier', 'PIN'),
  pickup_proof: nullable(proofOfDelivery, 'How it was collected; null until it is'),
  proof_of_delivery: nullable(proofOfDelivery, 'How it was handed over; null until it is'),
  undeliverable: nullable(
    closed({
      reason_code: Type.String({ meaning: 'Why, as a word', label: 'Not handed over' }),
      action: Type.Enum(['return', 'leave', 'redeliver'] as const, { meaning: 'What is to happen with it' }),
    }),
    'What happens when nobody takes it',
  ),
  status_history: statusHistory(
    Type.Enum(DELIVERY_STATUSES),
    Type.Enum(['customer', 'store', 'courier', 'system'] as const),
  ),
  trail: nullable(
    closed({
      type: Type.Literal('LineString', { meaning: 'LineString' }),
      coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
        maxItems: 50,
        meaning: 'The line, as longitude and latitude pairs (RFC 7946)',
      }),
    }),
    'Where the courier has been',
  ),
  external_reference: nullable(Type.String(), 'Your own reference', 'Your reference'),
  created_at: createdAt,
  updated_at: updatedAt,
  delivered_at: nullable(instant, 'When it was delivered; null until it is'),
  ...localTimes(DELIVERY_TIMES),
})
