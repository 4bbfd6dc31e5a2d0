/**
 * Indexes for each filter of the lists of orders and of a catalogue, and for what is due to people that jobs share; and
 * the time that providers need between two visits.
 */
export const listsAndWays: readonly string[] = [
  // The status of the order's payment, so that one index serves both.
  `alter table orders add column payment_status {text} not null default 'unpaid'
    check (payment_status in ('unpaid', 'paid', 'refund_pending', 'refunded', 'failed'))`,
  `update orders set payment_status = coalesce(
    (select p.status from payments p where p.resource_id = orders.order_id), payment_status)`,
  // The narrowest first: of two indexes that promise the same, SQLite takes the one that was made first.
  ...['both', 'customer_status', 'status', 'customer', 'merchant'].map(
    (name) => `drop index orders_by_${name}`,
  ),
  `create index orders_by_kind on orders (merchant_id, status, payment_status, fulfillment_type, created_at, seq)`,
  `create index orders_by_customer_store on orders (account_id, merchant_id, status, created_at, seq)`,
  `create index orders_by_customer_status on orders (account_id, status, created_at, seq)`,
  `create index orders_by_status on orders (merchant_id, status, created_at, seq)`,
  `create index orders_by_customer on orders (account_id, created_at, seq)`,
  `create index orders_by_merchant on orders (merchant_id, created_at, seq)`,
  `create unique index categories_in_order on categories (merchant_id, sort_order, category_id)`,
  // Holds what the filters of a catalogue look at, so that items which do not fit are passed over in the index alone.
  `create index items_in_order on catalog_items (category_id, sort_order, item_id, name_key, updated_at, choosable,
    available, unavailable_until, deleted_at) where deleted_at is null`,
  // Parcels share nobody: what is due to millions of them is not looked through for a driver.
  `create index timeline_shared on timeline (due_at, seq) where kind in ('order', 'delivery', 'booking', 'ride', 'task')`,
  // With the text that providers are found by.
  `drop index providers_by_place`,
  `create index providers_by_place on providers (band, longitude_e6, latitude_e6, seq, provider_id, timezone, week,
    days_off, radius_m, rating_tenths, categories, offers, search_text)`,
  // Half hours in which a provider may be on the way to or from a visit. Those of two visits may be the same.
  `create table way_cells (
    provider_id {text} not null references providers (provider_id),
    cell_start {int} not null,
    booking_id {text} not null,
    primary key (provider_id, cell_start, booking_id)
  ) {strict}`,
  `create index way_cells_by_booking on way_cells (booking_id)`,
]
