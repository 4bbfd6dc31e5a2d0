/** The life of a parcel as data (`contract.md` B5). */

export const SHIPMENT_STATUSES = [
  'pre_transit',
  'in_transit',
  'out_for_delivery',
  'delivery_attempted',
  'available_for_pickup',
  'delivered',
  'returning',
  'returned',
  'lost',
  'cancelled',
] as const

export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number]

export const SHIPMENT_EVENT_CODES = [
  'label_created',
  'manifested',
  'collected',
  'arrived_at_facility',
  'departed_facility',
  'out_for_delivery',
  'delivery_attempted',
  'rescheduled',
  'available_for_pickup',
  'delivered',
  'delayed',
  'damaged',
  'held',
  'return_started',
  'returned',
  'cancelled',
  'lost',
  'address_corrected',
] as const

export type ShipmentEventCode = (typeof SHIPMENT_EVENT_CODES)[number]

/** Events that must say why. */
export const REASON_REQUIRED: readonly ShipmentEventCode[] = [
  'delivery_attempted',
  'delayed',
  'held',
  'damaged',
  'return_started',
]

/** Why a shipper calls a parcel off. */
export const CANCEL_REASONS = [
  'order_cancelled',
  'address_wrong',
  'duplicate',
  'lost_stock',
  'other',
] as const

export type CancelReason = (typeof CANCEL_REASONS)[number]

export const MAX_ATTEMPTS = 3

/** Every status a parcel may go to from each; nothing else is ever written. */
export const NEXT: Readonly<Record<ShipmentStatus, readonly ShipmentStatus[]>> = {
  pre_transit: ['in_transit', 'cancelled'],
  in_transit: ['in_transit', 'out_for_delivery', 'lost', 'cancelled'],
  out_for_delivery: ['delivered', 'delivery_attempted', 'returning', 'lost', 'cancelled'],
  delivery_attempted: ['in_transit', 'available_for_pickup', 'cancelled'],
  available_for_pickup: ['out_for_delivery', 'delivered', 'returning', 'cancelled'],
  delivered: [],
  returning: ['returned', 'cancelled'],
  returned: [],
  lost: ['cancelled'],
  cancelled: [],
}

export function canMove(from: ShipmentStatus, to: ShipmentStatus): boolean {
  return NEXT[from].includes(to)
}

/** True when nothing more happens to the parcel by itself; a lost one can still be cancelled. */
export function isTerminal(status: ShipmentStatus): boolean {
  return NEXT[status].length === 0 || status === 'lost'
}
