/** Where a courier delivery can go (`contract.md` B4). */
export const DELIVERY_STATUSES = [
  'pending',
  'assigned',
  'arrived_at_pickup',
  'picked_up',
  'arrived_at_dropoff',
  'delivered',
  'returning',
  'returned',
  'cancelled',
] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const MOVES: Readonly<Record<DeliveryStatus, readonly DeliveryStatus[]>> = {
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

/** True iff the table has that edge. */
export function canMoveDelivery(from: DeliveryStatus, to: DeliveryStatus): boolean {
  return MOVES[from].includes(to)
}

/** Terminal: nothing follows. */
export function isDeliveryOver(status: DeliveryStatus): boolean {
  return MOVES[status].length === 0
}

/** What a courier can be asked to bring back from a door. */
export const VERIFICATIONS = ['photo', 'signature', 'pincode'] as const
export type Verification = (typeof VERIFICATIONS)[number]
