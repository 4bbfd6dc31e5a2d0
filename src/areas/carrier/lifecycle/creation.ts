import { canonicalJson } from '../../../core/canonical-json.ts'
import type { Tx } from '../../../core/db.ts'
import { sha256Hex } from '../../../core/hash.ts'
import type { WorldSettings } from '../../../core/world.ts'
import { newIds, nextOrdinal, nextSeq } from '../../../db/counters.ts'
import { appendEvents } from '../../../db/events.ts'
import type { NextEvent } from '../../../db/lifecycle.ts'
import { scheduleEvents } from '../../../db/timeline.ts'
import { lockClock } from '../../../db/world.ts'
import { senderPlace } from '../queries/scans.ts'
import type { ScanLocation } from '../queries/shipment-events.ts'
import { insertShipmentWords } from '../queries/shipment-words.ts'
import {
  findLiveShipmentsByReference,
  insertShipments,
  type LiveReference,
  type ShipmentDoc,
  type ShipmentRecord,
} from '../queries/shipments.ts'
import { generateTrackingNumbers } from '../rules/tracking-number.ts'
import { hubLocation } from './places.ts'
import type { ShipmentPlan, ShipmentRequest } from './plan.ts'

/** A planned parcel with the reference under which it was requested. */
export type PlannedShipment = {
  reference: string | null
  customer: string | null
  content_hash: string
  plan: ShipmentPlan
  scenario: ShipmentDoc['scenario']
  /** The fields and the first planned event of a return, which differ from those of a parcel that a driver collects. */
  returns?: { doc: Partial<ShipmentDoc>; next: NextEvent<string> }
}

/**
 * Tells a repeat from other content under the same reference: the same request gives the same hash
 * (docs/rules/parcels.md#a-reference-stands-for-one-parcel).
 */
export function hashShipmentRequest(request: ShipmentRequest): string {
  return sha256Hex(canonicalJson(request))
}

/**
 * Makes the world's row the caller's until the transaction ends, so that no other parcel can take a reference or a
 * number in the meantime; then says which references are in use. Gives the instant at which what follows is recorded.
 */
export async function lockReferences(
  tx: Tx,
  now: number,
  agreementId: string,
  references: readonly string[],
): Promise<{ at: number; existing: Map<string, LiveReference[]> }> {
  const [at, existing] = await Promise.all([
    lockClock(tx, now),
    findLiveShipmentsByReference(tx, agreementId, references),
  ])
  return { at, existing }
}

export async function newBatchId(tx: Tx, world: WorldSettings, at: number): Promise<string> {
  const [batchId = ''] = await newIds({ tx, world, at }, 'bat')
  return batchId
}

/** Parcels that are created together; `batchId` is null where no batch asked for them. */
type ShipmentBatch = { agreementId: string; batchId: string | null; drafts: readonly PlannedShipment[] }

/** Creates parcels with free references, in order. Follows `lockReferences` in the same transaction. */
export async function createShipments(
  tx: Tx,
  world: WorldSettings,
  at: number,
  { agreementId, batchId, drafts }: ShipmentBatch,
): Promise<ShipmentRecord[]> {
  if (drafts.length === 0) return []
  const seq = await nextSeq(tx, at, drafts.length)
  const ordinal = await nextOrdinal(tx, 'shipment', drafts.length)
  const numbers = await claimTrackingNumbers(tx, drafts.length)
  const shipments = drafts.map((draft, index): ShipmentRecord => ({
    tracking_number: numbers[index] ?? '',
    seq: seq + index,
    ordinal: ordinal + index,
    agreement_id: agreementId,
    reference: draft.reference,
    customer: draft.customer,
    content_hash: draft.content_hash,
    status: 'pre_transit',
    service_level: draft.plan.service_level,
    hub_id: draft.plan.hub.hub_id,
    batch_id: batchId,
    created_at: at,
    updated_at: at,
    delivered_at: null,
    doc: toDoc(draft, at),
  }))
  await insertShipments(tx, shipments)
  await insertShipmentWords(tx, shipments)
  await scheduleEvents(
    tx,
    at,
    shipments.map(({ tracking_number }, index) => ({
      due_at: Math.max(at, drafts[index]?.plan.collect_at ?? at),
      kind: 'shipment',
      resource_id: tracking_number,
      owner_id: agreementId,
      event: 'collected',
      payload: {},
      ...drafts[index]?.returns?.next,
    })),
  )
  await appendEvents(
    tx,
    world,
    at,
    shipments.map((shipment) => ({
      type: 'shipment.created',
      resource_id: shipment.tracking_number,
      owner_id: agreementId,
      occurred_at: at,
      from: null,
      to: shipment.status,
      by: 'shipper',
      data: eventData(shipment),
    })),
  )
  return shipments
}

/** Returns the data of the events of a parcel. */
export function eventData({ reference, doc: { return_of } }: ShipmentRecord): Record<string, unknown> {
  return { reference, ...(return_of && { return_of: return_of.tracking_number }) }
}

/** The counter's row stands for positions, some of which have no number: it goes where the last number was found. */
async function claimTrackingNumbers(tx: Tx, count: number): Promise<string[]> {
  const position = await nextOrdinal(tx, 'tracking_number', 0)
  const { numbers, next } = generateTrackingNumbers(position, count)
  await nextOrdinal(tx, 'tracking_number', next - position)
  return numbers
}

const LEVEL_MARKS = { same_day: 'SD', next_day: 'ND', two_day: '2D', economy: 'EC' } as const

/** Returns the sort code of a label. */
export function routeCode({ hub, destination: { area, zone }, service_level }: ShipmentPlan): string {
  return `${hub.code}-${area.area}-${zone}-${LEVEL_MARKS[service_level]}`
}

function toDoc({ plan, scenario, returns }: PlannedShipment, at: number): ShipmentDoc {
  const { hub, sender, destination } = plan
  const { zone } = destination
  const origin = hubLocation(hub)
  return {
    status_detail: 'label_created',
    sender,
    recipient: plan.recipient,
    parcel: plan.parcel,
    options: plan.options,
    price: plan.price,
    zone,
    route_code: routeCode(plan),
    estimated_delivery_date: plan.estimated_delivery_date,
    promised_date: plan.estimated_delivery_date,
    attempts: 0,
    collected_at: null,
    cancellation: null,
    proof_of_delivery: null,
    sequence: 1,
    last_at: at,
    place: senderPlace(sender),
    origin,
    timezone: hub.timezone,
    depot: deliveringDepot(plan),
    departed: plan.service_level === 'same_day',
    scenario,
    ...returns?.doc,
  }
}

/** Returns the hub from which a courier sets off with a parcel. */
export function deliveringDepot({
  destination,
  recipient,
  service_level,
  hub,
}: Pick<ShipmentPlan, 'destination' | 'recipient' | 'service_level' | 'hub'>): ScanLocation {
  if (service_level === 'same_day') return hubLocation(hub)
  const { name, latitude, longitude } = destination.area
  return {
    hub_id: null,
    name: `${name} depot`,
    city: name,
    country_code: recipient.address.country_code,
    point: { latitude, longitude },
  }
}
