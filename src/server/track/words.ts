/** The words of a shared page for each state, and the states of a way that goes well. */
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

/** `return_started` as people say it. */
export function spoken(code: string): string {
  const text = code.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
