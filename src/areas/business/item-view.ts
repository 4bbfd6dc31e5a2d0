import type { Static } from 'typebox'
import { unpackWeekHours } from '../../core/opening-hours.ts'
import { toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import type { ItemRecord } from '../catalog/queries/catalog.ts'
import { computeNextAvailableAt, isItemAvailableAt } from '../catalog/rules/catalog.ts'
import { stockAt } from '../catalog/rules/stock.ts'
import type { catalogItem } from './schema.ts'

/** An item as its store sees it, private fields too. */
export function serializeCatalogItem(item: ItemRecord, now: number): Static<typeof catalogItem> {
  const { category, doc, unavailable_until: until } = item
  return {
    item_id: item.item_id,
    merchant_id: item.merchant_id,
    name: item.name,
    description: doc.description,
    price: doc.price,
    category: {
      category_id: category.category_id,
      name: category.name,
      sort_order: category.sort_order,
    },
    modifier_groups: doc.modifier_groups,
    availability: {
      available: item.available,
      until: toTimestampOrNull(until),
      reason: doc.unavailable_reason,
    },
    schedule: unpackWeekHours(item.schedule),
    category_schedule: unpackWeekHours(category.schedule),
    available_from: toTimestampOrNull(computeNextAvailableAt(item, now)),
    effective_available: isItemAvailableAt(item, now),
    dietary_tags: doc.dietary_tags,
    allergens: doc.allergens,
    image_url: doc.image_url,
    sort_order: item.sort_order,
    sku: doc.sku,
    external_ref: item.external_ref,
    barcode: item.barcode,
    cost: doc.cost,
    stock: stockAt(item, now),
    supplier_id: doc.supplier_id,
    tax_rate_bps: doc.tax_rate_bps,
    version: item.version,
    created_at: toTimestamp(item.created_at),
    updated_at: toTimestamp(item.updated_at),
  }
}
