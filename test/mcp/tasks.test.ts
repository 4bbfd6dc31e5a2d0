/**
 * Seven jobs by an agent that knows the person's words, `tools/list` and the answers so far, and nothing else: each is done
 * without a wrong turn, within a budget of tokens, and each response fits the schema that is listed for it.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { TSchema } from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { listFieldErrors } from '../../src/gateway/validation-details.ts'
import { TOOL_OUTPUTS } from '../../src/generated/tool-outputs.ts'
import { type Agent, openHome, openTestService, startAgent } from '../support/agent.ts'
import { CARD } from '../support/food.ts'
import type { Home } from '../support/home.ts'

/**
 * The most tokens that the text of all answers of a job may have. `before` is the count of the version that people called
 * too long; the goal is half of it.
 */
const BUDGETS = {
  dinner: { before: 9780, most: 4800 },
  ride: { before: 2650, most: 930 },
  parcel: { before: 1150, most: 430 },
  cleaner: { before: 3550, most: 1260 },
  task: { before: 5930, most: 1800 },
  store: { before: 4600, most: 2000 },
  where: { before: 1472, most: 190 },
} as const

type Job = keyof typeof BUDGETS

let home: Home
let service: Client
let agent: Agent
let listed: string
let schemas: Map<string, Schema>

type Schema = { properties?: Record<string, unknown> }

beforeAll(async () => {
  ;({ home, service } = await openHome())
  agent = await startAgent(home, { service, purse: { service: 'here', account: 'jobs' } })
  const { tools } = await agent.client.listTools()
  listed = JSON.stringify(tools)
  schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema as Schema]))
})

/** One job. Its `call` fails for a tool, an argument or a text that the agent cannot know. */
function startJob(job: Job, words: string) {
  const calls: { tool: string; tokens: number }[] = []
  let known = `${words} ${listed}`
  return {
    /** Adds a text that the agent works out of what it knows, such as the day after today. */
    workOut(text: string): string {
      known += ` ${text}`
      return text
    },
    async call<T = Record<string, unknown>>(tool: string, args: Record<string, unknown>) {
      const { properties = {} } = schemas.get(tool) ?? {}
      const strange = [
        ...Object.keys(args).filter((name) => !(name in properties)),
        ...textsIn(args).filter((text) => !known.includes(JSON.stringify(text).slice(1, -1))),
      ]
      expect({ job, tool, isListed: schemas.has(tool), strange }).toEqual({
        job,
        tool,
        isListed: true,
        strange: [],
      })
      const answer = await agent.call<T>(tool, args)
      expect({ job, tool, args, problem: answer.problem }).toEqual({ job, tool, args, problem: undefined })
      const faults = listFieldErrors(TOOL_OUTPUTS[tool] as TSchema, answer.value)
      expect({ job, tool, faults }).toEqual({ job, tool, faults: [] })
      calls.push({ tool, tokens: countTokens(answer.text) })
      known += ` ${answer.text} ${JSON.stringify(answer.facts)}`
      return answer
    },
    /** Checks the budget; the message of a failure says what each response cost. */
    end(): void {
      const tokens = calls.reduce((sum, call) => sum + call.tokens, 0)
      const costs = calls.map((call) => `${call.tool} ${call.tokens}`).join(', ')
      const { before, most } = BUDGETS[job]
      expect(tokens, costs).toBeLessThanOrEqual(most)
      expect(most).toBeLessThanOrEqual(before / 2)
    },
  }
}

/** Returns the texts in a value, without the names of fields. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

type Money = { amount: number; currency: string }
type Quote = { quote_id: string; total: Money }
/** The list says which test cards there are. */

type Choices = { min_selections: number; modifiers: { modifier_id: string; available?: boolean }[] }
type Dish = { item_id: string; name: string; price: Money; modifier_groups?: Choices[] }

/** Returns the line of a dish with as many of each kind of choices as it needs, the first ones. */
function lineOf({ item_id, modifier_groups = [] }: Dish) {
  const modifiers = modifier_groups.flatMap(({ min_selections, modifiers: all }) =>
    all
      .filter(({ available = true }) => available)
      .slice(0, min_selections)
      .map(({ modifier_id }) => ({ modifier_id })),
  )
  return { item_id, quantity: 1, ...(modifiers.length > 0 && { modifiers }) }
}

test('dinner under £25, to an address in words', async () => {
  const address = '12 Finsbury Square, London EC2A 1AN'
  const job = startJob('dinner', `Dinner for me at ${address}: noodles, for less than £25 with everything.`)
  const found = await job.call<{ data: { merchant_id: string; delivery: { minimum_order: Money } }[] }>(
    'search_restaurants',
    { near: address, q: 'noodles', fulfillment_type: 'delivery' },
  )
  const [store] = found.value.data
  const merchant_id = store?.merchant_id ?? ''
  const menu = await job.call<{ categories: { items: Dish[] }[] }>('get_restaurant_menu', { merchant_id })
  const minimum = store?.delivery.minimum_order.amount ?? 0
  const dish = menu.value.categories
    .flatMap(({ items }) => items)
    .find(({ price }) => price.amount >= minimum && price.amount < 1800)
  const quoted = await job.call<Quote>('quote_food_order', {
    merchant_id,
    fulfillment_type: 'delivery',
    items: dish === undefined ? [] : [lineOf(dish)],
    dropoff: { name: address },
  })
  const { quote_id, total } = quoted.value
  expect(total.amount).toBeLessThan(2500)
  const placed = await job.call<{ status: string; total: Money }>('place_food_order', {
    quote_id,
    payment: CARD,
    expected_total: total,
  })
  expect(placed.value).toMatchObject({ status: 'placed', total })
  job.end()
})

test('where is my order', async () => {
  const job = startJob('where', 'Where is my order?')
  const { value } = await job.call<{ data: unknown[] }>('list_food_orders', { limit: 1 })
  // The newest is the dinner; its arrival is known from the start.
  expect(value.data).toMatchObject([
    { status: 'placed', estimated_delivery_at: expect.stringMatching(/^2026-11-20T12:/) as string },
  ])
  job.end()
})

test('a ride that is cancelled', async () => {
  const job = startJob('ride', 'The cheapest ride from King’s Cross to Bank. — No, I walk: cancel it.')
  const { value } = await job.call<{ quote_id: string; fares: { tier: string; fare: Money }[] }>(
    'quote_ride',
    {
      pickup: { name: 'King’s Cross' },
      dropoff: { name: 'Bank' },
    },
  )
  const [cheapest] = value.fares.toSorted((a, b) => a.fare.amount - b.fare.amount)
  const ride = await job.call<{ ride_id: string }>('request_ride', {
    quote_id: value.quote_id,
    tier: cheapest?.tier,
    payment: CARD,
    expected_total: cheapest?.fare,
  })
  const cancelled = await job.call('cancel_ride', { ride_id: ride.value.ride_id })
  expect(cancelled.value).toMatchObject({ status: 'cancelled', refund: { amount: cheapest?.fare } })
  job.end()
})

test('a parcel and its label', async () => {
  const job = startJob(
    'parcel',
    'By next_day to Grace Okoro, 2 Friar Street, Reading, RG1 1DB, GB: 1.4 kg, 30 × 20 × 10 cm. I want the label.',
  )
  const { value } = await job.call<{ tracking_number: string }>('create_shipment', {
    recipient: {
      contact: { name: 'Grace Okoro' },
      address: { line1: '2 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
    },
    parcel: { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 },
    service_level: 'next_day',
  })
  // A program reads the label as a file; the model sees none of its bytes.
  const { resourceTemplates } = await agent.client.listResourceTemplates()
  const address = resourceTemplates.find(({ name }) => name === 'label-pdf')?.uriTemplate ?? ''
  const uri = address.replace('{tracking_number}', value.tracking_number).replace(/\{\?[^}]*\}/, '')
  const [label] = (await agent.client.readResource({ uri })).contents
  expect(label).toMatchObject({ mimeType: 'application/pdf' })
  job.end()
})

/** Returns the day after that of the service's clock. */
const dayAfter = (facts: unknown): string =>
  new Date(Date.parse((facts as { time: string }).time) + 86_400_000).toISOString().slice(0, 10)

test('a cleaner tomorrow morning', async () => {
  const address = '12 Finsbury Square, London EC2A 1AN'
  const job = startJob(
    'cleaner',
    `A cleaner tomorrow morning at ${address}, a regular clean, for Alex Morgan.`,
  )
  // The instructions at the start tell the time; so does each response.
  const tomorrow = job.workOut(dayAfter((await agent.call('list_rides', {})).facts))
  type Provider = { provider_id: string; services: { service_code: string; name: string }[] }
  const found = await job.call<{ data: Provider[] }>('search_service_providers', {
    near: address,
    category: 'cleaning',
    date: tomorrow,
  })
  const [provider] = found.value.data
  const { provider_id, service_code } = {
    provider_id: provider?.provider_id,
    service_code: provider?.services.find(({ name }) => name === 'Regular clean')?.service_code,
  }
  type Day = { date: string; utc_offset: string; starts: string[] }
  const open = await job.call<{ data: Day[] }>('get_provider_availability', {
    provider_id,
    service_code,
    date: tomorrow,
    view: 'days',
  })
  const [day] = open.value.data
  const time = day?.starts.find((at) => /^(?:09|10|11):/.test(at))
  const start = job.workOut(`${day?.date}T${time}:00${day?.utc_offset}`)
  const quoted = await job.call<Quote>('quote_service', {
    provider_id,
    service_code,
    place: { name: address },
    starts_at: start,
  })
  const { quote_id, total } = quoted.value
  const booked = await job.call('book_service', {
    quote_id,
    starts_at: start,
    contact: { name: 'Alex Morgan' },
    payment: CARD,
    expected_total: total,
  })
  expect(booked.value).toMatchObject({ status: 'confirmed', price: total })
  job.end()
})

test('a task with its photo', async () => {
  const address = '12 Finsbury Square, London EC2A 1AN'
  const job = startJob('task', `Photograph the front of ${address} for me.`)
  type Kind = { task_type: string; name: string }
  const kinds = await job.call<{ data: Kind[] }>('list_task_types', { near: address, category: 'inspection' })
  const kind = kinds.value.data.find(({ name }) => /photo/i.test(name))
  const quoted = await job.call<Quote>('quote_task', {
    task_type: kind?.task_type,
    place: { name: address },
    requirements: { views: ['front'] },
  })
  const { quote_id, total } = quoted.value
  const made = await job.call<{ task_id: string }>('create_task', {
    quote_id,
    payment: CARD,
    expected_total: total,
  })
  const { task_id } = made.value
  await service.control('advance_clock', { by: '6h' })
  const brought = await job.call('get_task_evidence', { task_id, kind: 'photo' })
  expect(brought.images.length).toBeGreaterThan(0)
  job.end()
})

/** Orders a dish as a customer of the store; returns the number of the order. */
async function orderAt(dish: { merchant_id: string; item_id: string }, notes: string): Promise<string> {
  const customer = await openTestService(home, 'member')
  const { merchant_id, item_id } = dish
  const { quote_id } = (
    await customer.call('quote_food_order', {
      merchant_id,
      fulfillment_type: 'pickup',
      items: [{ item_id, quantity: 3 }],
    })
  ).value
  const placed = await customer.call(
    'place_food_order',
    { quote_id, payment: CARD, notes },
    { idempotencyKey: notes },
  )
  return placed.value.display_number
}

test('the morning of a store', async () => {
  const own = (await service.call('list_catalog_items', {})).value.data
  const [dish, other] = own.filter(({ modifier_groups }) => modifier_groups.length === 0)
  if (dish === undefined || other === undefined) throw new Error('the store has too few dishes')
  const numbers = await Promise.all(['first', 'second'].map((notes) => orderAt(dish, notes)))
  await service.call(
    'set_catalog_item_availability',
    { item_id: other.item_id, available: false },
    { idempotencyKey: 'off' },
  )

  const job = startJob(
    'store',
    'Open my store: accept what waits, start with the first, and put back on sale what is off.',
  )
  type Order = { order_id: string; display_number: string; status: string }
  const { value } = await job.call<{ data: Order[] }>('list_business_orders', { active: true })
  const waiting = value.data.filter(({ status }) => status === 'placed').toReversed()
  expect(waiting.map(({ display_number }) => display_number).toSorted()).toEqual(numbers.toSorted())
  for (const { order_id } of waiting)
    await job.call('accept_business_order', { order_id, prep_time_minutes: 15 })
  const begun = await job.call('start_business_order_prep', { order_id: waiting[0]?.order_id })
  expect(begun.value).toMatchObject({ status: 'preparing' })
  const off = await job.call<{ data: { item_id: string }[] }>('list_catalog_items', { available: false })
  expect(off.value.data.map(({ item_id }) => item_id)).toEqual([other.item_id])
  for (const { item_id } of off.value.data)
    await job.call('set_catalog_item_availability', { item_id, available: true })
  job.end()
})
