import * as Type from 'typebox'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { assertPlaces, strictObject, describeField, placeField } from '../../core/schema.ts'
import { describeServiceClock, describePastTime, parseTimestamp } from '../../core/time.ts'
import { saveQuote } from '../quotes/lifecycle.ts'
import { priceRides } from './lifecycle/quote.ts'
import { readSurge, RIDE_QUOTE_SCENARIOS } from './lifecycle/scenario.ts'
import { SCHEDULED_FROM_MS } from './lifecycle/timeline.ts'
import { passengerCount, rideQuoteSchema } from './schema.ts'
import { serializeRideQuote } from './views.ts'

const DAY = 86_400_000
const MAX_AHEAD_MS = 30 * DAY

export const quoteRide = defineOperation({
  name: 'quote_ride',
  area: 'rides',
  summary: 'Price a ride in every tier',
  description:
    'Returns the distance, the driving time and the final fare of every tier, tax included, and one quote_id valid for 5 minutes. Show the fares to the customer, then request the ride in the chosen tier. Requests nothing and reserves no driver.',
  method: 'POST',
  path: '/v1/rides/quote',
  scope: 'rides.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    pickup: describeField('Pickup place', placeField),
    dropoff: describeField('Drop-off place', placeField),
    stops: Type.Optional(Type.Array(placeField, { maxItems: 3, description: 'Intermediate stops' })),
    passengers: Type.Optional(passengerCount),
    scheduled_for: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Pickup time, 30 minutes to 30 days ahead. Default: now',
      }),
    ),
  }),
  output: rideQuoteSchema,
  errors: [
    'outside_service_area',
    'pickup_equals_dropoff',
    'distance_limit_exceeded',
    'address_unresolvable',
  ],
  scenarios: RIDE_QUOTE_SCENARIOS,
  example: () => ({
    pickup: { location: { latitude: 51.5129, longitude: -0.0823 }, name: 'Lime Street' },
    dropoff: { location: { latitude: 51.5308, longitude: -0.1238 }, name: "King's Cross" },
  }),
  cli: {
    command: 'rides quote',
    danger: 'read',
    columns: ['quote_id', 'road_distance_m', 'driving_time_seconds', 'expires_at'],
  },
  async run({ tx, world, now, account, scenario }, input) {
    const { pickup, dropoff, stops = [] } = input
    const stopped = Object.fromEntries(stops.map((stop, index) => [`/stops/${index}`, stop]))
    assertPlaces({ '/pickup': pickup, '/dropoff': dropoff, ...stopped })
    const doc = await priceRides({ tx, world, at: now }, account.account_id, {
      pickup,
      dropoff,
      stops,
      passengers: input.passengers ?? null,
      scheduled_for: readSchedule(input.scheduled_for, now),
      surge: readSurge(scenario),
    })
    return serializeRideQuote(
      await saveQuote({ tx, world, at: now }, account.account_id, 'ride', doc),
      account,
    )
  },
})

function readSchedule(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const at = parseTimestamp(text) ?? 0
  if (at >= now + SCHEDULED_FROM_MS && at <= now + MAX_AHEAD_MS) return at
  const detail =
    at < now
      ? describePastTime('scheduled_for', now)
      : `scheduled_for must be from 30 minutes to 30 days ahead: ${describeServiceClock(now)}`
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: '/scheduled_for', code: 'out_of_range', detail }],
  })
}
