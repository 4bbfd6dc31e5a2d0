/** Logins of external callers: clients, grants, their tokens, and devices that wait for a person. */
export const login = [
  // Programs that act for one account with their own secret (client_credentials).
  `create table oauth_clients (
    client_id {text} primary key,
    secret_hash {text} not null,
    account_id {text} not null references accounts (account_id),
    scopes {text} not null,
    created_at {int} not null
  ) {strict}`,
  // One consent. When it ends, this row and all its tokens are deleted.
  `create table grants (
    grant_id {text} primary key,
    client_id {text} not null,
    account_id {text} not null references accounts (account_id),
    scopes {text} not null,
    device {text} not null,
    created_at {int} not null
  ) {strict}`,
  `create index grants_by_account on grants (account_id)`,
  `create table refresh_tokens (
    token_hash {text} primary key,
    grant_id {text} not null references grants (grant_id),
    expires_at {int} not null,
    used_at {int}
  ) {strict}`,
  `create index refresh_tokens_by_grant on refresh_tokens (grant_id)`,
  `alter table tokens add column client_id {text}`,
  `alter table tokens add column grant_id {text}`,
  `create index tokens_by_grant on tokens (grant_id)`,
  `create index tokens_by_account on tokens (account_id, expires_at)`,
  // A device that shows a code and waits. `polled_at` is by the machine's clock, the other times by the service's.
  // `account_id` and the granted scopes are set on approval.
  `create table device_codes (
    device_code_hash {text} primary key,
    user_code {text} not null unique,
    client_id {text} not null,
    device {text} not null,
    scopes {text} not null,
    status {text} not null check (status in ('pending', 'approved', 'denied', 'used')),
    account_id {text} references accounts (account_id),
    interval_s {int} not null,
    polled_at {int},
    created_at {int} not null,
    expires_at {int} not null,
    check ((account_id is not null) = (status in ('approved', 'used')))
  ) {strict}`,
  `create index device_codes_by_expiry on device_codes (expires_at)`,
  // Columns as the rate limiter's library defines them, for several nodes that share a database.
  `create table rate_limits (
    key {text} primary key,
    points {int} not null,
    expire {int}
  ) {strict}`,
]
