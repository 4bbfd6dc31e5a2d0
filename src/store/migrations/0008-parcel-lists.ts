/** Indexes for each filter of the list of parcels, and for each pair of filters. */
export const parcelLists: readonly string[] = [
  `drop index shipments_by_status`,
  // Before the walk by creation in SQLite's choice: status and level are always given together.
  `create index shipments_by_kind on shipments (agreement_id, status, service_level, created_at, seq)`,
  // Holds what a filter by delivery looks at, so that rows which do not fit are passed over in the index alone.
  `create index shipments_delivered on shipments (agreement_id, created_at, seq, delivered_at, service_level)
    where delivered_at is not null`,
]
