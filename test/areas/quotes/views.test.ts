/** A quote says what its confirm needs, and its confirm takes exactly that. */
import { describe, expect, test } from 'vitest'
import { PAYMENT_METHODS } from '../../../src/areas/payments/rules/payment.ts'
import { FROM, PARCEL_OF_KEYS, requestOf, TO } from '../../support/deliveries.ts'
import { findStore, makeBasketLine, makeBasket } from '../../support/food.ts'
import { BANK_STATION, KINGS_CROSS } from '../../support/rides.ts'
import { timestampAt, CONTACT, makeJob, startsOf } from '../../support/services.ts'
import { SHELF, taskInput } from '../../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

type Input = Record<string, unknown>
type Case = {
  quote: string
  confirm: string
  methods: string[]
  ask(world: TestSandbox): Promise<Input>
  rest(world: TestSandbox): Promise<Input>
}

async function baskets(world: TestSandbox, over: Input): Promise<Input> {
  const store = await findStore(world)
  const items = [makeBasketLine(store.item('Corn Fritters'), 3)]
  return makeBasket(world, { items, dropoff: undefined, ...over })
}

const CASES: Record<string, Case> = {
  'an order that is collected': {
    quote: 'quote_food_order',
    confirm: 'place_food_order',
    methods: ['card', 'wallet', 'cash'],
    ask: (world) => baskets(world, { fulfillment_type: 'pickup' }),
    rest: async () => ({}),
  },
  'a ride': {
    quote: 'quote_ride',
    confirm: 'request_ride',
    methods: ['card', 'wallet', 'cash'],
    ask: async () => ({ pickup: BANK_STATION, dropoff: KINGS_CROSS }),
    rest: async () => ({ tier: 'economy' }),
  },
  'a courier run': {
    quote: 'quote_delivery',
    confirm: 'request_delivery',
    methods: ['card', 'wallet', 'cash'],
    ask: async () => ({ pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS }),
    rest: async () => requestOf('', {}),
  },
  'a visit': {
    quote: 'quote_service',
    confirm: 'book_service',
    methods: ['card', 'wallet'],
    ask: (world) => makeJob(world),
    rest: async (world) => ({ contact: CONTACT, starts_at: timestampAt((await startsOf(world))[0] ?? '') }),
  },
  'a task': {
    quote: 'quote_task',
    confirm: 'create_task',
    methods: ['card', 'wallet'],
    ask: async () => taskInput(),
    rest: async () => ({ requirements: SHELF, contact: CONTACT }),
  },
}

describe.each(Object.entries(CASES))('%s', (_, { quote, confirm, methods, ask, rest }) => {
  test('names the method of its confirm, and any other method is rejected', async () => {
    const world = await openTestSandbox()
    const { body } = await world.call(quote, await ask(world))
    expect(body).toMatchObject({ payment_methods: methods, needs_membership: false })
    const confirmBy = async (method: string) => {
      const payment = { method, ...(method === 'card' && { payment_token: 'tok_pending' }) }
      const input = { ...(await rest(world)), quote_id: body['quote_id'], payment }
      return world.call(confirm, input, { key: method })
    }
    for (const method of PAYMENT_METHODS.filter((each) => !methods.includes(each))) {
      const { status } = await confirmBy(method)
      // The rides' own list of methods is in the schema.
      expect([method, status]).toEqual([method, quote === 'quote_ride' ? 400 : 422])
    }
    const [first = ''] = methods
    expect((await confirmBy(first)).status).toBe(201)
  })

  test('says that an account cannot confirm it without a membership', async () => {
    const world = await openTestSandbox()
    const { body } = await world.call(quote, await ask(world), { as: 'guest' })
    expect(body).toMatchObject({ needs_membership: true })
    const payment = { method: 'wallet' }
    const input = { ...(await rest(world)), quote_id: body['quote_id'], payment }
    expect((await world.call(confirm, input, { as: 'guest', key: 'one' })).body).toMatchObject({
      code: 'membership_required',
    })
  })
})

test('only an order for a table is paid at the table', async () => {
  const world = await openTestSandbox()
  const { merchant_id, item } = await findStore(world, 'Forno Santa Rosa')
  const basket = { merchant_id, items: [{ item_id: item('Margherita').item_id, quantity: 1 }] }
  const methodsOf = async (more: Input) =>
    (await world.ok('quote_food_order', { ...basket, ...more })).payment_methods
  expect(await methodsOf({ fulfillment_type: 'dine_in', table: { table_number: '4' } })).toContain(
    'pay_at_table',
  )
  expect(await methodsOf({ fulfillment_type: 'pickup' })).toEqual(['card', 'wallet', 'cash'])
})
