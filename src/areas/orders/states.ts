/** The statuses of an order and its moves: the same for customer and store (docs/rules/food-and-stores.md#the-statuses-of-an-order). */
export const ORDER_STATUSES = [
  'placed',
  'accepted',
  'preparing',
  'ready',
  'out_for_delivery',
  'completed',
  'rejected',
  'cancelled',
  'failed',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** The last words of the types of events that leave an order in its status. */
export const ORDER_NEWS_EVENTS = [
  'adjusted',
  'substitution_asked',
  'problem_reported',
  'problem_answered',
  'problem_closed',
  'problem_appealed',
] as const

const MOVES: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
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

/** Returns true if an order may move from one status to the other. */
export function canMoveOrder(from: OrderStatus, to: OrderStatus): boolean {
  return MOVES[from].includes(to)
}

/** Returns true when no status can follow; every other order is active. */
export function isOrderOver(status: OrderStatus): boolean {
  return MOVES[status].length === 0
}

export const ACTIVE_ORDER_STATUSES = ORDER_STATUSES.filter((status) => !isOrderOver(status))

/** The statuses of an order that ended without its sale. */
export const LOST_ORDER_STATUSES = [
  'rejected',
  'cancelled',
  'failed',
] as const satisfies readonly OrderStatus[]

export const ORDER_REJECT_REASONS = [
  'item_unavailable',
  'store_closed',
  'too_busy',
  'cannot_fulfil_note',
  'price_error',
  'other',
] as const
/** Only the clock rejects an order as not accepted in time; a store cannot give this reason. */
export type OrderRejectReason = (typeof ORDER_REJECT_REASONS)[number] | 'not_accepted_in_time'

/** The reason of an acceptance by the store's rule, in the history and in events. */
export const AUTO_ACCEPT_REASON = 'auto_accept'

export const ORDER_CANCEL_REASONS = [
  'changed_mind',
  'ordered_by_mistake',
  'taking_too_long',
  'wrong_address',
  'other',
] as const
export type OrderCancelReason = (typeof ORDER_CANCEL_REASONS)[number]

export const ORDER_ACTIONS = ['accept', 'reject', 'preparing', 'ready', 'complete'] as const
export type OrderAction = (typeof ORDER_ACTIONS)[number]

/** The times of an order that people are told: its customer, and its store. */
export const CUSTOMER_TIMES = [
  'estimated_ready_at',
  'estimated_delivery_at',
  'latest_delivery_at',
  'slot.starts_at',
  'slot.ends_at',
] as const
export const STORE_TIMES = [
  'placed_at',
  'accept_by',
  'prep.estimated_ready_at',
  'slot.starts_at',
  'slot.ends_at',
] as const
export const ORDER_QUOTE_TIMES = [
  'estimated_ready_at',
  'estimated_delivery_window.starts_at',
  'estimated_delivery_window.ends_at',
  'slot.starts_at',
  'slot.ends_at',
] as const
