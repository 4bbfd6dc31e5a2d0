/** The statuses of a parcel and its moves, as data (docs/rules/parcels.md#the-statuses-of-a-parcel). */

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
  'redirected',
] as const

export type ShipmentEventCode = (typeof SHIPMENT_EVENT_CODES)[number]

/** The events that a driver or clerk can scan. The shipper makes the others. */
export const SCANNABLE_EVENT_CODES = SHIPMENT_EVENT_CODES.filter(
  (code) => code !== 'label_created' && code !== 'cancelled' && code !== 'redirected',
)

/** The scans of a hub, each of which is one of many on the way: no event tells of them. */
export const ROUTINE_SCANS: readonly ShipmentEventCode[] = ['arrived_at_facility', 'departed_facility']

/** Events that need a reason. */
export const REASON_REQUIRED: readonly ShipmentEventCode[] = [
  'delivery_attempted',
  'delayed',
  'held',
  'damaged',
  'return_started',
]

/** The last words of the types of events of claims. */
export const CLAIM_EVENTS = ['claim_opened', 'claim_accepted', 'claim_rejected'] as const

/** The reasons for which a shipper cancels a parcel. */
export const CANCEL_REASONS = [
  'order_cancelled',
  'address_wrong',
  'duplicate',
  'lost_stock',
  'other',
] as const

export type CancelReason = (typeof CANCEL_REASONS)[number]

export const MAX_DELIVERY_ATTEMPTS = 3

/** The statuses in which no courier has the parcel in the van, and none is done with it. */
export const REDIRECTABLE: readonly ShipmentStatus[] = ['pre_transit', 'in_transit', 'delivery_attempted']

/**
 * True if a parcel can still be delivered on another day, or elsewhere
 * (docs/rules/parcels.md#redirects-end-when-it-is-out-for-delivery); a return goes back to its sender.
 */
export function canRedirect(parcel: {
  status: ShipmentStatus
  attempts: number
  return_of?: object | undefined
}): boolean {
  const { status, attempts, return_of } = parcel
  return return_of === undefined && REDIRECTABLE.includes(status) && attempts < MAX_DELIVERY_ATTEMPTS
}

/** The statuses that may follow each status of a parcel; no other move is ever written. */
const NEXT: Readonly<Record<ShipmentStatus, readonly ShipmentStatus[]>> = {
  pre_transit: ['in_transit', 'cancelled'],
  in_transit: ['in_transit', 'out_for_delivery', 'available_for_pickup', 'lost', 'cancelled'],
  out_for_delivery: ['delivered', 'delivery_attempted', 'returning', 'lost', 'cancelled'],
  delivery_attempted: ['in_transit', 'available_for_pickup', 'cancelled'],
  available_for_pickup: ['out_for_delivery', 'delivered', 'returning', 'cancelled'],
  delivered: [],
  returning: ['returned', 'cancelled'],
  returned: [],
  lost: ['cancelled'],
  cancelled: [],
}

export function canMoveShipment(from: ShipmentStatus, to: ShipmentStatus): boolean {
  return NEXT[from].includes(to)
}

/** True if a parcel can still be cancelled: it is neither delivered, back at its sender nor cancelled. */
export function isParcelCancellable({ status }: { status: ShipmentStatus }): boolean {
  return canMoveShipment(status, 'cancelled')
}

/** Returns true when the parcel does not move by itself any more; a lost one can still be cancelled. */
export function isShipmentOver(status: ShipmentStatus): boolean {
  return NEXT[status].length === 0 || status === 'lost'
}

/** The times of a parcel that people are told. Its day of delivery is one of the hub's calendar already. */
export const PARCEL_TIMES = ['collected_at', 'delivered_at'] as const
