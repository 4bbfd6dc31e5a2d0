/** Shows stored parcels as callers see them. */
import type { Static } from 'typebox'
import type { Tx } from '../../core/db.ts'
import { sandboxId } from '../../core/ids.ts'
import { JsonText, makeCut, surround, toJsonText } from '../../core/json-text.ts'
import { toTimestamp } from '../../core/time.ts'
import type { World } from '../../core/world.ts'
import type { shipment, shipmentEvent, shipmentSummary } from './schema.ts'
import { MAX_ATTEMPTS } from './states.ts'
import { listScans } from './store/scans.ts'
import type { ShipmentEventRecord } from './store/shipment-events.ts'
import type { ListedShipment } from './store/shipment-list.ts'
import type { ShipmentDoc, ShipmentRecord } from './store/shipments.ts'

export type ShipmentSummary = Static<typeof shipmentSummary>
export type Shipment = Static<typeof shipment>
export type ShipmentEvent = Static<typeof shipmentEvent>

/** Returns a parcel with all its events. */
export async function viewShipment(tx: Tx, world: World, record: ShipmentRecord): Promise<Shipment> {
  return showShipment(world, record, await listScans(tx, record, 0, record.doc.sequence))
}

/** Returns a parcel with these events. */
export function showShipment(
  world: World,
  record: ShipmentRecord,
  events: readonly ShipmentEventRecord[],
): Shipment {
  return { ...toSummary(record), scan_history: events.map((event) => toShipmentEvent(world, record, event)) }
}

function toSummary({ doc, ...record }: Columns & { doc: ShipmentDoc }): ShipmentSummary {
  const { sender, recipient, parcel, options, price } = doc
  return { ...firstOf(record, doc), sender, recipient, parcel, options, price, ...lastOf(record, doc) }
}

/** All fields of the document from the first of these to the second are shown as they are stored. */
const cutDoc = makeCut('sender', 'zone', 'sequence')

/** As `toSummary`, in text. Only the fields that may change are parsed. */
export function toSummaryText({ doc, ...record }: ListedShipment): JsonText<ShipmentSummary> {
  const parts = cutDoc(doc)
  if (parts === undefined) {
    return toJsonText(toSummary({ ...record, doc: JSON.parse(doc) as ShipmentDoc }))
  }
  const [first, constant, last] = parts
  const changing = JSON.parse(`{${first},${last}}`) as ChangingDoc
  return new JsonText(surround(firstOf(record, changing), constant, lastOf(record, changing)))
}

type Columns = Omit<ListedShipment, 'doc'>

/** The fields of the document that a list does not show as they are stored. */
type ChangingDoc = Pick<
  ShipmentDoc,
  | 'status_detail'
  | 'route_code'
  | 'estimated_delivery_date'
  | 'attempts'
  | 'collected_at'
  | 'cancellation'
  | 'proof_of_delivery'
>

function firstOf(record: Columns, doc: ChangingDoc) {
  return {
    tracking_number: record.tracking_number,
    reference: record.reference,
    status: record.status,
    status_detail: doc.status_detail,
    service_level: record.service_level,
    hub_id: record.hub_id,
    batch_id: record.batch_id,
  }
}

function lastOf(record: Columns, doc: ChangingDoc) {
  const { cancellation } = doc
  return {
    label: {
      format: 'text' as const,
      barcode: { symbology: 'code128' as const, value: record.tracking_number },
      route_code: doc.route_code,
      files: record.status === 'cancelled' ? null : labelFiles(record.tracking_number),
    },
    estimated_delivery_date: doc.estimated_delivery_date,
    attempts: doc.attempts,
    max_attempts: MAX_ATTEMPTS,
    proof_of_delivery: doc.proof_of_delivery,
    cancellation: cancellation && { ...cancellation, at: toTimestamp(cancellation.at) },
    created_at: toTimestamp(record.created_at),
    updated_at: toTimestamp(record.updated_at),
    collected_at: doc.collected_at === null ? null : toTimestamp(doc.collected_at),
    delivered_at: record.delivered_at === null ? null : toTimestamp(record.delivered_at),
  }
}

function labelFiles(trackingNumber: string) {
  const path = `/v1/shipments/${trackingNumber}/label?format=`
  return { pdf: `${path}pdf`, zpl: `${path}zpl`, png: `${path}png` }
}

/** Returns an event with its id, which is derived from the parcel and the sequence and therefore not stored. */
export function toShipmentEvent(
  { seed }: World,
  { ordinal, doc }: ShipmentRecord,
  { occurred_at, recorded_at, sequence, ...event }: ShipmentEventRecord,
): ShipmentEvent {
  return {
    event_id: sandboxId('evt', seed, sequence, occurred_at, `shipment|${ordinal}`),
    tracking_number: event.tracking_number,
    sequence,
    code: event.code,
    status: event.status,
    location: event.location,
    occurred_at: toTimestamp(occurred_at),
    recorded_at: toTimestamp(recorded_at),
    attempt_number: event.attempt_number,
    reason: event.reason,
    scanned_by: event.scanned_by,
    media: event.code === 'delivered' ? (doc.proof_of_delivery?.media ?? []) : [],
  }
}
