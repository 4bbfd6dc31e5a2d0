import {
  CALLER_TABLES,
  type Caller,
  findCaller,
  requireAccount,
  type StoredToken,
} from '../areas/account/queries/accounts.ts'
import { type Account, liveScopes, type Scope } from '../core/account.ts'
import { serviceNow } from '../core/clock.ts'
import type { Tx } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import { toTimestamp } from '../core/time.ts'
import { cached } from '../db/read-cache.ts'
import { loadWorld, type StoredWorld } from '../db/world.ts'
import type { Credential } from './request.ts'

/** The world, the service's time, and who calls; the caller is not authenticated yet. */
export type ResolvedCaller = Partial<Caller> & { stored: StoredWorld; now: number }

/**
 * Reads the world and the caller together, or finds them in memory while they are unchanged. In process the
 * credential is the account itself, by id or handle; `account_not_found` is thrown for another. Over HTTP it is a token;
 * only its hash is stored.
 */
export async function resolveCaller(
  tx: Tx,
  credential: Credential | undefined,
  realNow: number,
): Promise<ResolvedCaller> {
  if (credential === undefined) return withTime({ stored: await loadWorld(tx) }, realNow)
  const by =
    'token' in credential ? { tokenHash: sha256Hex(credential.token) } : { idOrHandle: credential.account }
  const holds = (caller: Caller): boolean => {
    const { account, token, now } = withTime(caller, realNow)
    // A caller who is rejected is not kept.
    return account !== undefined && (token === undefined || token.expires_at > now)
  }
  const key = 'tokenHash' in by ? `token ${by.tokenHash}` : `account ${by.idOrHandle}`
  const found = await cached(tx, { key, tables: CALLER_TABLES, holds }, () => findCaller(tx, by))
  if ('account' in credential) await requireAccount(tx, found.account, credential.account)
  return withTime(found, realNow)
}

function withTime<T extends { stored: StoredWorld }>(found: T, realNow: number): T & { now: number } {
  return { ...found, now: serviceNow(found.stored.clock, realNow) }
}

/** Authenticates a caller and returns the account and its scopes. An account of this process has all its scopes. */
export function authenticate(
  credential: Credential | undefined,
  { token, account, scopes = [], now }: ResolvedCaller,
): {
  account: Account
  scopes: readonly Scope[]
  /** The SHA-256 of an access token on its first use after a refresh. */
  unsettled?: string | undefined
} {
  if (credential === undefined) throw new AppError('missing_token', 'The request carries no credential.')
  if ('account' in credential) {
    if (account === undefined) throw new Error('an account of this process was not sought')
    return {
      account,
      scopes: credential.scopes === undefined ? scopes : liveScopes(credential.scopes, account),
    }
  }
  if (token === undefined || account === undefined) throw unknown(credential.token)
  if (token.expires_at <= now) throw expired(token, account, now)
  const unsettled = token.turned_from === undefined ? undefined : token.token_hash
  return { account, scopes, unsettled }
}

/** A header that holds anything but one bearer token comes here as an empty token. */
function unknown(token: string): AppError {
  if (token === '')
    return new AppError('invalid_token', 'The Authorization header must have one bearer token.', {
      hint: 'Send Authorization: Bearer <token>.',
    })
  return new AppError('invalid_token', 'The token is not known.')
}

/** The error names the sandbox clock: when that clock is moved, a token may expire soon after it was made. */
function expired({ expires_at, client_id }: StoredToken, { handle }: Account, now: number): AppError {
  return new AppError(
    'invalid_token',
    `The token expired at ${toTimestamp(expires_at)}; the sandbox clock is at ${toTimestamp(now)}.`,
    // A login renews its token or is repeated; the default hint of the code says so.
    client_id === undefined
      ? {
          hint: `Mint another that lasts longer: \`dray sandbox account token ${handle} --expires-in 3650d\`.`,
        }
      : {},
  )
}
