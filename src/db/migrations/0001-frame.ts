/**
 * The tables that every area needs: the world and its clock, accounts and tokens, idempotency, events, the timeline,
 * media.
 */
export const frame = [
  // A single row. It is also the counter of `seq`: every transaction that records something locks it, so `seq` has
  // no gaps and one order.
  `create table world (
    one {int} primary key check (one = 1),
    environment {text} not null,
    seed {text} not null,
    currency {text} not null,
    timezone {text} not null,
    country_code {text} not null,
    cursor_key {text} not null,
    clock_mode {text} not null check (clock_mode in ('real', 'frozen', 'scaled', 'offset')),
    clock_real {int} not null,
    clock_service {int} not null,
    clock_factor {int} not null check (clock_factor >= 1),
    clock_high {int} not null,
    seq {int} not null check (seq >= 0)
  ) {strict}`,
  // The number of created resources of each kind: the ordinal from which sandbox ids and draws derive.
  `create table ordinals (
    kind {text} primary key,
    last {int} not null check (last >= 0)
  ) {strict}`,
  `create table accounts (
    account_id {text} primary key,
    seq {int} not null unique,
    handle {text} not null unique,
    name {text} not null,
    scopes {text} not null,
    membership_status {text} not null check (membership_status in ('none', 'trialing', 'active', 'past_due', 'cancelled', 'expired')),
    membership_plan {text},
    membership_start {int},
    membership_end {int},
    membership_cancels {int} not null check (membership_cancels in (0, 1)),
    carrier_agreement_id {text} unique,
    carrier_agreement_status {text} check (carrier_agreement_status in ('active', 'ended')),
    business_agreement_id {text} unique,
    business_agreement_status {text} check (business_agreement_status in ('active', 'ended')),
    doc {text} not null
  ) {strict}`,
  `create table tokens (
    token_hash {text} primary key,
    account_id {text} not null references accounts (account_id),
    scopes {text} not null,
    expires_at {int} not null,
    created_at {int} not null
  ) {strict}`,
  `create table idempotency (
    account_id {text} not null,
    operation {text} not null,
    idempotency_key {text} not null,
    fingerprint {text} not null,
    status {int} not null,
    location {text},
    body {text} not null,
    completed_at {int} not null,
    primary key (account_id, operation, idempotency_key)
  ) {strict}`,
  `create index idempotency_by_age on idempotency (account_id, completed_at)`,
  // Every state change, once, in the order of `seq`.
  `create table events (
    seq {int} primary key,
    event_id {text} not null unique,
    occurred_at {int} not null,
    type {text} not null,
    resource_id {text} not null,
    owner_id {text} not null,
    doc {text} not null
  ) {strict}`,
  `create index events_by_resource on events (resource_id, seq)`,
  // Planned events of the simulated world.
  `create table timeline (
    seq {int} primary key,
    due_at {int} not null,
    kind {text} not null,
    resource_id {text} not null,
    owner_id {text} not null,
    event {text} not null,
    payload {text} not null
  ) {strict}`,
  `create index timeline_by_due on timeline (due_at, seq)`,
  `create index timeline_by_resource on timeline (resource_id, due_at)`,
  `create index timeline_by_owner on timeline (owner_id, due_at)`,
  `create table blobs (
    sha256 {text} primary key,
    bytes {blob} not null
  ) {strict}`,
  `create table media (
    media_id {text} primary key,
    owner_id {text} not null,
    content_type {text} not null,
    sha256 {text} not null references blobs (sha256)
  ) {strict}`,
]
