import { AppError } from '../core/errors.ts'
import type { Client } from './client.ts'
import type { OperationOutput } from './operations.ts'
import { readRemainingPages } from './pages.ts'

export type CatalogItem = OperationOutput<'list_catalog_items'>['data'][number]

export type StoreSummary = { merchant_id: string; name: string }

/** Returns an item of the caller's stores by its id; undefined when there is none. Throws AppError. */
export async function findOwnItem(client: Client, itemId: string): Promise<CatalogItem | undefined> {
  return (await listOwnItems(client)).find(({ item_id }) => item_id === itemId)
}

/** Returns the items of all stores of the caller. Throws AppError. */
export async function listOwnItems(client: Client): Promise<CatalogItem[]> {
  try {
    return await listStoreItems(client)
  } catch (error) {
    // With several stores the service requires one, and lists them in its error.
    const stores = storesOf(error)
    if (stores === undefined) throw error
    const menus = await Promise.all(stores.map(({ merchant_id }) => listStoreItems(client, merchant_id)))
    return menus.flat()
  }
}

/** Returns the items of a store, in the order of the menu; of the only one where none is named. Throws AppError. */
export async function listStoreItems(client: Client, merchant?: string): Promise<CatalogItem[]> {
  const store = merchant === undefined ? {} : { merchant_id: merchant }
  const next = async (cursor: string | null) => {
    const input = { ...store, limit: 100, ...(cursor !== null && { cursor }) }
    return (await client.call('list_catalog_items', input)).value
  }
  return readRemainingPages(await next(null), next)
}

/** Returns the stores that a refusal lists; by their ids for a service that tells no names. Undefined where it lists none. */
export function storesOf(error: unknown): StoreSummary[] | undefined {
  if (!(error instanceof AppError)) return undefined
  const { merchants, merchant_ids } = error.extra as { merchants?: StoreSummary[]; merchant_ids?: string[] }
  return merchants ?? merchant_ids?.map((id) => ({ merchant_id: id, name: id }))
}
