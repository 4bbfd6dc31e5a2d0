/** Reads a store's present menu, as `list_catalog_items` shows it. */
import type { Client } from '../../../client/client.ts'
import type { Answer } from '../../../client/operations.ts'
import { listStoreItems } from '../../../client/own-items.ts'
import { AppError } from '../../../core/errors.ts'

export type CatalogItem = Answer<'list_catalog_items'>['data'][number]

/** Every item, in the order of the menu. Throws AppError. */
export function listCatalogue(client: Client, merchant: string | undefined): Promise<CatalogItem[]> {
  return listStoreItems(client, merchant === undefined ? {} : { merchant_id: merchant })
}

/** Returns what a credential that may only write gets in place of a menu. */
export async function unlessHidden<T, N>(read: Promise<T>, none: N): Promise<T | N> {
  try {
    return await read
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return none
    throw error
  }
}
