/** Refreshes with a lost response, and browsers that may approve devices. */
export const loginGuards = [
  // `turned_at` is the first use by the machine's clock. The same successor derives from `successor_salt` and the
  // token itself. The salt is removed once that successor is used.
  `alter table refresh_tokens add column turned_at {int}`,
  `alter table refresh_tokens add column successor_salt {text}`,
  // The refresh token for which this access token was first issued; null once the access token is used.
  `alter table tokens add column turned_from {text}`,
  // A link that is not opened yet, or the cookie of a browser that opened one. `expires_at` is by the machine's
  // clock.
  `create table approvers (
    secret_hash {text} primary key,
    kind {text} not null check (kind in ('link', 'browser')),
    expires_at {int} not null
  ) {strict}`,
]
