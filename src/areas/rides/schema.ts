/** Tiers, quotes and rides as riders see them (`contract.md` B3). */
import * as Type from 'typebox'
import { localTimes } from '../../core/local-times.ts'
import {
  aside,
  by,
  cancellable,
  closed,
  createdAt,
  group,
  idOf,
  instant,
  labelled,
  latitude,
  longitude,
  means,
  money,
  named,
  nameText,
  nullable,
  phoneMasked,
  place,
  quoteFields,
  remark,
  statusHistory,
  updatedAt,
} from '../../core/schema.ts'
import { confirmTerms, payment, refund, taxIncluded } from '../payments/schema.ts'
import { FARE_LINES } from './rules.ts'
import {
  RIDE_ACTORS,
  RIDE_CANCEL_REASONS,
  RIDE_QUOTE_TIMES,
  RIDE_STATUSES,
  RIDE_TIMES,
  TIERS,
} from './states.ts'

export const rideId = idOf('Ride')
export const tier = Type.Enum(TIERS, { description: 'Kind of ride' })
export const rideStatus = Type.Enum(RIDE_STATUSES, { meaning: 'Status' })
export const passengerCount = Type.Integer({ minimum: 1, maximum: 6, description: 'Number of passengers' })

export const product = named('RideProduct', {
  tier,
  name: nameText,
  description: Type.String({ meaning: 'In a few words' }),
  capacity: Type.Integer({ minimum: 1, meaning: 'Seats', label: 'Seats' }),
  luggage: Type.Integer({ minimum: 0, meaning: 'Pieces of luggage that fit', label: 'Cases' }),
  base_fare: means('Charged once for each ride', money, 'Base'),
  per_km: means('For each kilometre', money),
  per_minute: means('For each minute', money),
  minimum_fare: means('A ride costs at least this', money, 'At least'),
  prices_include_tax: Type.Literal(true, { meaning: 'True if prices contain the tax' }),
  vehicle_type: Type.String({ meaning: 'Kind of vehicle' }),
  available: Type.Boolean({ meaning: 'True if it is available now' }),
  nearest_pickup_eta_seconds: nullable(
    Type.Integer({ minimum: 0 }),
    'Pickup ETA of the nearest, in seconds',
    'There in',
  ),
  wheelchair_accessible: Type.Boolean({ meaning: 'True if a wheelchair fits' }),
  image_url: nullable(Type.String(), 'A picture'),
})

const fareLine = closed({
  type: Type.Enum(FARE_LINES, { meaning: 'Type of charge' }),
  amount: means('Amount of the line; of a discount, the amount taken off', money),
})

const seconds = nullable(Type.Integer({ minimum: 0 }))

export const rideQuote = closed({
  ...quoteFields('ride'),
  pickup: means('Place of pickup', place),
  dropoff: means('Place of drop-off', place),
  stops: Type.Array(place, { meaning: 'Places on the way' }),
  passengers: nullable(Type.Integer({ minimum: 1 }), 'Number of passengers'),
  scheduled_for: nullable(instant, 'Requested pickup time; null for as soon as possible'),
  road_distance_m: Type.Integer({ minimum: 0, meaning: 'Length of the way, in metres', label: 'Distance' }),
  driving_time_seconds: Type.Integer({
    minimum: 0,
    meaning: 'Time at the wheel, in seconds',
    label: 'Driving',
  }),
  polyline: aside(
    group('Route (GeoJSON LineString)', {
      type: Type.Literal('LineString', { meaning: 'LineString' }),
      coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
        meaning: 'The line, as longitude and latitude pairs (RFC 7946)',
      }),
    }),
  ),
  fares: Type.Array(
    closed({
      tier,
      name: nameText,
      capacity: Type.Integer({ minimum: 1, meaning: 'Passengers that fit' }),
      fare: means('Price of the ride', money),
      tax_included: taxIncluded,
      lines: aside(Type.Array(fareLine, { meaning: 'Line by line' })),
      surge_bps: Type.Integer({
        minimum: 10_000,
        meaning: 'Surge on the price in hundredths of a per cent',
      }),
      available: Type.Boolean({ meaning: 'True if it is available now' }),
      pickup_eta_seconds: means('Pickup ETA of the driver, in seconds', seconds),
    }),
    { meaning: 'A price for each tier' },
  ),
  ...confirmTerms,
  ...localTimes(RIDE_QUOTE_TIMES),
})

export const rideCancelReason = Type.Enum(RIDE_CANCEL_REASONS, { description: 'Reason' })

const actor = Type.Enum(RIDE_ACTORS)

export const ride = named('Ride', {
  ride_id: Type.String({ meaning: 'Ride' }),
  quote_id: Type.String({ meaning: 'Quote' }),
  status: rideStatus,
  tier,
  pickup: means('Place of pickup', place, 'From'),
  dropoff: means('Place of drop-off', place, 'To'),
  stops: Type.Array(place, { meaning: 'Places on the way', label: 'Over' }),
  passenger: group('Passenger, if somebody else', {
    name: labelled('Passenger', nameText),
    phone: nullable(Type.String(), 'Telephone'),
    count: Type.Integer({ minimum: 1, meaning: 'Number of passengers', label: 'Passengers' }),
  }),
  notes: remark,
  fare: means('Price of the ride', money),
  tax_included: taxIncluded,
  payment: means('Payment', payment),
  refund: nullable(refund, 'Refund; null unless something was refunded'),
  driver: nullable(
    closed({
      driver_id: Type.String({ meaning: 'Driver' }),
      name: by('worker', labelled('Driver', nameText)),
      rating: Type.Number({ meaning: 'From 1 to 5; null without ratings' }),
      phone_masked: phoneMasked,
      photo_url: nullable(Type.String(), 'A picture'),
    }),
    'Driver; null until one is assigned',
  ),
  vehicle: nullable(
    closed({
      make: Type.String({ meaning: 'Make of the vehicle' }),
      model: Type.String({ meaning: 'Model of the vehicle' }),
      colour: Type.String({ meaning: 'Colour of the vehicle' }),
      licence_plate: Type.String({ meaning: 'Licence plate', label: 'Plate' }),
      vehicle_type: Type.String({ meaning: 'Kind of vehicle' }),
    }),
    'Vehicle; null until one is assigned',
  ),
  vehicle_location: nullable(
    closed({
      latitude,
      longitude,
      bearing: Type.Integer({
        minimum: 0,
        maximum: 359,
        meaning: 'Bearing in degrees from north',
      }),
      at: means('Time of the location', instant),
    }),
    'Location of the vehicle; null unless on the way',
  ),
  pickup_eta_seconds: means('Pickup ETA of the driver, in seconds', seconds, 'There in'),
  dropoff_eta_at: nullable(instant, 'Estimated arrival at the drop-off', 'Arrives about'),
  dispatch: aside(
    group('Search for a driver', {
      attempt: Type.Integer({ minimum: 0, meaning: 'Number of the attempt' }),
      candidates_tried: Type.Integer({ minimum: 0, meaning: 'Number of drivers asked' }),
      last_offer_at: nullable(instant, 'Time of the last request to a driver'),
    }),
  ),
  pickup_pin: Type.String({ meaning: 'PIN that the passenger tells the driver', label: 'PIN at pickup' }),
  cancellable,
  cancellation_fee: nullable(
    money,
    'Cancellation fee now, kept from the payment or due with the next ride; null when it cannot be cancelled',
    'Cancelling costs',
  ),
  cancellation: nullable(
    closed({
      by: means('Actor', actor),
      reason_code: Type.Enum([...RIDE_CANCEL_REASONS, 'rider_no_show'] as const, {
        meaning: 'Reason, as a word',
        label: 'Cancelled because',
      }),
      note: remark,
      fee: means('Cancellation fee', money, 'Fee kept'),
      balance_due: nullable(
        money,
        'The fee of a ride that was never paid: due with the next ride of the account',
        'Due with the next ride',
      ),
      at: means('Time of cancellation', instant),
    }),
    'Cancellation; null unless it was cancelled',
  ),
  receipt: nullable(
    closed({
      charged: means('Amount charged in the end', money),
      lines: Type.Array(
        closed({
          type: Type.Enum([...FARE_LINES, 'cancellation_fee', 'no_show_fee'] as const, {
            meaning: 'Type of charge',
          }),
          amount: means('Amount of the line; of a discount, the amount taken off', money),
        }),
        { meaning: 'Line by line' },
      ),
    }),
    'Amount charged; null until it is over',
  ),
  status_history: statusHistory(rideStatus, actor),
  created_at: labelled('Requested', createdAt),
  updated_at: updatedAt,
  scheduled_for: nullable(instant, 'Requested pickup time; null for as soon as possible', 'For'),
  completed_at: nullable(instant, 'Time of completion; null until then'),
  ...localTimes(RIDE_TIMES),
})
