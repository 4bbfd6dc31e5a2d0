import { AppError } from '../core/errors.ts'
import type { Client } from './client.ts'
import { type Page, readRest } from './pages.ts'

/** An item of the caller's own menu by its id, in whichever of its stores; undefined when it is not there. Throws AppError. */
export async function findOwnItem<T extends { item_id: string }>(
  client: Client,
  itemId: string,
): Promise<T | undefined> {
  return (await listOwnItems<T>(client)).find(({ item_id }) => item_id === itemId)
}

async function listOwnItems<T>(client: Client): Promise<T[]> {
  try {
    return await listStore<T>(client, {})
  } catch (error) {
    // Of several stores the service wants to know which, and says which there are.
    const stores = error instanceof AppError ? error.extra['merchant_ids'] : undefined
    if (!Array.isArray(stores)) throw error
    const menus = await Promise.all(
      stores.map((store: unknown) => listStore<T>(client, { merchant_id: store })),
    )
    return menus.flat()
  }
}

async function listStore<T>(client: Client, filters: Record<string, unknown>): Promise<T[]> {
  const next = async (cursor: string | null): Promise<Page<T>> => {
    const input = { ...filters, limit: 100, ...(cursor !== null && { cursor }) }
    return (await client.call('list_catalog_items', input)).value as Page<T>
  }
  return readRest(await next(null), next)
}
