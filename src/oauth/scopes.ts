/** The scopes that a login gives. `core/account.ts` lists all scopes; `gateway/requirements.ts` checks them at each call. */
import { type Scope, SCOPES } from '../core/account.ts'
import { OAuthError } from './refusal.ts'

/**
 * Returns the requested scopes that are allowed, in the order of the list; all allowed ones when none were requested.
 */
export function grantScopes(
  asked: string | undefined,
  allowed: readonly Scope[],
): readonly Scope[] | OAuthError {
  const wanted = asked?.split(' ')
  const granted = SCOPES.filter((scope) => allowed.includes(scope) && (wanted?.includes(scope) ?? true))
  if (granted.length > 0) return granted
  return new OAuthError('invalid_scope', 'None of the requested scopes can be granted.')
}
