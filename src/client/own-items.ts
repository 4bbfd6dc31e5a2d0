import { AppError } from '../core/errors.ts'
import type { Client } from './client.ts'
import type { Answer } from './operations.ts'
import { readRest } from './pages.ts'

type Item = Answer<'list_catalog_items'>['data'][number]

/** Returns an item of the caller's stores by its id; undefined when there is none. Throws AppError. */
export async function findOwnItem(client: Client, itemId: string): Promise<Item | undefined> {
  return (await listOwnItems(client)).find(({ item_id }) => item_id === itemId)
}

/** Returns the items of all stores of the caller. Throws AppError. */
export async function listOwnItems(client: Client): Promise<Item[]> {
  try {
    return await listStoreItems(client, {})
  } catch (error) {
    // With several stores the service requires one, and lists them in its error.
    const stores = error instanceof AppError ? error.extra['merchant_ids'] : undefined
    if (!Array.isArray(stores)) throw error
    const menus = await Promise.all(
      stores.map((store) => listStoreItems(client, { merchant_id: String(store) })),
    )
    return menus.flat()
  }
}

/** Returns the items of a store, in the order of the menu; of the only one where none is named. Throws AppError. */
export async function listStoreItems(client: Client, filters: { merchant_id?: string }): Promise<Item[]> {
  const next = async (cursor: string | null) => {
    const input = { ...filters, limit: 100, ...(cursor !== null && { cursor }) }
    return (await client.call('list_catalog_items', input)).value
  }
  return readRest(await next(null), next)
}
