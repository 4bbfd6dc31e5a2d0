/** Quotes and deliveries as customers see them. */
import * as Type from 'typebox'
import { makeLocalTimeFields } from '../../core/local-times.ts'
import {
  secondaryField,
  writtenBy,
  strictObject,
  contact,
  createdAt,
  objectField,
  idParam,
  instant,
  withLabel,
  describeField,
  money,
  cappedMoneyField,
  component,
  nameField,
  nullable,
  phoneMasked,
  placeField,
  point,
  quoteFields,
  noteField,
  statusHistory,
  nonBlankText,
  updatedAt,
} from '../../core/schema.ts'
import { VEHICLE_TYPES } from '../../core/travel.ts'
import { MAX_PARCEL_G, PARCEL_SIZES, RUN_LINES } from '../couriers/rules.ts'
import {
  DELIVERY_PROBLEM_REASONS,
  DELIVERY_QUOTE_TIMES,
  DELIVERY_STATUSES,
  DELIVERY_TIMES,
  VERIFICATIONS,
} from '../couriers/states.ts'
import {
  quoteTermsFields,
  payment,
  refundMembers,
  reportedProblems,
  taxIncludedField,
} from '../payments/schema.ts'
import { IF_ABSENT } from '../proofs/rules/absent.ts'
import { proofOfDelivery } from '../proofs/schema.ts'

export const deliveryId = idParam('Delivery')

export const vehicleType = Type.Enum(VEHICLE_TYPES, {
  description: 'Courier vehicle. Default: by size, weight and distance',
})

const size = Type.Enum(PARCEL_SIZES, {
  description: 'Size class: small, medium, large (needs a car) or xl (needs a van)',
})

export const deliveryProblemReason = Type.Enum(DELIVERY_PROBLEM_REASONS, { description: 'Problem' })

/** As it is requested. */
export const parcelRequest = component('DeliveryParcel', {
  size,
  weight_grams: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PARCEL_G, description: 'Weight in grams' }),
  ),
  description: nonBlankText(120, { description: 'Contents' }),
  value: Type.Optional(cappedMoneyField('courier_goods', 'Value')),
  requires_id: Type.Optional(
    Type.Boolean({ default: false, description: 'True if the recipient must show ID' }),
  ),
})

const parcel = objectField('Parcel', {
  size,
  weight_grams: nullable('Weight in grams', Type.Integer()),
  description: Type.String({ meaning: 'Short description', label: 'Contents' }),
  value: nullable('Value', money),
  requires_id: Type.Boolean({ meaning: 'True if the recipient must show ID' }),
})

export const verification = Type.Array(Type.Enum(VERIFICATIONS), {
  minItems: 1,
  maxItems: VERIFICATIONS.length,
  uniqueItems: true,
  description: 'Proof required at the drop-off',
})

const lines = Type.Array(
  strictObject({
    type: Type.Enum(RUN_LINES, { meaning: 'Type of the line' }),
    amount: describeField('Amount of the line; for a discount, the amount deducted', money),
  }),
  { meaning: 'Price lines' },
)

const ifAbsentShown = Type.Enum(IF_ABSENT, {
  meaning: 'Instruction if nobody answers the door',
  label: 'If nobody is there',
})

export const deliveryQuoteSchema = strictObject({
  ...quoteFields('delivery'),
  pickup: describeField('Pickup place', placeField),
  dropoff: describeField('Drop-off place', placeField),
  parcel,
  vehicle_type: Type.Enum(VEHICLE_TYPES, { meaning: 'Vehicle type', label: 'Vehicle' }),
  road_distance_m: Type.Integer({ minimum: 0, meaning: 'Distance by road in metres', label: 'Distance' }),
  duration_seconds: Type.Integer({ minimum: 0, meaning: 'Duration in seconds' }),
  lines,
  total: describeField('Total', money),
  tax_included: taxIncludedField,
  if_absent: ifAbsentShown,
  pickup_ready_at: nullable('Earliest pickup time', instant),
  pickup_eta_at: describeField('Estimated arrival of the courier at the pickup', instant),
  dropoff_eta_at: describeField('Estimated time of delivery', instant, 'Delivery ETA'),
  ...quoteTermsFields,
  ...makeLocalTimeFields(DELIVERY_QUOTE_TIMES),
})

const stop = strictObject({
  place: describeField('Place', placeField),
  contact: nullable('Contact', contact),
  notes: noteField,
  verification: Type.Array(Type.Enum(VERIFICATIONS), {
    meaning: 'Proof required at handover',
    label: 'Proof required',
  }),
})

export const delivery = component('Delivery', {
  delivery_id: Type.String({ meaning: 'Delivery' }),
  quote_id: nullable('Quote', Type.String()),
  origin: objectField('Origin', {
    kind: Type.Enum(['customer_request', 'food_order'] as const, { meaning: 'Kind' }),
    order_id: nullable('Order', Type.String(), 'Order'),
  }),
  status: Type.Enum(DELIVERY_STATUSES, { meaning: 'Status' }),
  pickup: describeField('Pickup place', stop, 'From'),
  dropoff: describeField('Drop-off place', stop, 'To'),
  parcel,
  if_absent: ifAbsentShown,
  price: describeField('Price', money),
  lines: secondaryField(lines),
  billed_to: Type.Enum(['customer', 'order'] as const, { meaning: 'Payer' }),
  tax_included: taxIncludedField,
  payment: nullable('Payment', payment),
  ...refundMembers,
  courier: nullable(
    'Courier; null until one is assigned',
    strictObject({
      courier_id: Type.String({ meaning: 'Courier' }),
      name: writtenBy('worker', withLabel('Courier', nameField)),
      vehicle_type: Type.Enum(VEHICLE_TYPES, { meaning: 'Vehicle type', label: 'Vehicle' }),
      phone_masked: phoneMasked,
      rating: Type.Number({ meaning: 'Rating from 1 to 5; null without ratings' }),
      location: nullable('Location', point),
      location_at: nullable('Time of the location', instant),
    }),
  ),
  pickup_eta_at: nullable('Estimated arrival of the courier at the pickup', instant, 'Collected by'),
  dropoff_eta_at: nullable('Estimated time of delivery', instant, 'Delivery ETA'),
  promised_delivery_at: nullable('Arrival that the request promised', instant, 'Promised for'),
  problems: reportedProblems,
  courier_imminent: Type.Boolean({ meaning: 'True if the courier is about to arrive' }),
  dropoff_pincode: nullable('Drop-off PIN; the recipient tells it to the courier', Type.String(), 'PIN'),
  pickup_proof: nullable('Proof of collection; null until it is collected', proofOfDelivery),
  proof_of_delivery: nullable('Proof of delivery; null until it is handed over', proofOfDelivery),
  undeliverable: nullable(
    'Failed-delivery handling',
    strictObject({
      reason_code: Type.String({ meaning: 'Reason code', label: 'Not handed over' }),
      action: Type.Enum(['return', 'leave', 'redeliver'] as const, { meaning: 'Action' }),
      attempts: Type.Integer({ minimum: 0, meaning: 'Attempts at the door at which nobody was met' }),
      waited_seconds: Type.Integer({ minimum: 0, meaning: 'Waiting time at the door in seconds' }),
    }),
  ),
  status_history: statusHistory(
    Type.Enum(DELIVERY_STATUSES),
    Type.Enum(['customer', 'store', 'courier', 'system'] as const),
  ),
  trail: secondaryField(
    nullable(
      'Courier’s route so far',
      strictObject({
        type: Type.Literal('LineString', { meaning: 'LineString' }),
        coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
          maxItems: 50,
          meaning: 'Route as longitude and latitude pairs (RFC 7946)',
        }),
      }),
    ),
  ),
  external_reference: nullable('Your own reference', Type.String(), 'Your reference'),
  created_at: createdAt,
  updated_at: updatedAt,
  delivered_at: nullable('Delivery time; null until then', instant),
  ...makeLocalTimeFields(DELIVERY_TIMES),
})
