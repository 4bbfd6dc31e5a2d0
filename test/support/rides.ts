/** Makes quotes and rides for tests. */
import { findNextTimelineEvent } from '../../src/db/timeline.ts'
import { CARD, newKey } from './food.ts'
import type { TestSandbox } from './world.ts'

export const BANK_STATION = { location: { latitude: 51.5134, longitude: -0.0889 }, name: 'Bank' }
export const KINGS_CROSS = { location: { latitude: 51.5308, longitude: -0.1238 }, name: "King's Cross" }

type RideInput = Record<string, unknown>
type Options = { as?: string; key?: string; scenario?: string }

export type RequestedRide = Awaited<ReturnType<typeof requestTestRide>>

export function quoteTestRide(world: TestSandbox, more: RideInput = {}, options: Options = {}) {
  return world.ok('quote_ride', { pickup: BANK_STATION, dropoff: KINGS_CROSS, ...more }, options)
}

/** Quotes and requests; `trip` goes into the quote, `more` into the request. */
export async function requestTestRide(
  world: TestSandbox,
  { trip = {}, more = {}, ...options }: Options & { trip?: RideInput; more?: RideInput } = {},
) {
  const { as } = options
  const quote = await quoteTestRide(world, trip, as === undefined ? {} : { as })
  return world.ok(
    'request_ride',
    { quote_id: quote.quote_id, tier: 'economy', payment: CARD, ...more },
    { key: newKey(), ...options },
  )
}

/** Advances the clock from event to event until a ride has a status. Fails when no event is planned. */
export async function advanceToRideStatus(
  world: TestSandbox,
  rideId: string,
  status: string,
  as = 'everything',
) {
  for (;;) {
    const ride = await world.ok('get_ride', { ride_id: rideId }, { as })
    if (ride.status === status) return ride
    const next = await world.db.read((tx) => findNextTimelineEvent(tx, rideId))
    if (next === undefined) throw new Error(`${rideId} never became ${status}: it is ${ride.status}`)
    await world.advanceTo(Math.max(await world.now(), next.due_at))
  }
}
