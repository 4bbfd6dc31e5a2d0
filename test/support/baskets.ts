/** Baskets and orders at stores of the test accounts. */
import type { CaseInput } from './cases.ts'
import { gbp } from './money.ts'
import type { TestSandbox } from './world.ts'

type FulfillmentType = 'pickup' | 'delivery' | 'dine_in'

/** A customer's order at a store. The stores of these accounts do not accept automatically. */
export type CustomerOrderOptions = {
  as?: string
  keeper?: 'everything' | 'owner'
  type?: FulfillmentType
  method?: 'card' | 'wallet' | 'cash' | 'pay_at_table'
  token?: string
  quantity?: number
  table?: string
  scheduled?: string
}

const DOORSTEP = { location: { latitude: 51.5196, longitude: -0.0955 }, name: 'Home' }

/** Dishes without choices, and the quantity that a delivery requires. */
const DISHES = { everything: 'Focaccia', owner: 'Summer Rolls' } as const
let made = 0

/** Returns a unique text for a name, a reference or a key. */
export function unique(prefix: string): string {
  made += 1
  return `${prefix} ${made}`
}

/** Returns the body of a simple quote. */
export async function makeQuoteBody(
  world: TestSandbox,
  { keeper = 'everything', type = 'pickup', quantity = 3, table = '4', scheduled }: CustomerOrderOptions = {},
): Promise<CaseInput & { merchant_id: string }> {
  const { data } = await world.ok('list_catalog_items', { q: DISHES[keeper], limit: 1 }, { as: keeper })
  const [dish] = data
  if (dish === undefined) throw new Error(`${keeper} sells no ${DISHES[keeper]}`)
  return {
    merchant_id: dish.merchant_id,
    fulfillment_type: type,
    items: [{ item_id: dish.item_id, quantity }],
    ...(type === 'delivery' && { dropoff: DOORSTEP }),
    ...(type === 'dine_in' && { table: { table_number: table, party_size: 2 } }),
    ...(scheduled !== undefined && { scheduled_for: scheduled }),
  }
}

/** Makes a quote and returns the input that confirms it. */
export async function makeConfirm(
  world: TestSandbox,
  wish: CustomerOrderOptions = {},
): Promise<CaseInput & { quote_id: string }> {
  const { as = 'everything', method = 'card', token = 'tok_ok' } = wish
  const { quote_id } = await world.ok('quote_food_order', await makeQuoteBody(world, wish), { as })
  return { quote_id, payment: { method, ...(method === 'card' && { payment_token: token }) } }
}

/** Places an order. */
export async function placeCustomerOrder(world: TestSandbox, wish: CustomerOrderOptions = {}) {
  const { as = 'everything' } = wish
  return world.ok('place_food_order', await makeConfirm(world, wish), {
    as,
    key: unique('order').replace(' ', '-'),
  })
}

/** Creates an item of the account's store and returns its id. */
export async function createItem(world: TestSandbox, as = 'everything'): Promise<string> {
  const item = { name: unique('Dish'), category: 'Tests', price: gbp(500) }
  return (await world.ok('create_catalog_item', item, { as })).item_id
}
