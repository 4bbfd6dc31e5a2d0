import { timingSafeEqual } from 'node:crypto'
import type { Scope } from '../core/account.ts'
import type { Tx } from '../core/db.ts'
import { sha256Bytes, sha256Hex } from '../core/hash.ts'
import { randomId } from '../core/ids.ts'
import { type OAuthClient, findClient, insertClient } from './queries/grants.ts'
import { OAuthError } from './refusal.ts'
import { newSecret } from './secrets.ts'

/**
 * The command line itself: a public client, without a secret. Any program may claim it, but gets no token before a
 * person approves.
 */
const PUBLIC_CLIENT = 'dray-cli'

/** The client id that a program sends, and its secret. */
export type ClientCredential = { clientId: string | undefined; secret: string | undefined }

/** Creates a program of an account. Returns its secret, which cannot be read again. */
export async function addClient(
  tx: Tx,
  { accountId, scopes }: { accountId: string; scopes: readonly Scope[] },
  now: number,
  random: (count: number) => Uint8Array,
): Promise<{ clientId: string; secret: string }> {
  const clientId = randomId('cli', now, random(10))
  const secret = newSecret('client', random)
  await insertClient(tx, {
    client_id: clientId,
    secret_hash: sha256Hex(secret),
    account_id: accountId,
    scopes,
    created_at: now,
  })
  return { clientId, secret }
}

/** Returns the program with this secret, 'public' for the public client, or `invalid_client`. */
export async function authenticateClient(
  tx: Tx,
  { clientId, secret }: ClientCredential,
): Promise<OAuthClient | 'public' | OAuthError> {
  if (clientId === undefined)
    return new OAuthError('invalid_client', 'client_id is missing, in the body or by HTTP Basic.')
  if (clientId === PUBLIC_CLIENT)
    return secret === undefined
      ? 'public'
      : new OAuthError('invalid_client', `${PUBLIC_CLIENT} has no secret.`)
  const client = await findClient(tx, clientId)
  // Compared even for an unknown client, so that the response time reveals nothing.
  const fits = timingSafeEqual(
    sha256Bytes(secret ?? ''),
    Uint8Array.fromHex(client?.secret_hash ?? sha256Hex(clientId)),
  )
  if (client !== undefined && fits) return client
  return new OAuthError('invalid_client', 'The client is not known, or its secret is wrong.')
}
