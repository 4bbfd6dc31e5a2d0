/** The first words of the types of events. `EventTypePrefix` of `library/testing-types.ts` repeats them for other programs. */
export const EVENT_KINDS = [
  'catalog_item',
  'delivery',
  'food_order',
  'membership',
  'payment',
  'ride',
  'service_booking',
  'shipment',
  'store',
  'table_check',
  'task',
] as const

export type EventTypePrefix = (typeof EVENT_KINDS)[number]

/** The types of events of which a test is told, and a webhook never: their words by kind. */
export const UNTOLD_EVENTS = {
  catalog_item: ['created', 'updated', 'availability_changed', 'deleted'],
  food_order: ['ticked'],
  membership: ['trialing', 'active', 'renewed', 'past_due', 'cancelled', 'expired'],
  payment: ['unpaid', 'paid', 'partially_refunded', 'refund_pending', 'refunded', 'failed'],
  store: ['hours_changed', 'settings_changed', 'losses_seen'],
  table_check: ['opened', 'closed'],
} as const satisfies Partial<Record<EventTypePrefix, readonly string[]>>
