/** Finds the items that replace others on an order, with their options, as the store sells them now. */
import { AppError } from '../../../core/errors.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { reserveStock } from '../../catalog/lifecycle/stock.ts'
import { findItems } from '../../catalog/queries/catalog.ts'
import { isItemAvailableAt } from '../../catalog/rules/catalog.ts'
import { lockMerchant } from '../../merchants/queries.ts'
import type { OrderRecord } from '../queries/orders.ts'
import type { LineAdjustmentRequest, SubstitutionQuestion, ItemReplacement } from '../rules/adjust.ts'
import type { BasketItemRequest } from '../rules/lines.ts'
import type { LineTaken } from '../rules/shares.ts'
import { makeReplacements } from '../rules/substitution.ts'

/** Units to replace, and the item that takes their place. */
export type ReplaceRequest = LineAdjustmentRequest & {
  replacement?: Omit<BasketItemRequest, 'quantity' | 'notes'> | undefined
}

/**
 * Returns the item in place of each taken line, and the stock that is reserved for them. Throws `item_not_found`, `item_unavailable`
 * and `invalid_modifier_selection`.
 */
export async function reserveReplacements(
  scene: ChangeContext,
  { merchant_id }: OrderRecord,
  lines: readonly ReplaceRequest[],
  taken: readonly LineTaken[],
): Promise<{
  items: ItemReplacement[]
  reserved: SubstitutionQuestion['reserved']
  /** The menu categories of the items, by the item. */
  categories: Readonly<Record<string, string>>
}> {
  const wanted = lines.map(({ replacement }, at): BasketItemRequest => ({
    item_id: '',
    ...replacement,
    quantity: taken[at]?.quantity ?? 1,
  }))
  const merchant = await lockMerchant(scene.tx, merchant_id)
  const ids = wanted.map(({ item_id }) => item_id)
  const found = (await findItems(scene.tx, ids)).filter((item) => item.merchant_id === merchant_id)
  const items = new Map(found.map((item) => [item.item_id, item]))
  for (const [at, id] of ids.entries()) {
    const item = items.get(id)
    if (item !== undefined && isItemAvailableAt(item, scene.at)) continue
    const detail = item === undefined ? `the store has no item ${id}` : `${item.name} is not available now`
    throw new AppError(item === undefined ? 'item_not_found' : 'item_unavailable', `${detail}.`, {
      extra: { item_ids: [id] },
      errors: [{ pointer: `/lines/${at}/replacement/item_id`, code: 'not_in_menu', detail }],
      hint: '`dray business catalog list` shows what is on sale.',
    })
  }
  const listed = found.map(({ item_id, name, doc }) => [item_id, { item_id, name, ...doc }] as const)
  const made = makeReplacements(new Map(listed), wanted, merchant?.doc.tax_rate_bps ?? 0)
  const categories = Object.fromEntries(found.map(({ item_id, category }) => [item_id, category.category_id]))
  return { items: made, reserved: await reserveStock(scene, merchant_id, found, wanted), categories }
}
