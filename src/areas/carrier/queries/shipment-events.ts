import type { Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import { defineDocLog } from '../../../db/table.ts'
import type { FailureReason } from '../../proofs/rules/failures.ts'
import type { ShipmentEventCode, ShipmentStatus } from '../states.ts'

export type ScanLocation = {
  hub_id: string | null
  name: string
  city: string
  country_code: string
  point: Point | null
}

/** An event of a parcel. Times in milliseconds; its id is derived from the parcel and the sequence. */
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
  /** A role, never a person's name. */
  scanned_by: string | null
  /** The weight by the carrier's scale, where it was weighed. */
  weight_grams?: number
}

const EVENTS = defineDocLog<
  ShipmentEventRecord,
  'tracking_number' | 'sequence' | 'code' | 'status' | 'occurred_at'
>({
  name: 'shipment_events',
  columns: {
    tracking_number: 'text',
    sequence: 'integer',
    code: 'text',
    status: 'text',
    occurred_at: 'integer',
  },
})

/** Appends events. Throws the database's error when a sequence number is taken. */
export async function insertShipmentEvents(tx: Tx, events: readonly ShipmentEventRecord[]): Promise<void> {
  await EVENTS.insert(tx, events)
}

/** Returns the events of a parcel after a sequence number (0 for all), oldest first. */
export async function listShipmentEventsAfter(
  tx: Tx,
  trackingNumber: string,
  afterSequence: number,
  limit: number,
): Promise<ShipmentEventRecord[]> {
  return EVENTS.list(
    tx,
    'where tracking_number = $1 and sequence > $2 order by sequence limit $3',
    trackingNumber,
    afterSequence,
    limit,
  )
}
