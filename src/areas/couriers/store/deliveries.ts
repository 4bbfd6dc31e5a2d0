import type { Contact } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Money } from '../../../core/money.ts'
import type { Place } from '../../../core/places/place.ts'
import type { VehicleType } from '../../../core/travel.ts'
import { defineTable, places } from '../../../store/table.ts'
import type { Proof } from '../../proofs/rules/proof.ts'
import type { ParcelSize } from '../rules.ts'
import type { DeliveryStatus, Verification } from '../states.ts'

/** Somebody on the way from one point to another: where he is follows from the time. Milliseconds. */
export type Leg = { from: Point; to: Point; starts_at: number; ends_at: number }

export type CourierRecord = {
  courier_id: string
  sort: number
  name: string
  vehicle_type: VehicleType
  /** E.164; shown masked only. */
  phone: string
  rating_tenths: number
  home: Point
}

/** The courier who will bring it, from where and when. Milliseconds. */
export type ReservedCourier = {
  courier: CourierRecord
  from: Point
  starts_at: number
  /** Absent where it is `starts_at`. */
  sets_off_at?: number
  arrives_at: number
}

export type DeliveryStop = {
  place: Place
  /** The place's point: its own, or that of its address. */
  point: Point
  contact: Contact | null
  notes: string | null
}

/** What a customer's quote fixed of a run. Times in milliseconds. */
export type QuotedRun = {
  /** Who comes has one of these. */
  vehicle_type: VehicleType
  road_distance_m: number
  duration_seconds: number
  tax_included: Money
  /** Before that it cannot be collected. */
  pickup_ready_at: number | null
  /** The customer's own word for it. */
  external_reference: string | null
}

/** What a delivery holds beyond its searchable columns. Times in milliseconds. */
export type DeliveryDoc = {
  pickup: DeliveryStop
  dropoff: DeliveryStop & { verification: Verification[] }
  parcel: {
    size: ParcelSize
    weight_grams: number | null
    description: string
    value: Money | null
    requires_id: boolean
  }
  /** Zero for an order's delivery: the order was charged for it. */
  price: Money
  /** Absent for an order's delivery. */
  quoted?: QuotedRun
  dropoff_pincode: string | null
  /** Who brings it, before that courier has accepted. */
  reserved?: ReservedCourier | null
  /** The couriers who gave it up. */
  given_up_by?: string[]
  courier: CourierRecord | null
  leg: Leg | null
  /** How often it was offered, and how often a courier gave it back. */
  offers: number
  drops: number
  /** Whether its scenario's delay has happened. */
  delayed: boolean
  pickup_eta_at: number | null
  dropoff_eta_at: number | null
  pickup_proof: Proof | null
  proof_of_delivery: Proof | null
  undeliverable: { reason_code: string; action: 'return' } | null
  history: {
    status: DeliveryStatus
    at: number
    by: 'customer' | 'store' | 'courier' | 'system'
    reason: string | null
  }[]
  /** Where it has been, oldest first, at most 50 points. */
  trail: Point[]
  scenario: { name: string; options: Record<string, string> } | null
  /** What every draw about it derives from: its order, whoever looks at which order first, or its own ordinal. */
  draws: { kind: 'delivery' | 'order'; ordinal: number }
}

export type DeliveryRecord = {
  delivery_id: string
  seq: number
  ordinal: number
  account_id: string
  /** The order that it brings; its row is the lock of both. */
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

/** Those of the deliveries that exist, by id. */
export async function findDeliveries(
  tx: Tx,
  deliveryIds: readonly string[],
): Promise<Map<string, DeliveryRecord>> {
  return DELIVERIES.findMany(tx, deliveryIds)
}

/** Reads a delivery of a customer's own for a change; that of an order is locked by the order's row. */
export async function lockDelivery(tx: Tx, deliveryId: string): Promise<DeliveryRecord | undefined> {
  return DELIVERIES.lock(tx, deliveryId)
}

/** Locks those of the deliveries that exist, in one order, so that two that lock many never wait for each other. */
export async function lockDeliveries(
  tx: Tx,
  deliveryIds: readonly string[],
  options: { skipLocked: boolean },
): Promise<Set<string>> {
  return DELIVERIES.lockMany(tx, deliveryIds, options)
}

/** Writes what a delivery's life can change. */
export async function updateDelivery(tx: Tx, delivery: DeliveryRecord): Promise<void> {
  await DELIVERIES.update(tx, delivery)
}

/** Every delivery in one of these states, whoever's. */
export async function listDeliveriesIn(
  tx: Tx,
  statuses: readonly DeliveryStatus[],
): Promise<DeliveryRecord[]> {
  return DELIVERIES.list(tx, `where status in (${places(statuses.length)}) order by seq`, ...statuses)
}
