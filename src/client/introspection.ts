/** Asks a service for a token's account and scopes (RFC 7662). */
import { AppError } from '../core/errors.ts'
import { readResponseObject } from './answers.ts'
import type { Identity } from './client.ts'
import type { ExchangeResponse } from './exchange.ts'
import type { SenderRequest } from './sender.ts'

const NOTHING_TOLD: Identity = { accountId: undefined, account: undefined, scopes: undefined }

/** Returns the request. The token in question also authorises it. */
export function introspectionOf(token: string, headers: Record<string, string>): SenderRequest {
  return {
    method: 'POST',
    path: '/oauth/introspect',
    headers: { ...headers, Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
  }
}

/**
 * Returns the identity; nothing known when the service has no such path. Throws `invalid_token` for an inactive
 * token.
 */
export function readIdentity(reply: ExchangeResponse): Identity {
  if (reply.status === 404 || reply.status === 405) return NOTHING_TOLD
  const { active, scope, sub, username } = readResponseObject(reply)
  if (active !== true) throw new AppError('invalid_token', 'The token is not known, or not valid any more.')
  return {
    accountId: typeof sub === 'string' ? sub : undefined,
    account: typeof username === 'string' ? username : undefined,
    scopes: typeof scope === 'string' ? scope.split(' ') : undefined,
  }
}
