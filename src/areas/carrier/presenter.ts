/** A parcel from its label to its recipient: each scan is a step. */
import type { Point } from '../../core/geometry.ts'
import { haversineMetres } from '../../core/geometry.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { resolvePlace } from '../../core/places/place.ts'
import {
  type Arrival,
  definePresenter,
  type HistoryEntry,
  type RouteMap,
  humanizeCode,
} from '../../core/presenter.ts'
import { proofNotes, presentProof } from '../proofs/presenter.ts'
import { hasPictures } from '../proofs/rules/proof.ts'
import { SHIPMENT } from './resource.ts'
import { isShipmentOver } from './states.ts'
import type { ShipmentView } from './views.ts'

/** The part of a parcel that its presenter reads. */
type Parcel = Pick<
  ShipmentView,
  | 'tracking_number'
  | 'reference'
  | 'status'
  | 'scan_history'
  | 'recipient'
  | 'proof_of_delivery'
  | 'estimated_delivery_date'
  | 'claims'
  | 'return_of'
  | 'return_number'
>
type Scan = Parcel['scan_history'][number]

export const shipmentPresenter = definePresenter<Parcel>(SHIPMENT, {
  states: {
    pre_transit: { now: 'Awaiting collection' },
    in_transit: { now: 'On its way', mood: 'moving' },
    out_for_delivery: { now: 'Out for delivery', mood: 'moving' },
    delivery_attempted: { now: 'Delivery attempt failed', mood: 'failed' },
    available_for_pickup: { now: 'Ready for pickup' },
    delivered: { now: 'Delivered' },
    returning: { now: 'Returning to sender', mood: 'failed' },
    returned: { now: 'Returned to sender' },
    lost: { now: 'Lost' },
    cancelled: { now: 'Cancelled' },
  },
  path: [],
  workerField: { member: 'courier', role: 'Courier' },
  name: ({ tracking_number }) => tracking_number,
  title: ({ tracking_number, reference, recipient }) =>
    [tracking_number, ...(reference === null ? [] : [reference]), `to ${recipient.contact.name}`].join(', '),
  publicTitle: () => 'Parcel',
  history: ({ scan_history }) => scan_history.map(toEntry),
  arrival: arrivalOf,
  routeMap: mapOf,
  notes: ({ proof_of_delivery, claims = [], return_of, return_number }) => {
    const paid = proof_of_delivery?.cash_collected
    const collected =
      paid === undefined ? [] : [`Collected: ${formatGroupedMoney(paid.amount)} (${paid.method})`]
    const claimed = claims.map(
      ({ reason_code, value, status, rejection }) =>
        `Claim: ${humanizeCode(reason_code)}, ${formatGroupedMoney(value)}, ${humanizeCode(status)}${rejection === undefined ? '' : `. ${rejection.detail}`}`,
    )
    const returns = [
      ...(return_of === undefined ? [] : [`Return of ${return_of.reference ?? return_of.tracking_number}`]),
      ...(return_number === undefined ? [] : [`Return: ${return_number}`]),
    ]
    return [...proofNotes(proof_of_delivery), ...collected, ...claimed, ...returns]
  },
  proof: ({ proof_of_delivery }) => presentProof(proof_of_delivery),
  openCommand: ({ proof_of_delivery }) =>
    hasPictures([proof_of_delivery]) ? 'dray carrier show {tracking_number} --save proof' : null,
})

/** The words of scans that say more than their code. */
const SCANS: Readonly<Record<string, string>> = {
  label_created: 'Expecting the parcel',
  manifested: 'On the collection manifest',
  arrived_at_facility: 'Arrived at a hub',
  departed_facility: 'Left a hub',
  delivery_attempted: 'Delivery attempt failed',
  available_for_pickup: 'Ready for pickup',
  return_started: 'Returning to sender',
  address_corrected: 'Recipient corrected',
}

function toEntry(scan: Scan): HistoryEntry {
  const { code, occurred_at, location, reason } = scan
  return {
    status: code,
    at: occurred_at,
    by: location.name,
    reason: reason?.detail ?? null,
    words: SCANS[code] ?? humanizeCode(code),
    // The place of a hub is public. That of a scan at a door is not.
    note:
      reason === null
        ? location.hub_id && location.city
        : code === 'redirected'
          ? reason.detail
          : humanizeCode(reason.code),
    place: `${location.name}, ${location.city}`,
    row: scan,
  }
}

function arrivalOf({ status, estimated_delivery_date: at, return_of }: Parcel): Arrival | null {
  if (return_of !== undefined && status === 'pre_transit') return null
  if (status === 'returning' || status === 'available_for_pickup') return null
  return { words: 'Arrives by', at, day: true }
}

/** Scans nearer to each other than this are of one place. */
const SAME_M = 50

/** From the hub by its hubs to the recipient; null before a scan with a place, and after the end. */
function mapOf({ status, scan_history: scans, recipient }: Parcel): RouteMap | null {
  const seen = scans.flatMap(({ location: { name, point } }) =>
    point === null ? [] : [{ point, label: name }],
  )
  const [from] = seen
  const last = seen.at(-1)
  if (isShipmentOver(status) || from === undefined || last === undefined) return null
  const to = resolvePlace({ address: recipient.address })?.location
  const depots = seen.slice(1).filter(({ point }, at) => {
    const isKnown = seen.slice(0, at + 1).some((other) => isSame(other.point, point))
    return !isKnown && (to === undefined || !isSame(point, to))
  })
  return {
    places: [
      { ...from, mark: 'A' },
      ...depots.map((depot, at) => ({ ...depot, mark: String(at + 1) })),
      ...(to === undefined ? [] : [{ point: to, mark: 'B', label: recipient.contact.name }]),
    ],
    mover: {
      point: last.point,
      bearing: null,
      label: `Last seen at ${last.label}`,
      to: status === 'returning' ? 'A' : 'B',
    },
    shared: status === 'out_for_delivery' ? null : lastHub(scans),
  }
}

function lastHub(scans: readonly Scan[]): RouteMap['shared'] {
  const { point = null, city = '' } =
    scans.findLast(({ location }) => location.hub_id !== null && location.point !== null)?.location ?? {}
  return point === null ? null : { door: point, words: `Last seen in ${city}` }
}

function isSame(a: Point, b: Point): boolean {
  return haversineMetres(a, b) < SAME_M
}
