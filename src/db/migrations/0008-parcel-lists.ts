/** Indexes for each filter of the list of parcels, and for each pair of filters. */
export const parcelLists: readonly string[] = [
  `drop index shipments_by_status`,
  // SQLite prefers it to the walk by creation: status and level are always given together.
  `create index shipments_by_kind on shipments (agreement_id, status, service_level, created_at, seq)`,
  // It contains the columns of a filter by delivery, so that other rows are skipped within the index.
  `create index shipments_delivered on shipments (agreement_id, created_at, seq, delivered_at, service_level)
    where delivered_at is not null`,
]
