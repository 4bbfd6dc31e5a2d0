/** The way by which each version of an item came, and an index of the items that changed lately. */
export const origins: readonly string[] = [
  `alter table catalog_item_versions add column via {text} check (via in ('terminal', 'page', 'api', 'agent'))`,
  `create index catalog_items_changed on catalog_items (merchant_id, updated_at)`,
]
