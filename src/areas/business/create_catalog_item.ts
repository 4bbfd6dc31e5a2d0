import * as Type from 'typebox'
import { foldForSearch } from '../../core/fold.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { createItems, lockCatalog, throwIfInvalidItem } from '../catalog/lifecycle/catalog.ts'
import { refuseDuplicate } from '../catalog/lifecycle/duplicates.ts'
import { loadSections } from '../catalog/lifecycle/sections.ts'
import { validateItem, untilFaults } from '../catalog/rules/catalog.ts'
import { merchantId } from '../orders/schema.ts'
import { loadOwnStore } from './access.ts'
import { serializeCatalogItem } from './item-view.ts'
import { catalogItem, catalogItemRequest } from './schema.ts'

export const createCatalogItem = defineOperation({
  name: 'create_catalog_item',
  area: 'business',
  summary: 'Add an item to the menu of your store',
  description:
    'A new category is created. Each external_ref is unique, and so is each name in its category; a barcode may be shared only by items with different external_refs.',
  details: 'The item is on the menu at once.',
  method: 'POST',
  path: '/v1/business/catalog/items',
  scope: 'menu.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'makes',
  status: 201,
  location: '/v1/business/catalog/items/{item_id}',
  input: strictObject({ ...catalogItemRequest, merchant_id: Type.Optional(merchantId) }),
  output: catalogItem,
  errors: [
    'merchant_not_found',
    'duplicate_item',
    'invalid_modifier_group',
    'invalid_barcode',
    'currency_mismatch',
  ],
  example: () => ({
    name: 'Pad Thai',
    category: 'Noodles',
    price: { amount: 1150, currency: 'GBP' },
    description: 'Rice noodles, tamarind, peanuts',
    allergens: ['peanuts'],
  }),
  cli: {
    command: 'business catalog create',
    danger: 'write',
    flags: {
      category: { kind: 'text' },
      price: { description: 'Price, in the currency of the store; zero is confirmed with --confirm NAME' },
      modifier_groups: 'modifiers',
      unavailable_until: 'until',
      unavailable_reason: 'reason',
      image_url: 'image',
      external_ref: 'ref',
      supplier_id: 'supplier',
      tax_rate_bps: 'tax-bps',
      sort_order: 'sort',
      merchant_id: 'merchant',
    },
    columns: ['item_id', 'category.name', 'name', 'price', 'effective_available'],
    done: 'Added {name} to the menu under {category.name}.',
    next: 'dray business catalog list',
    examples: [
      'dray business catalog create --name "Pad Thai" --category Noodles --price 11.50 --dietary-tags vegan --allergens peanuts',
      'dray business catalog create --name Tea --category Drinks --price 2.50 --modifiers "Size[1-1]: *Cup | Pot=1.80; Milk[0-1]: Oat=0.40"',
      'dray business catalog create --name Laksa --category Soups --price 12 --no-available --until "tomorrow 11:00"',
    ],
  },
  async run(context, { merchant_id, ...request }) {
    const { tx, world, now } = context
    const store = await loadOwnStore(context, merchant_id, 'pointer')
    throwIfInvalidItem([...validateItem(request, store.currency), ...untilFaults(request, now)])
    const hold = await lockCatalog(context, store.merchant_id)
    const sections = await loadSections(tx, store.merchant_id)
    await refuseDuplicate(tx, store.merchant_id, {
      external_ref: request.external_ref ?? null,
      barcode: request.barcode ?? null,
      category_key: sections.keyOf(request.category),
      name_key: foldForSearch(request.name),
    })
    const [item] = await createItems({ tx, world }, hold, sections, [request])
    if (item === undefined) throw new Error('no item was created')
    return serializeCatalogItem(item, now)
  },
})
