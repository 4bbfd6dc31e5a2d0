/** The price of a delivery, and whether it could be had. Changes nothing. */
import type { Tx } from '../../../core/db.ts'
import {
  AppError,
  type ErrorCode,
  type ProblemDetails,
  type ProblemFieldError,
} from '../../../core/errors.ts'
import { haversineMetres, type Point } from '../../../core/geometry.ts'
import type { Place, ResolvedPlace } from '../../../core/places/place.ts'
import { isPointServed } from '../../../core/places/service-area.ts'
import { locatePlace } from '../../../core/places/words.ts'
import { formulaRoute } from '../../../core/route.ts'
import { toRoadVehicle, type VehicleType } from '../../../core/travel.ts'
import type { WorldSettings } from '../../../core/world.ts'
import { noCourier, promiseArrivals } from '../../couriers/lifecycle/couriers.ts'
import type { DeliveryDoc } from '../../couriers/queries/deliveries.ts'
import { canVehicleCarry, MAX_DELIVERY_DISTANCE_M, REACH, vehiclesFor } from '../../couriers/rules.ts'
import { assertMayLeave, type IfAbsent } from '../../proofs/rules/absent.ts'
import { priceRun, type RunPrice } from '../rules/price.ts'
import { findProhibited } from '../rules/prohibited.ts'

/** The priced inputs of a run, and all that its answer shows. Times in milliseconds. */
export type DeliveryQuoteDoc = RunPrice & {
  pickup: ResolvedPlace
  dropoff: ResolvedPlace
  parcel: DeliveryDoc['parcel']
  vehicle_type: VehicleType
  /** Absent in older quotes. */
  if_absent?: IfAbsent
  road_distance_m: number
  duration_seconds: number
  pickup_ready_at: number | null
  pickup_eta_at: number
  dropoff_eta_at: number
}

export type DeliveryQuoteRequest = {
  pickup: Place
  dropoff: Place
  parcel: DeliveryDoc['parcel']
  if_absent: IfAbsent
  pickup_ready_at: number | null
  /** Chosen by size, weight and distance when omitted. */
  vehicle_type: VehicleType | undefined
}

/** Nearer than that, people walk themselves. */
const SAME_PLACE_M = 50

/** Prices a run as of `now`, or throws the first reason why no courier could be sent. */
export async function priceDelivery(
  { tx, world, now }: { tx: Tx; world: WorldSettings; now: number },
  request: DeliveryQuoteRequest,
): Promise<DeliveryQuoteDoc> {
  const { parcel, if_absent, pickup_ready_at } = request
  assertMayLeave(if_absent, { '/parcel/requires_id': parcel.requires_id })
  const [pickup, dropoff] = [resolve(request.pickup, 'pickup'), resolve(request.dropoff, 'dropoff')]
  if (haversineMetres(pickup.location, dropoff.location) < SAME_PLACE_M) {
    const detail = `pickup and dropoff are less than ${SAME_PLACE_M} m apart`
    throw refuse('pickup_equals_dropoff', { pointer: '/dropoff', detail, code: 'out_of_range' })
  }
  assertAllowed(parcel.description)
  const points = [pickup.location, dropoff.location]
  const way = chooseVehicle(request, points)
  const quoted = { ...way, pickup_ready_at }
  const arrivals = await promiseArrivals(
    tx,
    world,
    { pickup: pickup.location, dropoff: dropoff.location, size: parcel.size, quoted },
    now,
  )
  if (arrivals === undefined) throw noCourier('pickup_ready_at')
  return {
    ...priceRun(way.road_distance_m, parcel.size, world.currency),
    pickup,
    dropoff,
    parcel,
    if_absent,
    ...quoted,
    ...arrivals,
  }
}

function resolve(asked: Place, member: 'pickup' | 'dropoff'): ResolvedPlace {
  const place = locatePlace(asked, `/${member}`)
  if (isPointServed(place.location)) return place
  const detail = `${member} is outside the courier area, London and its surroundings`
  throw refuse('outside_service_area', { pointer: `/${member}`, detail, code: 'out_of_range' })
}

function assertAllowed(description: string): void {
  const word = findProhibited(description)
  if (word === undefined) return
  throw refuse('prohibited_item', {
    pointer: '/parcel/description',
    detail: `couriers do not carry "${word}"`,
    code: 'invalid_format',
  })
}

type VehicleChoice = { vehicle_type: VehicleType; road_distance_m: number; duration_seconds: number }

/** The vehicle asked for, or the least that can bring it so far, with its way. */
function chooseVehicle(
  { parcel, vehicle_type: asked }: DeliveryQuoteRequest,
  points: readonly Point[],
): VehicleChoice {
  const { size, weight_grams } = parcel
  const grams = weight_grams ?? 0
  const able = asked === undefined ? vehiclesFor(size, grams) : [asked]
  for (const vehicle_type of able) {
    if (!canVehicleCarry(vehicle_type, size, 0, grams)) break
    const { distance_m, duration_seconds } = formulaRoute({ points, vehicle: toRoadVehicle(vehicle_type) })
    if (distance_m > MAX_DELIVERY_DISTANCE_M) throw tooFar(distance_m)
    if (canVehicleCarry(vehicle_type, size, distance_m, grams))
      return { vehicle_type, road_distance_m: distance_m, duration_seconds }
  }
  throw tooMuch(asked ?? 'van')
}

function tooFar(metres: number): AppError {
  const detail = `The limit is ${MAX_DELIVERY_DISTANCE_M / 1000} km by road; this is ${kilometres(metres)}`
  return refuse(
    'distance_limit_exceeded',
    { pointer: '/dropoff', detail, code: 'out_of_range' },
    { limit: MAX_DELIVERY_DISTANCE_M },
  )
}

function tooMuch(vehicle: VehicleType): AppError {
  const { size, weight_grams, distance_m } = REACH[vehicle]
  const detail = `A ${vehicle} carries parcels of at most size ${size} and ${weight_grams / 1000} kg, for at most ${kilometres(distance_m)}`
  return refuse('parcel_limits_exceeded', { pointer: '/vehicle_type', detail, code: 'out_of_range' })
}

function kilometres(metres: number): string {
  return `${Math.round(metres / 100) / 10} km`
}

function refuse(code: ErrorCode, error: ProblemFieldError, extra: ProblemDetails = {}): AppError {
  return new AppError(code, `${error.detail}.`, { extra, errors: [error] })
}
