/**
 * The customer that a parcel goes for, with indexes for lists and for lists and counts by status and level; and the words by
 * which parcels are found, one row for each word of a parcel.
 */
export const findingParcels: readonly string[] = [
  `alter table shipments add column customer {text}`,
  `create index shipments_by_customer on shipments (agreement_id, customer, created_at, seq)
    where customer is not null`,
  `create index shipments_by_customer_kind on shipments
    (agreement_id, customer, status, service_level, created_at, seq) where customer is not null`,
  `create table shipment_words (
    agreement_id {text} not null,
    word {text} not null,
    seq {int} not null,
    primary key (agreement_id, word, seq)
  ) {strict}`,
]
