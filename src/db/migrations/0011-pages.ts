/** Browsers that are signed in to the pages of the service. */
export const pages = [
  // A link that is not opened yet, or a browser that opened one. It acts for the account: with the given scopes, or
  // with all of them without any. `control` lets it use the sandbox's own switches. It ends with the login or the
  // token that made it. `expires_at` is by the machine's clock.
  `create table page_sessions (
    secret_hash {text} primary key,
    kind {text} not null check (kind in ('link', 'session')),
    account_id {text} not null references accounts (account_id),
    scopes {text},
    control {int} not null check (control in (0, 1)),
    grant_id {text},
    token_hash {text},
    expires_at {int} not null
  ) {strict}`,
  `create index page_sessions_by_account on page_sessions (account_id, kind, expires_at)`,
  `create index page_sessions_by_expiry on page_sessions (expires_at)`,
]
