import type { Row, Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Tariff } from '../rules.ts'
import type { Tier } from '../states.ts'

/** What kind of ride can be had in the market, and what it costs. */
export type TierRecord = {
  tier: Tier
  sort: number
  name: string
  description: string
  capacity: number
  luggage: number
  vehicle_type: string
  wheelchair_accessible: boolean
  tariff: Tariff
  /** Where its rides begin: within so many metres of this point. */
  centre: Point
  radius_m: number
  tax_bps: number
}

/** Somebody who drives for one or more tiers. */
export type DriverRecord = {
  driver_id: string
  sort: number
  name: string
  /** E.164; shown masked only. */
  phone: string
  rating_tenths: number
  home: Point
  tiers: Tier[]
  /** When he drives: compact text of `packWeek`, in the market's zone. */
  week: string
  vehicle: { make: string; model: string; colour: string; licence_plate: string; vehicle_type: string }
}

export async function insertTiers(tx: Tx, tiers: readonly TierRecord[]): Promise<void> {
  await tx.insertMany(
    'ride_tiers',
    ['tier', 'sort', 'doc'],
    tiers.map(({ tier, sort, ...doc }) => [tier, sort, JSON.stringify(doc)]),
  )
}

/** Every tier of the market, in its order. */
export async function listTiers(tx: Tx): Promise<TierRecord[]> {
  return (await tx.all('select tier, sort, doc from ride_tiers order by sort')).map(toTier)
}

export async function insertDrivers(tx: Tx, drivers: readonly DriverRecord[]): Promise<void> {
  await tx.insertMany(
    'drivers',
    ['driver_id', 'sort', 'doc'],
    drivers.map(({ driver_id, sort, ...doc }) => [driver_id, sort, JSON.stringify(doc)]),
  )
}

/** The market's drivers, in the fixture's order; those hired for one ride are left out. */
export async function listDrivers(tx: Tx): Promise<DriverRecord[]> {
  return (await tx.all('select driver_id, sort, doc from drivers where sort > 0 order by sort')).map(toDriver)
}

function toTier(row: Row): TierRecord {
  return {
    tier: String(row['tier']) as Tier,
    sort: Number(row['sort']),
    ...(JSON.parse(String(row['doc'])) as Omit<TierRecord, 'tier' | 'sort'>),
  }
}

function toDriver(row: Row): DriverRecord {
  return {
    driver_id: String(row['driver_id']),
    sort: Number(row['sort']),
    ...(JSON.parse(String(row['doc'])) as Omit<DriverRecord, 'driver_id' | 'sort'>),
  }
}
