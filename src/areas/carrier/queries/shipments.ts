import type { ShipmentParty } from '../../../core/address.ts'
import type { SqlRow, Tx } from '../../../core/db.ts'
import { normalizeIdentifier } from '../../../core/identifiers.ts'
import type { Money } from '../../../core/money.ts'
import type { PriceZone } from '../../../core/places/postcode.ts'
import { defineRow, defineTable, forEachChunk, formatPlaceholders } from '../../../db/table.ts'
import { readIntegerColumn } from '../../../db/values.ts'
import type { Proof } from '../../proofs/rules/proof.ts'
import type { Claim } from '../rules/claims.ts'
import type { ParcelMeasurements, ParcelPrice, ServiceLevelCode } from '../rules/rates.ts'
import type { ReturnLabel } from '../rules/returns.ts'
import type { CancelReason, ShipmentEventCode, ShipmentStatus } from '../states.ts'
import type { ScanLocation } from './shipment-events.ts'

export type ParcelContents = ParcelMeasurements & {
  description?: string
  declared_value?: Money
  contents_type?: 'documents' | 'merchandise' | 'gift' | 'return'
}

export type ShipmentOptions = {
  signature_required?: boolean
  leave_safe_place?: string
  cash_on_delivery?: Money
  not_before_date?: string
  neighbour?: string
  pickup_hub_id?: string
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
  sender: ShipmentParty
  recipient: ShipmentParty
  parcel: ParcelContents
  options: ShipmentOptions
  price: ParcelPrice
  zone: PriceZone
  route_code: string
  estimated_delivery_date: string
  /** The estimate at creation, which no delay moves; parcels of older versions have none. */
  promised_date?: string
  attempts: number
  collected_at: number | null
  cancellation: Cancellation | null
  /** As on the wire. */
  proof_of_delivery: Proof | null
  /** The last event: its sequence number, time and place. */
  sequence: number
  last_at: number
  place: ScanLocation
  /** The hub that collected it, and the time zone of its dates. */
  origin: ScanLocation
  timezone: string
  /** The hub that delivers it, and whether the parcel is on its way there. */
  depot: ScanLocation
  departed: boolean
  /** The scenario by which the sandbox plays this parcel. */
  scenario: { name: string; options: Record<string, string> } | null
  /** The number of the label that is valid; absent for the first. */
  label_version?: number
  /** The hub before the parcel was redirected to a hub. */
  home_depot?: ScanLocation
  /** Oldest first; all but the last are rejected. */
  claims?: Claim[]
  /** The collection manifest that it is on. */
  manifest_id?: string
  /** True while its sender keeps it back from the next collection. */
  kept_back?: true
  /** The parcel that this is the return of, and where the recipient gets the label from. */
  return_of?: { tracking_number: string; reference: string | null; label: ReturnLabel }
  /** The number of its newest return. */
  return_number?: string
}

export type ShipmentRecord = {
  tracking_number: string
  seq: number
  /** The parcel's number in this store, from 1: every random draw about it uses this. */
  ordinal: number
  agreement_id: string
  reference: string | null
  /** The sender's customer that it is sent for. */
  customer: string | null
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
    customer: 'text or null',
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

/** A parcel that has a reference: the one that was looked for, and the one with the characters that it keeps. */
export type ReferencedShipment = Pick<ShipmentRecord, 'tracking_number' | 'content_hash' | 'seq'> & {
  reference: string
  stored: string
}

/** The parcel that a reference stands for. */
export type LiveReference = ReferencedShipment & Pick<ShipmentRecord, 'doc'>

const REFERENCED = {
  reference: 'text',
  stored: 'text',
  tracking_number: 'text',
  content_hash: 'text',
  seq: 'integer',
} as const

const toReferenced = defineRow<ReferencedShipment & Pick<ShipmentRecord, 'status'>>({
  ...REFERENCED,
  status: 'text',
})

const toLiveReference = defineRow<LiveReference>({ ...REFERENCED, doc: 'json' })

export async function insertShipments(tx: Tx, shipments: readonly ShipmentRecord[]): Promise<void> {
  await SHIPMENTS.insert(tx, shipments)
}

export async function findShipment(tx: Tx, trackingNumber: string): Promise<ShipmentRecord | undefined> {
  return SHIPMENTS.find(tx, trackingNumber)
}

/** Returns the parcels with these sequence numbers, in this order. */
export async function listShipmentsBySeq(tx: Tx, seqs: readonly number[]): Promise<ShipmentRecord[]> {
  return SHIPMENTS.listBySeq(tx, seqs)
}

/** Returns the next parcels of all agreements after a sequence number, oldest first. */
export async function listShipmentsAfter(tx: Tx, seq: number, limit: number): Promise<ShipmentRecord[]> {
  return SHIPMENTS.list(tx, 'where seq > $1 order by seq limit $2', seq, limit)
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

/** Returns those of the parcels that exist, oldest first. */
export async function findShipmentsByNumber(
  tx: Tx,
  trackingNumbers: readonly string[],
): Promise<ShipmentRecord[]> {
  const found = await SHIPMENTS.findMany(tx, trackingNumbers)
  return oldestFirst([...found.values()])
}

function oldestFirst(parcels: readonly ShipmentRecord[]): ShipmentRecord[] {
  return parcels.toSorted((a, b) => a.seq - b.seq)
}

/** The condition on stored parcels that omits returns: each waits for its sender, and no driver collects it. */
const NO_RETURN = `doc not like '%"return_of":%'`

/** Locks the parcels of an agreement that wait at a hub for their collection. Returns them oldest first. */
export async function lockWaiting(tx: Tx, agreementId: string, hubId: string): Promise<ShipmentRecord[]> {
  // Two such calls cannot deadlock: all locks have the order of the numbers.
  const waiting = await SHIPMENTS.list(
    tx,
    `where agreement_id = $1 and status = 'pre_transit' and hub_id = $2 and ${NO_RETURN} order by tracking_number ${tx.forUpdate}`,
    agreementId,
    hubId,
  )
  return oldestFirst(waiting)
}

/** Returns how many parcels of an agreement wait for their collection, by the id of their hub. */
export async function countWaiting(tx: Tx, agreementId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.all(
    `select hub_id, count(*) as count from shipments where agreement_id = $1 and status = 'pre_transit' and ${NO_RETURN}
     group by hub_id`,
    agreementId,
  )
  return new Map(rows.map((row) => [String(row['hub_id']), readIntegerColumn(row, 'count')]))
}

/** Writes the fields of a parcel that can change. */
export async function updateShipment(tx: Tx, shipment: ShipmentRecord): Promise<void> {
  await SHIPMENTS.update(tx, shipment)
}

/** Returns which of these references uncancelled parcels use, with the parcels; two older ones may look the same. */
export async function findLiveShipmentsByReference(
  tx: Tx,
  agreementId: string,
  references: readonly string[],
): Promise<Map<string, LiveReference[]>> {
  const rows = await findReferenced(tx, agreementId, references, {
    column: 'doc',
    condition: `and status <> 'cancelled'`,
  })
  const isOlder = ({ reference, stored }: ReferencedShipment): number => Number(stored !== reference)
  const found = rows.map(toLiveReference).toSorted((a, b) => isOlder(a) - isOlder(b))
  return Map.groupBy(found, ({ reference }) => reference)
}

/** Returns the cancelled parcels that had these references, the newest first. */
export async function findCancelledShipmentsByReference(
  tx: Tx,
  agreementId: string,
  references: readonly string[],
): Promise<Map<string, ReferencedShipment[]>> {
  // A condition on the status would make SQLite read all cancelled parcels.
  const rows = await findReferenced(tx, agreementId, references, { column: 'status', condition: '' })
  const cancelled = rows.map(toReferenced).filter(({ status }) => status === 'cancelled')
  return Map.groupBy(
    cancelled.toSorted((a, b) => b.seq - a.seq),
    ({ reference }) => reference,
  )
}

/** Returns the rows of parcels by reference, also by older forms of it. */
async function findReferenced(
  tx: Tx,
  agreementId: string,
  references: readonly string[],
  { column, condition }: { column: string; condition: string },
): Promise<SqlRow[]> {
  const found: SqlRow[] = []
  const select = `select reference as stored, tracking_number, content_hash, seq, ${column} from shipments
    where agreement_id = $1 ${condition} and reference`
  await forEachChunk(references, async (chunk) => {
    const asked = formatPlaceholders(chunk.length, 2)
    const rows = await tx.all(
      `${select} in (${asked})
       union all
       ${select} in (select stored from old_codes where kind = 'parcel' and owner_id = $1 and code in (${asked}))`,
      agreementId,
      ...chunk,
    )
    found.push(...rows.map((row) => ({ ...row, reference: normalizeIdentifier(String(row['stored'])) })))
  })
  return found
}

/** Returns the number of parcels in each status, over all agreements. */
export async function countShipmentsByStatus(tx: Tx): Promise<Record<string, number>> {
  return SHIPMENTS.countByStatus(tx)
}
