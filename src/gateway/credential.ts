import { findToken, loadAccount, type StoredToken } from '../areas/account/store.ts'
import { type Account, liveScopes, type Scope } from '../core/account.ts'
import type { Tx } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import { toTimestamp } from '../core/time.ts'
import type { Credential } from './request.ts'

/**
 * Authenticates a caller and returns the account and its scopes. In process the credential is the account itself, by
 * id or handle, with all its scopes. Over HTTP it is a token; only its hash is stored.
 */
export async function authenticate(
  tx: Tx,
  credential: Credential | undefined,
  now: number,
): Promise<{
  account: Account
  scopes: readonly Scope[]
  /** The SHA-256 of an access token on its first use after a refresh. */
  unsettled?: string | undefined
}> {
  if (credential === undefined) throw new AppError('missing_token', 'The request carries no credential.')
  if ('account' in credential) {
    const account = await loadAccount(tx, credential.account)
    return { account, scopes: account.scopes }
  }
  const found = await findToken(tx, sha256Hex(credential.token))
  if (found === undefined) throw new AppError('invalid_token', 'The token is not known.')
  const { token, account } = found
  if (token.expires_at <= now) throw expired(token, account, now)
  const unsettled = token.turned_from === undefined ? undefined : token.token_hash
  return { account, scopes: liveScopes(token.scopes, account), unsettled }
}

/** The error names the sandbox clock: when that clock is moved, a token may expire soon after it was made. */
function expired({ expires_at, client_id }: StoredToken, { handle }: Account, now: number): AppError {
  return new AppError(
    'invalid_token',
    `The token expired at ${toTimestamp(expires_at)}; the sandbox clock says ${toTimestamp(now)}.`,
    // A login renews its token or is repeated; the default hint of the code says so.
    client_id === undefined
      ? {
          hint: `Mint another that lasts longer: \`dray sandbox account token ${handle} --expires-in 3650d\`.`,
        }
      : {},
  )
}
