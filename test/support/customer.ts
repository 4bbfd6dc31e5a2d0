import type { OperationOutput } from '../../src/client/operations.ts'
import type { AcceptanceContext } from './story.ts'

type PlacedOrder = OperationOutput<'place_food_order'>

type FoodOrderOptions = {
  /** The ordered item, by its name in the store's catalogue. */
  item?: string
  quantity?: number
  fulfillment?: 'pickup' | 'delivery' | 'dine_in'
  method?: 'card' | 'wallet' | 'cash' | 'pay_at_table'
  /** The test token of a card. */
  token?: string
  notes?: string
}

const HOME = {
  address: { line1: '14 Lamb Street', city: 'London', postal_code: 'E1 6EA', country_code: 'GB' },
  location: { latitude: 51.5196, longitude: -0.0755 },
}

type Items = OperationOutput<'list_catalog_items'>['data']

const menus = new WeakMap<AcceptanceContext, Promise<Items>>()

function loadMenu(told: AcceptanceContext): Promise<Items> {
  const items = told.call('list_catalog_items', { limit: 100 }).then(({ data }) => data)
  menus.set(told, items)
  return items
}

/** Orders from the account's own store, which does not accept automatically. */
export async function placeOrder(told: AcceptanceContext, wish: FoodOrderOptions = {}): Promise<PlacedOrder> {
  const { item = 'Focaccia', quantity = 3, fulfillment = 'pickup', method = 'card', token = 'tok_ok' } = wish
  const menu = await (menus.get(told) ?? loadMenu(told))
  const found = menu.find(({ name }) => name === item)
  if (found === undefined) throw new Error(`The store sells no ${item}.`)
  const quote = await told.call('quote_food_order', {
    merchant_id: found.merchant_id,
    fulfillment_type: fulfillment,
    items: [{ item_id: found.item_id, quantity }],
    ...(fulfillment === 'delivery' && { dropoff: HOME }),
    ...(fulfillment === 'dine_in' && { table: { table_number: '4', party_size: 2 } }),
  })
  return told.call('place_food_order', {
    quote_id: quote.quote_id,
    payment: { method, ...(method === 'card' && { payment_token: token }) },
    ...(wish.notes !== undefined && { notes: wish.notes }),
  })
}
