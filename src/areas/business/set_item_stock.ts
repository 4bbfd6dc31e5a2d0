import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, nullable } from '../../core/schema.ts'
import { findItem } from '../catalog/queries/catalog.ts'
import { writeStock } from '../catalog/queries/stock.ts'
import { stockAt } from '../catalog/rules/stock.ts'
import { bumpMenuVersion } from '../merchants/queries.ts'
import { itemId } from '../orders/schema.ts'
import { lockOwnItem, noItem } from './access.ts'
import { storeHoursError } from './hours.ts'
import { serializeCatalogItem } from './item-view.ts'
import { catalogItem } from './schema.ts'

const MAX_STOCK = 1_000_000_000

export const setItemStock = defineOperation({
  name: 'set_item_stock',
  area: 'business',
  toolset: 'store-day',
  summary: 'Count the stock of an item',
  description:
    'An item with stock 0 cannot be ordered, and orders take what they contain. stock null: not counted. change adds or takes some. The availability set by set_catalog_item_availability and the version stay as they are.',
  method: 'PUT',
  path: '/v1/business/catalog/items/{item_id}/stock',
  scope: 'menu.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  adds: 'change',
  input: strictObject({
    item_id: itemId,
    stock: Type.Optional(
      nullable('New count; null if not counted', Type.Integer({ minimum: 0, maximum: MAX_STOCK })),
    ),
    change: Type.Optional(
      Type.Integer({
        minimum: -MAX_STOCK,
        maximum: MAX_STOCK,
        description: 'Number to add, below 0 to take',
      }),
    ),
  }),
  output: catalogItem,
  errors: ['item_not_found'],
  example: (done) => ({ item_id: done['list_catalog_items'].data[0].item_id, stock: 12 }),
  cli: {
    command: 'business catalog stock',
    danger: 'write',
    columns: ['item_id', 'name', 'stock', 'effective_available'],
  },
  async run(context, { item_id, stock, change }) {
    const { tx } = context
    if ((stock === undefined) === (change === undefined))
      throw storeHoursError(
        '/stock',
        stock === undefined ? 'required' : 'mutually_exclusive',
        'give stock or change, and not both',
      )
    const { hold, item } = await lockOwnItem(context, item_id)
    const before = stockAt(item, hold.at)
    if (change !== undefined && before === null)
      throw storeHoursError('/change', 'out_of_range', `${item.name} is not counted: give stock`)
    const after: number | null = stock === undefined ? (before ?? 0) + (change ?? 0) : stock
    if (after !== null && (after < 0 || after > MAX_STOCK))
      throw storeHoursError(
        '/change',
        'out_of_range',
        `the stock of ${item.name} is ${before}; it cannot become ${after}`,
      )
    await writeStock(tx, item_id, after)
    if ((before === 0) !== (after === 0)) await bumpMenuVersion(tx, hold.merchant.merchant_id, hold.at)
    const counted = await findItem(tx, item_id)
    if (counted === undefined) throw noItem(item_id)
    return serializeCatalogItem(counted, hold.at)
  },
})
