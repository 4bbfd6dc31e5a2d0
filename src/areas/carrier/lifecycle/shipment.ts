/** The lifecycle of a parcel. The only writer of its status: every change passes `SHIPMENT_LIFECYCLE`, which checks the state table. */
import { AppError } from '../../../core/errors.ts'
import { localDate } from '../../../core/time.ts'
import {
  defineLifecycle,
  type Transition,
  clampToLastUpdate,
  type ChangeContext,
} from '../../../db/lifecycle.ts'
import { unscheduleResource } from '../../../db/timeline.ts'
import { FAILURE_DETAILS, type FailureReason } from '../../proofs/rules/failures.ts'
import type { Hub } from '../queries/hubs.ts'
import { insertInvoiceCharges } from '../queries/invoice-lines.ts'
import {
  insertShipmentEvents,
  type ScanLocation,
  type ShipmentEventRecord,
} from '../queries/shipment-events.ts'
import {
  lockShipment,
  lockShipments,
  type ShipmentDoc,
  type ShipmentRecord,
  updateShipment,
} from '../queries/shipments.ts'
import { type InvoiceCharge, listCash, listPostage } from '../rules/invoice.ts'
import { RETURN_DAYS, RETURN_MS } from '../rules/returns.ts'
import { barcodeOf } from '../rules/tracking-number.ts'
import {
  canMoveShipment,
  isShipmentOver,
  MAX_DELIVERY_ATTEMPTS,
  REASON_REQUIRED,
  REDIRECTABLE,
  ROUTINE_SCANS,
  SCANNABLE_EVENT_CODES,
  SHIPMENT_STATUSES,
  type ShipmentEventCode,
  type ShipmentStatus,
} from '../states.ts'
import { decideClaim } from './claim.ts'
import { eventData } from './creation.ts'
import { hubLocation, recipientPlace } from './places.ts'
import { proofOf } from './proof.ts'
import { arrivalDay, dayAfterDelay, isFinalReason, nextShipmentEvent } from './timeline.ts'

type ScanActor = 'shipper' | 'carrier' | 'sandbox'

/** A thing that happens to a parcel. The rest follows from the code and from where the parcel is. */
export type Scan = {
  code: ShipmentEventCode
  by: ScanActor
  reason?: FailureReason | undefined
  detail?: string | undefined
  hub?: Hub | undefined
  /** The number of the label that was scanned. */
  label?: number | undefined
  weight_grams?: number | undefined
}

/** The events of a parcel that come at their time without a scan. */
const UNSCANNED_STEPS = ['claim_decided', 'return_lapses'] as const

type ShipmentStep = ShipmentEventCode | (typeof UNSCANNED_STEPS)[number]

/** The events that may be planned for a parcel. */
export const PLANNED_SHIPMENT_EVENTS: readonly ShipmentStep[] = [...SCANNABLE_EVENT_CODES, ...UNSCANNED_STEPS]

type ShipmentMove = Transition<ShipmentStatus, ScanActor, ShipmentStep>

export const SHIPMENT_LIFECYCLE = defineLifecycle<ShipmentRecord, ShipmentStatus, ScanActor, ShipmentStep>({
  kind: 'shipment',
  name: 'shipment',
  lock: lockShipment,
  lockMany: lockShipments,
  write: updateShipment,
  audience: ({ tracking_number, agreement_id }) => ({ resource_id: tracking_number, owner_id: agreement_id }),
  canMove: canMoveShipment,
  // The scans that are possible depend on more than the status.
  steps: (code) => ({
    from: SHIPMENT_STATUSES,
    apply: (scene, shipment) =>
      code === 'claim_decided'
        ? decideClaim(scene, shipment)
        : code === 'return_lapses'
          ? lapseReturn(scene, shipment)
          : scanPlanned(scene, shipment, code),
  }),
  // Every scan says which one comes next, if that changes.
  next: () => undefined,
  data: eventData,
})

/** A scan that was planned, if it is still possible. */
async function scanPlanned(
  scene: ChangeContext,
  shipment: ShipmentRecord,
  code: ShipmentEventCode,
): Promise<ShipmentMove | undefined> {
  const reason = scene.event?.payload['reason'] as FailureReason | undefined
  const scan: Scan = { code, by: 'carrier', reason, weight_grams: weightOf(shipment, code) }
  const status = statusAfter(shipment, scan)
  return status && (await recordScan(scene, shipment, scan, status)).move
}

/** The scale of the delivering hub: it weighs a parcel of which something is missing. */
function weightOf({ doc }: ShipmentRecord, code: ShipmentEventCode): number | undefined {
  const isWeighed = doc.scenario?.name === 'contents_missing' && code === 'out_for_delivery'
  if (!isWeighed) return undefined
  return Math.max(1, doc.parcel.weight_grams - Number(doc.scenario?.options['grams'] ?? 100))
}

/** A scan manually. Rejects one that the parcel's state does not allow with `invalid_state`. */
export async function applyManualScan(
  given: ChangeContext,
  shipment: ShipmentRecord,
  scan: Scan,
): Promise<ShipmentEventRecord> {
  const { code } = scan
  const status = statusAfter(shipment, scan)
  // Calling off is the shipper's: it is no scan.
  if (code === 'cancelled' || status === undefined) {
    const possible = SCANNABLE_EVENT_CODES.filter(
      (one) => statusAfter(shipment, { ...scan, code: one }) !== undefined,
    )
    throw new AppError(
      'invalid_state',
      `${shipment.tracking_number} is ${shipment.status}: a scan "${code}" is not possible now.`,
      {
        extra: { current_status: shipment.status },
        hint:
          possible.length === 0 ? 'No further scans are possible.' : `Possible now: ${possible.join(', ')}.`,
      },
    )
  }
  assertLabel(shipment, scan)
  const scene = clampToLastUpdate(given, shipment)
  const { event, move } = await recordScan(scene, shipment, scan, status)
  const isOver = (isShipmentOver(status) && status !== 'cancelled') || code === 'returned'
  // A parcel has one plan at most.
  if (move.next !== undefined || isOver) await unscheduleResource(scene.tx, shipment.tracking_number)
  await SHIPMENT_LIFECYCLE.transition(scene, shipment, move)
  return event
}

/** Refuses to collect a parcel by a label that a correction replaced. Throws `invalid_state`. */
function assertLabel({ tracking_number, status, doc }: ShipmentRecord, { code, label }: Scan): void {
  const valid = doc.label_version ?? 1
  if (code !== 'collected' || label === undefined || label === valid) return
  throw new AppError(
    'invalid_state',
    `This is label ${label} of ${tracking_number}; label ${valid} replaced it, with the barcode ${barcodeOf(tracking_number, valid)}.`,
    {
      extra: { current_status: status },
      hint: `Print the new one: \`dray carrier label ${tracking_number}\`.`,
    },
  )
}

/** Cancels a return that was not sent in time. */
async function lapseReturn(
  scene: ChangeContext,
  shipment: ShipmentRecord,
): Promise<ShipmentMove | undefined> {
  if (shipment.status !== 'pre_transit') return undefined
  const note = `Not sent within ${RETURN_DAYS} days.`
  shipment.doc.cancellation = { reason_code: 'other', note, at: scene.at, disposition: 'not_collected' }
  return (await recordScan(scene, shipment, { code: 'cancelled', by: 'carrier' }, 'cancelled')).move
}

/** Returns the status to which a code takes a parcel; undefined when it is not possible now. */
function statusAfter(shipment: ShipmentRecord, { code, reason }: Scan): ShipmentStatus | undefined {
  const { status, doc } = shipment
  if (status === 'cancelled') return isSeenAfterEnd(shipment, code) ? status : undefined
  const rule = RULES[code]
  if (!rule.from.includes(status) || isEarlyPickup(code, status, doc)) return undefined
  if (rule.to === 'same') return status
  const gone = code === 'delivery_attempted' && reason !== undefined && isFinalReason(reason)
  const to = gone || (code === 'damaged' && status === 'out_for_delivery') ? 'returning' : rule.to
  return to === status || canMoveShipment(status, to) ? to : undefined
}

/** Returns whether a cancelled parcel can still have a scan. */
function isSeenAfterEnd(shipment: ShipmentRecord, code: ShipmentEventCode): boolean {
  const isPossible = AFTER_CANCELLATION.includes(code) || (code === 'collected' && isLapsed(shipment))
  return isPossible && shipment.doc.status_detail !== 'returned'
}

/** Returns whether a return was cancelled because it was not sent, and has no scan since. */
function isLapsed({ status, created_at, doc }: ShipmentRecord): boolean {
  const { return_of, collected_at, cancellation } = doc
  const wasInTime = (cancellation?.at ?? 0) < created_at + RETURN_MS
  return status === 'cancelled' && return_of !== undefined && collected_at === null && !wasInTime
}

/** Only the recipient of a redirected parcel comes for it before a courier tried. */
function isEarlyPickup(code: ShipmentEventCode, status: ShipmentStatus, { options }: ShipmentDoc): boolean {
  const isEarly = code === 'available_for_pickup' && status === 'in_transit'
  return isEarly && options.pickup_hub_id === undefined
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
    from: ['delivery_attempted', 'in_transit'],
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
  redirected: { from: REDIRECTABLE, to: 'same', place: 'last', role: null },
}

/** Scans that a cancelled parcel may still have on its way back; it stays cancelled. */
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

/** Appends the event of a possible scan, and returns the move that it makes. The caller has locked the parcel. */
export async function recordScan(
  scene: ChangeContext,
  shipment: ShipmentRecord,
  scan: Scan,
  status: ShipmentStatus,
): Promise<{ event: ShipmentEventRecord; move: ShipmentMove }> {
  const { tx, world, at } = scene
  const { doc } = shipment
  const { code, by, reason } = scan
  const event = toEvent(shipment, scan, status, at)
  // A return that was sent too late travels all the same: its first scan takes it over, whatever it says.
  const isLate = isLapsed(shipment) && code !== 'lost'
  doc.status_detail = code
  doc.sequence = event.sequence
  doc.last_at = at
  doc.place = event.location
  if (scan.hub !== undefined) moveStops(doc, event)
  await EFFECTS[code]?.(scene, shipment, event)
  if (isLate) doc.collected_at = at
  await insertShipmentEvents(tx, [event])
  await insertInvoiceCharges(
    tx,
    at,
    (isLate ? listPostage(shipment) : (CHARGES[code]?.(shipment) ?? [])).map((charge) => [shipment, charge]),
  )
  const next = nextShipmentEvent(world.seed, { ...shipment, status }, reason)
  const told = ROUTINE_SCANS.includes(code) ? undefined : code
  return {
    event,
    move: { ...(status !== shipment.status && { to: status }), eventName: told, by, reason, next },
  }
}

function toEvent(
  shipment: ShipmentRecord,
  scan: Scan,
  status: ShipmentStatus,
  at: number,
): ShipmentEventRecord {
  const { code, reason, detail, hub, weight_grams } = scan
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
      attempted && shipment.status === 'out_for_delivery'
        ? Math.min(doc.attempts + 1, MAX_DELIVERY_ATTEMPTS)
        : null,
    reason: reason === undefined ? null : { code: reason, detail: detail ?? FAILURE_DETAILS[reason] },
    scanned_by: isHandedOut(shipment, code) ? 'depot_staff' : RULES[code].role,
    ...(weight_grams !== undefined && { weight_grams }),
  }
}

/** At the counter of the hub where it waits. */
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

/** A scan at another hub than the planned one moves the plan: later scans of the parcel are made there. */
function moveStops(doc: ShipmentRecord['doc'], { code, location }: ShipmentEventRecord): void {
  const isOnTheWay = code === 'arrived_at_facility' || code === 'held'
  const place = isOnTheWay ? (doc.departed ? 'depot' : 'origin') : RULES[code].place
  if (place === 'origin' || place === 'depot') doc[place] = location
}

/** The charges that some events bring. */
const CHARGES: Readonly<Partial<Record<ShipmentEventCode, (shipment: ShipmentRecord) => InvoiceCharge[]>>> = {
  collected: listPostage,
  delivered: listCash,
}

/** The changes of some events besides the status. */
const EFFECTS: Readonly<
  Partial<
    Record<
      ShipmentEventCode,
      (scene: ChangeContext, shipment: ShipmentRecord, event: ShipmentEventRecord) => Promise<void> | void
    >
  >
> = {
  collected({ at }, shipment) {
    const { doc } = shipment
    doc.collected_at = at
    // Its day is promised now: before, the time of sending was not known.
    if (doc.return_of !== undefined)
      doc.promised_date = doc.estimated_delivery_date = arrivalDay(shipment, at)
  },
  // On its way back it goes to the hub that collected it.
  departed_facility(_, { status, doc }) {
    doc.departed = status === 'in_transit'
  },
  // A parcel that a courier takes is at its hub, whatever scans were omitted.
  out_for_delivery(_, { doc }) {
    doc.departed = true
  },
  delivery_attempted(_, { doc }, { attempt_number }) {
    doc.attempts = attempt_number ?? doc.attempts
  },
  rescheduled({ at }, { doc }) {
    doc.estimated_delivery_date = localDate(at, doc.timezone)
  },
  delayed({ world }, shipment) {
    const { status, doc } = shipment
    if (status !== 'in_transit') return
    const day = dayAfterDelay(world.seed, shipment)
    if (day > doc.estimated_delivery_date) doc.estimated_delivery_date = day
  },
  async delivered(scene, shipment, event) {
    const { doc } = shipment
    shipment.delivered_at = scene.at
    doc.attempts = event.attempt_number ?? doc.attempts
    doc.proof_of_delivery = await proofOf(scene, shipment, event)
  },
}
