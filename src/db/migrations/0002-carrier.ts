/** Carrier parcels: agreements with their price card and hubs, parcels, and the events of each. */
export const carrier: readonly string[] = [
  `create table rate_cards (
    rate_card_id {text} primary key,
    version {int} not null check (version >= 1),
    doc {text} not null
  ) {strict}`,
  `create table hubs (
    hub_id {text} primary key,
    code {text} not null unique,
    sort {int} not null unique,
    active {int} not null check (active in (0, 1)),
    doc {text} not null
  ) {strict}`,
  // An agreement's price card and, in doc, the address that parcels come from.
  `create table carrier_agreements (
    agreement_id {text} primary key,
    rate_card_id {text} not null references rate_cards (rate_card_id),
    doc {text} not null
  ) {strict}`,
  `create table agreement_hubs (
    agreement_id {text} not null references carrier_agreements (agreement_id),
    hub_id {text} not null references hubs (hub_id),
    primary key (agreement_id, hub_id)
  ) {strict}`,
  // created_at never decreases as seq rises. So a walk by (created_at, seq) is a walk by seq, and a range of dates
  // is a range of the index. A parcel has a delivery date if and only if it is delivered.
  `create table shipments (
    tracking_number {text} primary key,
    seq {int} not null unique,
    ordinal {int} not null unique,
    agreement_id {text} not null references carrier_agreements (agreement_id),
    reference {text},
    content_hash {text} not null,
    status {text} not null check (status in ('pre_transit', 'in_transit', 'out_for_delivery', 'delivery_attempted',
      'available_for_pickup', 'delivered', 'returning', 'returned', 'lost', 'cancelled')),
    service_level {text} not null,
    hub_id {text} not null references hubs (hub_id),
    batch_id {text},
    created_at {int} not null,
    updated_at {int} not null,
    delivered_at {int},
    doc {text} not null,
    check ((status = 'delivered') = (delivered_at is not null))
  ) {strict}`,
  `create unique index shipments_live_reference on shipments (agreement_id, reference)
    where status <> 'cancelled' and reference is not null`,
  // It must come before the next one: of two equally good indexes, SQLite takes the one that was created first.
  `create index shipments_by_status on shipments (agreement_id, status, created_at, seq)`,
  `create index shipments_by_creation on shipments (agreement_id, created_at, seq)`,
  `create index shipments_by_reference on shipments (agreement_id, reference, created_at, seq) where reference is not null`,
  `create index shipments_by_batch on shipments (agreement_id, batch_id, created_at, seq) where batch_id is not null`,
  `create index shipments_by_delivery on shipments (agreement_id, delivered_at, created_at) where delivered_at is not null`,
  `create table shipment_events (
    tracking_number {text} not null references shipments (tracking_number),
    sequence {int} not null check (sequence >= 1),
    code {text} not null,
    status {text} not null,
    occurred_at {int} not null,
    doc {text} not null,
    primary key (tracking_number, sequence)
  ) {strict}`,
]
