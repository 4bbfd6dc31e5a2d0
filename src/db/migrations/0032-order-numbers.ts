/** The index by which an order is found by the number on its ticket, however many orders came after it. */
export const orderNumbers: readonly string[] = [
  'create index orders_by_number on orders (display_number, created_at, seq)',
]
