import type { Tx } from '../../../core/db.ts'
import { listShipmentEventsAfter, type ScanLocation, type ShipmentEventRecord } from './shipment-events.ts'
import type { ShipmentRecord } from './shipments.ts'

/** Returns the place of a parcel that is not collected yet. */
export function senderPlace({ contact, company, address }: ShipmentRecord['doc']['sender']): ScanLocation {
  return {
    hub_id: null,
    name: company ?? contact.name,
    city: address.city,
    country_code: address.country_code,
    point: address.location ?? null,
  }
}

/** The scan that a parcel begins with. It follows from the parcel itself, so a new parcel needs no row for it. */
export function firstScan({ tracking_number, doc, created_at }: ShipmentRecord): ShipmentEventRecord {
  return {
    tracking_number,
    sequence: 1,
    code: 'label_created',
    status: 'pre_transit',
    occurred_at: created_at,
    recorded_at: created_at,
    location: senderPlace(doc.sender),
    attempt_number: null,
    reason: null,
    scanned_by: null,
  }
}

/** Returns the scans of a parcel after a sequence number (0 for all), oldest first. */
export async function listScans(
  tx: Tx,
  shipment: ShipmentRecord,
  afterSequence: number,
  limit: number,
): Promise<ShipmentEventRecord[]> {
  const first = afterSequence < 1 && limit > 0 ? [firstScan(shipment)] : []
  // Stores of older versions have a row for the first scan.
  const after = Math.max(afterSequence, 1)
  if (shipment.doc.sequence <= after) return first
  const later = await listShipmentEventsAfter(tx, shipment.tracking_number, after, limit - first.length)
  return [...first, ...later]
}
