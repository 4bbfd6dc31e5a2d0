/** Pointers at the texts of others in a response: `_meta["dray/untrusted"]`. */
import { beforeAll, expect, test } from 'vitest'
import { pointersByOthers } from '../../src/mcp/untrusted.ts'
import { quoteFood } from '../support/agent-shopping.ts'
import { type Agent, openHome, startAgent } from '../support/agent.ts'
import { makeParcel } from '../support/parcel.ts'

let agent: Agent

beforeAll(async () => {
  const { home, service } = await openHome()
  agent = await startAgent(home, { service })
})

/** Returns the value at each pointer of a response. */
async function untrusted(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { _meta, structuredContent } = await agent.client.callTool({ name, arguments: args })
  const pointers = (_meta?.['dray/untrusted'] ?? []) as string[]
  return Object.fromEntries(
    pointers.map((pointer) => [
      pointer,
      pointer
        .split('/')
        .slice(1)
        .reduce((value: unknown, name) => (value as Record<string, unknown>)[name], structuredContent),
    ]),
  )
}

test('a customer sees which words are those of stores, and a store which are those of its customers', async () => {
  const laksa = { name: 'Laksa', category: 'Soups', price: { amount: 900, currency: 'GBP' } }
  const item = await agent.call<{ item_id: string; merchant_id: string }>('create_catalog_item', laksa)
  const { merchant_id, item_id } = item.value
  const items = [{ item_id, quantity: 1 }]
  const { confirm } = await quoteFood(agent, { merchant_id, fulfillment_type: 'pickup', items })
  const placed = { ...confirm, notes: 'Ring twice' }
  const { value } = await agent.call<{ order_id: string }>('place_food_order', placed)
  const order = { order_id: value.order_id }
  const bought = await untrusted('get_food_order', order)
  expect(bought).toMatchObject({ '/lines/0/name': 'Laksa', '/merchant/name': expect.any(String) as string })
  expect(Object.keys(bought)).not.toContain('/notes')
  const sold = await untrusted('get_business_order', order)
  expect(sold).toMatchObject({ '/notes': 'Ring twice', '/customer/first_name': expect.any(String) as string })
  expect(Object.keys(sold)).not.toContain('/lines/0/name')
})

test('a search points at each store, and nothing points at what the caller wrote', async () => {
  const found = await untrusted('search_restaurants', { latitude: 51.5134, longitude: -0.0889, limit: 2 })
  expect(Object.keys(found)).toEqual(expect.arrayContaining(['/data/0/name', '/data/1/name']))
  expect(await untrusted('list_catalog_items', { limit: 2 })).toEqual({})
  expect(await untrusted('create_shipment', makeParcel())).toEqual({})
})

test('a long answer has pointers at its lists, in place of thousands at their entries', () => {
  const paths = ['data/*/name', 'data/*/tags', 'store/name']
  const rows = (count: number) => ({
    data: Array.from({ length: count }, () => ({ name: 'Laksa', tags: [] })),
    store: { name: 'Forno' },
  })
  expect(pointersByOthers(paths, rows(2))).toEqual(['/data/0/name', '/data/1/name', '/store/name'])
  expect(pointersByOthers(paths, rows(300))).toEqual(['/data', '/store/name'])
})
