/** The life of a parcel. The only writer of its status: every change passes `record`, which checks the state table. */
import type { Address } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import { findArea } from '../../../core/places/postcode.ts'
import { localDate, toTimestamp } from '../../../core/time.ts'
import type { World } from '../../../core/world.ts'
import { appendEvents } from '../../../store/events.ts'
import { schedule, type TimelineEvent, unschedule } from '../../../store/timeline.ts'
import { makeProof } from '../../proofs/life.ts'
import type { FailureReason } from '../../proofs/rules/failures.ts'
import { REASON_DETAILS } from '../rules/reasons.ts'
import {
  type CancelReason,
  canMove,
  isTerminal,
  MAX_ATTEMPTS,
  REASON_REQUIRED,
  type ShipmentEventCode,
  type ShipmentStatus,
} from '../states.ts'
import type { Hub } from '../store/hubs.ts'
import {
  insertShipmentEvents,
  type ScanLocation,
  type ShipmentEventRecord,
} from '../store/shipment-events.ts'
import { lockShipment, type ShipmentRecord, updateShipment } from '../store/shipments.ts'
import { dayAfterDelay, isFinalReason, whatFollows } from './timeline.ts'

/** Something that happens to a parcel. What is left out follows from the code and from where the parcel is. */
export type Scan = {
  code: ShipmentEventCode
  /** Service time; never before the parcel's last event. */
  at: number
  by: 'shipper' | 'carrier' | 'sandbox'
  /** It is what the timeline had planned. */
  planned?: true
  reason?: FailureReason | undefined
  detail?: string | undefined
  hub?: Hub | undefined
}

/** Applies what the timeline planned; gives when the next thing is due. A plan that no longer fits is dropped silently. */
export async function applyShipmentEvent(
  tx: Tx,
  world: World,
  event: TimelineEvent,
  now = event.due_at,
): Promise<number | undefined> {
  const shipment = await lockShipment(tx, event.resource_id)
  if (shipment === undefined) return undefined
  const scan: Scan = {
    code: event.event as ShipmentEventCode,
    at: Math.max(now, shipment.doc.last_at),
    by: 'carrier',
    planned: true,
    reason: event.payload['reason'] as FailureReason | undefined,
  }
  if (statusAfter(shipment, scan) === undefined) return undefined
  return (await record(tx, world, shipment, scan)).nextDueAt
}

/** A scan by hand. Refuses one that the parcel's state does not allow with `invalid_state`. */
export async function scanShipment(
  tx: Tx,
  world: World,
  shipment: ShipmentRecord,
  scan: Scan,
): Promise<ShipmentEventRecord> {
  // Calling off is the shipper's: it is no scan.
  if (scan.code === 'cancelled' || statusAfter(shipment, scan) === undefined) {
    throw new AppError(
      'invalid_state',
      `${shipment.tracking_number} is ${shipment.status}: a scan "${scan.code}" is not possible now.`,
      { extra: { current_status: shipment.status } },
    )
  }
  return (await record(tx, world, shipment, scan)).event
}

/** Cancels a parcel that is neither delivered nor returned; one that is cancelled already stays as it is. */
export async function cancelShipment(
  tx: Tx,
  world: World,
  now: number,
  shipment: ShipmentRecord,
  { reason_code, note }: { reason_code: CancelReason; note: string | null },
): Promise<void> {
  const { status, doc } = shipment
  if (status === 'cancelled') return
  if (!canMove(status, 'cancelled')) {
    throw new AppError(
      'not_cancellable',
      `${shipment.tracking_number} is ${status} and can no longer be cancelled.`,
      {
        extra: { current_status: status },
      },
    )
  }
  const disposition =
    status === 'pre_transit' ? 'not_collected' : status === 'lost' ? 'lost' : 'intercept_and_return'
  const at = Math.max(now, doc.last_at)
  doc.cancellation = { reason_code, note, at, disposition }
  await unschedule(tx, shipment.tracking_number)
  await record(tx, world, shipment, { code: 'cancelled', at, by: 'shipper' })
}

/** Where a code takes a parcel; undefined when it is not possible now. */
function statusAfter({ status, doc }: ShipmentRecord, { code, reason }: Scan): ShipmentStatus | undefined {
  if (status === 'cancelled')
    return AFTER_CANCELLATION.includes(code) && doc.status_detail !== 'returned' ? status : undefined
  const rule = RULES[code]
  if (!rule.from.includes(status)) return undefined
  if (rule.to === 'same') return status
  const gone = code === 'delivery_attempted' && reason !== undefined && isFinalReason(reason)
  const to = gone || (code === 'damaged' && status === 'out_for_delivery') ? 'returning' : rule.to
  return to === status || canMove(status, to) ? to : undefined
}

type Rule = {
  from: readonly ShipmentStatus[]
  to: ShipmentStatus | 'same'
  place: 'origin' | 'depot' | 'recipient' | 'last'
  role: string | null
}

const UNDER_WAY: readonly ShipmentStatus[] = [
  'pre_transit',
  'in_transit',
  'out_for_delivery',
  'delivery_attempted',
  'available_for_pickup',
  'returning',
]

/** From which states an event is possible, where it leads, where it happens, and whose job it is. */
const RULES: Readonly<Record<ShipmentEventCode, Rule>> = {
  label_created: { from: [], to: 'same', place: 'last', role: null },
  manifested: { from: ['pre_transit'], to: 'same', place: 'last', role: null },
  collected: { from: ['pre_transit'], to: 'in_transit', place: 'origin', role: 'collection_driver' },
  arrived_at_facility: { from: ['in_transit', 'returning'], to: 'same', place: 'last', role: 'depot_staff' },
  departed_facility: { from: ['in_transit', 'returning'], to: 'same', place: 'last', role: 'depot_staff' },
  out_for_delivery: {
    from: ['in_transit', 'available_for_pickup'],
    to: 'out_for_delivery',
    place: 'depot',
    role: 'courier',
  },
  delivery_attempted: {
    from: ['out_for_delivery'],
    to: 'delivery_attempted',
    place: 'recipient',
    role: 'courier',
  },
  rescheduled: { from: ['delivery_attempted'], to: 'in_transit', place: 'depot', role: 'depot_staff' },
  available_for_pickup: {
    from: ['delivery_attempted'],
    to: 'available_for_pickup',
    place: 'depot',
    role: 'depot_staff',
  },
  delivered: {
    from: ['out_for_delivery', 'available_for_pickup'],
    to: 'delivered',
    place: 'recipient',
    role: 'courier',
  },
  delayed: { from: ['in_transit'], to: 'same', place: 'last', role: 'depot_staff' },
  damaged: { from: ['in_transit', 'out_for_delivery'], to: 'in_transit', place: 'last', role: 'courier' },
  held: { from: ['in_transit'], to: 'same', place: 'last', role: 'depot_staff' },
  return_started: {
    from: ['out_for_delivery', 'available_for_pickup', 'returning'],
    to: 'returning',
    place: 'depot',
    role: 'depot_staff',
  },
  returned: { from: ['returning'], to: 'returned', place: 'origin', role: 'depot_staff' },
  cancelled: { from: [...UNDER_WAY, 'lost'], to: 'cancelled', place: 'last', role: null },
  lost: { from: ['in_transit', 'out_for_delivery'], to: 'lost', place: 'last', role: null },
  address_corrected: { from: UNDER_WAY, to: 'same', place: 'last', role: null },
}

/** What may still be scanned on a cancelled parcel on its way back; it stays cancelled. */
const AFTER_CANCELLATION: readonly ShipmentEventCode[] = [
  'arrived_at_facility',
  'departed_facility',
  'held',
  'delayed',
  'damaged',
  'return_started',
  'returned',
  'lost',
]

/** Appends the event, moves the parcel, and plans what follows. The caller has locked the parcel and checked the step. */
async function record(
  tx: Tx,
  world: World,
  shipment: ShipmentRecord,
  scan: Scan,
): Promise<{ event: ShipmentEventRecord; nextDueAt: number | undefined }> {
  const from = shipment.status
  const { doc } = shipment
  const status = statusAfter(shipment, scan)
  if (status === undefined) throw new Error(`${scan.code} is not possible for a parcel that is ${from}`)
  const at = Math.max(scan.at, doc.last_at)
  const event = toEvent(shipment, scan, status, at)

  shipment.status = status
  shipment.updated_at = at
  doc.status_detail = scan.code
  doc.sequence = event.sequence
  doc.last_at = at
  doc.place = event.location
  await EFFECTS[scan.code]?.({ tx, world, shipment, at, event })
  await insertShipmentEvents(tx, [event])
  await updateShipment(tx, shipment)

  const next = whatFollows(world.seed, shipment, scan.reason)
  const over = (isTerminal(status) && status !== 'cancelled') || scan.code === 'returned'
  // A parcel has one plan at most, and the timeline's own event has already been taken off it.
  if (!scan.planned && (next !== undefined || over)) await unschedule(tx, shipment.tracking_number)
  // The counters' rows come last: from here on every other writer of the store waits.
  if (next !== undefined) await schedule(tx, at, [toTimeline(shipment, next)])
  if (status !== from) await appendEvents(tx, world, at, [toDomainEvent(shipment, scan, from, at)])
  return { event, nextDueAt: next?.due_at }
}

function toEvent(
  shipment: ShipmentRecord,
  scan: Scan,
  status: ShipmentStatus,
  at: number,
): ShipmentEventRecord {
  const { code, reason, detail, hub } = scan
  const { doc } = shipment
  if (REASON_REQUIRED.includes(code) && reason === undefined) {
    throw new AppError('invalid_request', `A scan "${code}" needs a reason.`, {
      errors: [{ pointer: '/reason', code: 'required', detail: `reason is required for ${code}` }],
    })
  }
  const attempted = code === 'delivery_attempted' || code === 'delivered'
  return {
    tracking_number: shipment.tracking_number,
    sequence: doc.sequence + 1,
    code,
    status,
    occurred_at: at,
    recorded_at: at,
    location: hub === undefined ? placeOf(shipment, scan) : hubLocation(hub),
    attempt_number:
      attempted && shipment.status === 'out_for_delivery' ? Math.min(doc.attempts + 1, MAX_ATTEMPTS) : null,
    reason: reason === undefined ? null : { code: reason, detail: detail ?? REASON_DETAILS[reason] },
    scanned_by: isHandedOut(shipment, code) ? 'depot_staff' : RULES[code].role,
  }
}

/** At the counter of the depot where it waits. */
function isHandedOut({ status }: ShipmentRecord, code: ShipmentEventCode): boolean {
  return code === 'delivered' && status === 'available_for_pickup'
}

function placeOf(shipment: ShipmentRecord, { code }: Scan): ScanLocation {
  const { doc } = shipment
  const { place } = RULES[code]
  if (isHandedOut(shipment, code)) return doc.place
  if (code === 'arrived_at_facility') return doc.departed ? doc.depot : doc.origin
  if (place === 'recipient') return recipientPlace(doc.recipient.address, doc.depot)
  return place === 'origin' ? doc.origin : place === 'depot' ? doc.depot : doc.place
}

/** Where a depot is, as an event says it. */
export function hubLocation({ hub_id, name, address, location }: Hub): ScanLocation {
  return { hub_id, name, city: address.city, country_code: address.country_code, point: location }
}

/** The recipient's door, without what only the recipient should be found by. */
function recipientPlace(
  { city, country_code, postal_code, location }: Address,
  depot: ScanLocation,
): ScanLocation {
  const area = findArea(postal_code)
  const point = location ?? (area && { latitude: area.latitude, longitude: area.longitude }) ?? depot.point
  return { hub_id: null, name: 'Recipient', city, country_code, point }
}

type Effect = { tx: Tx; world: World; shipment: ShipmentRecord; at: number; event: ShipmentEventRecord }

/** What some events change besides the status. */
const EFFECTS: Readonly<Partial<Record<ShipmentEventCode, (effect: Effect) => Promise<void>>>> = {
  collected: async ({ shipment, at }) => {
    shipment.doc.collected_at = at
  },
  departed_facility: async ({ shipment }) => {
    if (shipment.status === 'in_transit') shipment.doc.departed = true
  },
  // A parcel that a courier takes is at its depot, whatever scans were left out.
  out_for_delivery: async ({ shipment }) => {
    shipment.doc.departed = true
  },
  delivery_attempted: async ({ shipment, event }) => {
    shipment.doc.attempts = event.attempt_number ?? shipment.doc.attempts
  },
  rescheduled: async ({ shipment, at }) => {
    shipment.doc.estimated_delivery_date = localDate(at, shipment.doc.timezone)
  },
  delayed: async ({ world, shipment }) => {
    if (shipment.status !== 'in_transit') return
    const { doc } = shipment
    const day = dayAfterDelay(world.seed, shipment)
    if (day > doc.estimated_delivery_date) doc.estimated_delivery_date = day
  },
  delivered: async ({ tx, world, shipment, at, event }) => {
    shipment.delivered_at = at
    shipment.doc.attempts = event.attempt_number ?? shipment.doc.attempts
    shipment.doc.proof_of_delivery = await proofOf(tx, world, shipment, at, event)
  },
}

async function proofOf(
  tx: Tx,
  world: World,
  shipment: ShipmentRecord,
  at: number,
  event: ShipmentEventRecord,
) {
  const { doc, tracking_number } = shipment
  const { signature_required, leave_safe_place } = doc.options
  const atDoor = event.attempt_number !== null
  const method = signature_required
    ? 'signature'
    : atDoor && leave_safe_place
      ? 'left_safe'
      : 'handed_to_recipient'
  const handed = method !== 'left_safe'
  const target = atDoor ? recipientPlace(doc.recipient.address, doc.depot).point : event.location.point
  return makeProof(tx, world, {
    kind: 'shipment',
    ordinal: shipment.ordinal,
    step: event.sequence,
    holder: shipment.tracking_number,
    ownerId: shipment.agreement_id,
    at,
    method,
    waypoint: 'dropoff',
    target: target ?? { latitude: 0, longitude: 0 },
    recipientName: handed ? doc.recipient.contact.name : null,
    relationship: handed ? 'recipient' : null,
    notes: handed ? null : (leave_safe_place ?? null),
    lines: [tracking_number, `delivered ${toTimestamp(at)}`, method.replaceAll('_', ' ')],
  })
}

function toTimeline(
  { tracking_number, agreement_id }: ShipmentRecord,
  next: { code: ShipmentEventCode; due_at: number; reason?: FailureReason },
): Omit<TimelineEvent, 'seq'> {
  return {
    due_at: next.due_at,
    kind: 'shipment',
    resource_id: tracking_number,
    owner_id: agreement_id,
    event: next.code,
    payload: next.reason === undefined ? {} : { reason: next.reason },
  }
}

function toDomainEvent(
  shipment: ShipmentRecord,
  { code, by, reason }: Scan,
  from: ShipmentStatus,
  at: number,
) {
  return {
    type: `shipment.${code}`,
    resource_id: shipment.tracking_number,
    owner_id: shipment.agreement_id,
    occurred_at: at,
    from,
    to: shipment.status,
    by,
    data: { reference: shipment.reference, ...(reason !== undefined && { reason }) },
  }
}
