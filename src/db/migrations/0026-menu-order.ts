/** The order of changes of a menu within one instant, and the schedules that a store uses. */
export const menuOrder: readonly string[] = [
  // The number of the event of a change. Older changes of one instant follow each other by their items.
  `alter table catalog_item_versions add column seq {int} not null default 0`,
  `drop index catalog_changes`,
  `create index catalog_changes on catalog_item_versions (merchant_id, at, seq, item_id, version)`,
  `drop index catalog_imports`,
  `create index catalog_imports on catalog_item_versions (merchant_id, at, seq, import_id) where import_id is not null`,
  `create index catalog_schedules on catalog_items (merchant_id, schedule) where schedule is not null`,
]
