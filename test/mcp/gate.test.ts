import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isApproved, listWaiting, writeApproval } from '../../src/client/approvals.ts'
import type { Purchase } from '../../src/client/approvals.ts'
import type { Client } from '../../src/client/client.ts'
import type { Quote } from '../../src/client/quotes.ts'
import { spellMoney } from '../../src/domain/money.ts'
import { countOrders, findBasket, quoteFood } from '../support/agent-shopping.ts'
import { type Agent, guardOptions, openService, startAgent, YES } from '../support/agent.ts'
import type { AgentOptions } from '../support/agent.ts'
import { type Home, makeHome } from '../support/home.ts'

type Order = { order_id: string; total: unknown }

const NOON_MACHINE = Date.parse('2026-11-20T09:00:00Z')

let home: Home
let service: Client
let basket: Record<string, unknown>
let profiles = 0
const agents: Agent[] = []

beforeAll(async () => {
  home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00.000Z', DRAY_SEED: '20261120' })
  service = await openService(home)
  basket = await findBasket(service)
})

afterAll(async () => {
  for (const agent of agents) await agent.close()
  await service.close()
  home[Symbol.dispose]()
})

/** An agent with a profile of its own, at which a person has to agree. */
async function gated(options: Omit<AgentOptions, 'service'> = {}): Promise<Agent & { profile: string }> {
  const profile = `agent-${(profiles += 1)}`
  const actor = { ...guardOptions(home).actor, profile }
  const agent = await startAgent(home, { service, actor, gate: true, ...options })
  agents.push(agent)
  return { ...agent, profile: options.actor?.profile ?? profile }
}

function purchaseOf(quote: Quote, profile: string): Purchase {
  const { quote_id, total, expires_at } = quote
  const { service: address, account } = guardOptions(home).actor
  return {
    quote_id,
    total,
    expires_at,
    operation: 'place_food_order',
    tier: null,
    profile,
    service: address,
    account,
  }
}

describe.each(['2025-11-25', '2026-07-28'] as const)('a program of revision %s that can ask', (revision) => {
  test('asks its person what is bought, at what price and until when, and buys after a yes', async () => {
    const agent = await gated({ revision, answer: () => YES })
    const { quote, confirm } = await quoteFood(agent, basket)
    const { value, problem } = await agent.call<Order>('place_food_order', confirm)
    expect(problem).toBeUndefined()
    expect(value.total).toEqual(quote.total)
    expect(agent.asked).toHaveLength(1)
    expect(agent.asked[0]).toMatch(
      new RegExp(
        `^Pay ${spellMoney(quote.total)} for this food order\\?\n\nFrom: “Lime Street Noodles”\n2 × “Chicken Satay”: £`,
      ),
    )
    expect(agent.asked[0]).toContain(`Total: ${spellMoney(quote.total)}, by card\n`)
    const until = quote.expires_at.slice(11, 16)
    expect(agent.asked[0]).toContain(`The price holds until ${until} UTC, for 15 minutes more.`)
  })

  test('buys nothing after a no, and does not ask for the same again', async () => {
    const agent = await gated({ revision, answer: () => ({ action: 'decline' }) })
    const { confirm } = await quoteFood(agent, basket)
    const before = await countOrders(service)
    const answers = [
      await agent.call('place_food_order', confirm),
      await agent.call('place_food_order', confirm),
    ]
    expect(answers.map(({ problem }) => problem?.['code'])).toEqual(['not_confirmed', 'not_confirmed'])
    expect(agent.asked).toHaveLength(1)
    expect(await countOrders(service)).toBe(before)
  })

  test('takes a form that was sent without its yes for a no', async () => {
    const agent = await gated({ revision, answer: () => ({ action: 'accept', content: { agree: false } }) })
    const { confirm } = await quoteFood(agent, basket)
    expect((await agent.call('place_food_order', confirm)).problem?.['code']).toBe('not_confirmed')
  })

  test('may ask again when the question was closed without an answer', async () => {
    const answers = [{ action: 'cancel' } as const, YES]
    const agent = await gated({ revision, answer: () => answers.shift() ?? YES })
    const { confirm } = await quoteFood(agent, basket)
    expect((await agent.call('place_food_order', confirm)).problem?.['code']).toBe('not_confirmed')
    expect((await agent.call('place_food_order', confirm)).problem).toBeUndefined()
  })

  test('buys once, and asks once, however often the same is called', async () => {
    const agent = await gated({ revision, answer: () => YES })
    const { confirm } = await quoteFood(agent, basket)
    const first = await agent.call<Order>('place_food_order', confirm)
    const second = await agent.call<Order>('place_food_order', confirm)
    expect(second.value).toEqual(first.value)
    expect([first.replayed, second.replayed]).toEqual([false, true])
    expect(agent.asked).toHaveLength(1)
  })

  test('comes too late with a yes when the quote has expired meanwhile', async () => {
    const agent = await gated({
      revision,
      async answer() {
        await service.control('advance_clock', { by: '16m' })
        return YES
      },
    })
    const { confirm } = await quoteFood(agent, basket)
    const before = await countOrders(service)
    expect((await agent.call('place_food_order', confirm)).problem?.['code']).toBe('quote_expired')
    expect(await countOrders(service)).toBe(before)
  })
})
