import { beforeAll, describe, expect, test } from 'vitest'
import { commandLine } from '../../src/cli/output/shell.ts'
import type { Client } from '../../src/client/client.ts'
import { AppError } from '../../src/core/errors.ts'
import type { McpClientSession } from '../../src/mcp/elicitation.ts'
import { makeGuard } from '../../src/mcp/guard.ts'
import { askAboutPrice } from '../../src/mcp/price-gate.ts'
import {
  type Agent,
  type AgentOptions,
  callOpenly,
  guardOptions,
  openHome,
  startAgent,
  YES,
} from '../support/agent.ts'
import type { Home } from '../support/home.ts'

type Result = Awaited<ReturnType<Agent['call']>>

type Item = { item_id: string; name: string; price: { amount: number; currency: string } }

let home: Home
let service: Client
let items: Item[]
let profiles = 0

beforeAll(async () => {
  ;({ home, service } = await openHome())
  items = await listItems()
})

async function listItems(): Promise<Item[]> {
  return ((await service.call('list_catalog_items', { limit: 100 })).value as { data: Item[] }).data
}

/** Starts an agent with its own profile on this machine's sandbox, where it may buy without a person. */
async function inSandbox(options: Omit<AgentOptions, 'service'> = {}): Promise<Agent> {
  const actor = { ...guardOptions(home).actor, profile: `menu-${(profiles += 1)}` }
  return startAgent(home, { service, actor, ...options })
}

/** Returns a call that multiplies the price of an item. */
function times(at: number, factor: number) {
  const item = items[at]
  if (item === undefined) throw new Error('The store sells too little.')
  const { amount, currency } = item.price
  const price = { amount: amount * factor, currency }
  return { item, args: { item_id: item.item_id, price } }
}

async function amountOf({ item_id }: Item): Promise<number | undefined> {
  return (await listItems()).find((item) => item.item_id === item_id)?.price.amount
}

test('a person is asked before an agent multiplies a price by a hundred, and a yes changes it', async () => {
  const agent = await inSandbox({ answer: () => YES })
  const { item, args } = times(0, 100)
  expect((await agent.call('update_catalog_item', args)).problem).toBeUndefined()
  expect(agent.asked).toHaveLength(1)
  expect(agent.asked[0]).toContain(`Change the price of “${item.name}” on your menu?`)
  expect(agent.asked[0]).toContain('(+9900%)')
  expect(await amountOf(item)).toBe(item.price.amount * 100)
})

test('a no changes nothing, and the question is not repeated', async () => {
  const agent = await inSandbox({ answer: () => ({ action: 'decline' }) })
  const { item, args } = times(1, 100)
  const codes = [await agent.call('update_catalog_item', args), await agent.call('update_catalog_item', args)]
  expect(codes.map(({ problem }) => problem?.['code'])).toEqual(['not_confirmed', 'not_confirmed'])
  expect(agent.asked).toHaveLength(1)
  expect(await amountOf(item)).toBe(item.price.amount)
})

test('a declined price stays declined for every server of the account, whatever else is changed with it', async () => {
  const purse = { service: 'sandbox', account: 'store' }
  const first = await inSandbox({ purse, answer: () => ({ action: 'decline' }) })
  const { item, args } = times(4, 100)
  await first.call('update_catalog_item', args)
  const second = await inSandbox({ purse, answer: () => YES })
  const again = await second.call('update_catalog_item', {
    ...args,
    name: 'Renamed too',
    idempotency_key: 'another',
  })
  expect(again.problem).toMatchObject({ code: 'not_confirmed' })
  expect(second.asked).toEqual([])
  expect(await amountOf(item)).toBe(item.price.amount)
})

test('a program that cannot ask gets the complete command for a terminal', async () => {
  const commandOf = (words: readonly string[]): string => [...words, '--profile work'].join(' ')
  const agent = await inSandbox({ commandOf })
  const { item, args } = times(2, 100)
  const { problem } = await agent.call('update_catalog_item', args)
  expect(problem).toMatchObject({ code: 'approval_required' })
  const { item_id: id, price } = item
  expect(problem?.['hint']).toContain(
    `\`business catalog update ${id} --price £${price.amount}.00 --as everything --confirm ${id} --profile work\``,
  )
  expect(await amountOf(item)).toBe(item.price.amount)
})

test('a small change of a price, and a new name, need no yes', async () => {
  const agent = await inSandbox({ answer: () => YES })
  const { item } = times(3, 1)
  const price = { amount: item.price.amount + 10, currency: item.price.currency }
  const changed = await agent.call('update_catalog_item', { item_id: item.item_id, price, name: 'Renamed' })
  expect(changed.problem).toBeUndefined()
  expect(agent.asked).toEqual([])
})

test('a free choice that comes to cost more than half of its item is asked about, and up to that is not', async () => {
  const agent = await inSandbox({ answer: () => YES })
  const { item_id, price } = times(6, 1).item
  const half = Math.floor(price.amount / 2)
  const change = async (...amounts: number[]): Promise<void> => {
    const modifiers = amounts.map((amount, at) => ({
      name: `Choice ${at + 1}`,
      price_delta: { amount, currency: price.currency },
    }))
    const changed = await agent.call('update_catalog_item', {
      item_id,
      modifier_groups: [{ name: 'Extras', min_selections: 0, modifiers }],
    })
    expect(changed.problem).toBeUndefined()
  }
  await change(0, 0)
  await change(half, 0)
  expect(agent.asked).toEqual([])
  await change(half, half + 1)
  expect(agent.asked).toEqual([expect.stringContaining('Extras: Choice 2')])
})

test('a person is asked before an agent puts items on sale for nothing', async () => {
  const free = (name: string) => ({ name, category: 'Gifts', price: { amount: 0, currency: 'GBP' } })
  const sized = {
    ...free('Gift in two sizes'),
    modifier_groups: [
      {
        name: 'Size',
        min_selections: 1,
        modifiers: [{ name: 'Small', price_delta: { amount: 100, currency: 'GBP' } }],
      },
    ],
  }
  const refusing = await inSandbox({ answer: () => ({ action: 'decline' }) })
  const refused = await refusing.call('create_catalog_item', free('Gift'))
  expect(refused.problem).toMatchObject({ code: 'not_confirmed' })
  expect((await refusing.call('create_catalog_item', sized)).problem).toBeUndefined()
  expect(refusing.asked).toEqual(['Put “Gift” on your menu for nothing?'])
  const commandOf = (words: readonly string[]): string => commandLine(['dray', ...words])
  const silent = await inSandbox({ commandOf })
  const { problem } = await silent.call('create_catalog_item', free('Another gift'))
  expect(problem).toMatchObject({ code: 'approval_required' })
  expect(problem?.['hint']).toContain(
    "business catalog create --name 'Another gift' --category Gifts --price 0 --as everything --confirm 'Another gift'",
  )
  const agreeing = await inSandbox({ answer: () => YES })
  const added = await agreeing.call('import_catalog_items', { items: [free('Gift 1'), free('Gift 2')] })
  expect(added.problem).toBeUndefined()
  expect(agreeing.asked).toEqual(['Put “Gift 1”, “Gift 2” on your menu for nothing?'])
  expect((await agreeing.call('create_catalog_item', { name: 'No price' })).problem).toMatchObject({
    code: 'invalid_request',
  })
})

test('the server asks no question when the gate is off', async () => {
  const agent = await inSandbox({ priceGate: false, answer: () => YES })
  const { item, args } = times(5, 100)
  expect((await agent.call('update_catalog_item', args)).problem).toBeUndefined()
  expect(agent.asked).toEqual([])
  expect(await amountOf(item)).toBe(item.price.amount * 100)
})

test('a yes to one price counts once, and for no other price or item', async () => {
  const agent = await inSandbox({ revision: '2026-07-28', answer: () => YES })
  const [one, other] = [times(6, 100), times(7, 100)]
  const send = (args: Record<string, unknown>, requestState?: string) =>
    callOpenly(agent, 'update_catalog_item', args, requestState)
  const dearer = { ...one.args, price: { ...one.args.price, amount: one.args.price.amount + 1 } }
  for (const args of [dearer, { ...one.args, name: 'Another' }, other.args]) {
    const { requestState } = await send(one.args)
    expect(await send(args, requestState)).toMatchObject({ resultType: 'input_required' })
  }
  expect(await amountOf(one.item)).toBe(one.item.price.amount)
  const { requestState } = await send(one.args)
  await send(one.args, requestState)
  expect(await amountOf(one.item)).toBe(one.args.price.amount)
  await agent.call('update_catalog_item', { ...one.args, price: one.item.price })
  expect(await send(one.args, requestState)).toMatchObject({ resultType: 'input_required' })
})

test('a yes does not count once the item has changed, and the person is asked again', async () => {
  const agent = await inSandbox({ revision: '2026-07-28', answer: () => YES })
  const { item, args } = times(8, 100)
  const send = (requestState?: string) => callOpenly(agent, 'update_catalog_item', args, requestState)
  const { requestState } = await send()
  await service.call(
    'update_catalog_item',
    { item_id: item.item_id, description: 'New' },
    { idempotencyKey: 'by-hand' },
  )
  const again = await send(requestState)
  expect(again).toMatchObject({ resultType: 'input_required' })
  expect(await amountOf(item)).toBe(item.price.amount)
  await send(again.requestState)
  expect(await amountOf(item)).toBe(args.price.amount)
})

test('a yes is valid for a day of the service, to the millisecond', async () => {
  const agent = await inSandbox({ revision: '2026-07-28', answer: () => YES })
  const { item, args } = times(9, 100)
  const send = (requestState?: string) => callOpenly(agent, 'update_catalog_item', args, requestState)
  const late = await send()
  const from = (await service.serviceTime()).now
  const to = (ms: number) =>
    service.control('set_clock', { mode: 'frozen', at: new Date(from + ms).toISOString() })
  await to(86_400_000)
  const asked = await send(late.requestState)
  expect(asked).toMatchObject({ resultType: 'input_required' })
  await to(2 * 86_400_000 - 1)
  await send(asked.requestState)
  expect(await amountOf(item)).toBe(args.price.amount)
})

describe('a price that falls without a jump', () => {
  const decline: Omit<AgentOptions, 'service'> = { answer: () => ({ action: 'decline' }) }
  const gbp = (amount: number) => ({ amount, currency: 'GBP' })
  const body = (name: string, amount: number) => ({ name, category: 'Walks', price: gbp(amount) })

  /** Puts an item on the menu and calls once for each price; returns those that went through. */
  async function walk(agent: Agent, prices: readonly number[], change: (amount: number) => Promise<Result>) {
    const passed: number[] = []
    for (const amount of prices) if ((await change(amount)).problem === undefined) passed.push(amount)
    expect(agent.asked.length).toBe(prices.length - passed.length)
    return passed
  }

  test('is asked about where the steps come to more than half', async () => {
    const agent = await inSandbox(decline)
    const { value } = await agent.call<Item>('create_catalog_item', body('Steps', 495))
    const to = (amount: number) =>
      agent.call('update_catalog_item', { item_id: value.item_id, price: gbp(amount) })
    expect(await walk(agent, [250, 130, 68, 36, 19, 10, 6, 4], to)).toEqual([250])
    expect(agent.asked[0]).toContain('price: £4.95 → £1.30 (-74%); £2.50 now')
  })

  test('is asked about where the item is deleted and created anew, alone or by an import', async () => {
    const agent = await inSandbox(decline)
    const { value } = await agent.call<Item>('create_catalog_item', body('Anew', 495))
    await agent.call('delete_catalog_item', { item_id: value.item_id })
    expect(
      await walk(agent, [4, 250], (amount) => agent.call('create_catalog_item', body('Anew', amount))),
    ).toEqual([250])
    expect(agent.asked[0]).toBe(
      'Put items back on your menu at another price?\n\n“Anew”: price: £4.95 → £0.04 (-99%)',
    )
    const second = await inSandbox(decline)
    const { value: other } = await second.call<Item>('create_catalog_item', body('Batch', 495))
    await second.call('delete_catalog_item', { item_id: other.item_id })
    const items = (amount: number) => [body(`New at ${amount}`, amount), body('Batch', amount)]
    const imported = (amount: number) => second.call('import_catalog_items', { items: items(amount) })
    expect(await walk(second, [4, 1200, 300], imported)).toEqual([300])
  })

  test('is asked about the choices of an item, and after other changes in any number', async () => {
    const agent = await inSandbox(decline)
    const choices = (amount: number) => ({
      modifier_groups: [{ name: 'Size', modifiers: [{ name: 'Pot', price_delta: gbp(amount) }] }],
    })
    const { value } = await agent.call<Item>('create_catalog_item', {
      ...body('Options', 495),
      ...choices(200),
    })
    const { item_id } = value
    const to = (amount: number) => agent.call('update_catalog_item', { item_id, ...choices(amount) })
    for (let turn = 0; turn < 52; turn += 1)
      await agent.call('set_catalog_item_availability', { item_id, available: turn % 2 === 1 })
    expect(await walk(agent, [110, 60, 30], to)).toEqual([110])
  })

  test('is named beside one that jumps, for a yes counts for both', async () => {
    const agent = await inSandbox(decline)
    const group = { name: 'Extras', min_selections: 0 }
    const extras = (...amounts: number[]) =>
      amounts.map((amount, at) => ({ name: `Extra ${at}`, price_delta: gbp(amount) }))
    const { value } = await agent.call<Item>('create_catalog_item', {
      ...body('Named', 1000),
      modifier_groups: [{ ...group, modifiers: extras(100) }],
    })
    const refused = await agent.call('update_catalog_item', {
      item_id: value.item_id,
      price: gbp(600),
      modifier_groups: [{ ...group, modifiers: extras(500, 200) }],
    })
    const texts = ['Extras: Extra 0: £1.00 → £5.00 (+400%)', 'price: £10.00 → £6.00 (-40%)']
    const added = 'Extras: Extra 1: none → £2.00'
    expect(agent.asked).toEqual([
      ['Change the price of “Named” on your menu?', '', ...texts, added].join('\n'),
    ])
    expect(refused.problem?.['hint']).toMatch(/--price £6\.00 .*with the new choices as --modifiers/)
  })

  test('is asked about where another item takes the name', async () => {
    const agent = await inSandbox(decline)
    const call = (input: object) => agent.call<Item>('update_catalog_item', { ...input })
    const { value: own } = await agent.call<Item>('create_catalog_item', body('Taken', 1000))
    const { value: cheap } = await agent.call<Item>('create_catalog_item', body('Cheap', 100))
    await call({ item_id: own.item_id, name: 'Was taken' })
    expect(agent.asked).toEqual([])
    const { problem } = await call({ item_id: cheap.item_id, name: 'taken' })
    expect(problem).toMatchObject({ code: 'not_confirmed' })
    expect(problem?.['hint']).toContain(`update ${cheap.item_id} --name taken`)
    expect(agent.asked).toEqual([
      'Call “Cheap” “taken” on your menu, which had a different price?\n\nprice: £10.00 → £1.00 (-90%); £1.00 now',
    ])
    expect((await call({ item_id: cheap.item_id, name: 'Cheaper' })).problem).toBeUndefined()
  })

  test('is a command without choices where another item takes the name and its choices keep their prices', async () => {
    const agent = await inSandbox(decline)
    const choices = (amount: number) => ({
      modifier_groups: [
        { name: 'Size', min_selections: 0, modifiers: [{ name: 'Jug', price_delta: gbp(amount) }] },
      ],
    })
    const { value: own } = await agent.call<Item>('create_catalog_item', {
      ...body('With choices', 1000),
      ...choices(1000),
    })
    const { value: cheap } = await agent.call<Item>('create_catalog_item', {
      ...body('With cheap choices', 1000),
      ...choices(10),
    })
    await agent.call('update_catalog_item', { item_id: own.item_id, name: 'Had choices' })
    const { problem } = await agent.call('update_catalog_item', {
      item_id: cheap.item_id,
      name: 'With choices',
    })
    expect(agent.asked).toEqual([expect.stringContaining('Jug')])
    expect(problem?.['hint']).not.toContain('--modifiers')
  })

  test('counts from the price that a person agreed to', async () => {
    const answers = [YES]
    const agent = await inSandbox({ answer: () => answers.pop() ?? { action: 'decline' } })
    const { value } = await agent.call<Item>('create_catalog_item', body('Agreed', 495))
    const to = (amount: number) =>
      agent.call('update_catalog_item', { item_id: value.item_id, price: gbp(amount) })
    await to(200)
    await service.control('advance_clock', { by: '25h' })
    expect((await to(110)).problem).toBeUndefined()
    expect((await to(90)).problem).toMatchObject({ code: 'not_confirmed' })
    expect(agent.asked).toHaveLength(2)
  })
})

describe('the question', () => {
  const decline: Omit<AgentOptions, 'service'> = { answer: () => ({ action: 'decline' }) }
  const gbp = (amount: number) => ({ amount, currency: 'GBP' })
  const body = (name: string, amount: number) => ({ name, category: 'Questions', price: gbp(amount) })

  /** Puts items at £4.95 on the menu, and takes them off again: at £0.04 they would come back too cheap. */
  async function gone(agent: Agent, ...names: string[]): Promise<object[]> {
    for (const name of names) {
      const { value } = await agent.call<Item>('create_catalog_item', body(name, 495))
      await agent.call('delete_catalog_item', { item_id: value.item_id })
    }
    return names.map((name) => body(name, 4))
  }

  test('is not needed, nor the menu read, where neither name nor prices change', async () => {
    const unread = { call: () => Promise.reject(new Error('read')) } as unknown as Client
    const call = { input: { item_id: 'itm_1', description: 'New' }, program: {} as McpClientSession }
    const guard = makeGuard(guardOptions(home), () => Promise.reject(new Error('nobody pays')))
    expect(await askAboutPrice(guard, unread, call)).toBeUndefined()
  })

  test('is not put about an item that is not there, or one that is not of its form', async () => {
    const agent = await inSandbox(decline)
    const unknown = await agent.call('update_catalog_item', { item_id: 'itm_none', price: gbp(1) })
    expect(unknown.problem).toMatchObject({ code: 'item_not_found' })
    const named = await agent.call('update_catalog_item', { item_id: 'itm_none', name: 'Any' })
    expect(named.problem).toMatchObject({ code: 'item_not_found' })
    const put = (item: object | null) =>
      agent.call<{ results: object[] }>('import_catalog_items', { items: [item] })
    expect((await put(null)).problem).toMatchObject({ code: 'invalid_request' })
    const { name: _, ...nameless } = body('', 0)
    const priceless = { name: 'Priceless', category: 'Questions' }
    for (const row of [nameless, priceless])
      expect((await put(row)).value.results).toMatchObject([{ result: 'rejected' }])
    const wrong = await agent.call('create_catalog_item', { ...body('', 0), name: 5 })
    expect(wrong.problem).toMatchObject({ code: 'invalid_request' })
    expect(agent.asked).toEqual([])
  })

  test('is not put about a name with invisible characters; a row with one is rejected by itself', async () => {
    const agent = await inSandbox({ answer: () => YES })
    const evil = body('Free\u202elunch', 0)
    const { problem } = await agent.call('create_catalog_item', evil)
    expect(problem).toMatchObject({ code: 'hidden_characters', errors: [{ pointer: '/name' }] })
    expect(agent.asked).toEqual([])
    const { value } = await agent.call<{ results: { result: string }[] }>('import_catalog_items', {
      items: [evil, body('Free lunch', 0)],
    })
    expect(value.results.map(({ result }) => result)).toEqual(['rejected', 'created'])
    expect(agent.asked).toHaveLength(1)
  })

  test('is put by the price of the item where an older service compares nothing', async () => {
    const call: Client['call'] = (operation, ...more) =>
      operation === 'check_catalog_prices'
        ? Promise.reject(new AppError('route_not_found', 'Said.'))
        : service.call(operation, ...more)
    const actor = { ...guardOptions(home).actor, profile: 'older' }
    const agent = await startAgent(home, { service: { ...service, call }, actor, ...decline })
    const { value } = await agent.call<Item>('create_catalog_item', body('Older', 400))
    const to = async (input: object) =>
      (await agent.call('update_catalog_item', { item_id: value.item_id, ...input })).problem
    expect(await to({ price: gbp(200) })).toBeUndefined()
    expect(await to({ price: gbp(99) })).toMatchObject({ code: 'not_confirmed' })
    expect(await to({ price: gbp(199), modifier_groups: [5] })).toMatchObject({ code: 'invalid_request' })
    expect(agent.asked).toHaveLength(1)
  })

  test('is put by the prices of the store that is named, and of the own one where none is', async () => {
    const stores: unknown[] = []
    const call: Client['call'] = (operation, input, ...more) => {
      if (operation === 'check_catalog_prices') stores.push((input as { merchant_id?: unknown }).merchant_id)
      return service.call(operation, input, ...more)
    }
    const actor = { ...guardOptions(home).actor, profile: 'stores' }
    const agent = await startAgent(home, { service: { ...service, call }, actor, ...decline })
    const { merchant_id } = (await service.call('list_catalog_items', { limit: 1 })).value.data[0] ?? {}
    await agent.call('create_catalog_item', body('Own', 100))
    await agent.call('create_catalog_item', { ...body('Named store', 100), merchant_id })
    expect(stores).toEqual([undefined, merchant_id])
  })

  test('names five items of more, free ones and those that come back at another price', async () => {
    const agent = await inSandbox(decline)
    const names = (word: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${word} ${at + 1}`)
    const free = (count: number) => names('Free', count).map((name) => body(name, 0))
    const put = (items: object[]) => agent.call('import_catalog_items', { items })
    const five = '“Free 1”, “Free 2”, “Free 3”, “Free 4”, “Free 5”'
    await put(free(5))
    await put(free(6))
    expect(agent.asked).toEqual([
      `Put ${five} on your menu for nothing?`,
      `Put ${five} and 1 more on your menu for nothing?`,
    ])
    const back = await gone(agent, ...names('Back', 6))
    await put(back.slice(0, 5))
    await put([...back, ...free(1)])
    const lines = names('Back', 5).map((name) => `“${name}”: price: £4.95 → £0.04 (-99%)`)
    const head = ['Put items back on your menu at another price?', '']
    expect(agent.asked.slice(2)).toEqual([
      [...head, ...lines].join('\n'),
      ['Put “Free 1” on your menu for nothing?', ...head, ...lines, 'and 1 more'].join('\n'),
    ])
  })

  test('about one free item and one at another price is put, for neither hides the other', async () => {
    const agent = await inSandbox(decline)
    const items = [...(await gone(agent, 'Hidden')), body('For nothing', 0)]
    expect((await agent.call('import_catalog_items', { items })).problem).toMatchObject({
      code: 'not_confirmed',
    })
  })

  test('that was declined is put again about another name or item', async () => {
    const agent = await inSandbox(decline)
    for (const name of ['Gift A', 'Gift B', 'Gift A']) await agent.call('create_catalog_item', body(name, 0))
    expect(agent.asked).toHaveLength(2)
    await gone(agent, 'Dear A', 'Dear B')
    const { value } = await agent.call<Item>('create_catalog_item', body('Cheap one', 100))
    for (const name of ['Dear A', 'Dear B', 'Dear A'])
      await agent.call('update_catalog_item', { item_id: value.item_id, name })
    expect(agent.asked.slice(2)).toEqual(
      ['Dear A', 'Dear B'].map((name) => expect.stringContaining(`Call “Cheap one” “${name}”`)),
    )
    const [one, other] = await gone(agent, 'Moved A', 'Moved B')
    for (const item of [one, other, one]) await agent.call('import_catalog_items', { items: [item] })
    expect(agent.asked.slice(4)).toEqual(
      ['Moved A', 'Moved B'].map((name) => expect.stringContaining(`“${name}”: price`)),
    )
  })

  test('names the prices that change and nothing else of the item', async () => {
    const agent = await inSandbox(decline)
    const group = (name: string, ...choices: [string, number][]) => ({
      name,
      min_selections: 0,
      modifiers: choices.map(([choice, amount]) => ({ name: choice, price_delta: gbp(amount) })),
    })
    const modifier_groups = [group('Size', ['Pot', 100], ['Jug', 200]), group('Extras', ['Rice', 50])]
    const { value } = await agent.call<Item>('create_catalog_item', {
      ...body('Named alone', 1000),
      modifier_groups,
    })
    await agent.call('update_catalog_item', {
      item_id: value.item_id,
      name: 'Named anew',
      price: gbp(100),
      modifier_groups: [group('Size', ['Pot', 100]), group('Sauces', ['Hot', 20])],
    })
    expect(agent.asked).toEqual([
      'Change the price of “Named alone” on your menu?\n\nprice: £10.00 → £1.00 (-90%)',
    ])
  })

  test('is a command for a terminal where a program cannot ask', async () => {
    const silent = await inSandbox({ commandOf: (words) => commandLine(['dray', ...words]) })
    const asked = async (tool: string, input: Record<string, unknown>) => {
      const { problem } = await silent.call(tool, input)
      return [problem?.['detail'], problem?.['hint']]
    }
    const [back = {}] = await gone(silent, 'Silent')
    expect(await asked('create_catalog_item', { ...back })).toEqual([
      'The user must approve another price of “Silent”: price: £4.95 → £0.04 (-99%) first, and this program cannot ask one. Nothing was changed.',
      "Ask the user to run `dray business catalog create --name Silent --category Questions --price '£0.04' --as everything --confirm Silent` in a terminal.",
    ])
    expect(await asked('import_catalog_items', { items: [back, body('Zero', 0)] })).toEqual([
      'The user must approve a price of zero of “Zero” and another price of “Silent”: price: £4.95 → £0.04 (-99%) first, and this program cannot ask one. Nothing was changed.',
      'Ask the user to run `dray business catalog import FILE --allow-free --as everything` in a terminal.',
    ])
    expect((await asked('import_catalog_items', { items: [body('Zero', 0)] }))[0]).toContain(
      'The user must approve a price of zero of “Zero” first',
    )
    const modifier_groups = [
      { name: 'Size', min_selections: 0, modifiers: [{ name: 'Pot', price_delta: gbp(100) }] },
    ]
    const { value } = await silent.call<Item>('create_catalog_item', {
      ...body('Sized', 1000),
      modifier_groups,
    })
    const { item_id } = value
    const dearer = [{ ...modifier_groups[0], modifiers: [{ name: 'Pot', price_delta: gbp(400) }] }]
    for (const [input, ends] of [
      [{ price: gbp(100) }, '`'],
      [{ price: gbp(100), modifier_groups }, '`'],
      [{ modifier_groups: dearer }, '` with the new choices as --modifiers'],
    ] as const)
      expect((await asked('update_catalog_item', { item_id, ...input }))[1]).toMatch(
        new RegExp(`--confirm ${item_id}${ends} in a terminal\\.$`),
      )
  })
})
