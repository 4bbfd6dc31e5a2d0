import type { Party } from '../../../core/address.ts'
import type { Row, Tx } from '../../../core/db.ts'
import type { Money } from '../../../core/money.ts'
import type { Zone } from '../../../core/places/postcode.ts'
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

/** What a shipment holds beyond its searchable columns. Times in milliseconds. */
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
  /** The last event: its sequence, when, and where. */
  sequence: number
  last_at: number
  place: ScanLocation
  /** The depot that collected it, and the zone in which its days are counted. */
  origin: ScanLocation
  timezone: string
  /** The depot that delivers it, and whether the parcel is bound there already. */
  depot: ScanLocation
  departed: boolean
  /** How the sandbox plays this parcel. */
  scenario: { name: string; options: Record<string, string> } | null
}

export type ShipmentRecord = {
  tracking_number: string
  seq: number
  /** Which parcel of the store it is, from 1: every draw about it derives from this. */
  ordinal: number
  agreement_id: string
  reference: string | null
  /** SHA-256 of what was asked for: tells a repeat from other content under the same reference. */
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

const COLUMNS = [
  'tracking_number',
  'seq',
  'ordinal',
  'agreement_id',
  'reference',
  'content_hash',
  'status',
  'service_level',
  'hub_id',
  'batch_id',
  'created_at',
  'updated_at',
  'delivered_at',
  'doc',
] as const

export const SELECT = `select ${COLUMNS.join(', ')} from shipments`

/** References of one `in (…)`: few lengths of list, so that few statements are kept. */
const CHUNK = 100

export async function insertShipments(tx: Tx, shipments: readonly ShipmentRecord[]): Promise<void> {
  await tx.insertMany(
    'shipments',
    COLUMNS,
    shipments.map((shipment) =>
      COLUMNS.map((column) => (column === 'doc' ? JSON.stringify(shipment.doc) : shipment[column])),
    ),
  )
}

export async function findShipment(tx: Tx, trackingNumber: string): Promise<ShipmentRecord | undefined> {
  const row = await tx.get(`${SELECT} where tracking_number = $1`, trackingNumber)
  return row && toShipment(row)
}

/** Reads a parcel for a change: other writers of it, and of what is planned for it, wait until this transaction ends. */
export async function lockShipment(tx: Tx, trackingNumber: string): Promise<ShipmentRecord | undefined> {
  const row = await tx.get(`${SELECT} where tracking_number = $1 ${tx.forUpdate}`, trackingNumber)
  return row && toShipment(row)
}

/** Locks those of the parcels that exist, in one order, so that two that lock many never wait for each other. */
export async function lockShipments(
  tx: Tx,
  trackingNumbers: readonly string[],
  { skipLocked }: { skipLocked: boolean },
): Promise<Set<string>> {
  const locked = new Set<string>()
  const sorted = [...new Set(trackingNumbers)].toSorted()
  for (let start = 0; start < sorted.length; start += CHUNK) {
    const chunk = sorted.slice(start, start + CHUNK)
    const rows = await tx.all(
      `select tracking_number from shipments where tracking_number in (${places(chunk.length, 1)})
       order by tracking_number ${tx.forUpdate} ${skipLocked ? tx.skipLocked : ''}`,
      ...chunk,
    )
    for (const row of rows) locked.add(String(row['tracking_number']))
  }
  return locked
}

/** Writes what a parcel's life can change. */
export async function updateShipment(
  tx: Tx,
  { tracking_number, status, updated_at, delivered_at, doc }: ShipmentRecord,
): Promise<void> {
  await tx.run(
    'update shipments set status = $1, updated_at = $2, delivered_at = $3, doc = $4 where tracking_number = $5',
    status,
    updated_at,
    delivered_at,
    JSON.stringify(doc),
    tracking_number,
  )
}

/** Which of these references are in use by a parcel that is not cancelled, and by which. */
export async function findLiveReferences(
  tx: Tx,
  agreementId: string,
  references: readonly string[],
): Promise<Map<string, Pick<ShipmentRecord, 'tracking_number' | 'content_hash'>>> {
  const found = new Map<string, Pick<ShipmentRecord, 'tracking_number' | 'content_hash'>>()
  for (let start = 0; start < references.length; start += CHUNK) {
    const chunk = references.slice(start, start + CHUNK)
    const rows = await tx.all(
      `select reference, tracking_number, content_hash from shipments
       where agreement_id = $1 and status <> 'cancelled' and reference in (${places(chunk.length, 2)})`,
      agreementId,
      ...chunk,
    )
    for (const row of rows) {
      found.set(String(row['reference']), {
        tracking_number: String(row['tracking_number']),
        content_hash: String(row['content_hash']),
      })
    }
  }
  return found
}

/** How many parcels there are of each status, over every agreement. */
export async function countShipments(tx: Tx): Promise<Record<string, number>> {
  const rows = await tx.all('select status, count(*) as count from shipments group by status order by status')
  return Object.fromEntries(rows.map((row) => [String(row['status']), Number(row['count'])]))
}

/** `$3, $4`: so many parameters from the first. */
function places(count: number, first: number): string {
  return Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ')
}

/** A parcel of the columns of `SELECT`. */
export function toShipment(row: Row): ShipmentRecord {
  return {
    tracking_number: String(row['tracking_number']),
    seq: Number(row['seq']),
    ordinal: Number(row['ordinal']),
    agreement_id: String(row['agreement_id']),
    reference: toText(row['reference']),
    content_hash: String(row['content_hash']),
    status: String(row['status']) as ShipmentStatus,
    service_level: String(row['service_level']) as ServiceLevelCode,
    hub_id: String(row['hub_id']),
    batch_id: toText(row['batch_id']),
    created_at: Number(row['created_at']),
    updated_at: Number(row['updated_at']),
    delivered_at: typeof row['delivered_at'] === 'number' ? row['delivered_at'] : null,
    doc: JSON.parse(String(row['doc'])) as ShipmentDoc,
  }
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
