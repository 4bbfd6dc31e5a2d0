/** Answers of tools are short by default: they tell what an agent needs, truly, and each time by the clock at its place. */
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { TOOL_OUTPUTS } from '../../src/generated/tool-outputs.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { shortOf } from '../../src/mcp/short-response.ts'
import { findBasket, quoteFood } from '../support/agent-shopping.ts'
import { type Agent, openHome, startAgent } from '../support/agent.ts'

type Value = Record<string, unknown>

let service: Client
let agent: Agent

beforeAll(async () => {
  const opened = await openHome({ DRAY_NOW: '2027-07-01T11:00:00.000Z' })
  service = opened.service
  agent = await startAgent(opened.home, { service })
})

/** Returns the paths of the fields of a value that are null, or objects without fields. */
function emptyIn(value: unknown, path = ''): string[] {
  if (value === null) return [path]
  if (typeof value !== 'object') return []
  const members = Object.entries(value)
  if (Array.isArray(value) && members.length === 0) return []
  return members.length === 0
    ? [path]
    : members.flatMap(([name, member]) => emptyIn(member, `${path}/${name}`))
}

test('a change tells price, state and ids, times as the clock there shows them, and nothing that is null', async () => {
  const { quote, confirm } = await quoteFood(agent, await findBasket(service))
  expect(quote.expires_at).toBe('2027-07-01T12:15:00+01:00')
  // A text of a person stays as it was written, even one that looks like a time.
  const notes = '2027-07-01T10:00:00.000Z'
  const { value, problem } = await agent.call<Value>('place_food_order', { ...confirm, notes })
  expect(problem).toBeUndefined()
  const whole = (await service.call('get_food_order', { order_id: String(value['order_id']) })).value
  const { merchant, lines, subtotal, fees, discounts, tax_total, total, cancellable } = whole
  const { payment_id: _, ...payment } = whole.payment
  expect(value).toMatchObject({
    order_id: whole.order_id,
    display_number: whole.display_number,
    status: 'placed',
    subtotal,
    fees,
    discounts: discounts.map(({ type, label, amount }) => ({ type, label, amount })),
    tax_total,
    total,
    payment,
    notes,
    cancellable,
    merchant: { merchant_id: merchant.merchant_id, name: merchant.name },
    // A later call about a part of the order names its line.
    lines: lines.map(({ line_id, name, quantity, total: sum }) => ({
      line_id,
      name,
      quantity,
      total: sum,
      removed: 0,
      replaced: 0,
    })),
    charged: total,
    timezone: 'Europe/London',
    created_at: '2027-07-01T12:00:00+01:00',
    estimated_ready_at: whole.local_times?.estimated_ready_at,
  })
  expect(emptyIn(value)).toEqual([])
  for (const left of ['local_times', 'status_history', 'taxes', 'updated_at'])
    expect(value).not.toHaveProperty(left)
})

test('a read gives all that HTTP gives with fields: all, and named fields as they are there', async () => {
  const listed = (await service.call('list_food_orders', { limit: 1 })).value
  const [first] = listed.data
  const order_id = first?.order_id ?? ''
  const { value: short } = await agent.call<{ data: Value[] }>('list_food_orders', { limit: 1 })
  expect(short.data[0]).toMatchObject({
    lines: first?.lines.map(({ line_id }) => ({ line_id, removed: 0, replaced: 0 })),
    charged: first?.charged,
    adjustments: [],
  })
  const whole = (await service.call('get_food_order', { order_id })).value
  const all = await agent.call<Value>('get_food_order', { order_id, fields: 'all' })
  expect(all.value).toEqual(whole)
  const some = await agent.call<Value>('get_food_order', {
    order_id,
    fields: 'created_at,courier,updated_at',
  })
  expect(some.value).toEqual({ created_at: whole.created_at, courier: null, updated_at: whole.updated_at })
})

test('a list keeps the fields around its rows, and shortens these as a single one', async () => {
  const { value } = await agent.call<{ data: Value[] }>('list_hubs', {})
  expect(value).toMatchObject({ has_more: false, next_cursor: null })
  expect(value.data.length).toBeGreaterThan(0)
  expect(emptyIn(value.data)).toEqual([])
  for (const hub of value.data) {
    expect(hub).not.toHaveProperty('location')
    expect(hub).toHaveProperty('address.postal_code')
  }
})

test('a place without name and address shows its point; one with either shows that', () => {
  const { aside = [] } = TOOLS.find(({ name }) => name === 'quote_ride') ?? {}
  const location = { latitude: 51.5129, longitude: -0.0823 }
  const address = { line1: '1 Bank', location }
  expect(
    shortOf(
      { aside },
      {},
      { pickup: { location }, dropoff: { location, address }, stops: [{ location, name: 'Bank' }] },
    ),
  ).toEqual({ pickup: { location }, dropoff: { address: { line1: '1 Bank' } }, stops: [{ name: 'Bank' }] })
})

test('the listed schema of a response requires what it always has, and nothing that it may omit', () => {
  const order = TOOL_OUTPUTS['place_food_order']?.required ?? []
  expect(order).toEqual(
    expect.arrayContaining(['order_id', 'status', 'total', 'payment', 'created_at', 'lines']),
  )
  for (const left of ['refund', 'courier', 'status_history', 'updated_at']) expect(order).not.toContain(left)
  // Batches are whole.
  expect(TOOL_OUTPUTS['import_catalog_items']?.required).toContain('results')
  expect(TOOL_OUTPUTS['list_rides']?.required).toEqual(['data', 'has_more', 'next_cursor'])
})
