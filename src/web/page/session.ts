/** The session as the document of the page names it. */
const { account = '', name = '', scopes = '', build = '' } = document.body.dataset

export const SESSION = { account, name, build, scopes: scopes.split(' ') } as const

/** Returns whether the session has a permission. */
export function may(scope: string): boolean {
  return SESSION.scopes.includes(scope)
}
