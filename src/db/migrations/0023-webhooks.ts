/**
 * Webhook endpoints, what was or is to be delivered to them, and how far the sender has come in the events, which are the
 * outbox. A delivery has no foreign key: its insert would wait for an attempt that holds the row of the endpoint.
 */
export const webhooks: readonly string[] = [
  `create table webhook_endpoints (
    endpoint_id {text} primary key,
    account_id {text} not null references accounts (account_id),
    status {text} not null check (status in ('enabled', 'disabled')),
    since_seq {int} not null,
    created_at {int} not null,
    doc {text} not null
  ) {strict}`,
  `create index webhook_endpoints_by_account on webhook_endpoints (account_id, created_at)`,
  `create table webhook_deliveries (
    delivery_id {text} primary key,
    endpoint_id {text} not null,
    seq {int} not null,
    resource_id {text} not null,
    type {text} not null,
    status {text} not null check (status in ('pending', 'delivered', 'failed', 'withheld', 'skipped')),
    due_at {int} not null,
    occurred_at {int} not null,
    doc {text} not null
  ) {strict}`,
  `create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, seq)`,
  `create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, resource_id, seq) where status = 'pending'`,
  // The lease is by the clock of the machine: the sandbox's may stand still.
  `create table webhook_outbox (
    one {int} primary key check (one = 1),
    after_seq {int} not null,
    holder {text},
    held_until {int} not null
  ) {strict}`,
]
