/** Shows stored parcels as callers see them. */
import type { Static } from 'typebox'
import type { Tx } from '../../core/db.ts'
import { sandboxId } from '../../core/ids.ts'
import { JsonText, makeCut, toJsonText, valueOf } from '../../core/json-text.ts'
import { withLocal } from '../../core/local-times.ts'
import { toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import type { WorldSettings } from '../../core/world.ts'
import type { Hub } from './queries/hubs.ts'
import type { ManifestRecord } from './queries/manifests.ts'
import { listScans } from './queries/scans.ts'
import type { ShipmentEventRecord } from './queries/shipment-events.ts'
import type { ListedShipment } from './queries/shipment-list.ts'
import type { Cancellation, ShipmentDoc, ShipmentRecord } from './queries/shipments.ts'
import { type Claim, findRejection } from './rules/claims.ts'
import { findOptionWarnings } from './rules/options.ts'
import { barcodeOf } from './rules/tracking-number.ts'
import type {
  claim as claimSchema,
  collectionManifest,
  shipment,
  shipmentEvent,
  shipmentSummary,
} from './schema.ts'
import { MAX_DELIVERY_ATTEMPTS, PARCEL_TIMES } from './states.ts'

export type ShipmentSummary = Static<typeof shipmentSummary>
export type ShipmentView = Static<typeof shipment>
export type ShipmentEvent = Static<typeof shipmentEvent>

/** Returns a parcel with all its events. */
export async function serializeShipment(
  tx: Tx,
  world: WorldSettings,
  record: ShipmentRecord,
): Promise<ShipmentView> {
  return serializeShipmentWithEvents(world, record, await listScans(tx, record, 0, record.doc.sequence))
}

/** Returns a parcel with these events. */
export function serializeShipmentWithEvents(
  world: WorldSettings,
  record: ShipmentRecord,
  events: readonly ShipmentEventRecord[],
): ShipmentView {
  return withLocal(record.doc.timezone, PARCEL_TIMES, {
    ...toShipmentSummary(record),
    scan_history: events.map((event) => toShipmentEvent(world, record, event)),
    ...(record.doc.manifest_id !== undefined && { manifest_id: record.doc.manifest_id }),
    ...findOptionWarnings(record.doc.options),
  })
}

/** Returns the collection manifest of a hub as callers see it; without a record it is a preview. */
export function serializeManifest(
  { hub_id, code }: Pick<Hub, 'hub_id' | 'code'>,
  record: ManifestRecord | undefined,
  parcels: readonly ShipmentRecord[],
): Static<typeof collectionManifest> {
  const waiting = parcels.filter(({ status }) => status === 'pre_transit').length
  const collected = parcels.filter(({ doc }) => doc.collected_at !== null).length
  const sender = parcels[0]?.doc.sender
  return {
    manifest_id: record?.manifest_id ?? null,
    hub_id,
    hub_code: code,
    sender_name: sender?.company ?? sender?.contact.name ?? '',
    created_at: toTimestampOrNull(record?.created_at ?? null),
    counts: {
      total: parcels.length,
      waiting,
      collected,
      cancelled: parcels.length - waiting - collected,
    },
    parcels: parcels.map(({ tracking_number, reference, status, service_level, doc }) => ({
      tracking_number,
      reference,
      status,
      service_level,
      route_code: doc.route_code,
      recipient_name: doc.recipient.contact.name,
      postal_code: doc.recipient.address.postal_code,
      country_code: doc.recipient.address.country_code,
      weight_grams: doc.parcel.weight_grams,
      collected_at: toTimestampOrNull(doc.collected_at),
    })),
  }
}

/** Returns a claim as callers see it. */
export function serializeClaim(
  { tracking_number, doc }: Pick<ShipmentRecord, 'tracking_number' | 'doc'>,
  claim: Claim,
): Static<typeof claimSchema> {
  const { claim_id, reason_code, value, status, ...times } = claim
  const rejection = findRejection(claim, doc.parcel)
  return {
    claim_id,
    tracking_number,
    reason_code,
    value,
    status,
    created_at: toTimestamp(times.created_at),
    decision_due_at: toTimestamp(times.due_at),
    decided_at: toTimestampOrNull(times.decided_at),
    ...(rejection && { rejection }),
  }
}

/** Returns a parcel without its events, as a list shows it. */
export function toShipmentSummary({
  doc,
  ...record
}: Omit<ListedShipment, 'doc'> & { doc: ShipmentDoc }): ShipmentSummary {
  return {
    tracking_number: record.tracking_number,
    reference: record.reference,
    customer: record.customer,
    status: record.status,
    status_detail: doc.status_detail,
    service_level: record.service_level,
    hub_id: record.hub_id,
    batch_id: record.batch_id,
    sender: doc.sender,
    recipient: doc.recipient,
    parcel: doc.parcel,
    options: doc.options,
    price: doc.price,
    label: {
      format: 'text',
      barcode: { symbology: 'code128', value: barcodeOf(record.tracking_number, doc.label_version) },
      route_code: doc.route_code,
      files: record.status === 'cancelled' ? null : labelFiles(record.tracking_number),
    },
    estimated_delivery_date: doc.estimated_delivery_date,
    promised_date: doc.promised_date ?? null,
    attempts: doc.attempts,
    max_attempts: MAX_DELIVERY_ATTEMPTS,
    proof_of_delivery: doc.proof_of_delivery,
    cancellation: serializeCancellation(doc.cancellation),
    created_at: toTimestamp(record.created_at),
    updated_at: toTimestamp(record.updated_at),
    collected_at: doc.collected_at === null ? null : toTimestamp(doc.collected_at),
    delivered_at: record.delivered_at === null ? null : toTimestamp(record.delivered_at),
    ...(doc.return_of && { return_of: doc.return_of }),
    ...(doc.return_number !== undefined && { return_number: doc.return_number }),
    ...(doc.claims && { claims: doc.claims.map((claim) => serializeClaim({ ...record, doc }, claim)) }),
  }
}

function serializeCancellation(cancellation: Cancellation | null): ShipmentSummary['cancellation'] {
  return cancellation && { ...cancellation, at: toTimestamp(cancellation.at) }
}

function labelFiles(trackingNumber: string) {
  const path = `/v1/shipments/${trackingNumber}/label?format=`
  return { pdf: `${path}pdf`, zpl: `${path}zpl`, png: `${path}png` }
}

/** The files of a label in text, around the number of its parcel. */
const LABEL_FILES = JSON.stringify(labelFiles('*')).split('*')

const MORE_MEMBERS = /"(?:label_version|return_of|return_number|claims)":/

/** No field of the document before one of these has a key of its name inside. */
const cutDoc = makeCut(
  'sender',
  'zone',
  'route_code',
  'estimated_delivery_date',
  'collected_at',
  'cancellation',
  'proof_of_delivery',
  'sequence',
)

/**
 * As `toShipmentSummary`, in text, with the fields of the document as they are stored: most of a list's time would go into
 * parsing its parcels and writing them again.
 */
export function toSummaryText(record: ListedShipment): JsonText<ShipmentSummary> {
  const { doc, tracking_number, status } = record
  const parts = cutDoc(doc)
  // A document of an older version has no promised day; one of a corrected, claimed or returned parcel has more fields.
  if (parts?.[4]?.includes('"promised_date":') !== true || MORE_MEMBERS.test(doc)) {
    return toJsonText(toShipmentSummary({ ...record, doc: JSON.parse(doc) as ShipmentDoc }))
  }
  const [detail, constant, , route, estimate, collected, cancellation, proof] = parts
  return new JsonText(
    `{"tracking_number":"${tracking_number}","reference":${JSON.stringify(record.reference)},` +
      `"customer":${JSON.stringify(record.customer)},"status":"${status}",${detail},"service_level":"${record.service_level}","hub_id":"${record.hub_id}",` +
      `"batch_id":${JSON.stringify(record.batch_id)},${constant},` +
      `"label":{"format":"text","barcode":{"symbology":"code128","value":"${tracking_number}"},${route},` +
      `"files":${status === 'cancelled' ? 'null' : LABEL_FILES.join(tracking_number)}},` +
      `${estimate},"max_attempts":${MAX_DELIVERY_ATTEMPTS},${proof},` +
      `"cancellation":${JSON.stringify(serializeCancellation(valueOf(cancellation)))},` +
      `"created_at":${timeText(record.created_at)},"updated_at":${timeText(record.updated_at)},` +
      `"collected_at":${timeText(valueOf(collected))},"delivered_at":${timeText(record.delivered_at)}}`,
  )
}

function timeText(at: number | null): string {
  return at === null ? 'null' : `"${toTimestamp(at)}"`
}

/** Returns an event with its id, which is derived from the parcel and the sequence and therefore not stored. */
export function toShipmentEvent(
  { seed }: WorldSettings,
  { ordinal, doc: { proof_of_delivery: proof } }: ShipmentRecord,
  { occurred_at, recorded_at, sequence, ...event }: ShipmentEventRecord,
): ShipmentEvent {
  const isDelivered = event.code === 'delivered'
  return {
    event_id: sandboxId('evt', { seed, ordinal: sequence, at: occurred_at }, `shipment|${ordinal}`),
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
    ...(event.weight_grams !== undefined && { weight_grams: event.weight_grams }),
    ...(isDelivered && proof?.cash_collected && { cash_collected: proof.cash_collected }),
    media: isDelivered ? (proof?.media ?? []) : [],
  }
}
