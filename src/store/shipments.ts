import type { Party } from '../domain/address.ts'
import type { Parcel, ParcelPrice, ServiceLevelCode } from '../domain/carrier.ts'
import type { Money } from '../domain/money.ts'
import type { Zone } from '../domain/postcode.ts'
import type { Proof } from '../domain/proof.ts'
import type { CancelReason, ShipmentEventCode, ShipmentStatus } from '../domain/shipment-states.ts'
import type { Row, Tx, Value } from './db.ts'
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

const SELECT = `select ${COLUMNS.join(', ')} from shipments`

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

/** Half-open spans of time, milliseconds. */
export type ShipmentFilters = {
  statuses?: readonly ShipmentStatus[] | undefined
  service_level?: string | undefined
  reference?: string | undefined
  batch_id?: string | undefined
  created_from?: number | undefined
  created_to?: number | undefined
  delivered_from?: number | undefined
  delivered_to?: number | undefined
}

export type ListPosition = { created_at: number; seq: number }

const EVER = Number.MAX_SAFE_INTEGER

const NEWEST_FIRST = 'order by created_at desc, seq desc'

/**
 * An agreement's parcels, newest first, after a position. One walk of an index per status, so that a page costs the
 * same however many parcels there are; all walks in one statement, so that a parcel that moves on is met once.
 */
export async function listShipments(
  tx: Tx,
  agreementId: string,
  filters: ShipmentFilters,
  after: ListPosition | undefined,
  limit: number,
): Promise<ShipmentRecord[]> {
  const bounded = await boundByDelivery(tx, agreementId, filters)
  if (bounded === undefined) return []
  const { statuses, ...rest } = bounded
  const params: Value[] = []
  const walks = [...new Set<ShipmentStatus | undefined>(statuses ?? [undefined])].map((status) =>
    walkStatement(params, agreementId, rest, status, after, limit),
  )
  const [only = ''] = walks
  const union = walks.map((walk, index) => `select * from (${walk}) as walk_${index}`).join(' union all ')
  const sql = walks.length === 1 ? only : `${union} ${NEWEST_FIRST} limit $${params.push(limit)}`
  return (await tx.all(sql, ...params)).map(toShipment)
}

/** A span of delivery dates as one of creation dates that holds all those parcels, or undefined when there are none. */
async function boundByDelivery(
  tx: Tx,
  agreementId: string,
  filters: ShipmentFilters,
): Promise<ShipmentFilters | undefined> {
  const { delivered_from, delivered_to, statuses } = filters
  if (delivered_from === undefined && delivered_to === undefined) return filters
  if (statuses !== undefined && !statuses.includes('delivered')) return undefined
  const row = await tx.get(
    `select min(created_at) as first, max(created_at) as last from shipments
     where agreement_id = $1 and delivered_at >= $2 and delivered_at < $3`,
    agreementId,
    delivered_from ?? 0,
    delivered_to ?? EVER,
  )
  if (typeof row?.['first'] !== 'number') return undefined
  return {
    ...filters,
    statuses: ['delivered'],
    created_from: Math.max(filters.created_from ?? 0, row['first']),
    created_to: Math.min(filters.created_to ?? EVER, Number(row['last']) + 1),
  }
}

/** The text of one walk; its parameters are added to those of the walks before. */
function walkStatement(
  params: Value[],
  agreementId: string,
  filters: Omit<ShipmentFilters, 'statuses'>,
  status: ShipmentStatus | undefined,
  after: ListPosition | undefined,
  limit: number,
): string {
  const { reference, batch_id, service_level, created_from, created_to, delivered_from, delivered_to } =
    filters
  // A reference or a batch is a handful of rows: their own index is the one to walk, not that of the status.
  const statusColumn = reference === undefined && batch_id === undefined ? 'status' : `status || ''`
  let sql = `${SELECT} where agreement_id = $${params.push(agreementId)}`
  const and = (condition: string, ...values: (Value | undefined)[]) => {
    const given = values.filter((value) => value !== undefined)
    if (given.length === 0) return
    sql += ` and ${condition.replaceAll('?', () => `$${params.push(given.shift() ?? null)}`)}`
  }
  and(`${statusColumn} = ?`, status)
  and('reference = ?', reference)
  and('batch_id = ?', batch_id)
  and('service_level = ?', service_level)
  and('created_at >= ?', created_from)
  // A later page starts below the end of the span anyway; a second upper bound would be the one an index takes.
  and('created_at < ?', after === undefined ? created_to : undefined)
  and('delivered_at >= ?', delivered_from)
  and('delivered_at < ?', delivered_to)
  and('(created_at, seq) < (?, ?)', after?.created_at, after?.seq)
  return `${sql} ${NEWEST_FIRST} limit $${params.push(limit)}`
}

/** How many parcels there are of each status, over every agreement. */
export async function countShipments(tx: Tx): Promise<Record<string, number>> {
  const rows = await tx.all('select status, count(*) as count from shipments group by status order by status')
  return Object.fromEntries(rows.map((row) => [String(row['status']), Number(row['count'])]))
}

function places(count: number, first: number): string {
  return Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ')
}

function toShipment(row: Row): ShipmentRecord {
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
