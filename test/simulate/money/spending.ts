/** Agents that spend under a limit, by every tool that costs something, in any order. What they spent is read from the service. */
import type { Random } from '../../adversarial/random.ts'
import { makeParcel } from '../../support/parcel.ts'
import { openAgent, type ToolText, type WorldAgent } from '../replacement/agent.ts'
import { bodyOf } from '../replacement/holding.ts'
import type { ServedWorld } from '../replacement/served-world.ts'
import { BUYER, readMealBasket } from '../replacement/shopping.ts'

const HOUR_MS = 3_600_000
const gbp = (amount: number) => ({ amount, currency: 'GBP' })

/** The limits of a story: each counts the purchases of its period. */
const LIMITS = [
  { text: 'a day', limit: { max: gbp(3000), per: 'day' }, windowMs: 24 * HOUR_MS },
  { text: 'an hour', limit: { max: gbp(2500), per: 'hour' }, windowMs: HOUR_MS },
  { text: 'in all', limit: { max: gbp(4000), per: 'total' }, windowMs: Infinity },
] as const

type Money = { amount: number }

/** What is on record of a purchase: the most that it ever cost, and each rise with its time. */
type Cost = { most: number; rises: { at: number; amount: number }[] }

type SpendingStory = {
  world: ServedWorld
  random: Random
  /** Two programs of one account on one machine. */
  agents: readonly WorldAgent[]
  calls: ToolCall[]
  numbers: string[]
  costs: Map<string, Cost>
  /** The number of worlds so far: another one has other purchases. */
  worlds: number
  doors: number
}

type ToolCall = { tool: string; input: Readonly<Record<string, unknown>> }

const PLACES = [
  { city: 'Reading', postal_code: 'RG1 1DB' },
  { city: 'Lerwick', postal_code: 'ZE1 0AA' },
  { city: 'Inverness', postal_code: 'IV1 1HY' },
]
const LEVELS = ['economy', 'two_day', 'next_day']

type Step = (story: SpendingStory) => Promise<ToolCall | undefined>

function drawParcel(story: SpendingStory): Record<string, unknown> {
  const { random } = story
  const door = (story.doors += 1)
  const service_level = random.pick(LEVELS)
  return makeParcel({ service_level }, { line1: `${door} High Street`, ...random.pick(PLACES) })
}

/** An agent's own key, used for one call or for several. */
const drawKey = ({ random }: SpendingStory) =>
  random.number(2) === 0 ? {} : { idempotency_key: `own-${random.number(4)}` }

const sendOne: Step = async (story) => ({
  tool: 'create_shipment',
  input: { ...drawParcel(story), ...drawKey(story) },
})

const sendSeveral: Step = async (story) => ({
  tool: 'create_shipments_batch',
  input: {
    shipments: Array.from({ length: 1 + story.random.number(4) }, () => ({
      ...drawParcel(story),
      reference: `row-${story.doors}`,
    })),
    ...drawKey(story),
  },
})

const returnOne: Step = async (story) => {
  if (story.numbers.length === 0) return undefined
  const label = story.random.pick(['box', 'link'])
  const tracking_number = story.random.pick(story.numbers)
  return { tool: 'create_return', input: { tracking_number, label, ...drawKey(story) } }
}

/** Corrects a recipient: first without a price, and then with the one that the refusal names. */
const correctOne: Step = async (story) => {
  const { world, random, numbers } = story
  if (numbers.length === 0) return undefined
  const tracking_number = random.pick(numbers)
  const { recipient } = makeParcel({}, { line1: '1 Market Place', ...random.pick(PLACES) })
  const path = `/v1/shipments/${tracking_number}/recipient`
  const { body } = await world.request({ as: BUYER, method: 'PUT', path, body: { recipient } })
  const { total } = body as { total?: unknown }
  return {
    tool: 'correct_recipient',
    input: { tracking_number, recipient, ...(total !== undefined && { expected_total: total }) },
  }
}

const cancelOne: Step = async ({ random, numbers }) =>
  numbers.length === 0
    ? undefined
    : { tool: 'cancel_shipment', input: { tracking_number: random.pick(numbers) } }

/** Buys a meal, with a tip or without. */
const eat: Step = async ({ world, random, agents: [agent] }) => {
  const tip = random.number(2) === 0 ? {} : { tip: gbp(100 * random.number(5)) }
  const basket = { ...(await readMealBasket(world)), ...(tip.tip?.amount === 0 ? {} : tip) }
  const quoted = await agent?.call('quote_food_order', basket)
  if (quoted?.problem !== undefined) return undefined
  const input = {
    quote_id: quoted?.value['quote_id'],
    payment: { method: 'card', payment_token: 'tok_ok' },
  }
  return { tool: 'place_food_order', input }
}

/** Calls once more what was called before, word by word. */
const repeat: Step = async ({ random, calls }) => (calls.length === 0 ? undefined : random.pick(calls))

const wait: Step = async ({ world, random }) => {
  await world.control('advance_clock', { by: random.pick(['10m', '2h', '25h', '25h']) })
  return undefined
}

/** Another person replaces the world; the agents' machine is told nothing of it. */
const replace: Step = async (story) => {
  const { world, random } = story
  if (random.number(3) !== 0) return undefined
  await world.replace({ way: random.pick(['reset', 'snapshot'] as const) })
  story.worlds += 1
  story.numbers.length = 0
  return undefined
}

const STEPS: readonly Step[] = [
  sendOne,
  sendOne,
  sendSeveral,
  returnOne,
  correctOne,
  correctOne,
  cancelOne,
  eat,
  repeat,
  repeat,
  repeat,
  wait,
  replace,
]

/** Lets two agents spend under a limit for so many calls. Returns how they passed it; undefined if they never did. */
export async function findOverspending(
  world: ServedWorld,
  random: Random,
  length: number,
): Promise<string | undefined> {
  const { text, limit, windowMs } = random.pick(LIMITS)
  const open = (name: string) =>
    openAgent(world, {
      account: BUYER,
      name: 'spender',
      transport: name === 'one' ? 'stdio' : 'http',
      limits: [limit],
    })
  const agents = [await open('one'), await open('other')]
  const story: SpendingStory = {
    world,
    random,
    agents,
    calls: [],
    numbers: [],
    costs: new Map(),
    worlds: 0,
    doors: 0,
  }
  const told: string[] = []
  await world.save()
  try {
    for (let step = 0; step < length; step++) {
      const call = await random.pick(STEPS)(story)
      if (call === undefined) continue
      const answer = await random.pick(agents).call(call.tool, call.input)
      told.push(`${call.tool} ${JSON.stringify(call.input)}: ${describeAnswer(answer)}`)
      story.calls.push(call)
      const { at, hasRisen } = await readCosts(story)
      const spent = sumCosts(story.costs, at - windowMs)
      // A clock that was set back brings earlier periods into this one: what was bought in each was within its limit.
      if (hasRisen && spent > limit.max.amount)
        return `£${spent / 100} is more than £${limit.max.amount / 100} ${text}, after ${step + 1} steps:\n  ${told.slice(-4).join('\n  ')}`
    }
    return undefined
  } finally {
    for (const agent of agents) await agent.close()
  }
}

function describeAnswer({ problem, replayed }: ToolText): string {
  return problem?.code ?? (replayed ? 'done before' : 'done')
}

type PricedRow = { tracking_number?: string; order_id?: string; price?: { total: Money }; total?: Money }

/** Reads what everything costs now. A lower price gives nothing back. Returns the service's time, and whether anything costs more. */
async function readCosts(story: SpendingStory): Promise<{ at: number; hasRisen: boolean }> {
  const { world, costs, worlds } = story
  const { now } = await world.control<{ now: string }>('get_clock')
  const at = Date.parse(now)
  let hasRisen = false
  for (const path of ['/v1/shipments?limit=100', '/v1/food/orders?limit=100']) {
    const { data } = bodyOf(await world.request({ as: BUYER, path })) as { data: PricedRow[] }
    for (const row of data) {
      const id = row.tracking_number ?? row.order_id ?? ''
      if (row.tracking_number !== undefined && !story.numbers.includes(id)) story.numbers.push(id)
      const amount = (row.price?.total ?? row.total)?.amount ?? 0
      const known = costs.get(`${worlds} ${id}`) ?? { most: 0, rises: [] }
      if (amount > known.most) known.rises.push({ at, amount: amount - known.most })
      hasRisen ||= amount > known.most
      known.most = Math.max(known.most, amount)
      costs.set(`${worlds} ${id}`, known)
    }
  }
  return { at, hasRisen }
}

function sumCosts(costs: ReadonlyMap<string, Cost>, since: number): number {
  const rises = [...costs.values()].flatMap((cost) => cost.rises)
  return rises.filter(({ at }) => at > since).reduce((sum, { amount }) => sum + amount, 0)
}
