/** The changes of a whole menu, those of one import, and when items and categories are on sale. */
export const menuChanges: readonly string[] = [
  `alter table catalog_item_versions add column import_id {text}`,
  `alter table catalog_item_versions add column merchant_id {text} not null default ''`,
  `update catalog_item_versions set merchant_id =
    (select merchant_id from catalog_items where catalog_items.item_id = catalog_item_versions.item_id)`,
  `create index catalog_changes on catalog_item_versions (merchant_id, at, item_id, version)`,
  `create index catalog_imports on catalog_item_versions (merchant_id, import_id, at) where import_id is not null`,
  // A week as opening hours are packed; null: at any time.
  `alter table catalog_items add column schedule {text}`,
  `alter table categories add column schedule {text}`,
  `drop index items_in_order`,
  `create index items_in_order on catalog_items (category_id, sort_order, item_id, name_key, updated_at, choosable,
    available, unavailable_until, stock, stock_day, schedule, deleted_at) where deleted_at is null`,
]
