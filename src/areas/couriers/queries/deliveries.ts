import type { Contact } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Money } from '../../../core/money.ts'
import type { Place } from '../../../core/places/place.ts'
import type { VehicleType } from '../../../core/travel.ts'
import { defineTable, formatPlaceholders } from '../../../db/table.ts'
import type { ReportedProblem } from '../../payments/rules/reported-problem.ts'
import type { IfAbsent } from '../../proofs/rules/absent.ts'
import type { Undeliverable } from '../../proofs/rules/failures.ts'
import type { Proof } from '../../proofs/rules/proof.ts'
import type { ParcelSize, RunLine } from '../rules.ts'
import type { DeliveryStatus, Verification } from '../states.ts'

/** One leg of a journey; the position on it follows from the time. Times in milliseconds. */
export type Leg = { from: Point; to: Point; starts_at: number; ends_at: number }

export type CourierRecord = {
  courier_id: string
  sort: number
  name: string
  vehicle_type: VehicleType
  /** E.164; only shown masked. */
  phone: string
  rating_tenths: number
  home: Point
}

/** The courier who will bring it, with start and times in milliseconds. */
export type ReservedCourier = {
  courier: CourierRecord
  from: Point
  starts_at: number
  /** Absent when it equals `starts_at`. */
  sets_off_at?: number
  arrives_at: number
}

export type DeliveryStop = {
  place: Place
  /** The point of the place or of its address. */
  point: Point
  contact: Contact | null
  notes: string | null
}

/** The values of a customer's delivery that its quote fixed. Times in milliseconds. */
export type QuotedRun = {
  /** The vehicle of the courier must be of this type. */
  vehicle_type: VehicleType
  road_distance_m: number
  duration_seconds: number
  tax_included: Money
  /** Absent in older deliveries. */
  lines?: RunLine[]
  /** The earliest time of collection. */
  pickup_ready_at: number | null
  /** The customer's own reference. */
  external_reference: string | null
}

/** The fields of a delivery that are not searchable columns. Times in milliseconds. */
export type DeliveryDoc = {
  pickup: DeliveryStop
  /** The wish for goods without a taker is absent in older deliveries, which return them. */
  dropoff: DeliveryStop & { verification: Verification[]; if_absent?: IfAbsent }
  parcel: {
    size: ParcelSize
    weight_grams: number | null
    description: string
    value: Money | null
    requires_id: boolean
  }
  /** Zero for an order's delivery: the order's payment includes it. */
  price: Money
  /** Absent for an order's delivery. */
  quoted?: QuotedRun
  dropoff_pincode: string | null
  /** The courier who will bring it but has not accepted yet. */
  reserved?: ReservedCourier | null
  /** The couriers who gave it back. */
  given_up_by?: string[]
  courier: CourierRecord | null
  leg: Leg | null
  /** The number of offers to couriers, and how often a courier gave it back. */
  offers: number
  drops: number
  /** True if the delay of its scenario has happened. */
  delayed: boolean
  pickup_eta_at: number | null
  dropoff_eta_at: number | null
  /** The arrival that the request promised; absent in older runs, and in those of orders. */
  promised_delivery_at?: number | null
  problems?: ReportedProblem[]
  pickup_proof: Proof | null
  proof_of_delivery: Proof | null
  undeliverable: Undeliverable | null
  history: {
    status: DeliveryStatus
    at: number
    by: 'customer' | 'store' | 'courier' | 'system'
    reason: string | null
  }[]
  /** The positions so far, oldest first, at most 50 points. */
  trail: Point[]
  scenario: { name: string; options: Record<string, string> } | null
  /** The record whose number seeds every random draw about it: its order, else its own ordinal. */
  draws: { kind: 'delivery' | 'order'; ordinal: number }
}

export type DeliveryRecord = {
  delivery_id: string
  seq: number
  ordinal: number
  account_id: string
  /** The order that it brings; the order's row locks both. */
  order_id: string | null
  quote_id: string | null
  status: DeliveryStatus
  created_at: number
  updated_at: number
  delivered_at: number | null
  doc: DeliveryDoc
}

const DELIVERIES = defineTable<DeliveryRecord>({
  name: 'deliveries',
  key: 'delivery_id',
  columns: {
    delivery_id: 'text',
    seq: 'integer',
    ordinal: 'integer',
    account_id: 'text',
    order_id: 'text or null',
    quote_id: 'text or null',
    status: 'text',
    created_at: 'integer',
    updated_at: 'integer',
    delivered_at: 'integer or null',
    doc: 'json',
  },
  changing: ['status', 'updated_at', 'delivered_at', 'doc'],
})

export async function insertDelivery(tx: Tx, delivery: DeliveryRecord): Promise<void> {
  await DELIVERIES.insert(tx, [delivery])
}

export async function findDelivery(tx: Tx, deliveryId: string): Promise<DeliveryRecord | undefined> {
  return DELIVERIES.find(tx, deliveryId)
}

/** Returns those of the deliveries that exist, by id. */
export async function findDeliveries(
  tx: Tx,
  deliveryIds: readonly string[],
): Promise<Map<string, DeliveryRecord>> {
  return DELIVERIES.findMany(tx, deliveryIds)
}

/** Locks and reads a customer's own delivery; an order's delivery is locked by the order's row. */
export async function lockDelivery(tx: Tx, deliveryId: string): Promise<DeliveryRecord | undefined> {
  return DELIVERIES.lock(tx, deliveryId)
}

/** Locks those of the deliveries that exist, always in the same order: two such calls cannot deadlock. */
export async function lockDeliveries(
  tx: Tx,
  deliveryIds: readonly string[],
  options: { skipLocked: boolean },
): Promise<Set<string>> {
  return DELIVERIES.lockMany(tx, deliveryIds, options)
}

/** Writes the fields of a delivery that can change. */
export async function updateDelivery(tx: Tx, delivery: DeliveryRecord): Promise<void> {
  await DELIVERIES.update(tx, delivery)
}

/** Returns every delivery in one of these statuses, of all accounts. */
export async function listDeliveriesIn(
  tx: Tx,
  statuses: readonly DeliveryStatus[],
): Promise<DeliveryRecord[]> {
  return DELIVERIES.list(
    tx,
    `where status in (${formatPlaceholders(statuses.length)}) order by seq`,
    ...statuses,
  )
}
