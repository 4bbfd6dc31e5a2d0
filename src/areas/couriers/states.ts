/** The statuses of a courier delivery and its moves (docs/rules/deliveries.md#the-statuses-of-a-delivery). */
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

/** Returns true if a delivery may move from one status to the other. */
export function canMoveDelivery(from: DeliveryStatus, to: DeliveryStatus): boolean {
  return MOVES[from].includes(to)
}

/** Returns true when no status can follow. */
export function isDeliveryOver(status: DeliveryStatus): boolean {
  return MOVES[status].length === 0
}

/** The proofs that a courier can be asked to collect at the door. */
export const VERIFICATIONS = ['photo', 'signature', 'pincode'] as const
export type Verification = (typeof VERIFICATIONS)[number]

/** The times of a delivery, and of its quote, that people are told. */
export const DELIVERY_TIMES = ['pickup_eta_at', 'dropoff_eta_at', 'delivered_at'] as const
export const DELIVERY_QUOTE_TIMES = ['pickup_ready_at', 'pickup_eta_at', 'dropoff_eta_at'] as const

export const DELIVERY_PROBLEM_REASONS = ['late', 'damaged', 'other'] as const
export type DeliveryProblemReason = (typeof DELIVERY_PROBLEM_REASONS)[number]
