import type { Party } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import type { Money } from '../../../core/money.ts'
import type { Zone } from '../../../core/places/postcode.ts'
import { defineRow, defineTable, inChunks, places } from '../../../store/table.ts'
import type { Proof } from '../../proofs/rules/proof.ts'
import type { Parcel, ParcelPrice, ServiceLevelCode } from '../rules/rates.ts'
import type { CancelReason, ShipmentEventCode, ShipmentStatus } from '../states.ts'
import type { ScanLocation } from './shipment-events.ts'

export type ParcelContents = Parcel & {
  description?: string
  declared_value?: Money
  contents_type?: 'documents' | 'merchandise' | 'gift' | 'return'
}

export type ShipmentOptions = {
  signature_required?: boolean
  leave_safe_place?: string
  cash_on_delivery?: Money
  not_before_date?: string
}

export type Cancellation = {
  reason_code: CancelReason
  note: string | null
  at: number
  disposition: 'not_collected' | 'intercept_and_return' | 'lost'
}

/** The fields of a shipment that are not searchable columns. Times in milliseconds. */
export type ShipmentDoc = {
  status_detail: ShipmentEventCode
  sender: Party
  recipient: Party
  parcel: ParcelContents
  options: ShipmentOptions
  price: ParcelPrice
  zone: Zone
  route_code: string
  estimated_delivery_date: string
  attempts: number
  collected_at: number | null
  cancellation: Cancellation | null
  /** As on the wire (`contract.md` A12). */
  proof_of_delivery: Proof | null
  /** The last event: its sequence number, time and place. */
  sequence: number
  last_at: number
  place: ScanLocation
  /** The depot that collected it, and the time zone of its dates. */
  origin: ScanLocation
  timezone: string
  /** The depot that delivers it, and whether the parcel is on its way there. */
  depot: ScanLocation
  departed: boolean
  /** The scenario by which the sandbox plays this parcel. */
  scenario: { name: string; options: Record<string, string> } | null
}

export type ShipmentRecord = {
  tracking_number: string
  seq: number
  /** The parcel's number in this store, from 1: every random draw about it uses this. */
  ordinal: number
  agreement_id: string
  reference: string | null
  /** SHA-256 of the request: tells a repeat from other content under the same reference. */
  content_hash: string
  status: ShipmentStatus
  service_level: ServiceLevelCode
  hub_id: string
  batch_id: string | null
  created_at: number
  updated_at: number
  delivered_at: number | null
  doc: ShipmentDoc
}

const SHIPMENTS = defineTable<ShipmentRecord>({
  name: 'shipments',
  key: 'tracking_number',
  columns: {
    tracking_number: 'text',
    seq: 'integer',
    ordinal: 'integer',
    agreement_id: 'text',
    reference: 'text or null',
    content_hash: 'text',
    status: 'text',
    service_level: 'text',
    hub_id: 'text',
    batch_id: 'text or null',
    created_at: 'integer',
    updated_at: 'integer',
    delivered_at: 'integer or null',
    doc: 'json',
  },
  changing: ['status', 'updated_at', 'delivered_at', 'doc'],
})

/** The parcel that a reference stands for. */
export type LiveReference = Pick<ShipmentRecord, 'tracking_number' | 'content_hash' | 'doc'>

const toLiveReference = defineRow<LiveReference & { reference: string }>({
  reference: 'text',
  tracking_number: 'text',
  content_hash: 'text',
  doc: 'json',
})

export async function insertShipments(tx: Tx, shipments: readonly ShipmentRecord[]): Promise<void> {
  await SHIPMENTS.insert(tx, shipments)
}

export async function findShipment(tx: Tx, trackingNumber: string): Promise<ShipmentRecord | undefined> {
  return SHIPMENTS.find(tx, trackingNumber)
}

/** Locks and reads a parcel: changes of it and of its planned events wait until this transaction ends. */
export async function lockShipment(tx: Tx, trackingNumber: string): Promise<ShipmentRecord | undefined> {
  return SHIPMENTS.lock(tx, trackingNumber)
}

/** Locks those of the parcels that exist, always in the same order: two such calls cannot deadlock. */
export async function lockShipments(
  tx: Tx,
  trackingNumbers: readonly string[],
  options: { skipLocked: boolean },
): Promise<Set<string>> {
  return SHIPMENTS.lockMany(tx, trackingNumbers, options)
}

/** Writes the fields of a parcel that can change. */
export async function updateShipment(tx: Tx, shipment: ShipmentRecord): Promise<void> {
  await SHIPMENTS.update(tx, shipment)
}

/** Returns which of these references uncancelled parcels use, with the parcels. */
export async function findLiveReferences(
  tx: Tx,
  agreementId: string,
  references: readonly string[],
): Promise<Map<string, LiveReference>> {
  const found = new Map<string, LiveReference>()
  await inChunks(references, async (chunk) => {
    const rows = await tx.all(
      `select reference, tracking_number, content_hash, doc from shipments
       where agreement_id = $1 and status <> 'cancelled' and reference in (${places(chunk.length, 2)})`,
      agreementId,
      ...chunk,
    )
    for (const { reference, ...live } of rows.map(toLiveReference)) found.set(reference, live)
  })
  return found
}

/** Returns the number of parcels in each status, over all agreements. */
export async function countShipments(tx: Tx): Promise<Record<string, number>> {
  return SHIPMENTS.countByStatus(tx)
}
