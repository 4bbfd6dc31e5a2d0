import type { Account, Scope } from '../../core/account.ts'
import { invalidMemberError } from './clock.ts'

/** The scopes asked for, or all that the account has. Throws `invalid_request` for one that it lacks. */
export function grantAsked(account: Account, asked: readonly Scope[] | undefined): Scope[] {
  const missing = asked?.filter((scope) => !account.scopes.includes(scope)) ?? []
  if (missing.length > 0)
    throw invalidMemberError('scopes', `holds what ${account.handle} does not have: ${missing.join(', ')}`)
  return [...(asked ?? account.scopes)]
}
