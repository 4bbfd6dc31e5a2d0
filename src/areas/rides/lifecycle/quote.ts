/** The price of a way in every tier that serves it. Changes nothing. */
import {
  AppError,
  type ErrorCode,
  type ProblemDetails,
  type ProblemFieldError,
} from '../../../core/errors.ts'
import { haversineMetres } from '../../../core/geometry.ts'
import { seededInt } from '../../../core/hash.ts'
import type { Place } from '../../../core/places/place.ts'
import { locatePlace } from '../../../core/places/words.ts'
import { formulaRoute } from '../../../core/route.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { type DriverRecord, listDrivers, listTiers, type TierRecord } from '../queries/drivers.ts'
import type { RideFare, RideQuoteDoc } from '../queries/rides.ts'
import { PLAIN_BPS, priceRide } from '../rules.ts'
import { findBalance } from './balance.ts'
import { listDriversAtWork, findPickupSeconds, isInTierArea } from './drivers.ts'

export type RideQuoteRequest = {
  pickup: Place
  dropoff: Place
  stops: readonly Place[]
  passengers: number | null
  scheduled_for: number | null
  /** Basis points; undefined where chance decides. */
  surge: number | undefined
}

const SAME_PLACE_M = 50
const MAX_RIDE_DISTANCE_M = 200_000
/** Within a quarter of an hour demand, and with it the surge, stays the same (docs/rules/rides.md#a-surge-lasts-a-quarter-of-an-hour). */
const SURGE_PERIOD_MS = 900_000
const SURGE_STEPS = 16
const SURGE_STEP_BPS = 500

/** Prices a request as of `now`, or throws the first reason why it could not be driven. */
export async function priceRides(
  { tx, world, at: now }: ChangeContext,
  accountId: string,
  request: RideQuoteRequest,
): Promise<RideQuoteDoc> {
  const pickup = locatePlace(request.pickup, '/pickup')
  const dropoff = locatePlace(request.dropoff, '/dropoff')
  const stops = request.stops.map((stop, index) => locatePlace(stop, `/stops/${index}`))
  const tiers = (await listTiers(tx)).filter((tier) => isInTierArea(tier, pickup.location))
  if (tiers.length === 0)
    throw refuse('outside_service_area', {
      pointer: '/pickup',
      detail: `rides are not offered at ${pickup.name}`,
      code: 'out_of_range',
    })
  if (haversineMetres(pickup.location, dropoff.location) < SAME_PLACE_M)
    throw refuse('pickup_equals_dropoff', {
      pointer: '/dropoff',
      detail: `dropoff is less than ${SAME_PLACE_M} m from pickup`,
      code: 'out_of_range',
    })
  const points = [pickup, ...stops, dropoff].map(({ location }) => location)
  const found = formulaRoute({ points, vehicle: 'car' })
  if (found.distance_m > MAX_RIDE_DISTANCE_M)
    throw refuse(
      'distance_limit_exceeded',
      {
        pointer: '/dropoff',
        detail: `it is ${Math.ceil(found.distance_m / 1000)} km by road; the limit is ${MAX_RIDE_DISTANCE_M / 1000} km`,
        code: 'out_of_range',
      },
      { limit: MAX_RIDE_DISTANCE_M },
    )
  const trip = {
    pickup,
    dropoff,
    stops,
    scheduled_for: request.scheduled_for,
    road_distance_m: found.distance_m,
    driving_time_seconds: found.duration_seconds,
    path: points,
  }
  const drivers = await listDrivers(tx)
  const { amount: balance } = await findBalance(tx, accountId, world.currency)
  const at = request.scheduled_for ?? now
  const surge_bps = request.surge ?? sampleSurge(world.seed, at)
  const fares: RideFare[] = []
  for (const tier of tiers.filter(({ capacity }) => capacity >= (request.passengers ?? 1)))
    fares.push(await toFare({ tx, world }, tier, drivers, { ...trip, at, surge_bps, balance }))
  return { ...trip, passengers: request.passengers, fares }
}

async function toFare(
  { tx, world }: Pick<ChangeContext, 'tx' | 'world'>,
  tier: TierRecord,
  drivers: readonly DriverRecord[],
  trip: Pick<RideQuoteDoc, 'pickup' | 'scheduled_for' | 'road_distance_m' | 'driving_time_seconds'> & {
    at: number
    surge_bps: number
    balance: number
  },
): Promise<RideFare> {
  const { surge_bps, balance, pickup, scheduled_for, at } = trip
  const price = priceRide(tier.tariff, trip, {
    surge_bps,
    balance,
    tax_bps: tier.tax_bps,
    currency: world.currency,
  })
  const wanted = { tier: tier.tier, point: pickup.location, at }
  const seconds =
    scheduled_for === null ? ((await findPickupSeconds(tx, world, drivers, wanted)) ?? null) : null
  return {
    tier: tier.tier,
    name: tier.name,
    capacity: tier.capacity,
    ...price,
    surge_bps,
    available:
      scheduled_for === null ? seconds !== null : listDriversAtWork(drivers, world, wanted).length > 0,
    pickup_eta_seconds: seconds,
  }
}

/** None in three quarters of an hour's quarters, up to 18,000 bps in the others. */
function sampleSurge(seed: string, at: number): number {
  const period = Math.floor(at / SURGE_PERIOD_MS)
  if (seededInt(4, seed, ['surge', period, 0, 'busy']) > 0) return PLAIN_BPS
  return PLAIN_BPS + SURGE_STEP_BPS * (1 + seededInt(SURGE_STEPS, seed, ['surge', period, 0, 'bps']))
}

function refuse(code: ErrorCode, error: ProblemFieldError, extra: ProblemDetails = {}): AppError {
  return new AppError(code, `${error.detail.charAt(0).toUpperCase()}${error.detail.slice(1)}.`, {
    extra,
    errors: [error],
  })
}
