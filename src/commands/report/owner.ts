/** The names of those that a report is about, as far as the service tells them. */
import type { Client } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { resolveAccount, loadSandboxAccounts, type SandboxAccount } from '../accounts.ts'

/** Returns the name of the account that the report is of; its short name or id where only those are known. */
export async function readAccountName(client: Client): Promise<string | undefined> {
  const { account, known } = await whoAsks(client)
  return account?.name ?? known
}

/** Returns the name of the store that the report is of; its id, or the account, where the name is not known. */
export async function readStoreName(client: Client, merchantId: string | null): Promise<string | undefined> {
  const { account, known } = await whoAsks(client)
  const [only, ...more] = account?.stores ?? []
  if (only !== undefined && more.length === 0) return only
  const found = only === undefined || merchantId === null ? undefined : await findSpot(client, merchantId)
  return found ?? merchantId ?? account?.name ?? known
}

async function whoAsks(client: Client): Promise<{ account?: SandboxAccount; known?: string | undefined }> {
  const identity = await orNothing(client.whoAmI())
  const known = identity?.account ?? identity?.accountId
  if (known === undefined) return {}
  const accounts = await orNothing(loadSandboxAccounts(client))
  return accounts === undefined ? { known } : { account: resolveAccount(accounts, known), known }
}

/** An account lists the names of its stores without their ids; the map of the sandbox has both. */
async function findSpot(client: Client, merchantId: string): Promise<string | undefined> {
  const world = await orNothing(client.control('get_world', {}))
  return world?.places.find(({ place_id }) => place_id === merchantId)?.name
}

/** A name is not worth a failure: a service elsewhere has no control calls, and a token may not say whose it is. */
async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
