/**
 * The tables of statuses of `docs/rules/`, repeated because the program must not be checked against its own
 * tables. '' is the state before creation.
 */
export type StateTable = Readonly<Record<string, readonly string[]>>

export const ORDER_TRANSITIONS: StateTable = {
  '': ['placed'],
  placed: ['accepted', 'rejected', 'cancelled'],
  accepted: ['preparing', 'ready', 'completed', 'rejected', 'cancelled'],
  preparing: ['ready', 'completed', 'rejected'],
  ready: ['out_for_delivery', 'completed', 'rejected', 'failed'],
  out_for_delivery: ['completed', 'failed'],
  completed: [],
  rejected: [],
  cancelled: [],
  failed: [],
}

export const RIDE_TRANSITIONS: StateTable = {
  '': ['scheduled', 'processing'],
  scheduled: ['processing', 'cancelled'],
  processing: ['accepted', 'no_drivers_available', 'cancelled'],
  accepted: ['arriving', 'processing', 'cancelled'],
  arriving: ['arrived', 'processing', 'cancelled'],
  arrived: ['in_progress', 'processing', 'cancelled'],
  in_progress: ['completed'],
  completed: [],
  cancelled: [],
  no_drivers_available: [],
}

export const DELIVERY_TRANSITIONS: StateTable = {
  '': ['pending'],
  pending: ['assigned', 'cancelled'],
  assigned: ['arrived_at_pickup', 'pending', 'cancelled'],
  arrived_at_pickup: ['picked_up', 'pending', 'cancelled'],
  picked_up: ['arrived_at_dropoff'],
  arrived_at_dropoff: ['delivered', 'returning'],
  delivered: [],
  returning: ['returned'],
  returned: [],
  cancelled: [],
}

export const PARCEL_TRANSITIONS: StateTable = {
  '': ['pre_transit'],
  pre_transit: ['in_transit', 'cancelled'],
  in_transit: ['in_transit', 'out_for_delivery', 'available_for_pickup', 'lost', 'cancelled'],
  out_for_delivery: ['delivered', 'delivery_attempted', 'returning', 'lost', 'cancelled'],
  delivery_attempted: ['in_transit', 'available_for_pickup', 'cancelled'],
  available_for_pickup: ['out_for_delivery', 'delivered', 'returning', 'cancelled'],
  returning: ['returned', 'cancelled'],
  lost: ['cancelled'],
  delivered: [],
  returned: [],
  cancelled: [],
}

export const BOOKING_TRANSITIONS: StateTable = {
  '': ['confirmed', 'requested'],
  requested: ['confirmed', 'declined', 'cancelled'],
  confirmed: ['en_route', 'cancelled'],
  en_route: ['arrived', 'cancelled'],
  arrived: ['in_progress', 'no_show', 'cancelled'],
  in_progress: ['completed'],
  completed: [],
  declined: [],
  no_show: [],
  cancelled: [],
}

export const TASK_TRANSITIONS: StateTable = {
  '': ['created'],
  created: ['assigned', 'unfulfilled', 'cancelled'],
  assigned: ['en_route', 'created', 'cancelled'],
  en_route: ['in_progress', 'created', 'cancelled'],
  in_progress: ['under_review', 'failed'],
  under_review: ['completed', 'in_progress', 'failed'],
  completed: [],
  failed: [],
  cancelled: [],
  unfulfilled: [],
}

/** Returns the changes of a table as `from to`, sorted, without the creation. */
export function listTransitions(table: StateTable): string[] {
  const states = Object.entries(table).filter(([from]) => from !== '')
  return states.flatMap(([from, next]) => next.map((to) => `${from} ${to}`)).toSorted()
}

/** Returns the changes that a rule allows as `from to`, sorted. */
export function listAllowedTransitions<Status extends string>(
  statuses: readonly Status[],
  canMove: (from: Status, to: Status) => boolean,
): string[] {
  return statuses
    .flatMap((from) => statuses.filter((to) => canMove(from, to)).map((to) => `${from} ${to}`))
    .toSorted()
}
