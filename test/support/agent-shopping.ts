/** The tool calls by which an agent buys noodles. */
import type { OperationOutput, OperationInput } from '../../src/client/operations.ts'
import type { Agent } from './agent.ts'
import { LIME_STREET, NEAR } from './food.ts'

type Item = {
  item_id: string
  name: string
  modifier_groups: { min_selections: number; modifiers: { modifier_id: string }[] }[]
}

/** The calls of a service, or of the tools over it. */
type Caller = { call(operation: string, input: Record<string, unknown>): Promise<{ value: unknown }> }

/** Returns the arguments of `quote_food_order` for two portions and a starter, as the menu lists them. */
export async function findBasket(service: Caller): Promise<OperationInput<'quote_food_order'>> {
  const found = await service.call('search_restaurants', { ...NEAR.location, limit: 100 })
  const { data } = found.value as { data: { merchant_id: string; name: string }[] }
  const merchant_id = data.find(({ name }) => name === LIME_STREET)?.merchant_id ?? ''
  const menu = (await service.call('get_restaurant_menu', { merchant_id })).value as {
    categories: { items: Item[] }[]
  }
  const all = menu.categories.flatMap(({ items }) => items)
  const line = (name: string, quantity: number) => {
    const item = all.find((each) => each.name === name)
    if (item === undefined) throw new Error(`no ${name} on the menu`)
    const modifiers = item.modifier_groups.flatMap(({ min_selections, modifiers: choices }) =>
      choices.slice(0, min_selections).map(({ modifier_id }) => ({ modifier_id })),
    )
    return { item_id: item.item_id, quantity, modifiers }
  }
  return {
    merchant_id,
    fulfillment_type: 'pickup',
    items: [line('Chicken Satay', 2), line('Summer Rolls', 1)],
  }
}

/** Returns a quote, and the arguments that confirm it. */
export async function quoteFood(
  agent: Pick<Agent, 'call'>,
  basket: Record<string, unknown>,
): Promise<{ quote: OperationOutput<'quote_food_order'>; confirm: Record<string, unknown> }> {
  const { value: quote, problem } = await agent.call<OperationOutput<'quote_food_order'>>(
    'quote_food_order',
    basket,
  )
  if (problem !== undefined) throw new Error(JSON.stringify(problem))
  return {
    quote,
    confirm: { quote_id: quote.quote_id, payment: { method: 'card', payment_token: 'tok_ok' } },
  }
}

/** Returns the number of orders. */
export async function countOrders(service: Caller): Promise<number> {
  const { value } = await service.call('list_food_orders', { limit: 100 })
  return (value as { data: unknown[] }).data.length
}
