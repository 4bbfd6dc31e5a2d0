/** What a store sells now, as `list_catalog_items` shows it. */
import type { UnavailableReason } from '../../../areas/catalog/rules/catalog.ts'
import type { ModifierGroup } from '../../../areas/catalog/rules/modifiers.ts'
import type { Client } from '../../../client/client.ts'
import { type Page, readRest } from '../../../client/pages.ts'
import { AppError } from '../../../core/errors.ts'
import type { Money } from '../../../core/money.ts'

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
  version: number
}

/** Every item, in the order of the menu. Throws AppError; `usage` when the account has several stores and none is named. */
export async function listCatalogue(client: Client, merchant: string | undefined): Promise<CatalogItem[]> {
  const next = (cursor: string | null): Promise<Page<CatalogItem>> => readPage(client, merchant, cursor)
  return readRest(await next(null), next)
}

async function readPage(
  client: Client,
  merchant: string | undefined,
  cursor: string | null,
): Promise<Page<CatalogItem>> {
  try {
    const { value } = await client.call('list_catalog_items', {
      limit: 100,
      ...(merchant !== undefined && { merchant_id: merchant }),
      ...(cursor !== null && { cursor }),
    })
    return value as Page<CatalogItem>
  } catch (error) {
    if (error instanceof AppError && error.errors.some(({ parameter }) => parameter === 'merchant_id'))
      throw new AppError('usage', error.message, {
        hint: 'Say which with --merchant ID.',
        extra: error.extra,
        cause: error,
      })
    throw error
  }
}
