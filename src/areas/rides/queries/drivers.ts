import type { Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import { defineDocTable } from '../../../db/table.ts'
import type { Tariff } from '../rules.ts'
import type { Tier } from '../states.ts'

/** A tier of the market with its price list. */
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
  /** Its rides begin within so many metres of this point. */
  centre: Point
  radius_m: number
  tax_bps: number
}

/** A driver for one or more tiers. */
export type DriverRecord = {
  driver_id: string
  sort: number
  name: string
  /** E.164; only shown masked. */
  phone: string
  rating_tenths: number
  home: Point
  tiers: Tier[]
  /** The working hours: compact text of `packWeek`, in the market's time zone. */
  week: string
  vehicle: { make: string; model: string; colour: string; licence_plate: string; vehicle_type: string }
}

const TIERS = defineDocTable<TierRecord, 'tier' | 'sort'>({
  name: 'ride_tiers',
  key: 'tier',
  columns: { tier: 'text', sort: 'integer' },
})

const DRIVERS = defineDocTable<DriverRecord, 'driver_id' | 'sort'>({
  name: 'drivers',
  key: 'driver_id',
  columns: { driver_id: 'text', sort: 'integer' },
})

export async function insertTiers(tx: Tx, tiers: readonly TierRecord[]): Promise<void> {
  await TIERS.insert(tx, tiers)
}

/** Returns every tier of the market, in its order. */
export async function listTiers(tx: Tx): Promise<TierRecord[]> {
  return TIERS.list(tx, 'order by sort')
}

export async function insertDrivers(tx: Tx, drivers: readonly DriverRecord[]): Promise<void> {
  await DRIVERS.insert(tx, drivers)
}

/** Returns the market's drivers, in the fixture's order, without those hired for a single ride. */
export async function listDrivers(tx: Tx): Promise<DriverRecord[]> {
  return DRIVERS.list(tx, 'where sort > 0 order by sort')
}
