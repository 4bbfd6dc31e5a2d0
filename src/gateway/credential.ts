import { type Account, liveScopes, type Scope } from '../domain/account.ts'
import { sha256Hex } from '../domain/hash.ts'
import { AppError } from '../errors.ts'
import { findToken, loadAccount } from '../store/accounts.ts'
import type { Tx } from '../store/db.ts'
import type { Credential } from './request.ts'

/**
 * Who calls, and with which scopes. In process the credential is the account itself (id or handle) with all its
 * scopes; over HTTP it is a token, of which only the hash is known here.
 */
export async function authenticate(
  tx: Tx,
  credential: Credential | undefined,
  now: number,
): Promise<{ account: Account; scopes: readonly Scope[] }> {
  if (credential === undefined) throw new AppError('missing_token', 'The request carries no credential.')
  if ('account' in credential) {
    const account = await loadAccount(tx, credential.account)
    return { account, scopes: account.scopes }
  }
  const found = await findToken(tx, sha256Hex(credential.token))
  if (found === undefined) throw new AppError('invalid_token', 'The token is not known.')
  const { token, account } = found
  if (token.expires_at <= now) throw new AppError('invalid_token', 'The token has expired.')
  return { account, scopes: liveScopes(token.scopes, account) }
}
