import * as Type from 'typebox'
import type { Tx } from '../../core/db.ts'
import { foldForSearch } from '../../core/fold.ts'
import { defineOperation } from '../../core/operation.ts'
import { toBusinessInstant } from '../../core/period.ts'
import {
  strictObject,
  paginated,
  paginationParams,
  nonBlankText,
  businessDayOrDateTime,
} from '../../core/schema.ts'
import { findCategoryId, listItems } from '../catalog/queries/catalog.ts'
import { merchantId } from '../orders/schema.ts'
import { loadOwnStore } from './access.ts'
import { serializeCatalogItem } from './item-view.ts'
import { catalogItem } from './schema.ts'

export const listCatalogItems = defineOperation({
  name: 'list_catalog_items',
  area: 'business',
  summary: 'List the items of your store in menu order',
  description:
    'Includes the private fields: cost, stock, barcode, supplier. A page may be short or empty while has_more is true.',
  details: 'Deleted items are not listed. A filter that matches few of many items may need several pages.',
  method: 'GET',
  path: '/v1/business/catalog/items',
  scope: 'menu.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    category: Type.Optional(nonBlankText(120, { description: 'Category, by name or ID' })),
    available: Type.Optional(
      Type.Boolean({ description: 'Available items only (true) or unavailable items only (false)' }),
    ),
    q: Type.Optional(nonBlankText(80, { description: 'Part of the name' })),
    updated_since: Type.Optional(
      businessDayOrDateTime('Earliest time of last change, included; a date is a business day'),
    ),
    merchant_id: Type.Optional(merchantId),
    ...paginationParams,
  }),
  output: paginated(catalogItem),
  errors: ['invalid_cursor', 'merchant_not_found'],
  example: () => ({ q: 'focaccia' }),
  cli: {
    command: 'business catalog list',
    danger: 'read',
    flags: { merchant_id: 'merchant' },
    columns: [
      'name',
      'category.name',
      'price',
      'effective_available',
      'availability.until',
      'external_ref',
      'item_id',
      'version',
    ],
    examples: [
      'dray business catalog list',
      'dray business catalog list --category Noodles --no-available',
      'dray business catalog list --q "pad thai" --output json',
    ],
  },
  async run(context, { category, available, q, updated_since, merchant_id }) {
    const { tx, now, cursor } = context
    const store = await loadOwnStore(context, merchant_id, 'parameter')
    const [category_sort, category_id, sort_order, item_id] = cursor.after ?? []
    const { rows, scannedTo } = await listItems(
      tx,
      store.merchant_id,
      {
        category_id: category === undefined ? undefined : await toCategoryId(tx, store.merchant_id, category),
        obtainable: available === undefined ? undefined : { is: available, now },
        q: q === undefined ? undefined : foldForSearch(q),
        updated_since: toBusinessInstant(updated_since, store.timezone),
      },
      {
        after:
          item_id === undefined
            ? undefined
            : {
                category_sort: Number(category_sort),
                category_id: String(category_id),
                sort_order: Number(sort_order),
                item_id: String(item_id),
              },
        limit: cursor.limit + 1,
      },
    )
    return cursor.page(
      rows,
      (item) => [item.category.sort_order, item.category.category_id, item.sort_order, item.item_id],
      (item) => serializeCatalogItem(item, now),
      scannedTo && [scannedTo.category_sort, scannedTo.category_id, scannedTo.sort_order, scannedTo.item_id],
    )
  },
})

/** A section is meant by its name or its id; what is neither is no section, and nothing is in it. */
async function toCategoryId(tx: Tx, merchantId: string, given: string): Promise<string> {
  return (await findCategoryId(tx, merchantId, foldForSearch(given))) ?? given
}
