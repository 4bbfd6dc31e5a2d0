/** Issues, refreshes, revokes and introspects tokens: RFC 6749, 7009, 7662, 8628. */
import {
  deleteToken,
  findTokenWithAccount,
  deleteExpiredTokens,
  insertToken,
  loadAccount,
  recordFirstTokenUse,
} from '../areas/account/queries/accounts.ts'
import { liveScopes, type Scope } from '../core/account.ts'
import type { Tx } from '../core/db.ts'
import { sha256Hex } from '../core/hash.ts'
import { randomId } from '../core/ids.ts'
import { type DeviceRecord, lockDevice, markPolled, markDeviceUsed } from './queries/device-codes.ts'
import {
  type OAuthClient,
  deleteGrant,
  findRefreshToken,
  deleteExpiredRefreshTokens,
  type Grant,
  insertGrant,
  insertRefreshToken,
  listDeadGrants,
  lockGrantOf,
  type RefreshToken,
  useRefreshToken,
} from './queries/grants.ts'
import { OAuthError } from './refusal.ts'
import { grantScopes } from './scopes.ts'
import { derivedSecret, newSecret } from './secrets.ts'

/** By the service's clock. */
const ACCESS_LIFE_S = 3600
const REFRESH_LIFE_MS = 30 * 86_400_000
/**
 * A refresh may be repeated for this time after a lost response, by the machine's clock. It is twice the timeout of a
 * client, so that a killed command can be started again.
 */
const REPEAT_MS = 60_000
/** Added to the polling interval of a device that polls too early. */
const SLOWER_S = 5
/** Tolerance for network delay: a device that kept its interval may arrive this much earlier. */
const JITTER_MS = 500

export type Tokens = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token?: string
  scope: string
}

/** The issued tokens, and the account they are for. */
export type IssuedTokens = { tokens: Tokens; accountId: string }

/** `now` is the service's clock, `machineNow` the machine's. */
export type Moment = { now: number; machineNow: number; random: (count: number) => Uint8Array }

/** Exchanges a device code for tokens, once a person has approved the device. */
export async function exchangeDeviceCode(
  tx: Tx,
  { deviceCode, clientId }: { deviceCode: string; clientId: string },
  moment: Moment,
): Promise<IssuedTokens | OAuthError> {
  const codeHash = sha256Hex(deviceCode)
  const device = await lockDevice(tx, codeHash)
  if (device === undefined || device.client_id !== clientId)
    return new OAuthError('invalid_grant', 'The device code is not known.')
  const refusal = refuseDevice(device, moment.now) ?? (await paceDevice(tx, codeHash, device, moment))
  if (refusal !== undefined) return refusal
  if (!(await markDeviceUsed(tx, codeHash)))
    return new OAuthError('invalid_grant', 'The device code was used before.')
  const account = await loadAccount(tx, device.account_id ?? '')
  const scopes = grantScopes(undefined, liveScopes(device.scopes, account))
  if (scopes instanceof OAuthError) return scopes
  for (const dead of await listDeadGrants(tx, account.account_id, moment.now)) await deleteGrant(tx, dead)
  const grant: Grant = {
    grant_id: randomId('gra', moment.now, moment.random(10)),
    client_id: clientId,
    account_id: account.account_id,
    scopes,
    device: device.device,
    created_at: moment.now,
  }
  await insertGrant(tx, grant)
  const refresh = newSecret('refresh', moment.random)
  await saveRefreshToken(tx, grant, refresh, moment)
  const tokens = await issueAccess(tx, grant, { scopes }, moment)
  return { tokens: { ...tokens, refresh_token: refresh }, accountId: grant.account_id }
}

function refuseDevice({ status, expires_at }: DeviceRecord, now: number): OAuthError | undefined {
  if (status === 'used') return new OAuthError('invalid_grant', 'The device code was used before.')
  if (status === 'denied') return new OAuthError('access_denied', 'The login was denied.')
  if (expires_at <= now) return new OAuthError('expired_token', 'The code was not approved in time.')
  return undefined
}

/** Returns `authorization_pending`, or `slow_down` with a longer interval when the device polled too early. */
async function paceDevice(
  tx: Tx,
  codeHash: string,
  { status, polled_at, interval_s }: DeviceRecord,
  { machineNow }: Moment,
): Promise<OAuthError | undefined> {
  if (status !== 'pending') return undefined
  // The difference is absolute, because a clock that was set back must not keep a device waiting.
  const since = polled_at === null ? Infinity : Math.abs(machineNow - polled_at)
  const early = since < interval_s * 1000 - JITTER_MS
  const interval = early ? interval_s + SLOWER_S : interval_s
  await markPolled(tx, codeHash, machineNow, interval)
  return early
    ? new OAuthError('slow_down', `Ask again no sooner than ${interval} seconds from now.`)
    : new OAuthError('authorization_pending', 'Nobody has approved the code yet.')
}

/**
 * Exchanges a refresh token for the next pair of its login. The same token within a minute returns the same pair, as
 * long as neither token of that pair was used. Any later reuse ends the whole login.
 */
export async function exchangeRefreshToken(
  tx: Tx,
  { refreshToken, clientId, scope }: { refreshToken: string; clientId: string; scope: string | undefined },
  moment: Moment,
): Promise<IssuedTokens | OAuthError> {
  const tokenHash = sha256Hex(refreshToken)
  const grant = await lockGrantOf(tx, tokenHash)
  const token = grant && (await findRefreshToken(tx, tokenHash))
  if (grant === undefined || token === undefined || grant.client_id !== clientId)
    return new OAuthError('invalid_grant', 'The refresh token is not known.')
  if (token.expires_at <= moment.now) return new OAuthError('invalid_grant', 'The refresh token has expired.')
  if (token.used && !isRepeatable(token, moment)) return endStolen(tx, grant)
  const scopes = grantScopes(scope, liveScopes(grant.scopes, await loadAccount(tx, grant.account_id)))
  if (scopes instanceof OAuthError) return scopes
  const turn = token.turn ?? { at: moment.machineNow, salt: moment.random(32).toHex() }
  const next = {
    access: derivedSecret('access', refreshToken, turn.salt),
    refresh: derivedSecret('refresh', refreshToken, turn.salt),
  }
  if (token.used) {
    // The sandbox clock may have expired an access token that never arrived.
    await deleteToken(tx, sha256Hex(next.access))
  } else {
    const used = { token_hash: tokenHash, grant_id: grant.grant_id, turn }
    if (!(await useRefreshToken(tx, used, moment.now))) return endStolen(tx, grant)
    await deleteExpiredRefreshTokens(tx, grant.grant_id, moment.now)
    await saveRefreshToken(tx, grant, next.refresh, moment)
  }
  const tokens = await issueAccess(tx, grant, { scopes, secret: next.access, turnedFrom: tokenHash }, moment)
  return { tokens: { ...tokens, refresh_token: next.refresh }, accountId: grant.account_id }
}

/** The difference is absolute, because a clock that was set back must not prolong the time. */
function isRepeatable({ turn }: RefreshToken, { machineNow }: Moment): boolean {
  return turn !== undefined && Math.abs(machineNow - turn.at) <= REPEAT_MS
}

/** Ends a login after its token was used twice: it may be stolen, and either user may be the thief. */
async function endStolen(tx: Tx, { grant_id }: Grant): Promise<OAuthError> {
  await deleteGrant(tx, grant_id)
  return new OAuthError(
    'invalid_grant',
    'The refresh token was used before, so this login is over. Log in again.',
  )
}

/** Issues a token to a program that acts for its own account. */
export async function exchangeClientCredentials(
  tx: Tx,
  { client, scope }: { client: OAuthClient; scope: string | undefined },
  moment: Moment,
): Promise<IssuedTokens | OAuthError> {
  const scopes = grantScopes(scope, liveScopes(client.scopes, await loadAccount(tx, client.account_id)))
  if (scopes instanceof OAuthError) return scopes
  const access = await issueAccess(
    tx,
    { account_id: client.account_id, client_id: client.client_id },
    { scopes },
    moment,
  )
  return { tokens: access, accountId: client.account_id }
}

async function saveRefreshToken(tx: Tx, { grant_id }: Grant, secret: string, { now }: Moment): Promise<void> {
  await insertRefreshToken(tx, {
    token_hash: sha256Hex(secret),
    grant_id,
    expires_at: now + REFRESH_LIFE_MS,
  })
}

async function issueAccess(
  tx: Tx,
  { account_id, client_id, grant_id }: Pick<Grant, 'account_id' | 'client_id'> & { grant_id?: string },
  { scopes, secret, turnedFrom }: { scopes: readonly Scope[]; secret?: string; turnedFrom?: string },
  { now, random }: Moment,
): Promise<Tokens> {
  await deleteExpiredTokens(tx, account_id, now)
  const token = secret ?? newSecret('access', random)
  await insertToken(tx, {
    token_hash: sha256Hex(token),
    account_id,
    scopes,
    expires_at: now + ACCESS_LIFE_S * 1000,
    created_at: now,
    client_id,
    ...(grant_id !== undefined && { grant_id }),
    ...(turnedFrom !== undefined && { turned_from: turnedFrom }),
  })
  return { access_token: token, token_type: 'Bearer', expires_in: ACCESS_LIFE_S, scope: scopes.join(' ') }
}

/**
 * Revokes a token; its holder needs no other permission. A refresh token ends its whole login, an access token only
 * itself.
 */
export async function revokeToken(tx: Tx, token: string): Promise<void> {
  const tokenHash = sha256Hex(token)
  const grant = await lockGrantOf(tx, tokenHash)
  if (grant !== undefined) return deleteGrant(tx, grant.grant_id)
  // The token has reached its holder, so a repeated refresh must not restore it.
  await recordFirstTokenUse(tx, tokenHash)
  await deleteToken(tx, tokenHash)
}

export type Introspection =
  | { active: false }
  | {
      active: true
      scope: string
      client_id?: string
      sub: string
      username: string
      token_type: 'Bearer'
      iat: number
      exp: number
    }

/** Returns the scopes, account and expiry of an access token, for its holder. */
export async function introspectToken(tx: Tx, token: string, now: number): Promise<Introspection> {
  const found = await findTokenWithAccount(tx, sha256Hex(token))
  if (found === undefined || found.token.expires_at <= now) return { active: false }
  const { token: stored, account } = found
  return {
    active: true,
    scope: liveScopes(stored.scopes, account).join(' '),
    ...(stored.client_id !== undefined && { client_id: stored.client_id }),
    sub: account.account_id,
    username: account.handle,
    token_type: 'Bearer',
    iat: Math.floor(stored.created_at / 1000),
    exp: Math.floor(stored.expires_at / 1000),
  }
}
