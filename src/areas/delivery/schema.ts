/** Quotes and courier runs as customers see them (`contract.md` B4). */
import * as Type from 'typebox'
import {
  closed,
  contact,
  instant,
  money,
  moneyFor,
  named,
  nullable,
  place,
  point,
  text,
} from '../../core/schema.ts'
import { VEHICLE_TYPES } from '../../core/travel.ts'
import { HEAVIEST_PARCEL_G, PARCEL_SIZES } from '../couriers/rules.ts'
import { DELIVERY_STATUSES, VERIFICATIONS } from '../couriers/states.ts'
import { payment, refund } from '../payments/schema.ts'
import { proofOfDelivery } from '../proofs/schema.ts'
import { RUN_LINES } from './rules/price.ts'

export const deliveryId = Type.String({ minLength: 1, maxLength: 60, description: 'Delivery' })

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
  value: Type.Optional(moneyFor('What it is worth')),
  requires_id: Type.Optional(
    Type.Boolean({ default: false, description: 'Whoever receives it must show an identity document' }),
  ),
})

const parcel = closed({
  size,
  weight_grams: nullable(Type.Integer()),
  description: Type.String(),
  value: nullable(money),
  requires_id: Type.Boolean(),
})

export const verification = Type.Array(Type.Enum(VERIFICATIONS), {
  minItems: 1,
  maxItems: VERIFICATIONS.length,
  uniqueItems: true,
  description: 'What the courier must bring back from the door, all of them',
})

export const deliveryQuote = closed({
  quote_id: Type.String(),
  kind: Type.Literal('delivery'),
  status: Type.Enum(['open', 'used', 'expired'] as const),
  created_at: instant,
  expires_at: instant,
  expires_in_seconds: Type.Integer({ minimum: 0 }),
  pickup: place,
  dropoff: place,
  parcel,
  vehicle_type: Type.Enum(VEHICLE_TYPES),
  road_distance_m: Type.Integer({ minimum: 0 }),
  duration_seconds: Type.Integer({ minimum: 0 }),
  lines: Type.Array(closed({ type: Type.Enum(RUN_LINES), amount: money })),
  total: money,
  tax_included: money,
  pickup_ready_at: nullable(instant),
  pickup_eta_at: instant,
  dropoff_eta_at: instant,
})

const stop = closed({
  place,
  contact: nullable(contact),
  notes: nullable(Type.String()),
  verification: Type.Array(Type.Enum(VERIFICATIONS)),
})

export const delivery = named('Delivery', {
  delivery_id: Type.String(),
  quote_id: nullable(Type.String()),
  origin: closed({
    kind: Type.Enum(['customer_request', 'food_order'] as const),
    order_id: nullable(Type.String()),
  }),
  status: Type.Enum(DELIVERY_STATUSES),
  pickup: stop,
  dropoff: stop,
  parcel,
  price: money,
  billed_to: Type.Enum(['customer', 'order'] as const),
  tax_included: money,
  payment: nullable(payment),
  refund: nullable(refund),
  courier: nullable(
    closed({
      courier_id: Type.String(),
      name: Type.String(),
      vehicle_type: Type.Enum(VEHICLE_TYPES),
      phone_masked: Type.String(),
      rating: Type.Number(),
      location: nullable(point),
      location_at: nullable(instant),
    }),
  ),
  pickup_eta_at: nullable(instant),
  dropoff_eta_at: nullable(instant),
  courier_imminent: Type.Boolean(),
  dropoff_pincode: nullable(Type.String()),
  pickup_proof: nullable(proofOfDelivery),
  proof_of_delivery: nullable(proofOfDelivery),
  undeliverable: nullable(
    closed({
      reason_code: Type.String(),
      action: Type.Enum(['return', 'leave', 'redeliver'] as const),
    }),
  ),
  status_history: Type.Array(
    closed({
      status: Type.Enum(DELIVERY_STATUSES),
      at: instant,
      by: Type.Enum(['customer', 'store', 'courier', 'system'] as const),
      reason: nullable(Type.String()),
    }),
  ),
  trail: nullable(
    closed({
      type: Type.Literal('LineString'),
      coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), { maxItems: 50 }),
    }),
  ),
  external_reference: nullable(Type.String()),
  created_at: instant,
  updated_at: instant,
  delivered_at: nullable(instant),
})
