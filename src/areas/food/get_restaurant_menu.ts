import * as Type from 'typebox'
import type { Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { foldForSearch } from '../../core/fold.ts'
import { type JsonText, toJsonText } from '../../core/json-text.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, nonBlankText } from '../../core/schema.ts'
import { toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import { cached } from '../../db/read-cache.ts'
import { type ItemRecord, listMenuItems } from '../catalog/queries/catalog.ts'
import { computeNextAvailableAt, isItemAvailableAt } from '../catalog/rules/catalog.ts'
import { scheduleHoldsUntil } from '../catalog/rules/schedule.ts'
import { looksAgainAt } from '../catalog/rules/stock.ts'
import { findMerchant } from '../merchants/queries.ts'
import { merchantId } from '../orders/schema.ts'
import { menu, type menuItem } from './schema.ts'

type Menu = Type.Static<typeof menu>

export const getRestaurantMenu = defineOperation({
  name: 'get_restaurant_menu',
  area: 'food',
  summary: 'Show the menu of a store by category',
  description:
    'Works for closed stores, too. Unavailable items stay on the menu with available false, unless available_only is true.',
  details: 'menu_version increases with each change to the menu.',
  method: 'GET',
  path: '/v1/food/merchants/{merchant_id}/menu',
  scope: 'food.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    merchant_id: merchantId,
    category: Type.Optional(nonBlankText(120, { description: 'Category, by name or ID' })),
    available_only: Type.Optional(Type.Boolean({ default: false, description: 'Available items only' })),
  }),
  output: menu,
  errors: ['merchant_not_found'],
  brief: {
    usual:
      'categories.name,categories.items.item_id,categories.items.name,categories.items.price,categories.items.available,categories.items.dietary_tags,categories.items.allergens,categories.items.modifier_groups.name,categories.items.modifier_groups.min_selections,categories.items.modifier_groups.max_selections,categories.items.modifier_groups.modifiers.modifier_id,categories.items.modifier_groups.modifiers.name,categories.items.modifier_groups.modifiers.price_delta.amount,categories.items.modifier_groups.modifiers.available,categories.items.modifier_groups.modifiers.is_default',
    long: {
      fields:
        'categories.name,categories.items.item_id,categories.items.name,categories.items.price,categories.items.available',
    },
    rest: 'category returns one category; fields: categories.name lists them',
  },
  example: (done) => ({ merchant_id: done['search_restaurants'].data[0].merchant_id }),
  cli: { command: 'food menu', danger: 'read' },
  async run({ tx, now }, input) {
    const { answer } = await cached(
      tx,
      {
        key: JSON.stringify(['menu', input.merchant_id, input.category, input.available_only]),
        tables: ['merchants', 'categories', 'catalog_items'],
        holds: ({ from, until }) => from <= now && now < until,
        sizeOf: ({ answer: { text: menuText } }) => menuText.length,
      },
      () => readMenu(tx, input, now),
    )
    return answer
  },
})

/** A menu as it is shown from one instant until before another. */
type ShownMenu = { answer: JsonText<Menu>; from: number; until: number }

async function readMenu(
  tx: Tx,
  {
    merchant_id,
    category,
    available_only = false,
  }: { merchant_id: string; category?: string; available_only?: boolean },
  now: number,
): Promise<ShownMenu> {
  // PostgreSQL gets both questions in one packet.
  const [merchant, items] = await Promise.all([findMerchant(tx, merchant_id), listMenuItems(tx, merchant_id)])
  if (merchant === undefined) {
    throw new AppError('merchant_not_found', `No store ${merchant_id}.`, {
      hint: '`dray food search` lists the stores near a point.',
    })
  }
  const wanted = category === undefined ? undefined : foldForSearch(category)
  const answer = toJsonText<Menu>({
    merchant_id,
    currency: merchant.currency,
    menu_version: merchant.menu_version,
    updated_at: toTimestamp(merchant.menu_updated_at),
    categories: toSections(
      items.filter(
        (item) =>
          (wanted === undefined ||
            item.category.name_key === wanted ||
            item.category.category_id === category) &&
          (!available_only || isItemAvailableAt(item, now)),
      ),
      now,
    ),
  })
  // The items that come back on sale later are not among those that can be had now.
  if (available_only) return { answer, from: now, until: now }
  const returns = items
    .flatMap((item) => [
      item.unavailable_until ?? Infinity,
      looksAgainAt(item, now),
      scheduleHoldsUntil(item, now),
    ])
    .filter((until) => until > now)
  return { answer, from: now, until: Math.min(...returns) }
}

/** Items are in the order of the menu, so those of a section follow each other. */
function toSections(items: readonly ItemRecord[], now: number): Menu['categories'] {
  const sections: Menu['categories'] = []
  for (const item of items) {
    const { category_id, name, sort_order } = item.category
    let section = sections.at(-1)
    if (section?.category_id !== category_id) {
      section = { category_id, name, sort_order, items: [] }
      sections.push(section)
    }
    section.items.push(toMenuItem(item, now))
  }
  return sections
}

/**
 * Returns an item as customers see it, field by field: a field that is not named here stays private. An item that is not on sale is
 * listed, too (docs/rules/food-and-stores.md#an-item-off-sale-stays-on-the-menu).
 */
function toMenuItem(item: ItemRecord, now: number): Type.Static<typeof menuItem> {
  const { doc } = item
  const available = isItemAvailableAt(item, now)
  return {
    item_id: item.item_id,
    name: item.name,
    description: doc.description,
    price: { amount: doc.price.amount, currency: doc.price.currency },
    available,
    unavailable_until: toTimestampOrNull(computeNextAvailableAt(item, now)),
    image_url: doc.image_url,
    dietary_tags: doc.dietary_tags,
    allergens: doc.allergens,
    modifier_groups: doc.modifier_groups.map((group) => ({
      modifier_group_id: group.modifier_group_id,
      name: group.name,
      min_selections: group.min_selections,
      max_selections: group.max_selections,
      allow_repeats: group.allow_repeats,
      modifiers: group.modifiers.map((modifier) => ({
        modifier_id: modifier.modifier_id,
        name: modifier.name,
        price_delta: modifier.price_delta,
        available: modifier.available,
        is_default: modifier.is_default,
      })),
    })),
  }
}
