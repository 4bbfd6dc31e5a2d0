/** The same tool call once more, over all tools: a state is set again, a thing is made once until it is gone. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ClientOperationName } from '../../src/client/operations.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { type Agent, startAgent } from '../support/agent.ts'
import { placeCustomerOrder } from '../support/baskets.ts'
import { listCaseProblems, type CaseInput } from '../support/cases.ts'
import { callTestControl } from '../support/control.ts'
import { makeCaseExample } from '../support/examples.ts'
import { type Home, makeHome } from '../support/home.ts'
import { makeItem, makeItems } from '../support/items.ts'
import { makeParcel, makeRows } from '../support/parcel.ts'
import { bookJob, timestampAt } from '../support/services.ts'
import { makeSandboxClient } from '../support/world-client.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const FILE = 'test/mcp/repetition.test.ts'

let home: Home
let world: TestSandbox
let agents = 0

beforeEach(async () => {
  home = makeHome()
  world = await openTestSandbox()
})

afterEach(async () => {
  home[Symbol.dispose]()
  await world.db.close()
})

/** An agent with a ledger of its own. */
async function start(outputs = false): Promise<Agent> {
  const purse = { service: 'repetition', account: `agent-${(agents += 1)}` }
  return startAgent(home, { service: makeSandboxClient(world, 'everything'), purse, outputs })
}

const operationOf = (name: string): Promise<AnyOperation> => OPERATIONS[name as ClientOperationName]()
const toolsThat = (repetition: string) => TOOLS.filter((tool) => tool.repetition === repetition)
const NAMED = (tools: readonly { name: string }[]) => tools.map(({ name }) => name)

/** Two calls that set one thing to different states, and what is seen of it. */
type Switch = {
  first: Call
  second: Call
  see(): Promise<unknown>
}
type Call = [tool: string, input: CaseInput]

async function itemOf(
  input: CaseInput = {},
): Promise<{ item_id: string; name: string; category_id: string }> {
  const { item_id, name, category } = await world.ok(
    'create_catalog_item',
    makeItem({ ...input, name: `Dish ${(agents += 1)}` }),
  )
  return { item_id, name, category_id: category.category_id }
}

async function itemNow(id: string): Promise<unknown> {
  const { data } = await world.ok('list_catalog_items', { limit: 100 })
  const { price, effective_available, stock, schedule, category_schedule } =
    data.find(({ item_id }) => item_id === id) ?? {}
  return { price, effective_available, stock, schedule, category_schedule }
}

async function storeNow(): Promise<unknown> {
  const { is_open, pause, busy, weekly } = await world.ok('get_store_hours')
  return { is_open, pause, busy, weekly }
}

/** Four days after the tests begin: a start can be moved until a day before it. */
const TUESDAY = '2026-11-24'

const gbp = (amount: number) => ({ amount, currency: 'GBP' })
const hours = (opens: string) => ({ weekly: [{ day: 'mon', opens, closes: '20:00' }] })

const SWITCHES: Readonly<Record<string, () => Promise<Switch>>> = {
  pause_store: async () => ({
    first: ['pause_store', { minutes: 30 }],
    second: ['resume_store', {}],
    see: storeNow,
  }),
  resume_store: async () => ({
    first: ['resume_store', {}],
    second: ['pause_store', { minutes: 45 }],
    see: storeNow,
  }),
  set_store_busy: async () => ({
    first: ['set_store_busy', { minutes: 10 }],
    second: ['set_store_busy', { minutes: 20 }],
    see: storeNow,
  }),
  set_store_hours: async () => ({
    first: ['set_store_hours', hours('08:00')],
    second: ['set_store_hours', hours('09:00')],
    see: storeNow,
  }),
  set_store_settings: async () => ({
    first: ['set_store_settings', { stations: [{ name: 'Bar' }] }],
    second: ['set_store_settings', { stations: [] }],
    see: async () => (await world.ok('get_store_settings')).stations,
  }),
  tick_order_lines: async () => {
    const { order_id } = await placeCustomerOrder(world)
    await world.ok('accept_business_order', { order_id })
    const tick = (done: boolean): Call => [
      'tick_order_lines',
      { order_id, lines: [{ line_id: 'line_1', done }] },
    ]
    return {
      first: tick(true),
      second: tick(false),
      see: async () => (await world.ok('get_business_order', { order_id })).kitchen_lines,
    }
  },
  update_catalog_item: async () => {
    const { item_id } = await itemOf()
    return {
      first: ['update_catalog_item', { item_id, price: gbp(800) }],
      second: ['update_catalog_item', { item_id, price: gbp(900) }],
      see: () => itemNow(item_id),
    }
  },
  set_catalog_item_availability: async () => {
    const { item_id } = await itemOf()
    return {
      first: ['set_catalog_item_availability', { item_id, available: false }],
      second: ['set_catalog_item_availability', { item_id, available: true }],
      see: () => itemNow(item_id),
    }
  },
  set_item_stock: async () => {
    const { item_id } = await itemOf()
    return {
      first: ['set_item_stock', { item_id, stock: 5 }],
      second: ['set_item_stock', { item_id, stock: 7 }],
      see: () => itemNow(item_id),
    }
  },
  set_item_schedule: async () => {
    const { item_id } = await itemOf()
    return {
      first: ['set_item_schedule', { item_id, spans: [{ day: 'mon', opens: '08:00', closes: '11:00' }] }],
      second: ['set_item_schedule', { item_id, spans: null }],
      see: () => itemNow(item_id),
    }
  },
  set_category_schedule: async () => {
    const { item_id, category_id } = await itemOf()
    return {
      first: [
        'set_category_schedule',
        { category_id, spans: [{ day: 'mon', opens: '08:00', closes: '11:00' }] },
      ],
      second: ['set_category_schedule', { category_id, spans: null }],
      see: () => itemNow(item_id),
    }
  },
  redirect_shipment: async () => {
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    return {
      first: ['redirect_shipment', { tracking_number, neighbour: 'Number 12' }],
      second: ['redirect_shipment', { tracking_number, safe_place: 'The shed' }],
      see: async () => (await world.ok('get_shipment', { tracking_number })).options,
    }
  },
  correct_recipient: async () => {
    const { tracking_number, recipient } = await world.ok('create_shipment', makeParcel())
    const at = (line1: string) => ({
      tracking_number,
      recipient: { ...recipient, address: { ...recipient.address, line1 } },
    })
    return {
      first: ['correct_recipient', at('3 Friar Street')],
      second: ['correct_recipient', at('5 Friar Street')],
      see: async () => (await world.ok('get_shipment', { tracking_number })).recipient.address.line1,
    }
  },
  move_booking: async () => {
    const { booking_id } = await bookJob(world, {}, { body: { starts_at: timestampAt('10:00', TUESDAY) } })
    return {
      first: ['move_booking', { booking_id, starts_at: timestampAt('12:00', TUESDAY) }],
      second: ['move_booking', { booking_id, starts_at: timestampAt('14:00', TUESDAY) }],
      see: async () => (await world.ok('get_service_booking', { booking_id })).slot?.starts_at,
    }
  },
  update_webhook_endpoint: async () => {
    const { endpoint_id } = await world.ok('create_webhook_endpoint', { url: 'https://example.com/switch' })
    return {
      first: ['update_webhook_endpoint', { endpoint_id, enabled: false }],
      second: ['update_webhook_endpoint', { endpoint_id, enabled: true }],
      see: async () => (await world.ok('get_webhook_endpoint', { endpoint_id })).status,
    }
  },
}

/** The tools that are carried out each time and set no state: a service takes what they take once, or does it again. */
const TAKING = [
  'create_collection_manifest',
  'close_business_day',
  'settle_table',
  'test_webhook_endpoint',
  'resend_webhooks',
]

describe('a tool that sets a state', () => {
  test('has a case in this file', () => {
    expect(
      listCaseProblems(NAMED(toolsThat('each_time')), [...Object.keys(SWITCHES), ...TAKING], FILE),
    ).toEqual([])
  })

  test.each(Object.entries(SWITCHES))('%s leaves what was called last', async (_, make) => {
    const { first, second, see } = await make()
    const agent = await start()
    const set = async ([tool, input]: Call): Promise<unknown> => {
      const { problem } = await agent.call(tool, input)
      expect(problem).toBeUndefined()
      return see()
    }
    const [one, other] = [await set(first), await set(second)]
    expect(one).not.toEqual(other)
    expect(await set(first)).toEqual(one)
    expect(await set(second)).toEqual(other)
  })
})

test('a store is left as it was called last, whichever agent on whichever machine called', async () => {
  using elsewhere = makeHome()
  const purse = { service: 'repetition', account: 'shared' }
  const open = (at: Home) => startAgent(at, { service: makeSandboxClient(world, 'everything'), purse })
  const [one, other] = [await open(home), await open(elsewhere)]
  const pause = { minutes: 30 }
  await one.call('pause_store', pause)
  await one.call('resume_store', {})
  const { problem, replayed } = await other.call('pause_store', pause)
  expect([problem, replayed]).toEqual([undefined, false])
  expect(await storeNow()).toMatchObject({ is_open: false })
})

describe('a purchase once more', () => {
  /** Sends a parcel under a limit that allows one, lets something happen, and sends the same. */
  async function sendTwice(input: CaseInput, meanwhile: () => Promise<unknown>): Promise<unknown> {
    const { price } = await world.ok('create_shipment', makeParcel({}, { line1: '99 Friar Street' }))
    const agent = await startAgent(home, {
      service: makeSandboxClient(world, 'everything'),
      purse: { service: 'repetition', account: `agent-${(agents += 1)}` },
      limits: [{ max: price.total, per: 'total' }],
    })
    expect((await agent.call('create_shipment', input)).problem).toBeUndefined()
    await meanwhile()
    return (await agent.call('create_shipment', input)).problem?.['code']
  }

  test('is limited where the service has forgotten the own key of an agent', async () => {
    const input = { ...makeParcel(), idempotency_key: 'mine' }
    const wait = () => callTestControl(world, 'advance_clock', { by: '25h' })
    expect(await sendTwice(input, wait)).toBe('spend_limit_reached')
  })

  test('is limited where the world was replaced, which knows nothing of the first one', async () => {
    const reset = () => callTestControl(world, 'reset', { at: '2026-11-20T09:00:00Z' })
    expect(await sendTwice(makeParcel(), reset)).toBe('spend_limit_reached')
  })
})

describe('a change of the stock', () => {
  test('counts once, until the stock was changed again', async () => {
    const { item_id } = await itemOf()
    await world.ok('set_item_stock', { item_id, stock: 10 })
    const agent = await start()
    const sold = { item_id, change: -2 }
    const stock = async (input: CaseInput): Promise<unknown> =>
      (await agent.call('set_item_stock', input)).value['stock']
    expect([await stock(sold), await stock(sold)]).toEqual([8, 8])
    expect(await stock({ item_id, change: 2 })).toBe(10)
    expect([await stock(sold), await stock(sold)]).toEqual([8, 8])
    expect(await stock({ ...sold, idempotency_key: 'two-more' })).toBe(6)
  })
})

/** How what a tool made is taken back, by the tool that does it. */
const UNDO: Readonly<Record<string, (made: CaseInput) => Call>> = {
  create_shipment: ({ tracking_number }) => ['cancel_shipment', { tracking_number }],
  create_return: ({ tracking_number }) => ['cancel_shipment', { tracking_number }],
  create_catalog_item: ({ item_id }) => ['delete_catalog_item', { item_id }],
  create_webhook_endpoint: ({ endpoint_id }) => ['delete_webhook_endpoint', { endpoint_id }],
}

/** The tools that make several, of which some may be taken back. */
const ROWS = ['create_shipments_batch', 'import_catalog_items']

/** What nobody can take back. */
const FOR_GOOD = ['adjust_business_order', 'report_order_problem', 'create_claim', 'rotate_webhook_secret']

/** Everything that a call could change, except its stored response. */
async function contents(): Promise<unknown> {
  return world.db.read(async (tx) => {
    const tables = ['shipments', 'catalog_items', 'webhook_endpoints', 'orders', 'ledger', 'events']
    return Promise.all(tables.map((table) => tx.all(`select * from ${table}`)))
  })
}

describe('a tool that makes a thing', () => {
  test('has a case in this file', () => {
    expect(
      listCaseProblems(NAMED(toolsThat('makes')), [...Object.keys(UNDO), ...ROWS, ...FOR_GOOD], FILE),
    ).toEqual([])
  })

  test.each(NAMED(toolsThat('makes')))('%s makes one, says so, and how to make a second', async (name) => {
    const agent = await start()
    const input = await makeCaseExample(world, await operationOf(name))
    const made = await agent.call(name, input)
    expect(made.problem).toBeUndefined()
    const before = await contents()
    const again = await agent.call(name, input)
    expect([again.problem, again.replayed, made.replayed]).toEqual([undefined, true, false])
    expect(await contents()).toEqual(before)
    expect(again.value['replayed']).toContain('with an idempotency_key of your own')
    expect(again.text).toContain('To do it a second time')
    expect(made.value).not.toHaveProperty('replayed')
  })

  test.each(Object.entries(UNDO))('%s makes a second after the first was taken back', async (name, undo) => {
    const agent = await start()
    const input = await makeCaseExample(world, await operationOf(name))
    const first = await agent.call(name, input)
    const [tool, args] = undo(first.value)
    // Somebody else takes it back: not only this agent’s own calls count.
    await world.ok(tool as ClientOperationName, args, { key: `undo-${name}` })
    const second = await agent.call(name, input)
    expect([second.problem, second.replayed]).toEqual([undefined, false])
    expect(Object.values(undo(second.value)[1])).not.toEqual(Object.values(args))
    expect((await agent.call(name, input)).replayed).toBe(true)
  })

  test('is not made again because something else was taken back', async () => {
    const agent = await start()
    const parcel = makeParcel()
    const { value } = await agent.call('create_shipment', parcel)
    const { value: other } = await agent.call('create_shipment', makeParcel({}, { line1: '2 Other Street' }))
    await agent.call('cancel_shipment', { tracking_number: other['tracking_number'] })
    const again = await agent.call('create_shipment', parcel)
    expect([again.replayed, again.value['tracking_number']]).toEqual([true, value['tracking_number']])
  })

  test('answers with the thing as it is now', async () => {
    const agent = await start()
    const item = makeItem({ name: 'Rice pudding' })
    const { value } = await agent.call('create_catalog_item', item)
    await world.ok('update_catalog_item', { item_id: value['item_id'], price: gbp(123) })
    const again = await agent.call('create_catalog_item', item)
    expect(again.value).toMatchObject({ item_id: value['item_id'], price: gbp(123) })
    expect(again.text).toContain('this is how it is now')
  })
})

describe('a tool that ends or answers something', () => {
  test.each(NAMED(toolsThat('once')))('%s does it once', async (name) => {
    const agent = await start()
    const input = await makeCaseExample(world, await operationOf(name))
    expect((await agent.call(name, input)).problem).toBeUndefined()
    const before = await contents()
    const again = await agent.call(name, input)
    expect([again.problem, again.replayed]).toEqual([undefined, true])
    expect(await contents()).toEqual(before)
  })
})

describe('a tool that takes what there is', () => {
  test.each([
    ['create_shipments_batch', () => ({ shipments: makeRows(2) })],
    ['import_catalog_items', () => ({ items: makeItems(2) })],
  ] as const)('%s makes its rows once, and again what was taken back', async (name, make) => {
    const agent = await start()
    const input = make()
    type Made = { results: { result: string; tracking_number?: string; item_id?: string }[] }
    const send = async () => (await agent.call<Made>(name, input)).value.results
    const first = await send()
    expect(first.map(({ result }) => result)).toEqual(['created', 'created'])
    expect(await send()).toEqual(first)
    const { tracking_number, item_id } = first[0] ?? {}
    if (item_id === undefined) await world.ok('cancel_shipment', { tracking_number })
    else await world.ok('delete_catalog_item', { item_id })
    expect((await send()).map(({ result }) => result)).toEqual(['created', 'duplicate'])
  })

  test('the afternoon’s parcels are on a manifest of their own, and a repeat makes none', async () => {
    const agent = await start()
    const send = async () =>
      (
        await agent.call(
          'create_shipment',
          makeParcel({ hub_id: 'LON2' }, { line1: `${(agents += 1)} Dock Lane` }),
        )
      ).value['tracking_number']
    const hand = async () => (await agent.call('create_collection_manifest', { hub_id: 'LON2' })).value
    await send()
    const morning = await hand()
    expect((await hand())['manifest_id']).toBe(morning['manifest_id'])
    const late = await send()
    const afternoon = await hand()
    expect(afternoon['manifest_id']).not.toBe(morning['manifest_id'])
    expect(JSON.stringify(afternoon)).toContain(String(late))
  })

  test('a test message of an endpoint is sent each time', async () => {
    const agent = await start()
    const { endpoint_id } = await world.ok('create_webhook_endpoint', { url: 'https://example.com/again' })
    const ids = []
    for (const _ of [1, 2])
      ids.push((await agent.call('test_webhook_endpoint', { endpoint_id })).value['delivery_id'])
    expect(new Set(ids).size).toBe(2)
  })
})

test('a schema of answers that is listed stays true of a repeat', async () => {
  const agent = await start(true)
  const parcel = makeParcel()
  await agent.call('create_shipment', parcel)
  const again = await agent.call('create_shipment', parcel)
  expect(again.replayed).toBe(true)
  expect(again.value).not.toHaveProperty('replayed')
  expect(again.text).toContain('To do it a second time')
})

test('a key of the caller’s own gets the first answer, whatever became of the thing', async () => {
  const agent = await start()
  const parcel = { ...makeParcel(), idempotency_key: 'mine' }
  const first = await agent.call('create_shipment', parcel)
  await world.ok('cancel_shipment', { tracking_number: first.value['tracking_number'] })
  const again = await agent.call('create_shipment', parcel)
  expect([again.value, again.replayed]).toEqual([first.value, true])
})
