/** With `--confirm` a person is asked before what cannot be undone or pays money out, and before nothing else. */
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { formatGroupedMoney } from '../../src/core/money.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import type { McpClientSession } from '../../src/mcp/elicitation.ts'
import { askAboutEnd } from '../../src/mcp/final-gate.ts'
import { makeGuard } from '../../src/mcp/guard.ts'
import { quoteFood } from '../support/agent-shopping.ts'
import {
  type Agent,
  type AgentOptions,
  callOpenly,
  guardOptions,
  openHome,
  startAgent,
  YES,
} from '../support/agent.ts'
import { newKey } from '../support/food.ts'
import type { Home } from '../support/home.ts'

type Order = {
  order_id: string
  display_number: string
  total: { amount: number; currency: string }
  status: string
  refund: { amount: { amount: number; currency: string } } | null
}
type Item = { item_id: string; name: string }

let home: Home
let service: Client
let profiles = 0

beforeAll(async () => {
  ;({ home, service } = await openHome())
})

async function start(options: Omit<AgentOptions, 'service'> = {}): Promise<Agent> {
  const actor = { ...guardOptions(home).actor, profile: `final-${(profiles += 1)}` }
  return startAgent(home, { service, actor, finalGate: true, ...options })
}

/** Places an order at the own store, paid by card. */
async function order(agent: Agent): Promise<Order> {
  const { data } = (await service.call('list_catalog_items', { limit: 100 })).value
  const item = data.find(
    ({ effective_available, modifier_groups }) => effective_available && modifier_groups.length === 0,
  )
  const basket = {
    merchant_id: item?.merchant_id,
    fulfillment_type: 'pickup',
    items: [{ item_id: item?.item_id, quantity: 4 }],
  }
  const { confirm } = await quoteFood(agent, basket)
  return (await agent.call<Order>('place_food_order', confirm)).value
}

test('the question about a rejection has the sum that is refunded, and a no keeps the order', async () => {
  const answers = [YES, { action: 'decline' } as const]
  const agent = await start({ answer: () => answers.pop() ?? YES })
  const [first, second] = [await order(agent), await order(agent)]
  const kept = await agent.call('reject_business_order', { order_id: first.order_id })
  expect(kept.problem).toMatchObject({ code: 'not_confirmed' })
  expect(
    (await agent.call('reject_business_order', { order_id: first.order_id, note: 'Sorry' })).problem,
  ).toMatchObject({
    code: 'not_confirmed',
  })
  expect((await agent.call<Order>('get_business_order', { order_id: first.order_id })).value.status).toBe(
    'placed',
  )
  const rejected = await agent.call<Order>('reject_business_order', { order_id: second.order_id })
  expect(rejected.value.status).toBe('rejected')
  expect(agent.asked).toEqual(
    [first, second].map(({ display_number, total }) => {
      const sum = formatGroupedMoney(total)
      return `Reject order “${display_number}” of ${sum}? ${sum} is refunded to the customer.`
    }),
  )
})

test('a deletion needs a yes, and a program that cannot ask gets the command', async () => {
  const silent = await start()
  const { value } = await silent.call<Item>('create_catalog_item', {
    name: 'For a day',
    category: 'Mains',
    price: { amount: 900, currency: 'GBP' },
  })
  const { problem } = await silent.call('delete_catalog_item', { item_id: value.item_id })
  expect(problem).toMatchObject({ code: 'approval_required' })
  expect(problem?.['hint']).toContain(
    `dray business catalog delete ${value.item_id} --as everything --confirm ${value.item_id}`,
  )
  const agent = await start({ answer: () => YES })
  expect((await agent.call('delete_catalog_item', { item_id: value.item_id })).problem).toBeUndefined()
  expect(agent.asked).toEqual(['Delete “For a day”, £9.00, from your menu for good?'])
  expect((await agent.call('delete_catalog_item', { item_id: 'itm_none' })).problem).toMatchObject({
    code: 'item_not_found',
  })
})

test('the server asks before it deletes a webhook endpoint, with its address, but not for a rejected call', async () => {
  const input = { url: 'http://127.0.0.1:9/hooks', types: ['ride.completed'] }
  const { endpoint_id } = (await service.call('create_webhook_endpoint', input)).value
  const silent = await start()
  const { problem } = await silent.call('delete_webhook_endpoint', { endpoint_id })
  expect(problem).toMatchObject({ code: 'approval_required' })
  expect(problem?.['hint']).toContain(
    `dray webhooks delete ${endpoint_id} --as everything --confirm ${endpoint_id}`,
  )
  const agent = await start({ answer: () => YES })
  expect((await agent.call('delete_webhook_endpoint', { endpoint_id })).problem).toBeUndefined()
  const none = { endpoint_id: 'whe_none' }
  expect((await agent.call('delete_webhook_endpoint', none)).problem).toMatchObject({
    code: 'webhook_endpoint_not_found',
  })
  expect(agent.asked).toEqual([
    'Delete the webhook endpoint “http://127.0.0.1:9/hooks”, with the log of its deliveries? Nothing is sent to it any more.',
  ])
})

test('a note with invisible characters is not put to the user', async () => {
  const agent = await start({ answer: () => YES })
  const { order_id } = await order(agent)
  const evil = { order_id, note: 'Sold\u202eout' }
  expect((await agent.call('reject_business_order', evil)).problem).toMatchObject({
    code: 'hidden_characters',
    errors: [{ pointer: '/note', code: 'hidden_characters' }],
  })
  expect(agent.asked).toEqual([])
})

test('a yes does not count once the order or the item has changed', async () => {
  const agent = await start({ revision: '2026-07-28', answer: () => YES })
  const { order_id } = await order(agent)
  const reject = (state?: string) => callOpenly(agent, 'reject_business_order', { order_id }, state)
  const asked = await reject()
  await service.call('accept_business_order', { order_id }, { idempotencyKey: 'accepted-by-hand' })
  expect(await reject(asked.requestState)).toMatchObject({ resultType: 'input_required' })
  expect((await service.call('get_business_order', { order_id })).value.status).toBe('accepted')

  const price = { amount: 900, currency: 'GBP' }
  const made = { name: 'Once more', category: 'Mains', price }
  const { item_id } = (await agent.call<Item>('create_catalog_item', made)).value
  const remove = (state?: string) => callOpenly(agent, 'delete_catalog_item', { item_id }, state)
  const shown = await remove()
  const dearer = { item_id, price: { ...price, amount: 1000 } }
  await service.call('update_catalog_item', dearer, { idempotencyKey: 'dearer-by-hand' })
  const again = await remove(shown.requestState)
  expect(again).toMatchObject({ resultType: 'input_required' })
  expect((await remove(again.requestState)).isError).not.toBe(true)
})

test('the server does not ask without it, nor before a cancellation or a change that can be taken back', async () => {
  const agent = await start({ finalGate: false, answer: () => YES })
  const { order_id } = await order(agent)
  expect((await agent.call('reject_business_order', { order_id })).problem).toBeUndefined()
  const gated = await start({ answer: () => YES })
  const other = await order(gated)
  expect((await gated.call('cancel_food_order', { order_id: other.order_id })).problem).toBeUndefined()
  expect([agent.asked, gated.asked]).toEqual([[], []])
})

test('the question about a refund of a part has its amount and where it goes', async () => {
  const agent = await start({ answer: () => YES })
  const { order_id, display_number } = await order(agent)
  const part = {
    order_id,
    kind: 'refunded',
    lines: [{ line_id: 'line_1', quantity: 1 }],
    reason_code: 'wrong',
  }
  const adjusted = await agent.call<Order>('adjust_business_order', part)
  const sum = formatGroupedMoney(adjusted.value.refund?.amount ?? adjusted.value.total)
  expect(agent.asked.map(String)).toEqual([
    `Refund 1 × “Focaccia” of order “${display_number}”? ${sum} goes back to the customer by card.`,
  ])
  const silent = await start()
  const { problem } = await silent.call('adjust_business_order', { ...part, note: 'Sorry' })
  expect(problem).toMatchObject({ code: 'approval_required' })
  expect(problem?.['hint']).toContain(`orders adjust ${order_id} --refund line_1=1 --reason wrong`)
})

test('an answer to a problem is asked about with what goes back: of the reported units, and less what went back meanwhile', async () => {
  const agent = await start({ answer: () => YES })
  const { order_id, display_number } = await order(agent)
  const key = () => ({ idempotencyKey: newKey() })
  for (const operation of ['accept_business_order', 'complete_business_order'] as const)
    await service.call(operation, { order_id }, key())
  const report = { order_id, reason_code: 'missing' as const, lines: [{ line_id: 'line_1', quantity: 3 }] }
  const { problems } = (await service.call('report_order_problem', report, key())).value
  const lines = [{ line_id: 'line_1', quantity: 2 }]
  await service.call('adjust_business_order', { ...report, kind: 'refunded', lines }, key())
  const answer = { order_id, problem_id: problems[0]?.problem_id, accept: 'full' }
  const answered = await agent.call<Order>('answer_order_problem', answer)
  const sum = formatGroupedMoney(answered.value.refund?.amount ?? answered.value.total)
  expect(agent.asked.map(String)).toEqual([
    `Accept the problem of order “${display_number}” (missing)? ${sum} goes back to the customer by card.`,
  ])
})

test('the question about a close of days has what each comes to, and a preview needs none', async () => {
  const silent = await start()
  const named = { through: '2026-11-20' }
  const { problem } = await silent.call('close_business_day', named)
  expect(problem).toMatchObject({ code: 'approval_required' })
  expect(problem?.['hint']).toContain(
    'dray business day close --through 2026-11-20 --as everything --confirm 2026-11-20',
  )
  type Close = { data: { date: string }[]; not_ended: number }
  const shown = await silent.call<Close>('close_business_day', { ...named, preview: true })
  expect(shown.value).toMatchObject({ data: [{ date: '2026-11-20' }], not_ended: 1 })
  const answers = [YES, { action: 'decline' } as const]
  const agent = await start({ answer: () => answers.pop() ?? YES })
  expect((await agent.call('close_business_day', named)).problem).toMatchObject({ code: 'not_confirmed' })
  const other = await start({ answer: () => YES })
  expect((await other.call<Close>('close_business_day', named)).value.not_ended).toBe(1)
  expect(other.asked).toEqual([
    expect.stringMatching(
      /^2026-11-20, 05:00 to 05:00: \d+ orders?, net sales £.*, VAT £.*, cash expected £.*\n2026-11-20 has not ended: what is paid until 05:00 on 2026-11-21 counts in the next day\.\nClose the business day 2026-11-20\? A closed day never changes\.$/,
    ),
  ])
  expect((await other.call('close_business_day', {})).problem).toMatchObject({ code: 'invalid_state' })
})

test('a close says that it cannot be undone', () => {
  expect(TOOLS.find(({ name }) => name === 'close_business_day')?.listed.annotations.destructiveHint).toBe(
    true,
  )
})

test('the tools that are final are those that delete, close or give money back', () => {
  const final = TOOLS.filter((tool) => tool.final).map(({ name }) => name)
  expect(final).toEqual([
    'reject_business_order',
    'delete_catalog_item',
    'adjust_business_order',
    'answer_order_problem',
    'close_business_day',
    'delete_webhook_endpoint',
  ])
})

test('every final tool has a question, or is rejected by the service', async () => {
  const guard = makeGuard(guardOptions(home), () => Promise.reject(new Error('nobody pays')))
  for (const tool of TOOLS.filter(({ final }) => final)) {
    const nothing = {
      order_id: 'ord_none',
      item_id: 'itm_none',
      endpoint_id: 'whe_none',
      through: '1999-01-01',
    }
    const asked = askAboutEnd(guard, service, { tool, input: nothing, program: {} as McpClientSession })
    expect(await asked, tool.name).toBeUndefined()
  }
})

test('a final tool that has no question is not called', async () => {
  const guard = makeGuard(guardOptions(home), () => Promise.reject(new Error('nobody pays')))
  const called = { tool: { name: 'delete_store' }, input: {}, program: {} as McpClientSession }
  await expect(askAboutEnd(guard, service, called)).rejects.toThrow(
    'delete_store is final and has no question',
  )
})
