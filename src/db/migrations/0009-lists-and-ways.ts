/**
 * Indexes for each filter of the lists of orders and items, and for due events of jobs that share people; and the
 * travel time of providers between two visits.
 */
export const listsAndWays: readonly string[] = [
  // The status of the order's payment, so that one index serves both.
  `alter table orders add column payment_status {text} not null default 'unpaid'
    check (payment_status in ('unpaid', 'paid', 'refund_pending', 'refunded', 'failed'))`,
  `update orders set payment_status = coalesce(
    (select p.status from payments p where p.resource_id = orders.order_id), payment_status)`,
  // The narrowest comes first: of two equally good indexes, SQLite takes the one that was created first.
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
  // It contains the columns of the catalogue's filters, so that other items are skipped within the index.
  `create index items_in_order on catalog_items (category_id, sort_order, item_id, name_key, updated_at, choosable,
    available, unavailable_until, deleted_at) where deleted_at is null`,
  // Parcels share no people, so a search for a driver must not read millions of their events.
  `create index timeline_shared on timeline (due_at, seq) where kind in ('order', 'delivery', 'booking', 'ride', 'task')`,
  // It also contains the text by which providers are found.
  `drop index providers_by_place`,
  `create index providers_by_place on providers (band, longitude_e6, latitude_e6, seq, provider_id, timezone, week,
    days_off, radius_m, rating_tenths, categories, offers, search_text)`,
  // Half hours in which a provider may travel to or from a visit. Two visits may share one.
  `create table way_cells (
    provider_id {text} not null references providers (provider_id),
    cell_start {int} not null,
    booking_id {text} not null,
    primary key (provider_id, cell_start, booking_id)
  ) {strict}`,
  `create index way_cells_by_booking on way_cells (booking_id)`,
]
