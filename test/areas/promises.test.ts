/** Promised times are kept without outside changes, however few workers there are. */
import { describe, expect, test } from 'vitest'
import { findDelivery } from '../../src/areas/couriers/queries/deliveries.ts'
import { callTestControl } from '../support/control.ts'
import { PARCEL_OF_KEYS, quoteRun, requestOf, fetchDelivery, TO } from '../support/deliveries.ts'
import { CARD, makeBasket, NEAR, newKey } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { performAction, placeTestOrder } from '../support/order-life.ts'
import { checkPeople } from '../support/people-invariants.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SOHO = { location: { latitude: 51.5136, longitude: -0.1365 }, name: 'Soho' }
const BANK = { location: { latitude: 51.5134, longitude: -0.0889 }, name: 'Bank' }

async function openScarce(options: Parameters<typeof openTestSandbox>[0] = {}): Promise<TestSandbox> {
  const world = await openTestSandbox(options)
  await callTestControl(world, 'set_supply', { supply: 'scarce' })
  return world
}

/** Quotes and requests deliveries across the town until one is rejected; returns the promises of the accepted ones. */
async function sendMany(world: TestSandbox, count: number, quote: Record<string, unknown> = {}) {
  const sent: { id: string; pickup: string | null; dropoff: string | null }[] = []
  for (let each = 0; each < count; each += 1) {
    const input = { pickup: SOHO, dropoff: BANK, parcel: PARCEL_OF_KEYS, ...quote }
    const { status, body } = await world.call('quote_delivery', input, { as: 'member' })
    if (body['code'] === 'no_courier_available') continue
    expect(status).toBe(200)
    const run = await world.ok('request_delivery', requestOf(String(body['quote_id'])), {
      as: 'member',
      key: newKey(),
    })
    expect(run.pickup_eta_at).toBe(body['pickup_eta_at'])
    sent.push({ id: run.delivery_id, pickup: run.pickup_eta_at, dropoff: run.dropoff_eta_at })
  }
  return sent
}

async function kept(world: TestSandbox, sent: Awaited<ReturnType<typeof sendMany>>): Promise<void> {
  for (const { id, pickup, dropoff } of sent) {
    const run = await world.db.read((tx) => findDelivery(tx, id))
    const at = (status: string) => run?.doc.history.find((step) => step.status === status)?.at ?? Infinity
    expect(new Date(Math.min(at('arrived_at_pickup'), 8.64e15)).toISOString()).toBe(pickup)
    expect(at('arrived_at_dropoff')).toBeLessThanOrEqual(Date.parse(dropoff ?? ''))
  }
  expect(await world.db.read(checkPeople)).toEqual([])
}

test('with two couriers every pickup counts those before it and comes when promised; too long a wait is rejected', async () => {
  const world = await openScarce()
  const sent = await sendMany(world, 8)
  expect(sent.length).toBeGreaterThanOrEqual(4)
  expect(sent.length).toBeLessThan(8)
  expect(new Set(sent.map(({ pickup }) => pickup)).size).toBe(sent.length)
  await world.advance(4 * HOUR)
  await kept(world, sent)
  expect(await sendMany(world, 1)).toHaveLength(1)
})

test('a good quote is rejected once all couriers have been taken, and stays open', async () => {
  const world = await openScarce()
  const late = await quoteRun(world, { quote: { pickup: SOHO, dropoff: BANK } })
  await sendMany(world, 8)
  const options = { as: 'member', key: newKey() }
  expect(await world.refused('request_delivery', requestOf(late.quote_id), options)).toMatchObject({
    code: 'no_courier_available',
  })
})

test('promises for tomorrow are kept beside today’s deliveries, never more than five minutes early', async () => {
  const world = await openScarce()
  const ready = '2026-11-21T09:00:00.000Z'
  const tomorrow = await sendMany(world, 3, { pickup_ready_at: ready })
  expect(tomorrow).toHaveLength(3)
  expect(
    tomorrow.map(({ pickup }) => Date.parse(pickup ?? '') - Date.parse(ready)).toSorted((a, b) => a - b),
  ).toEqual([-5 * MINUTE, -5 * MINUTE, expect.toSatisfy((later: number) => later > 0)])
  const today = await sendMany(world, 3)
  await world.advanceTo('2026-11-21T08:00:00.000Z')
  await kept(world, today)
  const soon = await sendMany(world, 2)
  await world.advanceTo('2026-11-21T12:00:00.000Z')
  await kept(world, [...tomorrow, ...soon])
})

test('a courier comes at most five minutes before the goods are ready, from wherever they are', async () => {
  const world = await openTestSandbox()
  const ready = '2026-11-21T09:00:00.000Z'
  const sent = await sendMany(world, 1, { pickup_ready_at: ready })
  expect(sent[0]?.pickup).toBe('2026-11-21T08:55:00.000Z')
  await world.advanceTo('2026-11-21T08:54:59.000Z')
  expect(await fetchDelivery(world, sent[0]?.id ?? '')).toMatchObject({
    status: 'assigned',
    pickup_eta_at: sent[0]?.pickup,
  })
  await world.advanceTo('2026-11-21T12:00:00.000Z')
  await kept(world, sent)
})

test.each(['normal', 'scarce'])(
  'with %s supply an order of food is at the door about when its quote said, whoever brings it',
  async (supply) => {
    for (const dropoff of [NEAR, TO, { location: { latitude: 51.525, longitude: -0.075 } }]) {
      const world = await openTestSandbox()
      await callTestControl(world, 'set_supply', { supply })
      const { quote_id, estimated_delivery_window: told } = await world.ok(
        'quote_food_order',
        await makeBasket(world, { dropoff }),
        { as: 'member' },
      )
      const order = await world.ok(
        'place_food_order',
        { quote_id, payment: CARD },
        { as: 'member', key: newKey(), scenario: 'store_auto' },
      )
      expect(order.estimated_delivery_at).toBe(told?.starts_at)
      await world.advance(2 * HOUR)
      const { delivery_id } = await world.ok('get_food_order', { order_id: order.order_id }, { as: 'member' })
      const delivery = await world.db.read((tx) => findDelivery(tx, delivery_id ?? ''))
      const arrived = delivery?.doc.history.find(({ status }) => status === 'arrived_at_dropoff')?.at ?? 0
      expect(Math.abs(arrived - Date.parse(told?.starts_at ?? ''))).toBeLessThanOrEqual(5 * MINUTE)
    }
  },
)

test('a scheduled food order arrives about when its slot begins', async () => {
  const world = await openScarce()
  const at = '2026-11-20T18:30:00.000Z'
  const { order_id } = await placeTestOrder(world, { type: 'delivery', scenario: 'store_auto', at })
  await world.advance(HOUR)
  const { estimated_delivery_at } = await world.ok('get_food_order', { order_id }, { as: 'member' })
  expect(estimated_delivery_at).toBe(at)
  await world.advanceTo('2026-11-20T21:00:00.000Z')
  expect(Math.abs((await arrivalOf(world, order_id)) - Date.parse(at))).toBeLessThanOrEqual(5 * MINUTE)
})

const quoteMeal = async (world: TestSandbox, dropoff: object = NEAR) =>
  world.call('quote_food_order', await makeBasket(world, { dropoff }), { as: 'member' })

/** Returns the start of a quote's window. */
const toldBy = ({ body }: Awaited<ReturnType<typeof quoteMeal>>) =>
  Date.parse((body['estimated_delivery_window'] as { starts_at: string }).starts_at)

/** Orders meals that need no preparation until no courier is free in time; returns the promise to each customer. */
async function orderMany(world: TestSandbox, count: number) {
  const orders: { id: string; told: number }[] = []
  for (let each = 0; each < count; each += 1) {
    const quote = await quoteMeal(world, each % 2 === 0 ? NEAR : TO)
    if (quote.body['code'] === 'no_courier_available') continue
    const { order_id, estimated_delivery_at } = await world.ok(
      'place_food_order',
      { quote_id: String(quote.body['quote_id']), payment: CARD },
      { as: 'member', key: newKey(), scenario: 'store_auto' },
    )
    const told = Date.parse(estimated_delivery_at ?? '')
    expect(told).toBeLessThanOrEqual(toldBy(quote))
    orders.push({ id: order_id, told })
  }
  return orders
}

async function arrivalOf(world: TestSandbox, order_id: string): Promise<number> {
  const { delivery_id } = await world.ok('get_food_order', { order_id }, { as: 'member' })
  const delivery = await world.db.read((tx) => findDelivery(tx, delivery_id ?? ''))
  return delivery?.doc.history.find(({ status }) => status === 'arrived_at_dropoff')?.at ?? Infinity
}

describe.each(ENGINES)('with two couriers on $name, meals that are cooked at once', (engine) => {
  test('are each promised a courier’s next free time and come then; too long a wait is rejected', async () => {
    const world = await openScarce({ engine })
    const orders = await orderMany(world, 15)
    expect(orders.length).toBeGreaterThanOrEqual(6)
    expect(orders.length).toBeLessThan(15)
    expect(Math.max(...orders.map(({ told }) => told)) - (orders[0]?.told ?? 0)).toBeGreaterThan(30 * MINUTE)
    await world.advance(4 * HOUR)
    for (const { id, told } of orders)
      expect(Math.abs((await arrivalOf(world, id)) - told)).toBeLessThanOrEqual(5 * MINUTE)
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('give their courier to the next one when they are called off', async () => {
    const world = await openScarce({ engine })
    const [first, second] = [await quoteMeal(world), await orderMany(world, 2)]
    const busy = await quoteMeal(world)
    expect(toldBy(busy)).toBeGreaterThan(toldBy(first) + 5 * MINUTE)
    await world.ok('cancel_food_order', { order_id: second[0]?.id ?? '' }, { as: 'member' })
    const free = await quoteMeal(world)
    expect(toldBy(free)).toBe(toldBy(first))
    const [late, kept] = [await orderMany(world, 1), second.slice(1)]
    await world.advance(2 * HOUR)
    for (const { id, told } of [...late, ...kept])
      expect(Math.abs((await arrivalOf(world, id)) - told)).toBeLessThanOrEqual(5 * MINUTE)
  })

  test('are shown in a search as late as they would be', async () => {
    const world = await openScarce({ engine })
    const { latitude, longitude } = NEAR.location
    const search = async () =>
      world.ok('search_restaurants', { latitude, longitude, fulfillment_type: 'delivery', sort: 'eta' })
    const usual = await search()
    const placed = await orderMany(world, 5)
    const quote = await quoteMeal(world)
    const busy = await search()
    const minutes = ({ data }: typeof busy) =>
      data.map(({ delivery }) => delivery?.eta_min_minutes ?? Infinity)
    expect(minutes(busy)).toEqual(minutes(busy).toSorted((a, b) => a - b))
    const { merchant_id } = await makeBasket(world)
    const shown = busy.data.find((store) => store.merchant_id === merchant_id)?.delivery?.eta_min_minutes
    const told = (toldBy(quote) - (await world.now())) / MINUTE
    expect(Math.abs((shown ?? 0) - told)).toBeLessThanOrEqual(5)
    for (const { id } of placed) await world.ok('cancel_food_order', { order_id: id }, { as: 'member' })
    expect(await search()).toEqual(usual)
  })

  test('move their courier with the time that the store needs, and keep the place when it is a little late', async () => {
    const world = await openScarce({ engine })
    const meal = async () =>
      (await placeTestOrder(world, { type: 'delivery', scenario: 'store_manual' })).order_id
    const [slow, quick] = [await meal(), await meal()]
    const busy = toldBy(await quoteMeal(world))
    await world.ok('accept_business_order', { order_id: slow, prep_time_minutes: 50 })
    expect(toldBy(await quoteMeal(world))).toBeLessThan(busy - 5 * MINUTE)
    await performAction(world, quick, ['accept'])
    const show = async (order_id: string) => world.ok('get_food_order', { order_id }, { as: 'member' })
    const { estimated_ready_at: ready, estimated_delivery_at } = await show(slow)
    const others = await orderMany(world, 2)
    await world.advanceTo(new Date(Date.parse(ready) + 2 * MINUTE).toISOString())
    await performAction(world, slow, ['ready'])
    await world.advance(2 * HOUR)
    const own = { id: slow, told: Date.parse(estimated_delivery_at ?? '') }
    for (const { id, told } of [own, ...others])
      expect(Math.abs((await arrivalOf(world, id)) - told)).toBeLessThanOrEqual(5 * MINUTE)
  })
})
