import { AppError } from '../core/errors.ts'
import type { Client } from './client.ts'
import type { Answer } from './operations.ts'
import { readRest } from './pages.ts'

type Item = Answer<'list_catalog_items'>['data'][number]

/** An item of the caller's own menu by its id, in whichever of its stores; undefined when it is not there. Throws AppError. */
export async function findOwnItem(client: Client, itemId: string): Promise<Item | undefined> {
  return (await listOwnItems(client)).find(({ item_id }) => item_id === itemId)
}

async function listOwnItems(client: Client): Promise<Item[]> {
  try {
    return await listStore(client, {})
  } catch (error) {
    // Of several stores the service wants to know which, and says which there are.
    const stores = error instanceof AppError ? error.extra['merchant_ids'] : undefined
    if (!Array.isArray(stores)) throw error
    const menus = await Promise.all(stores.map((store) => listStore(client, { merchant_id: String(store) })))
    return menus.flat()
  }
}

async function listStore(client: Client, filters: { merchant_id?: string }): Promise<Item[]> {
  const next = async (cursor: string | null) => {
    const input = { ...filters, limit: 100, ...(cursor !== null && { cursor }) }
    return (await client.call('list_catalog_items', input)).value
  }
  return readRest(await next(null), next)
}
