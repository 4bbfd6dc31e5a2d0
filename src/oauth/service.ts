/** The logins of a service, for its HTTP routes. Each call is one transaction at one point in time. */
import { serviceNow } from '../core/clock.ts'
import type { Db, Tx } from '../core/db.ts'
import { loadWorld, lockWorld } from '../db/world.ts'
import { authenticateClient, type ClientCredential } from './clients.ts'
import { startDeviceLogin } from './device.ts'
import { OAuthError } from './refusal.ts'
import {
  exchangeClientCredentials,
  exchangeDeviceCode,
  exchangeRefreshToken,
  introspectToken,
  type Introspection,
  type IssuedTokens,
  type Moment,
  revokeToken,
} from './token.ts'

/** The grants of the token endpoint, by the names they have on the wire. */
export const GRANT_TYPES = {
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  refresh: 'refresh_token',
  client: 'client_credentials',
} as const

/** The parameters of a request to the token endpoint. */
export type TokenRequest = ClientCredential & {
  grantType: string | undefined
  deviceCode: string | undefined
  refreshToken: string | undefined
  scope: string | undefined
}

export type Logins = {
  startDevice(
    asked: ClientCredential & { scope: string | undefined; device: string },
  ): Promise<{ deviceCode: string; userCode: string; expiresIn: number; interval: number }>
  /** Throws Error, as `startDevice` does. */
  exchange(request: TokenRequest): Promise<IssuedTokens>
  revoke(token: string): Promise<void>
  introspect(token: string): Promise<Introspection>
}

type LoginDeps = {
  /** The machine's clock, milliseconds since the epoch. */
  now: () => number
  /** A cryptographically secure source. */
  random: (count: number) => Uint8Array
}

/** Makes the logins of a service over its store. */
export function makeLogins(db: Db, { now, random }: LoginDeps): Logins {
  /** Locks the world, because a reset would not see what this transaction writes for its accounts. */
  const hold = async (tx: Tx): Promise<Moment> => {
    const machineNow = now()
    return { now: serviceNow((await lockWorld(tx)).clock, machineNow), machineNow, random }
  }
  /** Commits before it throws an error, so that the writes are kept. */
  async function settle<T>(work: (tx: Tx, moment: Moment) => Promise<T | OAuthError>): Promise<T> {
    const outcome = await db.write(async (tx) => work(tx, await hold(tx)))
    if (outcome instanceof OAuthError) throw outcome
    return outcome
  }

  return {
    startDevice: (asked) =>
      settle(async (tx, moment) => {
        const client = await authenticateClient(tx, asked)
        if (client instanceof OAuthError) return client
        if (client !== 'public' || asked.clientId === undefined) return notForClients()
        const { clientId, scope, device } = asked
        return startDeviceLogin(tx, { clientId, scope, device }, moment.now, random)
      }),
    exchange: (request) => settle((tx, moment) => exchange(tx, request, moment)),
    revoke: (token) => db.write((tx) => revokeToken(tx, token)),
    introspect: (token) =>
      db.read(async (tx) => introspectToken(tx, token, serviceNow((await loadWorld(tx)).clock, now()))),
  }
}

async function exchange(tx: Tx, request: TokenRequest, moment: Moment): Promise<IssuedTokens | OAuthError> {
  const { grantType, clientId, deviceCode, refreshToken, scope } = request
  if (grantType === undefined) return missing('grant_type')
  if (!Object.values<string>(GRANT_TYPES).includes(grantType))
    return new OAuthError(
      'unsupported_grant_type',
      `grant_type is none of ${Object.values(GRANT_TYPES).join(', ')}.`,
    )
  const client = await authenticateClient(tx, request)
  if (client instanceof OAuthError) return client
  if (grantType === GRANT_TYPES.client) {
    if (client !== 'public') return exchangeClientCredentials(tx, { client, scope }, moment)
    return new OAuthError(
      'unauthorized_client',
      'This client has no secret, so it has no account of its own.',
    )
  }
  if (client !== 'public' || clientId === undefined) return notForClients()
  if (grantType === GRANT_TYPES.device)
    return deviceCode === undefined
      ? missing('device_code')
      : exchangeDeviceCode(tx, { deviceCode, clientId }, moment)
  return refreshToken === undefined
    ? missing('refresh_token')
    : exchangeRefreshToken(tx, { refreshToken, clientId, scope }, moment)
}

function missing(parameter: string): OAuthError {
  return new OAuthError('invalid_request', `${parameter} is missing.`)
}

function notForClients(): OAuthError {
  return new OAuthError(
    'unauthorized_client',
    'A client with a secret gets its tokens by client_credentials.',
  )
}
