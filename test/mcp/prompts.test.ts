/** Prompts and completions: what an MCP client offers to the person who types. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { listPrompts, PROMPTS } from '../../src/mcp/prompts.ts'
import { type Agent, openHome, openTestService, startAgent } from '../support/agent.ts'
import type { Home } from '../support/home.ts'
import { makeParcel } from '../support/parcel.ts'

let home: Home
let service: Client
let agent: Agent

beforeAll(async () => {
  ;({ home, service } = await openHome())
  agent = await startAgent(home, { service, purse: { service: 'here', account: 'typist' } })
})

const textOf = async (name: string, args?: Record<string, string>): Promise<string> => {
  const { messages } = await agent.client.getPrompt({ name, ...(args !== undefined && { arguments: args }) })
  expect(messages).toHaveLength(1)
  const [{ content } = {}] = messages
  return content?.type === 'text' ? content.text : ''
}

describe('a prompt', () => {
  test('is listed with its arguments, and names only tools that there are', async () => {
    const { prompts } = await agent.client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(PROMPTS.map(({ name }) => name))
    expect(prompts[0]).toEqual({
      name: 'order_food',
      title: 'Order food to an address',
      description: 'Finds a store that delivers, prices a basket, and orders after you agree.',
      arguments: [
        {
          name: 'address',
          description: 'Delivery address: an address in one line, a postcode, or a place such as kings-cross',
          required: true,
        },
        { name: 'wish', description: 'Dish or kitchen', required: false },
        { name: 'budget', description: 'Maximum total, all fees included', required: false },
      ],
    })
    const names = new Set(TOOLS.map(({ name }) => name))
    for (const { name, tools, text } of PROMPTS) {
      const told = text.join(' ').match(/\b[a-z]+_[a-z_]+\b/g) ?? []
      const named = told.filter((word) => names.has(word))
      expect({ name, unlisted: named.filter((tool) => !tools.includes(tool)) }).toEqual({
        name,
        unlisted: [],
      })
      expect({ name, unknown: tools.filter((tool) => !names.has(tool)) }).toEqual({ name, unknown: [] })
    }
  })

  test('puts what was typed in quotes, and omits the sentences of what was not', async () => {
    const full = await textOf('order_food', { address: 'kings-cross', wish: 'a "mild" curry', budget: '£25' })
    expect(full).toContain(
      'delivered to "kings-cross". I would like "a \\"mild\\" curry". The maximum total is "£25"',
    )
    const short = await textOf('order_food', { address: 'kings-cross', budget: ' ' })
    expect(short).toContain('delivered to "kings-cross". Search open stores')
    expect(short).not.toMatch(/[{}]|would like|maximum total/)
    expect(await textOf('store_morning')).toContain('before I agree')
    expect(await textOf('where_is_my_order')).not.toContain('It is the order')
  })

  test('says of every purchase that it waits for a yes', () => {
    const buying = TOOLS.filter(({ read, spends }) => !read && spends !== undefined).map(({ name }) => name)
    const prompts = PROMPTS.filter(({ tools }) => tools.some((tool) => buying.includes(tool)))
    expect(prompts.length).toBeGreaterThan(0)
    for (const { name, text } of prompts)
      expect({ name, text: text.join(' ') }).toEqual({
        name,
        text: expect.stringMatching(/after I agree|before I agree|before I choose/) as string,
      })
  })

  test('is hidden from a caller without one of its tools', () => {
    const names = (tools: readonly string[]) => listPrompts(new Set(tools)).map(({ name }) => name)
    expect(names(['quote_ride', 'request_ride'])).toEqual(['request_ride'])
    expect(names(['quote_ride'])).toEqual([])
  })

  test.each([
    ['no_such_prompt', {}, 'Unknown prompt: no_such_prompt. prompts/list lists them all.'],
    ['request_ride', { from: 'bank' }, 'The prompt needs the argument to.'],
    ['request_ride', { from: 'bank', to: '  ' }, 'The prompt needs the argument to.'],
    ['store_morning', { store: 'x' }, 'The prompt has no argument "store".'],
    ['request_ride', { from: 'x'.repeat(501), to: 'bank' }, 'The argument from has 500 characters at most.'],
  ])('%s with %j is refused', async (name, given, message) => {
    await expect(agent.client.getPrompt({ name, arguments: given })).rejects.toMatchObject({
      code: -32_602,
      message,
    })
  })
})

const PROMPT = (name: string) => ({ type: 'ref/prompt', name }) as const
const ADDRESS = (uri: string) => ({ type: 'ref/resource', uri }) as const
const LABEL = 'dray://shipments/{tracking_number}/label.png{?size,dpi}'
const HISTORY = 'dray://catalog/items/{item_id}/history'

const complete = async (
  ref: ReturnType<typeof PROMPT | typeof ADDRESS>,
  name: string,
  value: string,
  through = agent,
) => (await through.client.complete({ ref, argument: { name, value } })).completion

describe('a completion', () => {
  test('of a place has those that begin with the text first', async () => {
    const { values } = await complete(PROMPT('request_ride'), 'from', 'Cam')
    expect(values.slice(0, 2)).toEqual(['camden', 'camden-market'])
    const { values: all, total, hasMore } = await complete(PROMPT('order_food'), 'address', '')
    expect({ count: all.length, hasMore }).toEqual({ count: 100, hasMore: true })
    expect(total).toBeGreaterThan(100)
    expect(await complete(PROMPT('order_food'), 'address', 'nowhere at all')).toEqual({
      values: [],
      total: 0,
      hasMore: false,
    })
  })

  test('of services and tasks has the kinds that there are', async () => {
    expect((await complete(PROMPT('book_service'), 'service', 'clea')).values).toEqual(['cleaning'])
    const { values } = await complete(PROMPT('have_something_done'), 'task', '')
    const { value } = await service.call('list_task_types', {})
    expect(values).toEqual(value.data.map(({ task_type }) => task_type))
  })

  test('of an id has the caller’s own, also by the words that a person knows it by', async () => {
    const made = await agent.call<{ tracking_number: string }>(
      'create_shipment',
      makeParcel({ reference: 'GIFT-7' }),
    )
    const { tracking_number } = made.value
    expect((await complete(ADDRESS(LABEL), 'tracking_number', 'gift')).values).toEqual([tracking_number])
    const items = await agent.call<{ data: { item_id: string; name: string }[] }>('list_catalog_items', {})
    const [first] = items.value.data
    expect((await complete(ADDRESS(HISTORY), 'item_id', first?.name ?? '')).values).toContain(first?.item_id)

    const stranger = await startAgent(home, {
      service: await openTestService(home, 'shipper'),
      purse: { service: 'here', account: 'stranger' },
    })
    expect((await complete(ADDRESS(LABEL), 'tracking_number', 'gift', stranger)).values).toEqual([])
  })

  test('of paper and dots has what labels have; a time has none', async () => {
    expect((await complete(ADDRESS(LABEL), 'dpi', '')).values).toEqual(['203', '300'])
    expect((await complete(ADDRESS(LABEL), 'size', 'a')).values).toEqual(['a6'])
    expect((await complete(ADDRESS(LABEL), 'item_id', '')).values).toEqual([])
    expect((await complete(PROMPT('request_ride'), 'when', 't')).values).toEqual([])
  })

  test.each([PROMPT('no_such_prompt'), ADDRESS('dray://nothing/{id}')])('of %j is rejected', async (ref) => {
    await expect(complete(ref, 'id', '')).rejects.toMatchObject({ code: -32_602 })
  })
})
