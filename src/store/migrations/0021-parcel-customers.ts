/** The customer that a parcel goes for, with indexes for lists and for lists and counts by status and level. */
export const parcelCustomers: readonly string[] = [
  `alter table shipments add column customer {text}`,
  `create index shipments_by_customer on shipments (agreement_id, customer, created_at, seq)
    where customer is not null`,
  `create index shipments_by_customer_kind on shipments
    (agreement_id, customer, status, service_level, created_at, seq) where customer is not null`,
]
