/** A refresh whose answer was lost, and the browsers that may approve devices. */
export const loginGuards = [
  // `turned_at` is the machine's clock at the first use. With `successor_salt` and the token itself the same successor
  // is made again; the salt is removed once that successor was used.
  `alter table refresh_tokens add column turned_at {int}`,
  `alter table refresh_tokens add column successor_salt {text}`,
  // The refresh token that this access token was first handed out for; null once the access token was used.
  `alter table tokens add column turned_from {text}`,
  // A link that was not opened yet, or the cookie of a browser that opened one. `expires_at` is the machine's clock.
  `create table approvers (
    secret_hash {text} primary key,
    kind {text} not null check (kind in ('link', 'browser')),
    expires_at {int} not null
  ) {strict}`,
]
