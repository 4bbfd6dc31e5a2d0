import * as Type from 'typebox'
import {
  type EmptyReason,
  emptyReason,
  withEmptyReason,
  paginatedWithReason,
} from '../../core/empty-reason.ts'
import type { Point } from '../../core/geometry.ts'
import { defineOperation } from '../../core/operation.ts'
import { resolveSearchPoint } from '../../core/places/words.ts'
import { nearParams, strictObject, paginationParams } from '../../core/schema.ts'
import { findPickupSeconds, isInTierArea } from './lifecycle/drivers.ts'
import { listDrivers, listTiers, type TierRecord } from './queries/drivers.ts'
import { passengerCount, product } from './schema.ts'

const NO_RIDES = ['outside_area', 'too_few_seats'] as const

export const searchRideOptions = defineOperation({
  name: 'search_ride_options',
  area: 'rides',
  summary: 'List ride types and pickup times near a place',
  description:
    'Lists every tier at the point with its prices, tax included. The list is empty where rides are not offered.',
  details:
    'available is true if a driver can arrive within 45 minutes; nearest_pickup_eta_seconds is the soonest arrival, including drivers who finish another ride first.',
  method: 'GET',
  path: '/v1/rides/products',
  scope: 'rides.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    ...nearParams,
    passengers: Type.Optional(passengerCount),
    ...paginationParams,
  }),
  output: paginatedWithReason(product, NO_RIDES),
  errors: ['invalid_cursor', 'address_unresolvable'],
  brief: {
    usual:
      'tier,description,capacity,luggage,minimum_fare,available,nearest_pickup_eta_seconds,wheelchair_accessible',
  },
  example: () => ({ latitude: 51.5129, longitude: -0.0823, passengers: 2 }),
  cli: {
    command: 'rides options',
    danger: 'read',
    flags: { 'latitude,longitude': { flag: 'near', required: true } },
    columns: [
      'tier',
      'nearest_pickup_eta_seconds',
      'capacity',
      'luggage',
      'base_fare',
      'per_km',
      'per_minute',
      'minimum_fare',
      'available',
    ],
    next: 'dray rides quote',
    examples: [
      'dray rides options --near kings-cross',
      'dray rides options --near 51.5129,-0.0823 --passengers 5',
    ],
  },
  async run({ tx, world, now, cursor }, { passengers = 1, ...input }) {
    const location = resolveSearchPoint(input)
    const [sort = 0] = cursor.after ?? []
    const drivers = await listDrivers(tx)
    const allTiers = await listTiers(tx)
    const tiers = allTiers.filter(
      (each) => each.capacity >= passengers && each.sort > Number(sort) && isInTierArea(each, location),
    )
    const etas = new Map<TierRecord, number | undefined>()
    for (const each of tiers)
      etas.set(
        each,
        await findPickupSeconds(tx, world, drivers, { tier: each.tier, point: location, at: now }),
      )
    const shown = cursor.page(
      tiers.slice(0, cursor.limit + 1),
      (each) => [each.sort],
      (each) => toProduct(each, world.currency, etas.get(each) ?? null),
    )
    return withEmptyReason(cursor, shown, () => whyNoRides(allTiers, location))
  },
})

/** Returns why no tier is left: none serves the point, or no car there has the seats. */
function whyNoRides(tiers: readonly TierRecord[], point: Point): EmptyReason<(typeof NO_RIDES)[number]> {
  const seats = tiers.filter((each) => isInTierArea(each, point)).map(({ capacity }) => capacity)
  return seats.length === 0
    ? emptyReason('outside_area', 'Rides are not offered at that point.')
    : emptyReason('too_few_seats', `The largest car at that point has ${Math.max(...seats)} seats.`)
}

function toProduct(record: TierRecord, currency: string, eta: number | null): Type.Static<typeof product> {
  const { tariff } = record
  const money = (amount: number) => ({ amount, currency })
  return {
    tier: record.tier,
    name: record.name,
    description: record.description,
    capacity: record.capacity,
    luggage: record.luggage,
    base_fare: money(tariff.base_fare),
    per_km: money(tariff.per_km),
    per_minute: money(tariff.per_minute),
    minimum_fare: money(tariff.minimum_fare),
    prices_include_tax: true,
    vehicle_type: record.vehicle_type,
    available: eta !== null,
    nearest_pickup_eta_seconds: eta,
    wheelchair_accessible: record.wheelchair_accessible,
    image_url: null,
  }
}
