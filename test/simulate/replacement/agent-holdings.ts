/** What agents remember: what they have set, sent and bought, prices that they were shown, and cursors. */
import { makeParcel } from '../../support/parcel.ts'
import { openAgent, type ToolText, type WorldAgent } from './agent.ts'
import { bodyOf, type HoldingClient, type Holder, type HeldThing, type HoldingUse } from './holding.ts'
import type { ServedWorld } from './served-world.ts'
import { buyMeal, BUYER, quoteMeal, readMealBasket, RIVAL } from './shopping.ts'

type ToolCall = [tool: string, input: Readonly<Record<string, unknown>>]

/** Two calls that set one thing otherwise, and how it then is. */
type StateSwitch = {
  first: ToolCall
  second: ToolCall
  see(world: ServedWorld): Promise<string>
}

async function readHours(world: ServedWorld): Promise<string> {
  const { is_open, pause, busy, weekly } = bodyOf(
    await world.request({ as: BUYER, path: '/v1/business/hours' }),
  )
  return JSON.stringify({ is_open, pause, busy, weekly })
}

async function listItems(world: ServedWorld): Promise<Record<string, unknown>[]> {
  const list = await world.request({ as: BUYER, path: '/v1/business/catalog/items?limit=100' })
  return bodyOf(list)['data'] as Record<string, unknown>[]
}

const hoursFrom = (opens: string) => ({ weekly: [{ day: 'mon', opens, closes: '20:00' }] })

/** The tools that set a state of a store, or of an item on its menu. */
function listSwitches(item_id: unknown): StateSwitch[] {
  const see = async (world: ServedWorld): Promise<string> => {
    const item = (await listItems(world)).find((each) => each['item_id'] === item_id)
    const { price, effective_available, stock, schedule } = item ?? {}
    return JSON.stringify({ price, effective_available, stock, schedule })
  }
  const gbp = (amount: number) => ({ amount, currency: 'GBP' })
  return [
    { first: ['pause_store', { minutes: 30 }], second: ['resume_store', {}], see: readHours },
    { first: ['resume_store', {}], second: ['pause_store', { minutes: 45 }], see: readHours },
    {
      first: ['set_store_busy', { minutes: 10 }],
      second: ['set_store_busy', { minutes: 20 }],
      see: readHours,
    },
    {
      first: ['set_store_hours', hoursFrom('08:00')],
      second: ['set_store_hours', hoursFrom('09:00')],
      see: readHours,
    },
    {
      first: ['set_catalog_item_availability', { item_id, available: false }],
      second: ['set_catalog_item_availability', { item_id, available: true }],
      see,
    },
    {
      first: ['update_catalog_item', { item_id, price: gbp(800) }],
      second: ['update_catalog_item', { item_id, price: gbp(900) }],
      see,
    },
    {
      first: ['set_item_stock', { item_id, stock: 5 }],
      second: ['set_item_stock', { item_id, stock: 7 }],
      see,
    },
    {
      first: ['set_item_schedule', { item_id, spans: [{ day: 'mon', opens: '08:00', closes: '11:00' }] }],
      second: ['set_item_schedule', { item_id, spans: null }],
      see,
    },
  ]
}

/** Opens an agent over one of both transports. */
async function startAgent({ world, random, number }: HoldingClient, machine = 'desk'): Promise<WorldAgent> {
  const transport = random.pick(['stdio', 'http'] as const)
  return openAgent(world, { account: BUYER, name: `${machine}-${number}`, transport })
}

/** Makes the calls of an agent, and ends it after the last one. */
function withAgent(
  agent: WorldAgent,
  holding: Omit<HeldThing, 'use'>,
  use: () => Promise<HoldingUse>,
): HeldThing {
  return {
    ...holding,
    async use() {
      try {
        return await use()
      } finally {
        await agent.close()
      }
    },
  }
}

const done = ({ problem }: ToolText, does: string): HoldingUse =>
  problem === undefined ? { did: does } : { told: problem.code }

/** An agent that has set a state, and sets it again and otherwise; then another machine's agent says the first once more. */
const holdState: Holder = async (client) => {
  const { world, random } = client
  const [item] = await listItems(world)
  const [agent, elsewhere] = [await startAgent(client), await startAgent(client, 'phone')]
  const { first, second, see } = random.pick(listSwitches(item?.['item_id']))
  const isSetTwice = random.number(2) === 0
  const forgets = random.number(2) === 0
  const set = async ([tool, input]: ToolCall, by = agent): Promise<string> => {
    const { problem } = await by.call(tool, input)
    return problem === undefined ? see(world) : problem.code
  }
  const one = await set(first)
  const other = isSetTwice ? await set(second) : undefined
  const said = 'as it was said last'
  return withAgent(
    agent,
    { name: `an agent that called ${first[0]}`, partOf: 'readings', goesOn: said, anew: said, codes: [] },
    async () => {
      if (forgets) agent.forget()
      const seen = [await set(first), await set(second), await set(first, elsewhere)]
      await elsewhere.close()
      const isLast = seen[0] === seen[2] && seen[0] !== seen[1]
      const isSame = seen[0] === one && (other === undefined || seen[1] === other)
      return { did: isLast && isSame ? said : `${seen.join(' then ')}; before: ${one}, ${other ?? ''}` }
    },
  )
}

/** An agent that has sent a parcel, and is told to send it again. */
const holdParcel: Holder = async (client) => {
  const { world, number, random } = client
  const agent = await startAgent(client)
  const forgets = random.number(2) === 0
  const parcel = makeParcel({}, { line1: `${number} London Road` })
  const { value } = await agent.call('create_shipment', parcel)
  return withAgent(
    agent,
    {
      name: 'an agent that sent a parcel',
      partOf: 'world',
      goesOn: `sent before: ${String(value['tracking_number'])}`,
      anew: 'sent another',
      codes: [],
    },
    async () => {
      if (forgets) agent.forget()
      const again = await agent.call('create_shipment', parcel)
      if (again.problem !== undefined) return { told: again.problem.code }
      const number = String(again.value['tracking_number'])
      const { status } = await world.request({ as: BUYER, path: `/v1/shipments/${number}` })
      if (status >= 400) return { did: `answered with ${number}, which is not there` }
      return { did: again.replayed ? `sent before: ${number}` : 'sent another' }
    },
  )
}

const CARD = { method: 'card', payment_token: 'tok_ok' }

/** An agent that has shown its person a price. */
const holdShownPrice: Holder = async (client) => {
  const { world } = client
  const agent = await startAgent(client)
  const basket = await readMealBasket(world)
  const { value, problem } = await agent.call('quote_food_order', basket)
  if (problem !== undefined) throw new Error(problem.code)
  const { quote_id, total } = value
  return withAgent(
    agent,
    {
      name: 'an agent that showed a price',
      partOf: 'world',
      goesOn: `bought for ${JSON.stringify(total)}`,
      codes: ['quote_not_found'],
      rival: () => quoteMeal(world, RIVAL),
    },
    async () => {
      const bought = await agent.call('place_food_order', { quote_id, payment: CARD })
      return done(bought, `bought for ${JSON.stringify(bought.value['total'])}`)
    },
  )
}

/** An agent that has bought a meal, and calls the same again. */
const holdPurchase: Holder = async (client) => {
  const { world, number } = client
  const agent = await startAgent(client)
  const { value } = await agent.call('quote_food_order', await readMealBasket(world))
  const confirm = { quote_id: value['quote_id'], payment: CARD }
  const bought = await agent.call('place_food_order', confirm)
  if (bought.problem !== undefined) throw new Error(bought.problem.code)
  return withAgent(
    agent,
    {
      name: 'an agent that bought a meal',
      partOf: 'world',
      goesOn: `bought before: ${String(bought.value['order_id'])}`,
      codes: ['quote_not_found'],
      rival: () => buyMeal(world, RIVAL, `rival-${number}`),
    },
    async () => {
      const again = await agent.call('place_food_order', confirm)
      const order = String(again.value['order_id'])
      return done(again, again.replayed ? `bought before: ${order}` : `bought ${order}`)
    },
  )
}

/** An agent in the middle of a list. */
const holdToolCursor: Holder = async (client) => {
  const agent = await startAgent(client)
  const first = await agent.call('list_hubs', { limit: 1 })
  const cursor = first.value['next_cursor']
  if (typeof cursor !== 'string') return undefined
  const next = await agent.call('list_hubs', { limit: 1, cursor })
  return withAgent(
    agent,
    {
      name: 'a cursor of an agent',
      partOf: 'readings',
      goesOn: JSON.stringify(next.value),
      codes: ['invalid_cursor'],
    },
    async () => {
      const page = await agent.call('list_hubs', { limit: 1, cursor })
      return done(page, JSON.stringify(page.value))
    },
  )
}

export const AGENT_HOLDERS: readonly Holder[] = [
  holdState,
  holdState,
  holdParcel,
  holdShownPrice,
  holdPurchase,
  holdToolCursor,
]
