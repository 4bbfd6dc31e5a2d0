/** An item that is on sale at some times only, and what its store and customers see of it. */
import { expect } from 'vitest'
import type { OpeningHours } from '../../src/core/opening-hours.ts'
import { makeItem } from './items.ts'
import { FRIDAY_NOON_MS, OWNER } from './store-hours.ts'
import type { ENGINES } from './stores.ts'
import { openTestSandbox, type TestSandbox } from './world.ts'

export const LUNCH: OpeningHours[] = [{ day: 'fri', opens: '11:00', closes: '15:00' }]
export const EVENING: OpeningHours[] = [{ day: 'fri', opens: '18:00', closes: '22:00' }]

/** Opens a world in which Forno sells an item, at a noon of a Friday. */
export async function openSandboxWithItem(engine: (typeof ENGINES)[number], at = FRIDAY_NOON_MS) {
  const world = await openTestSandbox({ engine, at })
  const { merchant_id, item_id, category } = await world.ok('create_catalog_item', makeItem(), OWNER)
  const basket = { merchant_id, fulfillment_type: 'pickup', items: [{ item_id, quantity: 1 }] }
  return {
    world,
    item_id,
    category_id: category.category_id,
    basket,
    set: (spans: OpeningHours[] | null, more = {}) =>
      world.ok('set_item_schedule', { item_id, spans, ...more }, OWNER),
    setCategory: (spans: OpeningHours[] | null) =>
      world.ok('set_category_schedule', { category_id: category.category_id, spans }, OWNER),
    see: () => seen(world, item_id, merchant_id),
  }
}

/** Returns what the store and its customers see of an item. */
async function seen(world: TestSandbox, item_id: string, merchant_id: string) {
  const own = async (available?: boolean) => {
    const input = { q: 'laksa', ...(available !== undefined && { available }) }
    return (await world.ok('list_catalog_items', input, OWNER)).data.find((each) => each.item_id === item_id)
  }
  const onMenu = async (available_only: boolean) => {
    const menu = await world.ok('get_restaurant_menu', { merchant_id, available_only })
    return menu.categories.flatMap(({ items }) => items).find((each) => each.item_id === item_id)
  }
  const item = await own()
  const shown = await onMenu(false)
  const [on, off, listed] = [await own(true), await own(false), await onMenu(true)]
  // All surfaces say the same.
  expect([on !== undefined, off === undefined, listed !== undefined, shown?.available]).toEqual(
    Array.from({ length: 4 }, () => item?.effective_available),
  )
  expect(shown?.unavailable_until).toBe(item?.available_from)
  return { available: item?.effective_available, from: item?.available_from, item }
}
