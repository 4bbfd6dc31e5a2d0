/** Customers, stores and couriers act in any order, while the clock advances. */
import { describe, expect, test } from 'vitest'
import { DELIVERY_STATUSES } from '../../src/areas/couriers/states.ts'
import { ORDER_STATUSES } from '../../src/areas/orders/states.ts'
import { REFUND_DESTINATIONS } from '../../src/areas/payments/rules/payment.ts'
import { AppError } from '../../src/core/errors.ts'
import { iterations } from '../support/battery.ts'
import { callTestControl } from '../support/control.ts'
import { findStore, makeBasketLine, NEAR, newKey } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { FORNO } from '../support/order-life.ts'
import { fc } from '../support/properties.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const SECOND = 1000
const SCENARIOS = [
  undefined,
  undefined,
  'store_auto',
  'store_rejects;reason=store_closed',
  'payment_pending',
  'no_courier',
  'courier_cancels;at=assigned',
  'courier_cancels;at=arrived_at_pickup',
  'courier_delay;seconds=900',
  'undeliverable;reason=refused',
] as const
const ACTIONS = [
  'accept_business_order',
  'start_business_order_prep',
  'mark_business_order_ready',
  'complete_business_order',
  'reject_business_order',
] as const
/** The actions that move an order forward; drawn more often, so that many orders end. */
const ONWARDS = ['accept_business_order', 'mark_business_order_ready', 'mark_business_order_ready'] as const
const WAYS = [
  ['delivery', 'card', 'tok_ok'],
  ['delivery', 'card', 'tok_store'],
  ['delivery', 'cash', undefined],
  ['delivery', 'wallet', undefined],
  ['pickup', 'card', 'tok_pending'],
  ['pickup', 'wallet', undefined],
  ['dine_in', 'pay_at_table', undefined],
  ['dine_in', 'cash', undefined],
] as const

type Step =
  | { do: 'place'; way: number; scenario: (typeof SCENARIOS)[number]; later: boolean }
  | { do: 'act'; which: number; action: (typeof ACTIONS)[number]; off: boolean }
  | { do: 'cancel' | 'step' | 'settle' | 'check' | 'lapse'; which: number }
  | { do: 'wait'; seconds: number }

const which = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('place' as const),
    way: fc.nat(WAYS.length - 1),
    scenario: fc.constantFrom(...SCENARIOS),
    later: fc.boolean(),
  }),
  {
    arbitrary: fc.record({
      do: fc.constant('act' as const),
      which,
      action: fc.oneof(
        { arbitrary: fc.constantFrom(...ACTIONS), weight: 1 },
        { arbitrary: fc.constantFrom(...ONWARDS), weight: 3 },
      ),
      off: fc.boolean(),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'settle' as const, 'check' as const, 'lapse' as const),
      which,
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ do: fc.constant('step' as const), which }), weight: 3 },
  fc.record({
    do: fc.constant('wait' as const),
    seconds: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 600, max: 4000 })),
  }),
)
/** Begins with existing orders, mostly deliveries. */
const story = fc
  .tuple(
    fc.oneof(fc.nat(3), fc.nat(WAYS.length - 1)),
    fc.constantFrom(...SCENARIOS),
    fc.boolean(),
    fc.array(step, { minLength: 12, maxLength: 36 }),
  )
  .map(([way, scenario, ready, steps]): Step[] => {
    const first: Step = { do: 'place', way, scenario, later: false }
    const onwards = ready ? ONWARDS.slice(0, 2) : []
    return [first, ...onwards.map((action): Step => ({ do: 'act', which: 0, action, off: false })), ...steps]
  })

/** With few couriers, orders wait for each other's. */
const supply = fc.constantFrom('normal', 'scarce')

type Life = { world: TestSandbox; orders: string[]; said: string[]; split: number }
type Of<Name extends Step['do']> = Extract<Step, { do: Name }>

async function call(life: Life, ...args: Parameters<TestSandbox['call']>): Promise<Record<string, unknown>> {
  const { status, text, body } = await life.world.call(...args)
  life.said.push(`${args[0]} ${status} ${text}`)
  return body
}

async function place(life: Life, { way, scenario, later }: Of<'place'>): Promise<void> {
  const { world } = life
  const [type, method, token] = WAYS[way] ?? WAYS[0]
  const store = await findStore(world, FORNO)
  const item = store.items.find(({ doc }) => doc.modifier_groups.length === 0)
  const slot = Math.ceil((await world.now()) / 900_000) * 900_000 + 7_200_000
  const quote = await call(
    life,
    'quote_food_order',
    {
      merchant_id: store.merchant_id,
      fulfillment_type: type,
      items: item === undefined ? [] : [makeBasketLine(item, 3)],
      ...(type === 'delivery' && { dropoff: NEAR }),
      ...(type === 'dine_in' && { table: { table_number: '4', party_size: 2 } }),
      ...(later && { scheduled_for: new Date(slot).toISOString() }),
    },
    { as: 'member' },
  )
  if (typeof quote['quote_id'] !== 'string') return
  const placed = await call(
    life,
    'place_food_order',
    {
      quote_id: quote['quote_id'],
      payment: { method, ...(token !== undefined && { payment_token: token }) },
    },
    { as: 'member', key: newKey(), ...(scenario !== undefined && { scenario }) },
  )
  if (typeof placed['order_id'] === 'string') life.orders.push(placed['order_id'])
}

/** Makes a sandbox call that may be rejected. */
async function push(life: Life, work: () => Promise<unknown>): Promise<void> {
  try {
    life.said.push(JSON.stringify(await work()))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    life.said.push(`${error.code} ${error.message}`)
  }
}

async function runOrderStep(life: Life, each: Step): Promise<void> {
  const { world, split } = life
  if (each.do === 'place') return place(life, each)
  if (each.do === 'wait') {
    for (let part = 0; part < split; part++) await world.advance((each.seconds * SECOND) / split)
    return
  }
  const order_id = life.orders[each.which % Math.max(1, life.orders.length)]
  if (order_id === undefined) return
  if (each.do === 'act') {
    const off = each.action === 'reject_business_order' && each.off
    await call(life, each.action, { order_id, ...(off && { reason_code: 'too_busy' }) })
  } else if (each.do === 'cancel') await call(life, 'cancel_food_order', { order_id }, { as: 'member' })
  else if (each.do === 'step')
    await push(life, () => callTestControl(world, 'step_resource', { resource_id: order_id }))
  else if (each.do === 'settle') {
    await push(life, () => callTestControl(world, 'settle_payment', { order_id }))
    await push(life, () => callTestControl(world, 'settle_check', { check_id: order_id }))
  } else if (each.do === 'check') await push(life, () => callTestControl(world, 'open_check', { order_id }))
  else {
    const status = each.which % 2 === 0 ? 'expired' : 'active'
    await push(life, () => callTestControl(world, 'set_membership', { account: 'member', status }))
  }
}

/** Every status and refund that occurred. */
const reached = new Set<string>()

/** Reads both views of every order, which must agree; no membership is needed for that. */
async function readMatchingOrders({ world, orders }: Life): Promise<Map<string, string[]>> {
  const seen = new Map<string, string[]>()
  for (const order_id of orders) {
    const order = await world.ok('get_food_order', { order_id }, { as: 'member' })
    const business = await world.ok('get_business_order', { order_id })
    expect(business.status).toBe(order.status)
    expect(business.status_history).toMatchObject(order.status_history)
    expect(business.payment).toEqual(order.payment)
    expect(business.refund).toEqual(order.refund)
    expect(business.delivery?.courier?.name).toBe(order.courier?.name)
    expect(order.cancellable).toBe(['placed', 'accepted'].includes(order.status))
    reached.add(order.status)
    if (order.refund !== null) reached.add(order.refund.destination)
    if (business.delivery !== null) reached.add(`delivery ${business.delivery.status}`)
    seen.set(
      order_id,
      order.status_history.map(({ status, at, by }) => `${status} ${at} ${by}`),
    )
  }
  return seen
}

/** Notes the states that deliveries had between two looks. */
async function recall({ world, orders }: Life): Promise<void> {
  for (const order_id of orders) {
    const { delivery_id } = await world.ok('get_food_order', { order_id }, { as: 'member' })
    if (delivery_id === null) continue
    const delivery = await world.ok('get_delivery', { delivery_id }, { as: 'member' })
    for (const { status } of delivery.status_history) reached.add(`delivery ${status}`)
  }
}

/** Plays the steps, and returns every response as it was sent. */
async function live(life: Life, steps: readonly Step[]): Promise<string[]> {
  let before = new Map<string, string[]>()
  for (const each of steps) {
    await runOrderStep(life, each)
    const after = await readMatchingOrders(life)
    // Entries of the history never change.
    for (const [order_id, entries] of before)
      expect(after.get(order_id)?.slice(0, entries.length)).toEqual(entries)
    before = after
  }
  return [...life.said, JSON.stringify([...before])]
}

const lifeIn = (world: TestSandbox, split = 1): Life => ({ world, orders: [], said: [], split })

describe.each(ENGINES)('on $name', ({ name, locate }) => {
  const runs = name === 'SQLite' ? { numRuns: iterations(40, 60) } : { numRuns: iterations(3, 8) }

  test('whatever is done, lives are paths of their tables and all money is somewhere', async () => {
    await fc.assert(
      fc.asyncProperty(story, supply, async (steps, people) => {
        const life = lifeIn(await openTestSandbox({ engine: { name, locate } }))
        await callTestControl(life.world, 'set_supply', { supply: people })
        await live(life, steps)
        expect(await checkInvariants(life.world.db)).toEqual([])
        await life.world.advance(6 * 3600 * SECOND)
        await readMatchingOrders(life)
        await recall(life)
        expect(await checkInvariants(life.world.db)).toEqual([])
      }),
      runs,
    )
  }, 300_000)
})

test('every state and every way back of the money was met', () => {
  const runs = DELIVERY_STATUSES.map((status) => `delivery ${status}`)
  const met = [...ORDER_STATUSES, ...runs, ...REFUND_DESTINATIONS]
  expect(met.filter((each) => !reached.has(each))).toEqual([])
})

test('it makes no difference in how many steps the clock goes', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.integer({ min: 2, max: 9 }), async (steps, split) => {
      const whole = steps.map((each) =>
        each.do === 'wait' ? { ...each, seconds: each.seconds * split } : each,
      )
      const [once, often] = [lifeIn(await openTestSandbox()), lifeIn(await openTestSandbox(), split)]
      expect(await live(often, whole)).toEqual(await live(once, whole))
    }),
    { numRuns: iterations(4, 12) },
  )
}, 300_000)
