/** The calls by which clients of a replaced world quote, buy and send. */
import { makeParcel } from '../../support/parcel.ts'
import { bodyOf } from './holding.ts'
import type { HttpAnswer, ServedWorld } from './served-world.ts'

/** The account that holds things, and another one that makes the same after it. */
export const BUYER = 'everything'
export const RIVAL = 'member'
/** The account that shares its orders. It makes the same again itself, so no other thing of it may be held. */
export const SHARER = 'guest'

const STORE = 'Lime Street Noodles'
const CARD = { method: 'card', payment_token: 'tok_ok' }

type ListedItem = { item_id: string; available: boolean; modifier_groups: { min_selections: number }[] }

/** Returns a basket of one thing that the noodle bar sells without a choice. */
async function findBasket(world: ServedWorld): Promise<Record<string, unknown>> {
  const path = '/v1/food/merchants?latitude=51.5135&longitude=-0.0890&limit=100'
  const { data } = bodyOf(await world.request({ as: BUYER, path })) as {
    data: { merchant_id: string; name: string }[]
  }
  const merchant_id = data.find(({ name }) => name === STORE)?.merchant_id ?? ''
  const menu = bodyOf(await world.request({ as: BUYER, path: `/v1/food/merchants/${merchant_id}/menu` })) as {
    categories: { items: ListedItem[] }[]
  }
  const item = menu.categories
    .flatMap(({ items }) => items)
    .find(
      (each) => each.available && each.modifier_groups.every(({ min_selections }) => min_selections === 0),
    )
  return { merchant_id, fulfillment_type: 'pickup', items: [{ item_id: item?.item_id, quantity: 1 }] }
}

const baskets = new WeakMap<ServedWorld, Promise<Record<string, unknown>>>()

/** Returns the basket of a world, which is found once. */
export function readMealBasket(world: ServedWorld): Promise<Record<string, unknown>> {
  const basket = baskets.get(world) ?? findBasket(world)
  baskets.set(world, basket)
  return basket
}

/** Returns a quote of a meal. */
export async function quoteMeal(world: ServedWorld, as: string): Promise<Record<string, unknown>> {
  return bodyOf(await world.request({ as, path: '/v1/food/orders/quote', body: await readMealBasket(world) }))
}

export function confirmMeal(
  world: ServedWorld,
  as: string,
  { quote_id, key }: { quote_id: unknown; key: string },
): Promise<HttpAnswer> {
  return world.request({ as, path: '/v1/food/orders', body: { quote_id, payment: CARD }, key })
}

/** Buys a meal. Returns the order. */
export async function buyMeal(world: ServedWorld, as: string, key: string): Promise<Record<string, unknown>> {
  // A guest of a new world is no member yet.
  if (as === SHARER) await world.control('set_membership', { account: SHARER, status: 'active' })
  const { quote_id } = await quoteMeal(world, as)
  return bodyOf(await confirmMeal(world, as, { quote_id, key }))
}

/** Sends a parcel to a door of its own. */
export function sendParcel(
  world: ServedWorld,
  { door, key }: { door: number; key?: string },
): Promise<HttpAnswer> {
  const body = makeParcel({}, { line1: `${door} Friar Street` })
  return world.request({ as: BUYER, path: '/v1/shipments', body, ...(key !== undefined && { key }) })
}
