import { beforeAll, describe, expect, test } from 'vitest'
import { generateTrackingNumbers } from '../../src/areas/carrier/rules/tracking-number.ts'
import type { Client } from '../../src/client/client.ts'
import { canonicalJson } from '../../src/core/canonical-json.ts'
import { AppError } from '../../src/core/errors.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import type { SpendAccount } from '../../src/local-state/ledger.ts'
import type { Quote } from '../../src/local-state/quotes.ts'
import { countOrders, findBasket, quoteFood } from '../support/agent-shopping.ts'
import { type Agent, guardOptions, openHome, startAgent } from '../support/agent.ts'
import type { Home } from '../support/home.ts'
import { makeParcel } from '../support/parcel.ts'
import { BANK_STATION, KINGS_CROSS } from '../support/rides.ts'

let home: Home
let service: Client
let basket: Record<string, unknown>
/** Every key that was sent, with its operation. */
const keys: [operation: string, key: string | undefined][] = []
/** The errors that replace the next responses, after the calls were carried out. */
const losses: AppError[] = []
let profiles = 0

beforeAll(async () => {
  ;({ home, service } = await openHome())
  const real = service
  service = {
    ...real,
    async call(operation, input, options) {
      keys.push([operation, options?.idempotencyKey])
      const result = await real.call(operation, input, options)
      const loss = operation.startsWith('quote_') ? undefined : losses.shift()
      if (loss !== undefined) throw loss
      return result
    },
  }
  basket = await findBasket(service)
})

async function start(profile?: string, purse?: SpendAccount): Promise<Agent> {
  const actor = { ...guardOptions(home).actor, profile: profile ?? `agent-${(profiles += 1)}` }
  return startAgent(home, { service, actor, ...(purse && { purse }) })
}

const lastKey = (): string | undefined => keys.at(-1)?.[1]

describe('the same call again', () => {
  test('buys one dinner, even thirty times, and says that it was one', async () => {
    const agent = await start()
    const { confirm } = await quoteFood(agent, basket)
    const before = await countOrders(service)
    const answers = []
    for (let calls = 0; calls < 30; calls += 1) answers.push(await agent.call('place_food_order', confirm))
    expect(new Set(answers.map(({ value }) => value['order_id'])).size).toBe(1)
    expect(answers.map(({ replayed }) => replayed)).toEqual([
      false,
      ...Array.from({ length: 29 }, () => true),
    ])
    expect(answers.at(-1)?.text).toContain('nothing was done again')
    expect(await countOrders(service)).toBe(before + 1)
  })

  test('does so when all thirty come at once, in another order of their arguments', async () => {
    const agent = await start()
    const { confirm } = await quoteFood(agent, basket)
    const turned = Object.fromEntries(Object.entries(confirm).toReversed())
    const before = await countOrders(service)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, call) =>
        agent.call('place_food_order', call % 2 === 0 ? confirm : turned),
      ),
    )
    expect(answers.map(({ problem }) => problem)).toEqual(answers.map(() => undefined))
    expect(new Set(answers.map(({ value }) => value['order_id'])).size).toBe(1)
    expect(await countOrders(service)).toBe(before + 1)
  })

  test('is replayed by another server, and after a restart', async () => {
    const one = await start('shared')
    const { confirm } = await quoteFood(one, basket)
    const first = await one.call('place_food_order', confirm)
    const two = await start('shared')
    const second = await two.call('place_food_order', confirm)
    expect([second.value, second.replayed]).toEqual([
      { ...first.value, replayed: expect.stringContaining('call quote_food_order again') as string },
      true,
    ])
  })

  test('finds the outcome of a call after its response was lost', async () => {
    const agent = await start()
    const { confirm } = await quoteFood(agent, basket)
    const before = await countOrders(service)
    losses.push(new AppError('network_error', 'No answer.', { extra: { idempotency_key: 'mcp_' } }))
    const lost = await agent.call('place_food_order', confirm)
    expect(lost.problem?.['code']).toBe('network_error')
    // Another call in between does not change the key.
    await agent.call('place_food_order', (await quoteFood(agent, basket)).confirm)
    const found = await agent.call('place_food_order', confirm)
    expect(found.replayed).toBe(true)
    expect(await countOrders(service)).toBe(before + 2)
  })

  test('is a new attempt after an error, because the situation may have changed', async () => {
    const agent = await start()
    const { confirm } = await quoteFood(agent, basket)
    const declined = { ...confirm, payment: { method: 'card', payment_token: 'tok_declined' } }
    await agent.call('place_food_order', declined)
    const first = lastKey()
    const { problem } = await agent.call('place_food_order', declined)
    expect(problem?.['code']).toBe('payment_declined')
    expect(lastKey()).toBe(`${first}_1`)
    expect((await agent.call('place_food_order', confirm)).problem).toBeUndefined()
  })

  test('sets a value again, because another caller may have changed it', async () => {
    const agent = await start()
    const made = { name: 'Sago pudding', category: 'Sweets', price: { amount: 450, currency: 'GBP' } }
    const { item_id } = (await agent.call<{ item_id: string }>('create_catalog_item', made)).value
    const off = { item_id, available: false }
    await agent.call('set_catalog_item_availability', off)
    await service.call(
      'set_catalog_item_availability',
      { item_id, available: true },
      { idempotencyKey: 'by-hand' },
    )
    const again = await agent.call('set_catalog_item_availability', off)
    expect(again).toMatchObject({
      problem: undefined,
      replayed: false,
      value: { effective_available: false },
    })
  })

  test('sends one parcel, whatever else was sent in the meantime, until that one is cancelled', async () => {
    const agent = await start()
    const send = (parcel: Record<string, unknown>) =>
      agent.call<{ tracking_number: string }>('create_shipment', parcel)
    const [one, other] = [makeParcel(), makeParcel({}, { line1: '14 Friar Street' })]
    const { value, problem } = await send(one)
    expect(problem).toBeUndefined()
    await send(other)
    // A cancellation that was rejected has taken nothing back.
    const [unknown] = generateTrackingNumbers(90_000, 1).numbers
    const refused = await agent.call('cancel_shipment', { tracking_number: unknown })
    expect(refused.problem).toMatchObject({ code: 'shipment_not_found' })
    const again = await send(one)
    expect([again.replayed, again.value.tracking_number]).toEqual([true, value.tracking_number])
    const cancel = { tracking_number: value.tracking_number }
    expect((await agent.call('cancel_shipment', cancel)).replayed).toBe(false)
    expect((await agent.call('cancel_shipment', cancel)).replayed).toBe(true)
    const anew = await send(one)
    expect(anew).toMatchObject({ problem: undefined, replayed: false })
    expect(anew.value.tracking_number).not.toBe(value.tracking_number)
  })

  test('is a new call when something was undone in between', async () => {
    const agent = await start()
    const made = { name: 'Mango pudding', category: 'Sweets', price: { amount: 450, currency: 'GBP' } }
    const first = await agent.call<{ item_id: string }>('create_catalog_item', made)
    expect(first.problem).toBeUndefined()
    expect((await agent.call('create_catalog_item', made)).replayed).toBe(true)
    await agent.call('delete_catalog_item', { item_id: first.value.item_id })
    const second = await agent.call<{ item_id: string }>('create_catalog_item', made)
    expect(second.problem).toBeUndefined()
    expect(second.value.item_id).not.toBe(first.value.item_id)
  })

  test('of the same cart on another quote is another order', async () => {
    const agent = await start()
    const before = await countOrders(service)
    for (const _ of [1, 2]) {
      const { confirm } = await quoteFood(agent, basket)
      expect((await agent.call('place_food_order', confirm)).problem).toBeUndefined()
    }
    expect(await countOrders(service)).toBe(before + 2)
  })
})

describe('a quote that is confirmed again', () => {
  const advance = (duration: string) => service.control('advance_clock', { by: duration })

  /** Requests a ride, and returns the same call and its first response. */
  async function ride(agent: Agent, more: Record<string, unknown> = {}, key: Record<string, unknown> = {}) {
    const quoted = await agent.call('quote_ride', { pickup: BANK_STATION, dropoff: KINGS_CROSS, ...more })
    const { quote_id } = quoted.value
    const confirm = { quote_id, tier: 'economy', payment: { method: 'wallet' }, ...key }
    const again = () => agent.call('request_ride', confirm)
    const first = await again()
    expect(first.problem).toBeUndefined()
    return { first: first.value, again }
  }

  test('answers with the ride as it is now, and not as it was', async () => {
    const agent = await start()
    const { first, again } = await ride(agent)
    await advance('2m')
    const now = (await agent.call('get_ride', { ride_id: first['ride_id'] })).value
    expect(now['status']).not.toBe(first['status'])
    const repeated = await again()
    expect([repeated.value, repeated.replayed]).toEqual([
      { ...now, replayed: expect.stringContaining('call quote_ride again') as string },
      true,
    ])
    expect(repeated.text).toContain('this is how it is now, and nothing was done again')
  })

  test('is rejected with id and status once the ride has ended, however often', async () => {
    const agent = await start()
    const { first, again } = await ride(agent)
    await agent.call('cancel_ride', { ride_id: first['ride_id'] })
    const ended = { code: 'quote_already_used', status: 409, ride_id: first['ride_id'] }
    for (const _ of [1, 2, 3])
      expect((await again()).problem).toMatchObject({ ...ended, current_status: 'cancelled' })
  })

  test('is known for longer than the service keeps the key', async () => {
    const agent = await start()
    const { now } = await service.serviceTime()
    const { first, again } = await ride(agent, {
      scheduled_for: new Date(now + 5 * 86_400_000).toISOString(),
    })
    await advance('25h')
    const repeated = await again()
    expect(repeated.value).toMatchObject({ ride_id: first['ride_id'], status: 'scheduled' })
    await agent.call('cancel_ride', { ride_id: first['ride_id'] })
    expect((await again()).problem).toMatchObject({ ride_id: first['ride_id'], current_status: 'cancelled' })
  })

  test('with a key of the agent’s own gives the first answer again, whatever became of the ride', async () => {
    const agent = await start()
    const { first, again } = await ride(agent, {}, { idempotency_key: 'my-ride' })
    await agent.call('cancel_ride', { ride_id: first['ride_id'] })
    const repeated = await again()
    expect([repeated.value, repeated.replayed]).toEqual([first, true])
  })

  test('by other arguments is rejected with the status that the ride has', async () => {
    const agent = await start()
    const { first } = await ride(agent)
    const other = await agent.call('request_ride', {
      quote_id: first['quote_id'],
      tier: 'economy',
      payment: { method: 'cash' },
    })
    expect(other.problem).toMatchObject({
      code: 'quote_already_used',
      ride_id: first['ride_id'],
      current_status: first['status'],
    })
  })
})

describe('a key', () => {
  test('that was given is sent', async () => {
    const agent = await start()
    const { confirm } = await quoteFood(agent, basket)
    await agent.call('place_food_order', { ...confirm, idempotency_key: 'dinner-1' })
    expect(lastKey()).toBe('dinner-1')
    expect((await agent.call('place_food_order', { ...confirm, idempotency_key: 'dinner-1' })).replayed).toBe(
      true,
    )
    const other = await agent.call('place_food_order', { ...confirm, idempotency_key: 'dinner-2' })
    expect(other.problem?.['code']).toBe('quote_already_used')
  })

  test('that is derived depends on account, operation and input alone', async () => {
    const agent = await start('own', { service: 'here', account: 'cus_1' })
    const { quote, confirm } = await quoteFood(agent, basket)
    await agent.call('place_food_order', confirm)
    const input = { ...confirm, expected_total: quote.total }
    expect(lastKey()).toBe(`mcp_${sha256Hex(canonicalJson(['cus_1', 'place_food_order', input, null]))}`)
  })

  test.each(['', 'two words', 'x'.repeat(256), 1])(
    'that is none (%j) is refused before anything is noted',
    async (key) => {
      const agent = await start()
      const { confirm } = await quoteFood(agent, basket)
      const sent = keys.length
      const { problem } = await agent.call('place_food_order', { ...confirm, idempotency_key: key })
      expect(problem?.['code']).toBe('idempotency_key_invalid')
      expect(keys).toHaveLength(sent)
    },
  )

  test('is not sent with reads', async () => {
    const agent = await start()
    await agent.call<Quote>('quote_food_order', basket)
    expect(keys.at(-1)).toEqual(['quote_food_order', undefined])
  })
})
