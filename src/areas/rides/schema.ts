/** Tiers, quotes and rides as riders see them. */
import * as Type from 'typebox'
import { makeLocalTimeFields } from '../../core/local-times.ts'
import {
  secondaryField,
  writtenBy,
  cancellable,
  strictObject,
  createdAt,
  objectField,
  idParam,
  instant,
  withLabel,
  latitude,
  longitude,
  describeField,
  money,
  component,
  nameField,
  nullable,
  orNull,
  phoneMasked,
  placeField,
  quoteFields,
  noteField,
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
import { FARE_LINES } from './rules.ts'
import {
  RIDE_ACTORS,
  RIDE_CANCEL_REASONS,
  RIDE_PROBLEM_REASONS,
  RIDE_QUOTE_TIMES,
  RIDE_STATUSES,
  RIDE_TIMES,
  TIERS,
} from './states.ts'

export const rideId = idParam('Ride')
export const tier = Type.Enum(TIERS, { description: 'Ride tier' })
export const rideStatus = Type.Enum(RIDE_STATUSES, { meaning: 'Status' })
export const passengerCount = Type.Integer({ minimum: 1, maximum: 6, description: 'Number of passengers' })

export const product = component('RideProduct', {
  tier,
  name: nameField,
  description: Type.String({ meaning: 'Short description' }),
  capacity: Type.Integer({ minimum: 1, meaning: 'Seats', label: 'Seats' }),
  luggage: Type.Integer({ minimum: 0, meaning: 'Luggage', label: 'Luggage' }),
  base_fare: describeField('Base fare', money, 'Base fare'),
  per_km: describeField('Price per kilometre', money),
  per_minute: describeField('Price per minute', money),
  minimum_fare: describeField('Minimum fare', money, 'Minimum fare'),
  prices_include_tax: Type.Literal(true, { meaning: 'True if prices include tax' }),
  vehicle_type: Type.String({ meaning: 'Vehicle type' }),
  available: Type.Boolean({ meaning: 'True if it is available now' }),
  nearest_pickup_eta_seconds: nullable(
    'Seconds until the nearest driver can arrive',
    Type.Integer({ minimum: 0 }),
    'Pickup ETA',
  ),
  wheelchair_accessible: Type.Boolean({ meaning: 'True if wheelchair accessible' }),
  image_url: nullable('Image URL', Type.String()),
})

const fareLine = strictObject({
  type: Type.Enum(FARE_LINES, { meaning: 'Type of the line' }),
  amount: describeField('Amount of the line; for a discount, the amount deducted', money),
})

const seconds = orNull(Type.Integer({ minimum: 0 }))

export const rideQuoteSchema = strictObject({
  ...quoteFields('ride'),
  pickup: describeField('Pickup place', placeField),
  dropoff: describeField('Drop-off place', placeField),
  stops: Type.Array(placeField, { meaning: 'Intermediate stops' }),
  passengers: nullable('Number of passengers', Type.Integer({ minimum: 1 })),
  scheduled_for: nullable('Requested pickup time; null for as soon as possible', instant),
  road_distance_m: Type.Integer({ minimum: 0, meaning: 'Distance by road in metres', label: 'Distance' }),
  driving_time_seconds: Type.Integer({
    minimum: 0,
    meaning: 'Driving time in seconds',
    label: 'Driving time',
  }),
  polyline: secondaryField(
    objectField('Route (GeoJSON LineString)', {
      type: Type.Literal('LineString', { meaning: 'LineString' }),
      coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
        meaning: 'Route as longitude and latitude pairs (RFC 7946)',
      }),
    }),
  ),
  fares: Type.Array(
    strictObject({
      tier,
      name: nameField,
      capacity: Type.Integer({ minimum: 1, meaning: 'Seats' }),
      fare: describeField('Fare', money),
      tax_included: taxIncludedField,
      lines: secondaryField(Type.Array(fareLine, { meaning: 'Price lines' })),
      surge_bps: Type.Integer({
        minimum: 10_000,
        meaning: 'Surge in basis points',
      }),
      available: Type.Boolean({ meaning: 'True if it is available now' }),
      pickup_eta_seconds: describeField('Seconds until pickup', seconds),
    }),
    { meaning: 'Fares by tier' },
  ),
  ...quoteTermsFields,
  ...makeLocalTimeFields(RIDE_QUOTE_TIMES),
})

export const rideProblemReason = Type.Enum(RIDE_PROBLEM_REASONS, { description: 'Problem' })

export const rideCancelReason = Type.Enum(RIDE_CANCEL_REASONS, { description: 'Reason' })

const actor = Type.Enum(RIDE_ACTORS)

export const ride = component('Ride', {
  ride_id: Type.String({ meaning: 'Ride' }),
  quote_id: Type.String({ meaning: 'Quote' }),
  status: rideStatus,
  tier,
  pickup: describeField('Pickup place', placeField, 'From'),
  dropoff: describeField('Drop-off place', placeField, 'To'),
  stops: Type.Array(placeField, { meaning: 'Intermediate stops', label: 'Via' }),
  passenger: objectField('Passenger, if not the account holder', {
    name: withLabel('Passenger', nameField),
    phone: nullable('Phone number', Type.String()),
    count: Type.Integer({ minimum: 1, meaning: 'Number of passengers', label: 'Passengers' }),
  }),
  notes: noteField,
  fare: describeField('Fare', money),
  lines: secondaryField(Type.Array(fareLine, { meaning: 'Price lines' })),
  tax_included: taxIncludedField,
  payment: describeField('Payment', payment),
  ...refundMembers,
  driver: nullable(
    'Driver; null until one is assigned',
    strictObject({
      driver_id: Type.String({ meaning: 'Driver' }),
      name: writtenBy('worker', withLabel('Driver', nameField)),
      rating: Type.Number({ meaning: 'Rating from 1 to 5; null without ratings' }),
      phone_masked: phoneMasked,
      photo_url: nullable('Photo URL', Type.String()),
    }),
  ),
  vehicle: nullable(
    'Vehicle; null until one is assigned',
    strictObject({
      make: Type.String({ meaning: 'Make of the vehicle' }),
      model: Type.String({ meaning: 'Model of the vehicle' }),
      colour: Type.String({ meaning: 'Colour of the vehicle' }),
      licence_plate: Type.String({ meaning: 'Licence plate', label: 'Plate' }),
      vehicle_type: Type.String({ meaning: 'Vehicle type' }),
    }),
  ),
  vehicle_location: nullable(
    'Location of the vehicle; null unless on the way',
    strictObject({
      latitude,
      longitude,
      bearing: Type.Integer({
        minimum: 0,
        maximum: 359,
        meaning: 'Bearing in degrees from north',
      }),
      at: describeField('Time of the location', instant),
    }),
  ),
  pickup_eta_seconds: describeField('Seconds until pickup', seconds, 'Pickup ETA'),
  dropoff_eta_at: nullable('Estimated arrival at the drop-off', instant, 'Drop-off ETA'),
  dispatch: secondaryField(
    objectField('Search for a driver', {
      attempt: Type.Integer({ minimum: 0, meaning: 'Attempt number' }),
      candidates_tried: Type.Integer({ minimum: 0, meaning: 'Number of drivers asked' }),
      last_offer_at: nullable('Time of the last request to a driver', instant),
    }),
  ),
  pickup_pin: Type.String({
    meaning: 'Pickup PIN; the passenger tells it to the driver',
    label: 'PIN at pickup',
  }),
  cancellable,
  cancellation_fee: nullable(
    'Current cancellation fee, kept from the payment or charged with the next ride; null if the ride cannot be cancelled',
    money,
    'Cancelling costs',
  ),
  cancellation: nullable(
    'Cancellation; null if not cancelled',
    strictObject({
      by: describeField('Actor', actor),
      reason_code: Type.Enum([...RIDE_CANCEL_REASONS, 'rider_no_show'] as const, {
        meaning: 'Reason code',
        label: 'Reason',
      }),
      note: noteField,
      fee: describeField('Cancellation fee', money, 'Cancellation fee'),
      balance_due: nullable(
        'Fee of an unpaid ride, charged with the next ride',
        money,
        'Due with the next ride',
      ),
      at: describeField('Time of cancellation', instant),
    }),
  ),
  receipt: nullable(
    'Receipt; null until the ride ends',
    strictObject({
      charged: describeField('Final amount charged', money),
      lines: Type.Array(
        strictObject({
          type: Type.Enum([...FARE_LINES, 'cancellation_fee', 'no_show_fee'] as const, {
            meaning: 'Type of the line',
          }),
          amount: describeField('Amount of the line; for a discount, the amount deducted', money),
        }),
        { meaning: 'Price lines' },
      ),
    }),
  ),
  promised_pickup_at: nullable(
    'Time at the pickup that the first driver promised; null until a driver accepts',
    instant,
    'Promised for',
  ),
  problems: reportedProblems,
  status_history: statusHistory(rideStatus, actor),
  created_at: withLabel('Requested', createdAt),
  updated_at: updatedAt,
  scheduled_for: nullable('Requested pickup time; null for as soon as possible', instant, 'Pickup time'),
  completed_at: nullable('Completion time; null until then', instant),
  ...makeLocalTimeFields(RIDE_TIMES),
})
