/** The words of a shared page for each state, and the states of a way that goes well. */
import { REASON_DETAILS } from '../../areas/carrier/rules/reasons.ts'
import { REJECTION_REASONS } from '../../areas/tasks/rules/evidence.ts'
import type { SharedKind } from '../../core/shared-view.ts'
import type { Resources } from './answers.ts'

type Status<K extends SharedKind> = Resources[K]['status']

/** Where it stands; on the timeline, if that is said otherwise there; and whether somebody is under way. */
type Said = readonly [state: string, step?: string]

export const WORDS: { readonly [K in SharedKind]: Readonly<Record<Status<K>, Said>> } = {
  order: {
    placed: ['Waiting for the store', 'Ordered'],
    accepted: ['Accepted by the store', 'Accepted'],
    preparing: ['Being prepared'],
    ready: ['Ready'],
    out_for_delivery: ['On its way'],
    completed: ['Delivered'],
    rejected: ['Not taken by the store'],
    cancelled: ['Cancelled'],
    failed: ['Could not be delivered'],
  },
  ride: {
    scheduled: ['Booked'],
    processing: ['Looking for a driver', 'Requested'],
    accepted: ['Coming to the pickup', 'Driver found'],
    arriving: ['Nearly at the pickup'],
    arrived: ['At the pickup'],
    in_progress: ['On the way', 'Set off'],
    completed: ['Arrived'],
    cancelled: ['Cancelled'],
    no_drivers_available: ['No driver was found'],
  },
  delivery: {
    pending: ['Looking for a courier', 'Requested'],
    assigned: ['A courier collects it', 'Courier found'],
    arrived_at_pickup: ['Being collected'],
    picked_up: ['On its way', 'Collected'],
    arrived_at_dropoff: ['At the door'],
    delivered: ['Delivered'],
    returning: ['On its way back'],
    returned: ['Sent back'],
    cancelled: ['Cancelled'],
  },
  parcel: {
    pre_transit: ['Announced by the sender'],
    in_transit: ['On its way'],
    out_for_delivery: ['Out for delivery'],
    delivery_attempted: ['Could not be handed over'],
    available_for_pickup: ['Ready to be collected'],
    delivered: ['Delivered'],
    returning: ['On its way back'],
    returned: ['Sent back'],
    lost: ['Lost'],
    cancelled: ['Cancelled'],
  },
  booking: {
    requested: ['Waiting for an answer', 'Requested'],
    confirmed: ['Confirmed'],
    declined: ['Declined'],
    en_route: ['On the way'],
    arrived: ['At the door'],
    in_progress: ['At work', 'Started'],
    completed: ['Done'],
    no_show: ['Nobody was there'],
    cancelled: ['Cancelled'],
  },
  task: {
    created: ['Looking for somebody', 'Requested'],
    assigned: ['Somebody was found'],
    en_route: ['On the way'],
    in_progress: ['At work', 'Started'],
    under_review: ['Being checked'],
    completed: ['Done'],
    failed: ['Could not be done'],
    cancelled: ['Cancelled'],
    unfulfilled: ['Nobody was found'],
  },
}

/** The states that follow each other when all goes well. A parcel has scans in their place. */
export const PATHS = {
  order: ['placed', 'accepted', 'preparing', 'ready', 'out_for_delivery', 'completed'],
  ride: ['processing', 'accepted', 'arrived', 'in_progress', 'completed'],
  delivery: ['pending', 'assigned', 'picked_up', 'arrived_at_dropoff', 'delivered'],
  booking: ['requested', 'confirmed', 'en_route', 'arrived', 'in_progress', 'completed'],
  task: ['created', 'assigned', 'en_route', 'in_progress', 'completed'],
} as const satisfies { readonly [K in Exclude<SharedKind, 'parcel'>]: readonly Status<K>[] }

const MOVING = [
  'out_for_delivery',
  'in_progress',
  'picked_up',
  'arrived_at_dropoff',
  'en_route',
  'accepted',
  'arriving',
  'arrived',
  'in_transit',
]
const DONE = ['completed', 'delivered']
const FAILED = [
  'rejected',
  'cancelled',
  'failed',
  'no_drivers_available',
  'delivery_attempted',
  'returning',
  'returned',
  'lost',
  'declined',
  'no_show',
  'unfulfilled',
]

/** Returns how a state feels to somebody who waits. */
export function moodOf(kind: SharedKind, status: string): 'waiting' | 'moving' | 'done' | 'failed' {
  if (DONE.includes(status)) return 'done'
  if (FAILED.includes(status)) return 'failed'
  // An accepted order is not under way; an accepted ride is.
  if (kind === 'order') return status === 'out_for_delivery' ? 'moving' : 'waiting'
  return MOVING.includes(status) ? 'moving' : 'waiting'
}

/** The sentence for each reason. Rejected evidence is collected again, whatever was wrong with it. */
const REASONS: Readonly<Record<string, string>> = {
  ...REASON_DETAILS,
  ...Object.fromEntries(REJECTION_REASONS.map((reason) => [reason, 'Some evidence is collected again.'])),
  courier_unassigned: 'The courier could not come. Another courier is being found.',
  driver_cancelled: 'The driver could not come. Another driver is being found.',
  provider_unassigned: 'The helper could not come. Somebody else is being found.',
  no_courier_available: 'No courier was free in time.',
  no_drivers_available: 'No driver was free in time.',
  no_qualified_provider: 'Nobody who can do it was free in time.',
  not_accepted_in_time: 'The store did not answer in time.',
  not_answered_in_time: 'The provider did not answer in time.',
  provider_declined: 'The provider cannot do it.',
  provider_unavailable: 'The provider cannot come.',
  no_free_slot: 'The provider has no free time then.',
  customer_absent: 'Nobody opened the door.',
  rider_no_show: 'Nobody came to the pickup.',
  item_unavailable: 'Something was sold out.',
  store_closed: 'The store is closed.',
  too_busy: 'The store is too busy.',
  cannot_fulfil_note: 'The store cannot do what was asked.',
  price_error: 'A price was wrong.',
  location_closed: 'The place was closed.',
  wrong_address: 'The address was wrong.',
  unsafe: 'It was not safe there.',
  evidence_rejected: 'The evidence was not good enough.',
  // It says nothing, and a parcel's own words fit parcels only.
  other: '',
}

/**
 * Returns why a state was entered, in a sentence; null where no reason is told. A customer who cancels owes nobody a
 * reason.
 */
export function whyOf({
  status,
  by,
  reason,
}: {
  status: string
  by: string
  reason: string | null
}): string | null {
  if (status === 'cancelled' && (by === 'customer' || by === 'rider')) return `The ${by} cancelled it.`
  return (reason !== null && Object.hasOwn(REASONS, reason) && REASONS[reason]) || null
}

/** `return_started` as people say it. */
export function spoken(code: string): string {
  const text = code.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
