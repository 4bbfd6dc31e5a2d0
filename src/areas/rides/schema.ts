/** Tiers, quotes and rides as riders see them (`contract.md` B3). */
import * as Type from 'typebox'
import { closed, instant, latitude, longitude, money, named, nullable, place } from '../../core/schema.ts'
import { payment, refund } from '../payments/schema.ts'
import { FARE_LINES } from './rules.ts'
import { RIDE_ACTORS, RIDE_CANCEL_REASONS, RIDE_STATUSES, TIERS } from './states.ts'

export const rideId = Type.String({ minLength: 1, maxLength: 60, description: 'Ride' })
export const tier = Type.Enum(TIERS, { description: 'Kind of ride' })
export const rideStatus = Type.Enum(RIDE_STATUSES)
export const passengerCount = Type.Integer({ minimum: 1, maximum: 6, description: 'How many passengers' })

export const product = named('RideProduct', {
  tier,
  name: Type.String(),
  description: Type.String(),
  capacity: Type.Integer({ minimum: 1 }),
  luggage: Type.Integer({ minimum: 0 }),
  base_fare: money,
  per_km: money,
  per_minute: money,
  minimum_fare: money,
  prices_include_tax: Type.Literal(true),
  vehicle_type: Type.String(),
  available: Type.Boolean(),
  nearest_pickup_eta_seconds: nullable(Type.Integer({ minimum: 0 })),
  wheelchair_accessible: Type.Boolean(),
  image_url: nullable(Type.String()),
})

const fareLine = closed({ type: Type.Enum(FARE_LINES), amount: money })

const seconds = nullable(Type.Integer({ minimum: 0 }))

export const rideQuote = closed({
  quote_id: Type.String(),
  kind: Type.Literal('ride'),
  status: Type.Enum(['open', 'used', 'expired'] as const),
  created_at: instant,
  expires_at: instant,
  expires_in_seconds: Type.Integer({ minimum: 0 }),
  pickup: place,
  dropoff: place,
  stops: Type.Array(place),
  passengers: nullable(Type.Integer({ minimum: 1 })),
  scheduled_for: nullable(instant),
  road_distance_m: Type.Integer({ minimum: 0 }),
  driving_time_seconds: Type.Integer({ minimum: 0 }),
  polyline: closed({
    type: Type.Literal('LineString'),
    coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
  }),
  fares: Type.Array(
    closed({
      tier,
      name: Type.String(),
      capacity: Type.Integer({ minimum: 1 }),
      fare: money,
      tax_included: money,
      lines: Type.Array(fareLine),
      surge_bps: Type.Integer({ minimum: 10_000 }),
      available: Type.Boolean(),
      pickup_eta_seconds: seconds,
    }),
  ),
})

export const rideCancelReason = Type.Enum(RIDE_CANCEL_REASONS, { description: 'Why' })

const actor = Type.Enum(RIDE_ACTORS)

export const ride = named('Ride', {
  ride_id: Type.String(),
  quote_id: Type.String(),
  status: rideStatus,
  tier,
  pickup: place,
  dropoff: place,
  stops: Type.Array(place),
  passenger: closed({
    name: Type.String(),
    phone: nullable(Type.String()),
    count: Type.Integer({ minimum: 1 }),
  }),
  notes: nullable(Type.String()),
  fare: money,
  tax_included: money,
  payment,
  refund: nullable(refund),
  driver: nullable(
    closed({
      driver_id: Type.String(),
      name: Type.String(),
      rating: Type.Number(),
      phone_masked: Type.String(),
      photo_url: nullable(Type.String()),
    }),
  ),
  vehicle: nullable(
    closed({
      make: Type.String(),
      model: Type.String(),
      colour: Type.String(),
      licence_plate: Type.String(),
      vehicle_type: Type.String(),
    }),
  ),
  vehicle_location: nullable(
    closed({ latitude, longitude, bearing: Type.Integer({ minimum: 0, maximum: 359 }), at: instant }),
  ),
  pickup_eta_seconds: seconds,
  dropoff_eta_at: nullable(instant),
  dispatch: closed({
    attempt: Type.Integer({ minimum: 0 }),
    candidates_tried: Type.Integer({ minimum: 0 }),
    last_offer_at: nullable(instant),
  }),
  pickup_pin: Type.String(),
  cancellable: Type.Boolean(),
  cancellation_fee: nullable(money),
  cancellation: nullable(
    closed({
      by: actor,
      reason_code: Type.Enum([...RIDE_CANCEL_REASONS, 'rider_no_show'] as const),
      note: nullable(Type.String()),
      fee: money,
      balance_due: nullable(money),
      at: instant,
    }),
  ),
  receipt: nullable(
    closed({
      charged: money,
      lines: Type.Array(
        closed({
          type: Type.Enum([...FARE_LINES, 'cancellation_fee', 'no_show_fee'] as const),
          amount: money,
        }),
      ),
    }),
  ),
  status_history: Type.Array(
    closed({ status: rideStatus, at: instant, by: actor, reason: nullable(Type.String()) }),
  ),
  created_at: instant,
  updated_at: instant,
  scheduled_for: nullable(instant),
  completed_at: nullable(instant),
})
