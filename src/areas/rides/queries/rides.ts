import type { Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Money } from '../../../core/money.ts'
import type { PathMotion } from '../../../core/path.ts'
import type { ResolvedPlace } from '../../../core/places/place.ts'
import type { Slice } from '../../../core/slice.ts'
import { type CreationSpan, walkNewestFirst } from '../../../db/lists.ts'
import { defineTable, formatPlaceholders } from '../../../db/table.ts'
import type { ReportedProblem } from '../../payments/rules/reported-problem.ts'
import type { FareLineType } from '../rules.ts'
import type { RideActor, RideCancelReason, RideStatus, Tier } from '../states.ts'
import type { DriverRecord } from './drivers.ts'

/** The driver who will take a ride, with start and times in milliseconds. */
export type ReservedDriver = {
  driver: DriverRecord
  from: Point
  starts_at: number
  sets_off_at: number
  arrives_at: number
}

/** The price of one tier in a quote. */
export type RideFare = {
  tier: Tier
  name: string
  capacity: number
  fare: Money
  tax_included: Money
  lines: { type: FareLineType; amount: Money }[]
  surge_bps: number
  available: boolean
  pickup_eta_seconds: number | null
}

type Trip = {
  pickup: ResolvedPlace
  dropoff: ResolvedPlace
  stops: ResolvedPlace[]
  /** The requested pickup time; null for as soon as possible. Milliseconds. */
  scheduled_for: number | null
  road_distance_m: number
  driving_time_seconds: number
  /** The points of the route. */
  path: readonly Point[]
}

/** The route of a ride with its prices, for every tier that serves it. */
export type RideQuoteDoc = Trip & { passengers: number | null; fares: RideFare[] }

/** The fields of a ride that are not searchable columns. Times in milliseconds. */
export type RideDoc = Trip & {
  passenger: { name: string; phone: string | null; count: number }
  notes: string | null
  fare: Money
  tax_included: Money
  lines: RideFare['lines']
  /** The driver who will take it but has not accepted yet. */
  reserved?: ReservedDriver | null
  /** The drivers who gave it back. */
  given_up_by?: string[]
  /** The driver's fields at the time of accepting. */
  driver: DriverRecord | null
  /** The time at which the present driver accepted. */
  accepted_at: number | null
  /** The time at the pickup that the first driver promised; absent in rides of older versions. */
  promised_pickup_at?: number
  /** True if the delay of its scenario has happened. */
  delayed?: true
  problems?: ReportedProblem[]
  /** The route to the pickup, then to the drop-off. */
  leg: PathMotion | null
  dropoff_eta_at: number | null
  dispatch: { attempt: number; candidates_tried: number; last_offer_at: number | null }
  pickup_pin: string
  cancellation: {
    by: RideActor
    reason_code: RideCancelReason | 'rider_no_show'
    note: string | null
    fee: Money
    /** The unpaid fee of this ride, due with the next one. Absent in rides of older versions. */
    balance_due?: Money | null
    at: number
  } | null
  receipt: {
    charged: Money
    lines: { type: FareLineType | 'cancellation_fee' | 'no_show_fee'; amount: Money }[]
  } | null
  completed_at: number | null
  history: { status: RideStatus; at: number; by: RideActor; reason: string | null }[]
  scenario: { name: string; options: Record<string, string> } | null
}

export type RideRecord = {
  ride_id: string
  seq: number
  ordinal: number
  account_id: string
  quote_id: string
  status: RideStatus
  tier: Tier
  created_at: number
  updated_at: number
  doc: RideDoc
}

const RIDES = defineTable<RideRecord, 'driver_id'>({
  name: 'rides',
  key: 'ride_id',
  columns: {
    ride_id: 'text',
    seq: 'integer',
    ordinal: 'integer',
    account_id: 'text',
    quote_id: 'text',
    status: 'text',
    tier: 'text',
    created_at: 'integer',
    updated_at: 'integer',
    driver_id: ({ doc }) => doc.driver?.driver_id ?? null,
    doc: 'json',
  },
  changing: ['status', 'driver_id', 'updated_at', 'doc'],
})

export async function insertRide(tx: Tx, ride: RideRecord): Promise<void> {
  await RIDES.insert(tx, [ride])
}

export async function findRide(tx: Tx, rideId: string): Promise<RideRecord | undefined> {
  return RIDES.find(tx, rideId)
}

/** Returns those of the rides that exist, by id. */
export async function findRides(tx: Tx, rideIds: readonly string[]): Promise<Map<string, RideRecord>> {
  return RIDES.findMany(tx, rideIds)
}

/** Locks and reads a ride: other changes of it wait. */
export async function lockRide(tx: Tx, rideId: string): Promise<RideRecord | undefined> {
  return RIDES.lock(tx, rideId)
}

/** Locks those of the rides that exist, always in the same order: two such calls cannot deadlock. */
export async function lockRides(
  tx: Tx,
  rideIds: readonly string[],
  options: { skipLocked: boolean },
): Promise<Set<string>> {
  return RIDES.lockMany(tx, rideIds, options)
}

/** Writes the fields of a ride that can change. */
export async function updateRide(tx: Tx, ride: RideRecord): Promise<void> {
  await RIDES.update(tx, ride)
}

/** Returns whether a customer has a ride in one of these statuses. */
export async function hasRideWithStatus(
  tx: Tx,
  accountId: string,
  statuses: readonly RideStatus[],
): Promise<boolean> {
  const row = await tx.get(
    `select 1 as found from rides where account_id = $1
     and status in (${formatPlaceholders(statuses.length, 2)}) limit 1`,
    accountId,
    ...statuses,
  )
  return row !== undefined
}

/** Returns every ride in one of these statuses, of all accounts. */
export async function listRidesIn(tx: Tx, statuses: readonly RideStatus[]): Promise<RideRecord[]> {
  return RIDES.list(tx, `where status in (${formatPlaceholders(statuses.length)}) order by seq`, ...statuses)
}

/** Returns the number of rides in each status. */
export async function countRides(tx: Tx): Promise<Record<string, number>> {
  return RIDES.countByStatus(tx)
}

export type RideFilters = CreationSpan & { statuses?: readonly RideStatus[] | undefined }

/** Returns a customer's rides, newest first, after a position. */
export async function listRidesOf(
  tx: Tx,
  accountId: string,
  { statuses, ...span }: RideFilters,
  { after, limit }: Slice,
): Promise<RideRecord[]> {
  const walk = { ...span, all: { account_id: accountId }, any: { status: statuses } }
  const rows = await walkNewestFirst(tx, { table: 'rides', select: RIDES.select }, walk, { after, limit })
  return rows.map(RIDES.map)
}
