/** A store's pause has an end, and a busy store needs longer: searches read both beside its hours. Its items have a stock. */
export const storeDay: readonly string[] = [
  `drop index merchants_by_place`,
  `alter table merchants add column paused_until {int}`,
  // No end of an earlier pause is known: the last second of the year 9999.
  `update merchants set paused_until = 253402300799000 where paused = 1`,
  `alter table merchants drop column paused`,
  `alter table merchants add column busy_minutes {int} not null default 0 check (busy_minutes between 0 and 240)`,
  `alter table merchants add column busy_until {int}`,
  `create index merchants_by_place on merchants (band, longitude_e6, latitude_e6, kind, timezone, week, paused_until,
    busy_minutes, busy_until, cuisines, fulfillment_types, radius_m, prep_time_minutes, rating_tenths, seq)`,
  `alter table catalog_items add column stock {int} check (stock >= 0)`,
  `alter table catalog_items add column restock {int}`,
  `alter table catalog_items add column stock_day {int}`,
  `drop index items_in_order`,
  `create index items_in_order on catalog_items (category_id, sort_order, item_id, name_key, updated_at, choosable,
    available, unavailable_until, stock, stock_day, deleted_at) where deleted_at is null`,
]
