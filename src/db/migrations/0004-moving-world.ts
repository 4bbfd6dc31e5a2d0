/** Rides, home services and tasks: the people who do them, the requests, and the evidence. */
export const movingWorld: readonly string[] = [
  `create table ride_tiers (
    tier {text} primary key,
    sort {int} not null unique,
    doc {text} not null
  ) {strict}`,
  `create table drivers (
    driver_id {text} primary key,
    sort {int} not null unique,
    doc {text} not null
  ) {strict}`,
  `create table rides (
    ride_id {text} primary key,
    seq {int} not null unique,
    ordinal {int} not null unique,
    account_id {text} not null references accounts (account_id),
    quote_id {text} not null unique references quotes (quote_id),
    status {text} not null check (status in ('scheduled', 'processing', 'accepted', 'arriving', 'arrived', 'in_progress',
      'completed', 'cancelled', 'no_drivers_available')),
    tier {text} not null,
    driver_id {text} references drivers (driver_id),
    created_at {int} not null,
    updated_at {int} not null,
    doc {text} not null,
    check ((status in ('accepted', 'arriving', 'arrived', 'in_progress', 'completed')) = (driver_id is not null))
  ) {strict}`,
  `create index rides_by_status on rides (account_id, status, created_at, seq)`,
  `create index rides_by_customer on rides (account_id, created_at, seq)`,
  `create table providers (
    provider_id {text} primary key,
    seq {int} not null unique,
    name {text} not null,
    search_text {text} not null,
    band {int} not null,
    latitude_e6 {int} not null,
    longitude_e6 {int} not null,
    timezone {text} not null,
    week {text} not null,
    days_off {text} not null,
    radius_m {int} not null,
    rating_tenths {int} not null,
    categories {text} not null,
    offers {text} not null,
    doc {text} not null
  ) {strict}`,
  `create index providers_by_place on providers (band, longitude_e6, latitude_e6, seq, provider_id, timezone, week, days_off,
    radius_m, rating_tenths, categories, offers)`,
  `create table bookings (
    booking_id {text} primary key,
    seq {int} not null unique,
    ordinal {int} not null unique,
    account_id {text} not null references accounts (account_id),
    provider_id {text} not null references providers (provider_id),
    quote_id {text} not null unique references quotes (quote_id),
    status {text} not null check (status in ('requested', 'confirmed', 'declined', 'en_route', 'arrived', 'in_progress',
      'completed', 'no_show', 'cancelled')),
    starts_at {int},
    created_at {int} not null,
    updated_at {int} not null,
    doc {text} not null
  ) {strict}`,
  `create index bookings_by_customer on bookings (account_id, created_at, seq)`,
  // Half-hour cells of a provider's day. The key gives each cell to one booking.
  `create table booked_cells (
    provider_id {text} not null references providers (provider_id),
    cell_start {int} not null,
    booking_id {text} not null,
    primary key (provider_id, cell_start)
  ) {strict}`,
  `create index booked_cells_by_booking on booked_cells (booking_id)`,
  `create table taskers (
    tasker_id {text} primary key,
    sort {int} not null unique,
    doc {text} not null
  ) {strict}`,
  `create table task_types (
    task_type {text} primary key,
    sort {int} not null unique,
    category {text} not null,
    doc {text} not null
  ) {strict}`,
  `create table tasks (
    task_id {text} primary key,
    seq {int} not null unique,
    ordinal {int} not null unique,
    account_id {text} not null references accounts (account_id),
    quote_id {text} not null unique references quotes (quote_id),
    status {text} not null check (status in ('created', 'assigned', 'en_route', 'in_progress', 'under_review', 'completed',
      'failed', 'cancelled', 'unfulfilled')),
    task_type {text} not null references task_types (task_type),
    tasker_id {text} references taskers (tasker_id),
    created_at {int} not null,
    updated_at {int} not null,
    doc {text} not null
  ) {strict}`,
  `create index tasks_by_customer on tasks (account_id, created_at, seq)`,
  // Evidence is only added; the one change is whether an item was accepted.
  `create table evidence_items (
    evidence_id {text} primary key,
    task_id {text} not null references tasks (task_id),
    sequence {int} not null check (sequence >= 1),
    requirement_id {text} not null,
    status {text} not null check (status in ('accepted', 'rejected', 'pending_review')),
    doc {text} not null,
    unique (task_id, sequence)
  ) {strict}`,
]
