/**
 * Food and business: stores and their catalogue, quotes of every area, orders, payments and refunds, wallets, slots,
 * and the courier deliveries of orders and of customers.
 */
export const food: readonly string[] = [
  // An event may belong to two resources (a delivery changes its order), and an order to two parties.
  `alter table timeline add column link_id {text}`,
  `alter table timeline add column counterparty_id {text}`,
  `create index timeline_by_link on timeline (link_id, due_at) where link_id is not null`,
  `create index timeline_by_counterparty on timeline (counterparty_id, due_at) where counterparty_id is not null`,
  // A band is a strip of latitude: a circle on the map is a few ranges of the index below.
  `create table merchants (
    merchant_id {text} primary key,
    seq {int} not null unique,
    agreement_id {text},
    name {text} not null,
    search_text {text} not null,
    kind {text} not null check (kind in ('restaurant', 'grocery', 'shop')),
    band {int} not null,
    latitude_e6 {int} not null,
    longitude_e6 {int} not null,
    timezone {text} not null,
    currency {text} not null,
    week {text} not null,
    paused {int} not null check (paused in (0, 1)),
    cuisines {text} not null,
    fulfillment_types {text} not null,
    radius_m {int} not null check (radius_m >= 0),
    prep_time_minutes {int} not null,
    rating_tenths {int} not null check (rating_tenths between 0 and 50),
    menu_version {int} not null check (menu_version >= 1),
    menu_updated_at {int} not null,
    doc {text} not null
  ) {strict}`,
  // It contains every column that a search compares, so that only the results are read from the table, however
  // large it is.
  `create index merchants_by_place on merchants (band, longitude_e6, latitude_e6, paused, kind, timezone, week, cuisines,
    fulfillment_types, radius_m, prep_time_minutes, rating_tenths, seq)`,
  `create index merchants_by_agreement on merchants (agreement_id, seq) where agreement_id is not null`,
  `create table categories (
    category_id {text} primary key,
    merchant_id {text} not null references merchants (merchant_id),
    name {text} not null,
    name_key {text} not null,
    sort_order {int} not null,
    unique (merchant_id, name_key)
  ) {strict}`,
  // A deleted item stays, because its id is never reused; unique columns are unique among items that are not
  // deleted. An item is choosable if each of its required groups has an available choice.
  `create table catalog_items (
    item_id {text} primary key,
    seq {int} not null unique,
    merchant_id {text} not null references merchants (merchant_id),
    category_id {text} not null references categories (category_id),
    name {text} not null,
    name_key {text} not null,
    sort_order {int} not null,
    external_ref {text},
    barcode {text},
    available {int} not null check (available in (0, 1)),
    unavailable_until {int},
    choosable {int} not null check (choosable in (0, 1)),
    version {int} not null check (version >= 1),
    created_at {int} not null,
    updated_at {int} not null,
    deleted_at {int},
    doc {text} not null
  ) {strict}`,
  `create unique index items_live_name on catalog_items (category_id, name_key) where deleted_at is null`,
  `create unique index items_live_ref on catalog_items (merchant_id, external_ref)
    where deleted_at is null and external_ref is not null`,
  `create index items_by_barcode on catalog_items (merchant_id, barcode) where deleted_at is null and barcode is not null`,
  `create index items_by_name on catalog_items (merchant_id, name_key) where deleted_at is null`,
  // Expiry depends on the clock, so it is not a status here.
  `create table quotes (
    quote_id {text} primary key,
    account_id {text} not null references accounts (account_id),
    kind {text} not null check (kind in ('food', 'ride', 'delivery', 'service', 'task')),
    created_at {int} not null,
    expires_at {int} not null,
    used_by {text} unique,
    doc {text} not null
  ) {strict}`,
  `create index quotes_by_expiry on quotes (account_id, expires_at) where used_by is null`,
  // One row is the customer's order and the store's.
  `create table orders (
    order_id {text} primary key,
    seq {int} not null unique,
    ordinal {int} not null unique,
    account_id {text} not null references accounts (account_id),
    merchant_id {text} not null references merchants (merchant_id),
    quote_id {text} not null unique references quotes (quote_id),
    status {text} not null check (status in ('placed', 'accepted', 'preparing', 'ready', 'out_for_delivery', 'completed',
      'rejected', 'cancelled', 'failed')),
    fulfillment_type {text} not null check (fulfillment_type in ('delivery', 'pickup', 'dine_in')),
    display_day {text} not null,
    display_number {text} not null,
    delivery_id {text} unique,
    check_id {text} unique,
    created_at {int} not null,
    updated_at {int} not null,
    doc {text} not null,
    unique (merchant_id, display_day, display_number)
  ) {strict}`,
  `create index orders_by_status on orders (merchant_id, status, created_at, seq)`,
  `create index orders_by_merchant on orders (merchant_id, created_at, seq)`,
  `create index orders_by_customer_status on orders (account_id, status, created_at, seq)`,
  `create index orders_by_customer on orders (account_id, created_at, seq)`,
  `create index orders_by_both on orders (account_id, merchant_id, created_at, seq)`,
  // One row for each resource, so that it has one payment and at most one refund, even after repeated calls.
  `create table payments (
    resource_id {text} primary key,
    payment_id {text} not null unique,
    account_id {text} not null references accounts (account_id),
    method {text} not null check (method in ('card', 'wallet', 'cash', 'pay_at_table')),
    status {text} not null check (status in ('unpaid', 'paid', 'refund_pending', 'refunded', 'failed')),
    collected_by {text} not null check (collected_by in ('platform', 'store_processor')),
    amount {int} not null check (amount >= 0),
    currency {text} not null,
    created_at {int} not null,
    paid_at {int},
    refund_id {text} unique,
    refund_status {text} check (refund_status in ('pending', 'succeeded', 'failed')),
    refund_destination {text} check (refund_destination in ('platform_wallet', 'card_via_store_processor', 'original_method')),
    refund_amount {int},
    refund_reason {text},
    refunded_at {int},
    refund_settled_at {int},
    check ((refund_id is null) = (refund_amount is null)),
    check (refund_amount is null or (refund_amount >= 0 and refund_amount <= amount))
  ) {strict}`,
  `create table wallets (
    account_id {text} primary key references accounts (account_id),
    currency {text} not null,
    balance {int} not null check (balance >= 0)
  ) {strict}`,
  // Double entry: the entries of one transaction add up to zero. An account is wallet:<id>, card:<id>, cash:<id>,
  // platform, or store:<id>.
  `create table ledger (
    seq {int} primary key,
    transaction_id {text} not null,
    account {text} not null,
    amount {int} not null,
    currency {text} not null,
    kind {text} not null check (kind in ('opening', 'capture', 'refund')),
    resource_id {text} not null,
    at {int} not null
  ) {strict}`,
  `create index ledger_by_account on ledger (account, seq)`,
  `create index ledger_by_resource on ledger (resource_id, seq)`,
  // A unit is a capacity of the kitchen (kitchen:1, kitchen:2, …) or a table (table:12). The key prevents double
  // use.
  `create table slot_claims (
    merchant_id {text} not null references merchants (merchant_id),
    starts_at {int} not null,
    unit {text} not null,
    order_id {text} not null,
    primary key (merchant_id, starts_at, unit)
  ) {strict}`,
  `create index slot_claims_by_order on slot_claims (order_id)`,
  `create table couriers (
    courier_id {text} primary key,
    sort {int} not null unique,
    doc {text} not null
  ) {strict}`,
  `create table deliveries (
    delivery_id {text} primary key,
    seq {int} not null unique,
    ordinal {int} not null unique,
    account_id {text} not null references accounts (account_id),
    order_id {text} unique,
    quote_id {text} unique,
    status {text} not null check (status in ('pending', 'assigned', 'arrived_at_pickup', 'picked_up', 'arrived_at_dropoff',
      'delivered', 'returning', 'returned', 'cancelled')),
    created_at {int} not null,
    updated_at {int} not null,
    delivered_at {int},
    doc {text} not null,
    check ((status = 'delivered') = (delivered_at is not null))
  ) {strict}`,
  `create index deliveries_by_customer on deliveries (account_id, created_at, seq)`,
]
