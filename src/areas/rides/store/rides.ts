import type { Row, Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Money } from '../../../core/money.ts'
import type { PathLeg } from '../../../core/path.ts'
import type { ResolvedPlace } from '../../../core/places/place.ts'
import { type CreationSpan, type ListPosition, walkNewestFirst } from '../../../store/lists.ts'
import type { FareLineType } from '../rules.ts'
import type { RideActor, RideCancelReason, RideStatus, Tier } from '../states.ts'
import type { DriverRecord } from './drivers.ts'

/** The driver who will take a ride, from where and when. Milliseconds. */
export type ReservedDriver = {
  driver: DriverRecord
  from: Point
  starts_at: number
  sets_off_at: number
  arrives_at: number
}

/** What one tier of a quote costs. */
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
  /** When the passenger is to be picked up; null for as soon as can be. Milliseconds. */
  scheduled_for: number | null
  road_distance_m: number
  driving_time_seconds: number
  /** Where it leads. */
  path: readonly Point[]
}

/** The priced way of a ride, for every tier that serves it. */
export type RideQuoteDoc = Trip & { passengers: number | null; fares: RideFare[] }

/** What a ride holds beyond its searchable columns. Times in milliseconds. */
export type RideDoc = Trip & {
  passenger: { name: string; phone: string | null; count: number }
  notes: string | null
  fare: Money
  tax_included: Money
  lines: RideFare['lines']
  /** Who takes it, before that driver has accepted. */
  reserved?: ReservedDriver | null
  /** The drivers who gave it up. */
  given_up_by?: string[]
  /** As he was when he accepted. */
  driver: DriverRecord | null
  /** When the present driver accepted. */
  accepted_at: number | null
  /** To the pickup, then to the drop-off. */
  leg: PathLeg | null
  dropoff_eta_at: number | null
  dispatch: { attempt: number; candidates_tried: number; last_offer_at: number | null }
  pickup_pin: string
  cancellation: {
    by: RideActor
    reason_code: RideCancelReason | 'rider_no_show'
    note: string | null
    fee: Money
    /** The fee of a ride that was never paid, due with the next one. Absent in rides of older programs. */
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

const COLUMNS = [
  'ride_id',
  'seq',
  'ordinal',
  'account_id',
  'quote_id',
  'status',
  'tier',
  'created_at',
  'updated_at',
] as const

const SELECT = `select ${COLUMNS.join(', ')}, doc from rides`

/** Ids of one `in (…)`: few lengths of list, so that few statements are kept. */
const CHUNK = 100

export async function insertRide(tx: Tx, ride: RideRecord): Promise<void> {
  await tx.insertMany(
    'rides',
    [...COLUMNS, 'driver_id', 'doc'],
    [
      [
        ...COLUMNS.map((column) => ride[column]),
        ride.doc.driver?.driver_id ?? null,
        JSON.stringify(ride.doc),
      ],
    ],
  )
}

export async function findRide(tx: Tx, rideId: string): Promise<RideRecord | undefined> {
  const row = await tx.get(`${SELECT} where ride_id = $1`, rideId)
  return row && toRide(row)
}

/** Reads a ride for a change: other writers of it wait. */
export async function lockRide(tx: Tx, rideId: string): Promise<RideRecord | undefined> {
  const row = await tx.get(`${SELECT} where ride_id = $1 ${tx.forUpdate}`, rideId)
  return row && toRide(row)
}

/** Locks those of the rides that exist, in one order, so that two that lock many never wait for each other. */
export async function lockRides(
  tx: Tx,
  rideIds: readonly string[],
  { skipLocked }: { skipLocked: boolean },
): Promise<Set<string>> {
  const locked = new Set<string>()
  const sorted = [...new Set(rideIds)].toSorted()
  for (let start = 0; start < sorted.length; start += CHUNK) {
    const chunk = sorted.slice(start, start + CHUNK)
    const rows = await tx.all(
      `select ride_id from rides where ride_id in (${places(chunk.length)})
       order by ride_id ${tx.forUpdate} ${skipLocked ? tx.skipLocked : ''}`,
      ...chunk,
    )
    for (const row of rows) locked.add(String(row['ride_id']))
  }
  return locked
}

/** Writes what a ride's life can change. */
export async function updateRide(tx: Tx, { ride_id, status, updated_at, doc }: RideRecord): Promise<void> {
  await tx.run(
    'update rides set status = $1, driver_id = $2, updated_at = $3, doc = $4 where ride_id = $5',
    status,
    doc.driver?.driver_id ?? null,
    updated_at,
    JSON.stringify(doc),
    ride_id,
  )
}

/** Whether a customer has a ride in one of these states. */
export async function hasRideIn(
  tx: Tx,
  accountId: string,
  statuses: readonly RideStatus[],
): Promise<boolean> {
  const row = await tx.get(
    `select 1 as found from rides where account_id = $1
     and status in (${statuses.map((_, index) => `$${index + 2}`).join(', ')}) limit 1`,
    accountId,
    ...statuses,
  )
  return row !== undefined
}

/** Every ride in one of these states, whoever's. */
export async function listRidesIn(tx: Tx, statuses: readonly RideStatus[]): Promise<RideRecord[]> {
  const rows = await tx.all(
    `${SELECT} where status in (${places(statuses.length)}) order by seq`,
    ...statuses,
  )
  return rows.map(toRide)
}

/** How many rides there are of each status. */
export async function countRides(tx: Tx): Promise<Record<string, number>> {
  const rows = await tx.all('select status, count(*) as count from rides group by status order by status')
  return Object.fromEntries(rows.map((row) => [String(row['status']), Number(row['count'])]))
}

export type RideFilters = CreationSpan & { statuses?: readonly RideStatus[] | undefined }

/** A customer's rides, newest first, after a position. */
export async function listRidesOf(
  tx: Tx,
  accountId: string,
  { statuses, ...span }: RideFilters,
  after: ListPosition | undefined,
  limit: number,
): Promise<RideRecord[]> {
  const walk = { ...span, all: { account_id: accountId }, any: { status: statuses } }
  const rows = await walkNewestFirst(tx, { table: 'rides', select: SELECT }, walk, after, limit)
  return rows.map(toRide)
}

function places(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ')
}

function toRide(row: Row): RideRecord {
  return {
    ride_id: String(row['ride_id']),
    seq: Number(row['seq']),
    ordinal: Number(row['ordinal']),
    account_id: String(row['account_id']),
    quote_id: String(row['quote_id']),
    status: String(row['status']) as RideStatus,
    tier: String(row['tier']) as Tier,
    created_at: Number(row['created_at']),
    updated_at: Number(row['updated_at']),
    doc: JSON.parse(String(row['doc'])) as RideDoc,
  }
}
