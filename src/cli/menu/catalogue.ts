/** What a store sells now, as `list_catalog_items` shows it. */
import type { Client } from '../../client/client.ts'
import type { UnavailableReason } from '../../domain/catalog.ts'
import type { ModifierGroup } from '../../domain/food.ts'
import type { Money } from '../../domain/money.ts'
import { AppError } from '../../errors.ts'

export type CatalogItem = {
  item_id: string
  merchant_id: string
  name: string
  description: string | null
  price: Money
  category: { category_id: string; name: string; sort_order: number }
  modifier_groups: ModifierGroup[]
  availability: { available: boolean; until: string | null; reason: UnavailableReason | null }
  dietary_tags: string[]
  allergens: string[]
  image_url: string | null
  sort_order: number
  sku: string | null
  external_ref: string | null
  barcode: string | null
  cost: Money | null
  stock: number | null
  supplier_id: string | null
  tax_rate_bps: number | null
}

type Page = { data: CatalogItem[]; next_cursor: string | null }

/** Every item, in the order of the menu. Throws AppError; `usage` when the account has several stores and none is named. */
export async function listCatalogue(client: Client, merchant: string | undefined): Promise<CatalogItem[]> {
  const items: CatalogItem[] = []
  let cursor: string | null = null
  do {
    const page: Page = await readPage(client, merchant, cursor)
    items.push(...page.data)
    if (page.next_cursor === cursor) break
    cursor = page.next_cursor
  } while (cursor !== null)
  return items
}

async function readPage(client: Client, merchant: string | undefined, cursor: string | null): Promise<Page> {
  try {
    const { value } = await client.call('list_catalog_items', {
      limit: 100,
      ...(merchant !== undefined && { merchant_id: merchant }),
      ...(cursor !== null && { cursor }),
    })
    return value as Page
  } catch (error) {
    if (error instanceof AppError && error.errors.some(({ parameter }) => parameter === 'merchant_id'))
      throw new AppError('usage', error.message, { hint: 'Say which with --merchant ID.', cause: error })
    throw error
  }
}
