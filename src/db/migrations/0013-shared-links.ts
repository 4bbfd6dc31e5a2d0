/** Links that show one resource to whoever has them. */
export const sharedLinks = [
  // Only the SHA-256 of a link's secret is kept. Times are by the service's clock: the resource lives by it. A link that
  // is withdrawn is deleted.
  `create table shared_links (
    secret_hash {text} primary key,
    account_id {text} not null references accounts (account_id),
    kind {text} not null check (kind in ('order', 'ride', 'delivery', 'parcel', 'booking', 'task')),
    resource_id {text} not null,
    created_at {int} not null,
    expires_at {int} not null
  ) {strict}`,
  `create index shared_links_by_resource on shared_links (resource_id, created_at)`,
  `create index shared_links_by_expiry on shared_links (expires_at)`,
]
