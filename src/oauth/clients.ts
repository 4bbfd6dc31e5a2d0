import { timingSafeEqual } from 'node:crypto'
import type { Scope } from '../core/account.ts'
import type { Tx } from '../core/db.ts'
import { sha256Bytes, sha256Hex } from '../core/hash.ts'
import { randomId } from '../core/ids.ts'
import { Refusal } from './refusal.ts'
import { newSecret } from './secrets.ts'
import { type Client, findClient, insertClient } from './store/grants.ts'

/** Our own program. It keeps no secret: anybody may say to be it, and gets nothing before a person approves. */
const PUBLIC_CLIENT = 'dray-cli'

/** As whom a program comes: what it says, and what it shows for it. */
export type ClientCredential = { clientId: string | undefined; secret: string | undefined }

/** A program of an account, with its secret, which is known this once. */
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

/** The program that showed its secret, or 'public' for the one that has none. */
export async function authenticateClient(
  tx: Tx,
  { clientId, secret }: ClientCredential,
): Promise<Client | 'public' | Refusal> {
  if (clientId === undefined)
    return new Refusal('invalid_client', 'client_id is missing, in the body or by HTTP Basic.')
  if (clientId === PUBLIC_CLIENT)
    return secret === undefined ? 'public' : new Refusal('invalid_client', `${PUBLIC_CLIENT} has no secret.`)
  const client = await findClient(tx, clientId)
  // Compared also where there is nothing to compare with, so that the time tells nothing.
  const fits = timingSafeEqual(
    sha256Bytes(secret ?? ''),
    Uint8Array.fromHex(client?.secret_hash ?? sha256Hex(clientId)),
  )
  if (client !== undefined && fits) return client
  return new Refusal('invalid_client', 'The client is not known, or its secret is wrong.')
}
