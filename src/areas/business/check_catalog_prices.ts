import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, describeField, money, nullable } from '../../core/schema.ts'
import type { ItemRequest } from '../catalog/lifecycle/catalog.ts'
import { findPriceReferences, type References } from '../catalog/lifecycle/references.ts'
import { findItems, type ItemRecord } from '../catalog/queries/catalog.ts'
import { toItemMembers } from '../catalog/rules/item-history.ts'
import { type PriceChange, steepChanges, steepUpdate } from '../catalog/rules/price-references.ts'
import { listMerchantsOf } from '../merchants/queries.ts'
import { itemId, merchantId } from '../orders/schema.ts'
import { requireBusinessAgreement, loadOwnStore } from './access.ts'
import { assertFewRows, fillRow, importRowFields, type RowBody } from './import-rows.ts'
import { itemBasics } from './schema.ts'

const checked = (meaning: string) =>
  Type.Array(
    strictObject({
      row: Type.Integer({ minimum: 1, meaning: 'Row number, from 1 in the order sent' }),
      changes: Type.Array(
        strictObject({
          field: Type.String({ meaning: 'Changed price: price, or a modifier such as Size: Pot' }),
          from: describeField('Previous price', money),
          to: describeField('New price', money),
          percent: nullable('Change in per cent; null if the item was free', Type.Number()),
        }),
        { meaning: 'Prices that differ by more than half' },
      ),
    }),
    { meaning },
  )

export const checkCatalogPrices = defineOperation({
  name: 'check_catalog_prices',
  area: 'business',
  toolset: null,
  summary: 'Find price changes of more than half',
  description:
    'Changes nothing. Compares each price with the last price that a user confirmed and with the price 24 hours ago. A new item is also compared with an item that had its name, external_ref or barcode in the last 24 hours and no longer has it. The same holds for a renamed item, even if its prices stay.',
  method: 'POST',
  path: '/v1/business/catalog/price-check',
  scope: 'menu.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  bodyLimit: 5 * 1_048_576,
  input: strictObject({
    updates: Type.Optional(
      Type.Array(
        strictObject({
          item_id: itemId,
          name: Type.Optional(itemBasics.name),
          price: Type.Optional(itemBasics.price),
          modifier_groups: itemBasics.modifier_groups,
        }),
        { maxItems: 500, description: 'Changes to items on the menu' },
      ),
    ),
    ...importRowFields,
    items: Type.Optional(importRowFields.items),
    merchant_id: Type.Optional(merchantId),
  }),
  output: strictObject({
    updates: checked('Results by change, in the order sent'),
    items: checked('Results by new item, in the order sent; rejected rows have none'),
  }),
  errors: ['manifest_too_large', 'merchant_not_found'],
  example: (done) => ({
    updates: [{ item_id: done['create_catalog_item'].item_id, price: { amount: 120, currency: 'GBP' } }],
  }),
  cli: { command: 'business catalog import', danger: 'read' },
  async run(context, { updates = [], items = [], default_category, default_currency, merchant_id }) {
    const { tx, now } = context
    assertFewRows(items)
    const own = await findOwn(context, updates)
    const store = items.length === 0 ? undefined : await loadOwnStore(context, merchant_id, 'pointer')
    const byStore = Map.groupBy(own.values(), (item) => item.merchant_id)
    if (store !== undefined && !byStore.has(store.merchant_id)) byStore.set(store.merchant_id, [])
    const references = new Map<string, References>()
    for (const [id, its] of byStore) references.set(id, await findPriceReferences(tx, id, now, its))
    const rows = await readNew(context, items, (row) => fillRow(row, default_category, default_currency))
    return {
      updates: updates.map(({ item_id, ...wanted }, index) => {
        const item = own.get(item_id)
        const before = item && references.get(item.merchant_id)?.ofItem(item, wanted.name ?? item.name)
        return toResult(index, before && steepUpdate(toItemMembers(item), before, wanted))
      }),
      items: rows.map((row, index) => {
        const before = row && references.get(store?.merchant_id ?? '')?.ofNew(row)
        return toResult(index, row && steepChanges(undefined, before ?? [], row))
      }),
    }
  },
})

/** Returns the caller's items among those that shall change, by their ids; another's is as if it were not there. */
async function findOwn(
  context: OperationContext,
  updates: readonly { item_id: string }[],
): Promise<ReadonlyMap<string, ItemRecord>> {
  if (updates.length === 0) return new Map()
  const stores = await listMerchantsOf(context.tx, requireBusinessAgreement(context))
  const ids = new Set(stores.map(({ merchant_id }) => merchant_id))
  const items = await findItems(
    context.tx,
    updates.map(({ item_id }) => item_id),
  )
  return new Map(items.flatMap((item) => (ids.has(item.merchant_id) ? [[item.item_id, item]] : [])))
}

/** Reads rows as an import does; undefined stands for one that it would reject. */
async function readNew(
  { readRow }: OperationContext,
  items: readonly unknown[],
  fill: (row: RowBody) => RowBody,
): Promise<(ItemRequest | undefined)[]> {
  const rows: (ItemRequest | undefined)[] = []
  for (const row of items) {
    const { input, errors } = await readRow('create_catalog_item', fill(row as RowBody))
    rows.push(errors.length === 0 ? (input as unknown as ItemRequest) : undefined)
  }
  return rows
}

function toResult(index: number, changes: readonly PriceChange[] = []) {
  return {
    row: index + 1,
    changes: changes.map(({ field, from, to, percent }) => ({ field, from, to, percent })),
  }
}
