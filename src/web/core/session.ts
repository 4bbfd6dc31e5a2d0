/** The session as the document of the page names it. */
const { account = '', name = '', scopes = '', build = '', page = '', byControl } = document.body.dataset

export const SESSION = {
  account,
  name,
  build,
  /** Its page, which each call names. */
  page,
  scopes: scopes.split(' '),
  /** A link for it names its account; one of a login has the account of the login. */
  byControl: byControl !== undefined,
} as const

/** Returns whether the session has a permission. */
export function hasScope(scope: string): boolean {
  return SESSION.scopes.includes(scope)
}
