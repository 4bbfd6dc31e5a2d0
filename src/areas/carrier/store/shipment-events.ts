import type { Row, Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { FailureReason } from '../../proofs/rules/failures.ts'
import type { ShipmentEventCode, ShipmentStatus } from '../states.ts'

export type ScanLocation = {
  hub_id: string | null
  name: string
  city: string
  country_code: string
  point: Point | null
}

/** One thing that happened to a parcel. Times in milliseconds; its id derives from the parcel and the sequence. */
export type ShipmentEventRecord = {
  tracking_number: string
  /** From 1, without gaps. */
  sequence: number
  code: ShipmentEventCode
  /** The parcel's status after it. */
  status: ShipmentStatus
  occurred_at: number
  recorded_at: number
  location: ScanLocation
  attempt_number: number | null
  reason: { code: FailureReason; detail: string } | null
  /** A role, never a person. */
  scanned_by: string | null
}

/** Appends events; a sequence that is taken is an error of the database. */
export async function insertShipmentEvents(tx: Tx, events: readonly ShipmentEventRecord[]): Promise<void> {
  await tx.insertMany(
    'shipment_events',
    ['tracking_number', 'sequence', 'code', 'status', 'occurred_at', 'doc'],
    events.map(({ tracking_number, sequence, code, status, occurred_at, ...doc }) => [
      tracking_number,
      sequence,
      code,
      status,
      occurred_at,
      JSON.stringify(doc),
    ]),
  )
}

/** Events of a parcel after a sequence number (0 for all), oldest first. */
export async function listShipmentEvents(
  tx: Tx,
  trackingNumber: string,
  afterSequence: number,
  limit: number,
): Promise<ShipmentEventRecord[]> {
  const rows = await tx.all(
    `select tracking_number, sequence, code, status, occurred_at, doc from shipment_events
     where tracking_number = $1 and sequence > $2 order by sequence limit $3`,
    trackingNumber,
    afterSequence,
    limit,
  )
  return rows.map(toEvent)
}

function toEvent(row: Row): ShipmentEventRecord {
  return {
    tracking_number: String(row['tracking_number']),
    sequence: Number(row['sequence']),
    code: String(row['code']) as ShipmentEventCode,
    status: String(row['status']) as ShipmentStatus,
    occurred_at: Number(row['occurred_at']),
    ...(JSON.parse(String(row['doc'])) as Omit<
      ShipmentEventRecord,
      'tracking_number' | 'sequence' | 'code' | 'status' | 'occurred_at'
    >),
  }
}
