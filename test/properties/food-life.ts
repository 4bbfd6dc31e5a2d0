/** Compares what a step changed in every view with the model. */
import { expect } from 'vitest'
import { type ModelRun, walletBalance } from '../support/model-calls.ts'
import type { FoodModel, ModelItem, ModelOrder } from './food-model.ts'
import { expectBusinessOrder, expectFoodOrder, expectMenu, expectNothingPrivate } from './food-views.ts'

export type FoodRun = ModelRun<FoodModel>

/** Compares both views of an order, its store's list, and the customer's wallet with the model. */
export async function checkOrder(life: FoodRun, order: ModelOrder): Promise<void> {
  const { world, model } = life
  const seen = await world.call('get_food_order', { order_id: order.id }, { as: order.account })
  expect(seen.status, seen.text).toBe(200)
  expectNothingPrivate(seen.text)
  expectFoodOrder(seen.body, order)
  const { owner } = order.quote.store
  const store = await world.call('get_business_order', { order_id: order.id }, { as: owner })
  expect(store.status, store.text).toBe(200)
  expectBusinessOrder(store.body, order, model)
  expect(await walletBalance(world, order.account)).toBe(model.people.get(order.account)?.wallet)
}

/** Checks that the menu is newer and matches the catalogue after an item changed. */
export async function checkMenu(life: FoodRun, { store }: Pick<ModelItem, 'store'>): Promise<void> {
  const { world, model } = life
  const { status, body, text } = await world.call(
    'get_restaurant_menu',
    { merchant_id: store.id },
    { as: 'guest' },
  )
  expect(status, text).toBe(200)
  expectNothingPrivate(text)
  expectMenu(body, store, model.now)
  const version = Number(body['menu_version'])
  expect(version).toBeGreaterThan(store.menuVersion)
  store.menuVersion = version
}
