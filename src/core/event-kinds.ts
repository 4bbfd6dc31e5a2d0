/** The first words of the types of events. `EventKind` of `library/testing-types.ts` repeats them for other programs. */
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

export type EventKind = (typeof EVENT_KINDS)[number]
