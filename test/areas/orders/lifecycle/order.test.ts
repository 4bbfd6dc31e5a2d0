import { beforeEach, describe, expect, test } from 'vitest'
import { callTestControl } from '../../../support/control.ts'
import { LIME_STREET } from '../../../support/food.ts'
import {
  type StoreAction,
  performAction,
  attend,
  readBothViews,
  placeTestOrder,
  refuseAction,
  stepUntil,
  type TestOrderOptions,
} from '../../../support/order-life.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

let world: TestSandbox

beforeEach(async () => {
  world = await openTestSandbox()
})

type Step = { status: string; by: string; at: string; reason: string | null }
const story = ({ status_history }: { status_history: Step[] }) =>
  status_history.map(({ status, by }) => `${status} by ${by}`)
const timeOf = ({ status_history }: { status_history: Step[] }, status: string) =>
  Date.parse(status_history.findLast((step) => step.status === status)?.at ?? '')
const wallet = async (account = 'member') =>
  (await callTestControl(world, 'get_wallet', { account })).balance.amount
const show = async (order_id: string) => (await readBothViews(world, order_id)).order
/** Reads as the customer, because a read by the owner counts as attending the store. */
const food = (order_id: string) => world.ok('get_food_order', { order_id }, { as: 'member' })

describe('an order for delivery', () => {
  test('goes from the store to the door, with equal views for both sides', async () => {
    const { order_id } = await placeTestOrder(world, { type: 'delivery' })
    await performAction(world, order_id, ['accept', 'preparing', 'ready'])
    const waiting = await readBothViews(world, order_id)
    expect(waiting.order).toMatchObject({
      status: 'ready',
      courier: null,
      delivery_id: waiting.delivery?.delivery_id,
    })
    expect(waiting.business.delivery).toMatchObject({ status: 'pending', courier: null })
    await world.advance(60 * MINUTE)
    const { order, business, delivery } = await readBothViews(world, order_id)
    expect(story(order)).toEqual([
      'placed by customer',
      'accepted by store',
      'preparing by store',
      'ready by store',
      'out_for_delivery by courier',
      'completed by courier',
    ])
    expect(business.status_history).toMatchObject(order.status_history)
    expect(delivery?.status).toBe('delivered')
    expect(order.proof_of_delivery).toEqual(delivery?.doc.proof_of_delivery)
    expect(order).toMatchObject({
      courier: { status: 'delivered', location: null },
      refund: null,
      payment: { status: 'paid' },
    })
    expect(business.delivery?.courier?.name).toBe(order.courier?.name)
    expect(order.completed_at).toBe(order.status_history.at(-1)?.at)
  })

  test('cannot be completed by the store, whatever its state', async () => {
    const { order_id } = await placeTestOrder(world, { type: 'delivery' })
    for (const action of ['accept', 'preparing', 'ready'] as const) {
      expect(await refuseAction(world, order_id, 'complete')).toMatchObject({
        code: 'fulfillment_type_mismatch',
      })
      await performAction(world, order_id, [action])
    }
    await stepUntil(world, order_id, 'completed')
    expect(await refuseAction(world, order_id, 'complete')).toMatchObject({
      code: 'fulfillment_type_mismatch',
    })
  })

  test('that is paid in cash is paid at the door', async () => {
    const { order_id } = await placeTestOrder(world, { type: 'delivery', method: 'cash' })
    await performAction(world, order_id, ['accept', 'ready'])
    await stepUntil(world, order_id, 'out_for_delivery')
    expect((await show(order_id)).payment.status).toBe('unpaid')
    await stepUntil(world, order_id, 'completed')
    expect((await show(order_id)).payment.status).toBe('paid')
  })
})

describe('an order for pickup', () => {
  test('needs no courier when it is ready, and is completed by the store', async () => {
    const { order_id } = await placeTestOrder(world)
    const ready = await performAction(world, order_id, ['accept', 'preparing', 'ready'])
    expect(ready).toMatchObject({ delivery: null, allowed_actions: ['reject', 'complete'] })
    await world.advance(119 * MINUTE)
    expect((await show(order_id)).status).toBe('ready')
    expect(await performAction(world, order_id, ['complete'])).toMatchObject({
      status: 'completed',
      allowed_actions: [],
    })
  })

  test.each([['accept'], ['accept', 'preparing'], ['accept', 'ready']] as const)(
    'can be completed after %s',
    async (...actions: StoreAction[]) => {
      const { order_id } = await placeTestOrder(world, { method: 'cash' })
      await performAction(world, order_id, actions)
      expect(await performAction(world, order_id, ['complete'])).toMatchObject({
        status: 'completed',
        payment: { status: 'paid' },
      })
    },
  )

  test('is estimated anew by the store, and is ready when the store says so', async () => {
    const { order_id } = await placeTestOrder(world)
    const accept = { order_id, prep_time_minutes: 40 }
    expect((await world.ok('accept_business_order', accept)).prep).toMatchObject({
      prep_time_minutes: 40,
      accepted_at: '2026-11-20T09:00:00.000Z',
      estimated_ready_at: '2026-11-20T09:40:00.000Z',
    })
    await world.advance(MINUTE)
    const prep = { order_id, prep_time_minutes: 10 }
    expect((await world.ok('start_business_order_prep', prep)).prep.estimated_ready_at).toBe(
      '2026-11-20T09:11:00.000Z',
    )
    await world.advance(2 * MINUTE)
    const ready = await performAction(world, order_id, ['ready'])
    expect(ready.prep).toMatchObject({
      ready_at: '2026-11-20T09:03:00.000Z',
      estimated_ready_at: '2026-11-20T09:03:00.000Z',
    })
  })
})

describe('an order at a table', () => {
  const seat = (over: TestOrderOptions = {}) =>
    placeTestOrder(world, { type: 'dine_in', method: 'pay_at_table', ...over })

  test('has its check from when it is accepted, and is completed once that is paid', async () => {
    const { order_id, total } = await seat()
    const accepted = await performAction(world, order_id, ['accept'])
    expect(accepted.table?.check).toMatchObject({ status: 'open', balance: total, closed_at: null })
    const { check_id = '' } = accepted.table?.check ?? {}
    expect(await refuseAction(world, order_id, 'complete')).toMatchObject({
      code: 'table_check_open',
      retryable: true,
      check_id,
      balance: total,
    })
    expect(accepted.allowed_actions).toEqual(['reject', 'preparing', 'ready'])
    expect(await callTestControl(world, 'settle_check', { check_id })).toMatchObject({
      payment: { status: 'paid' },
      check: { status: 'closed', balance: { amount: 0 } },
    })
    expect(await performAction(world, order_id, ['complete'])).toMatchObject({ status: 'completed' })
  })

  test('that is paid already has a check only when staff open one', async () => {
    const { order_id } = await seat({ method: 'card' })
    expect((await performAction(world, order_id, ['accept'])).table?.check).toBeNull()
    const opened = await callTestControl(world, 'open_check', { order_id })
    expect(opened.check).toMatchObject({ status: 'open', balance: { amount: 0 } })
    expect(await refuseAction(world, order_id, 'complete')).toMatchObject({ code: 'table_check_open' })
    await callTestControl(world, 'settle_check', { check_id: order_id })
    expect(await performAction(world, order_id, ['complete'])).toMatchObject({ status: 'completed' })
  })

  test('that is rejected leaves no open check and no payment', async () => {
    const { order_id } = await seat()
    await performAction(world, order_id, ['accept', 'preparing'])
    expect(await performAction(world, order_id, ['reject'])).toMatchObject({
      table: { check: { status: 'closed', balance: { amount: 0 } } },
      payment: { status: 'failed' },
      refund: null,
    })
  })
})

describe('the payment is refunded', () => {
  const bought = 5000

  test.each([
    ['card', 'tok_ok', 'platform_wallet', 'refunded', 'succeeded'],
    ['card', 'tok_store', 'card_via_store_processor', 'refund_pending', 'pending'],
    ['wallet', undefined, 'platform_wallet', 'refunded', 'succeeded'],
  ] as const)('when a store rejects: by %s %s to %s', async (method, token, destination, status, refund) => {
    const { order_id, total } = await placeTestOrder(world, { method, ...(token && { token }) })
    await performAction(world, order_id, ['accept'])
    expect(await performAction(world, order_id, ['reject'])).toMatchObject({
      payment: { status },
      refund: { destination, status: refund, amount: total, reason: 'other' },
    })
    const toWallet = method === 'card' && destination === 'platform_wallet'
    expect(await wallet()).toBe(toWallet ? bought + total.amount : bought)
    await world.advance(MINUTE)
    expect(await show(order_id)).toMatchObject({
      payment: { status: 'refunded' },
      refund: { destination, status: 'succeeded' },
    })
    expect(await refuseAction(world, order_id, 'reject')).toMatchObject({ code: 'invalid_state' })
    expect(await wallet()).toBe(toWallet ? bought + total.amount : bought)
  })

  test.each([
    ['card', 'tok_ok', 'original_method', bought],
    ['card', 'tok_store', 'card_via_store_processor', bought],
    ['wallet', undefined, 'original_method', bought],
  ] as const)('when a customer cancels: by %s %s to %s', async (method, token, destination, left) => {
    const { order_id, total } = await placeTestOrder(world, { method, ...(token && { token }) })
    const cancelled = await world.ok('cancel_food_order', { order_id }, { as: 'member' })
    expect(cancelled.refund).toMatchObject({ destination, amount: total, reason: 'other' })
    await world.advance(MINUTE)
    expect((await show(order_id)).payment.status).toBe('refunded')
    expect(await wallet()).toBe(left)
  })

  test.each(['cash', 'card'] as const)('but not what was not paid yet: %s', async (method) => {
    const { order_id } = await placeTestOrder(world, { method, token: 'tok_pending' })
    expect(await performAction(world, order_id, ['reject'])).toMatchObject({
      payment: { status: 'failed' },
      refund: null,
    })
    await world.advance(10 * MINUTE)
    expect((await show(order_id)).payment.status).toBe('failed')
    expect(await wallet()).toBe(bought)
  })

  test('and a slot is free again, but not when the order was completed', async () => {
    const at = '2026-11-20T12:00:00.000Z'
    const seat = () => placeTestOrder(world, { type: 'dine_in', method: 'cash', table: '7', at })
    const claims = () => world.db.read((tx) => tx.all('select order_id from slot_claims'))
    const first = await seat()
    expect(await claims()).toEqual([{ order_id: first.order_id }])
    await world.ok('cancel_food_order', { order_id: first.order_id }, { as: 'member' })
    expect(await claims()).toEqual([])
    const second = await seat()
    await performAction(world, second.order_id, ['accept', 'reject'])
    const third = await seat()
    await performAction(world, third.order_id, ['accept', 'ready', 'complete'])
    expect(await claims()).toEqual([{ order_id: third.order_id }])
  })
})

describe('a store with an owner who takes time', () => {
  beforeEach(() => attend(world))

  test('loses the order after ten minutes, and the customer has the money', async () => {
    const { order_id, total } = await placeTestOrder(world)
    await world.advance(600 * SECOND - 1)
    expect((await show(order_id)).status).toBe('placed')
    await world.advance(1)
    expect(await show(order_id)).toMatchObject({
      status: 'rejected',
      rejection: { reason_code: 'not_accepted_in_time', note: null, item_ids: [] },
      refund: { destination: 'platform_wallet', amount: total, reason: 'not_accepted_in_time' },
    })
    expect(story(await show(order_id)).at(-1)).toBe('rejected by system')
  })

  test('has ten minutes from when the payment came in', async () => {
    const { order_id } = await placeTestOrder(world, { token: 'tok_pending' })
    await world.advance(719 * SECOND)
    expect(await show(order_id)).toMatchObject({ status: 'placed', payment: { status: 'paid' } })
    await world.advance(SECOND)
    expect((await show(order_id)).status).toBe('rejected')
  })

  test('has until half an hour before it has to begin, when the order is for later', async () => {
    const { order_id } = await placeTestOrder(world, { at: '2026-11-20T13:00:00.000Z' })
    const prep = (await readBothViews(world, order_id)).business.prep.prep_time_minutes
    const latest = Date.parse('2026-11-20T13:00:00.000Z') - (prep + 30) * MINUTE + 600 * SECOND
    await world.advanceTo(latest - 1)
    expect((await show(order_id)).status).toBe('placed')
    await world.advanceTo(latest)
    expect((await show(order_id)).status).toBe('rejected')
  })

  test('is not asked before it opens', async () => {
    const world2 = await openTestSandbox({ at: Date.parse('2026-11-20T05:00:00.000Z') })
    const { order_id } = await placeTestOrder(world2, {
      at: '2026-11-20T08:00:00.000Z',
      scenario: 'store_manual',
    })
    const status = async () => (await world2.ok('get_food_order', { order_id }, { as: 'member' })).status
    // Forno opens at 07:30, later than half an hour before preparation has to begin.
    await world2.advanceTo('2026-11-20T07:39:59.999Z')
    expect(await status()).toBe('placed')
    await world2.advanceTo('2026-11-20T07:40:00.000Z')
    expect(await status()).toBe('rejected')
  })

  test('is waited for as long as its scenario says so', async () => {
    const { order_id } = await placeTestOrder(world, { scenario: 'store_manual' })
    await performAction(world, order_id, ['accept'])
    await world.advance(24 * 60 * MINUTE)
    expect((await show(order_id)).status).toBe('accepted')
  })
})

describe('a store with its owner away', () => {
  test('has its staff accept in two to four minutes and carry the order to its customer', async () => {
    for (const type of ['pickup', 'delivery'] as const) {
      const { order_id } = await placeTestOrder(world, { type })
      await world.advance(120 * SECOND - 1)
      expect((await food(order_id)).status).toBe('placed')
      await world.advance(120 * SECOND + 1)
      expect(['accepted', 'preparing']).toContain((await food(order_id)).status)
      await world.advance(3 * 60 * MINUTE)
      const order = await food(order_id)
      expect(order.status).toBe('completed')
      const waited = timeOf(order, 'completed') - timeOf(order, 'ready')
      if (type === 'delivery') continue
      expect(waited).toBeGreaterThanOrEqual(5 * MINUTE)
      expect(waited).toBeLessThanOrEqual(15 * MINUTE)
    }
  })

  test('lets guests eat, pay and leave', async () => {
    const { order_id } = await placeTestOrder(world, { type: 'dine_in', method: 'pay_at_table' })
    await world.advance(3 * 60 * MINUTE)
    expect(await food(order_id)).toMatchObject({ status: 'completed', payment: { status: 'paid' } })
    expect((await readBothViews(world, order_id)).business.table?.check).toMatchObject({ status: 'closed' })
  })

  test('waits for the owner who looks before the staff has accepted', async () => {
    const { order_id } = await placeTestOrder(world)
    await world.advance(60 * SECOND)
    await attend(world)
    await world.advance(8 * MINUTE)
    expect((await food(order_id)).status).toBe('placed')
    expect((await performAction(world, order_id, ['accept'])).status).toBe('accepted')
  })

  test('waits for two hours of service time after the owner looked, and no longer', async () => {
    await attend(world)
    await world.advance(118 * MINUTE)
    const late = await placeTestOrder(world)
    await world.advance(10 * MINUTE)
    expect((await food(late.order_id)).status).toBe('accepted')
    await world.advance(2 * 60 * MINUTE)
    expect((await food(late.order_id)).status).toBe('completed')
  })

  test('is completed by the sandbox after the owner has left', async () => {
    const accepted = await placeTestOrder(world)
    await performAction(world, accepted.order_id, ['accept'])
    await world.advance(60 * MINUTE)
    const ready = await placeTestOrder(world)
    await performAction(world, ready.order_id, ['accept', 'ready'])
    await world.advance(119 * MINUTE)
    expect((await food(accepted.order_id)).status).toBe('accepted')
    expect((await food(ready.order_id)).status).toBe('ready')
    await world.advance(60 * MINUTE)
    expect((await food(accepted.order_id)).status).toBe('completed')
    expect((await food(ready.order_id)).status).toBe('completed')
  })
})

describe('a store that the sandbox plays', () => {
  test('accepts, begins and is ready, each after its time', async () => {
    const { order_id } = await placeTestOrder(world, { scenario: 'store_auto' })
    await world.advance(60 * MINUTE)
    const order = await show(order_id)
    expect(story(order)).toEqual([
      'placed by customer',
      'accepted by store',
      'preparing by store',
      'ready by store',
      'completed by store',
    ])
    const steps = ['placed', 'accepted', 'preparing', 'ready'].map((status) => timeOf(order, status))
    const [accept = 0, begin = 0, cook = 0] = steps
      .slice(1)
      .map((at, index) => (at - (steps[index] ?? 0)) / SECOND)
    for (const short of [accept, begin]) expect(Math.abs(short - 30)).toBeLessThanOrEqual(6)
    expect(Math.abs(cook - 18 * 60)).toBeLessThanOrEqual(18 * 60 * 0.2)
  })

  test('is not prepared today when it is for tomorrow', async () => {
    const { order_id } = await placeTestOrder(world, {
      scenario: 'store_auto',
      at: '2026-11-21T12:00:00.000Z',
    })
    await world.advanceTo('2026-11-21T11:00:00.000Z')
    expect((await show(order_id)).status).toBe('accepted')
    await world.advanceTo('2026-11-21T12:10:00.000Z')
    const order = await show(order_id)
    expect(timeOf(order, 'ready')).toBeLessThanOrEqual(Date.parse('2026-11-21T12:10:00.000Z'))
    expect(timeOf(order, 'preparing')).toBeGreaterThanOrEqual(Date.parse('2026-11-21T11:30:00.000Z'))
  })

  test('waits for the payment, and begins when it comes in', async () => {
    const { order_id } = await placeTestOrder(world, { scenario: 'store_auto', token: 'tok_pending' })
    await world.advance(119 * SECOND)
    expect(await show(order_id)).toMatchObject({ status: 'placed', payment: { status: 'unpaid' } })
    await world.advance(SECOND)
    expect(await show(order_id)).toMatchObject({ status: 'placed', payment: { status: 'paid' } })
    await world.advance(36 * SECOND)
    expect((await show(order_id)).status).toBe('accepted')
  })

  test('rejects for the reason that its scenario says', async () => {
    const { order_id } = await placeTestOrder(world, { scenario: 'store_rejects;reason=too_busy' })
    await world.advance(36 * SECOND)
    expect(await show(order_id)).toMatchObject({ status: 'rejected', rejection: { reason_code: 'too_busy' } })
  })

  test('lets its owner go ahead of it', async () => {
    const { order_id } = await placeTestOrder(world, { scenario: 'store_auto' })
    await performAction(world, order_id, ['accept', 'preparing', 'ready', 'complete'])
    await world.advance(24 * 60 * MINUTE)
    expect(story(await show(order_id))).toHaveLength(5)
    expect(await world.db.read((tx) => tx.all(`select * from timeline where kind = 'order'`))).toEqual([])
  })

  test('completes by itself in a store without an owner', async () => {
    const { order_id } = await placeTestOrder(world, { store: 'Owl & Ember Burgers', type: 'delivery' })
    await world.advance(3 * 60 * MINUTE)
    const order = await world.ok('get_food_order', { order_id }, { as: 'member' })
    expect(order.status).toBe('completed')
  })
})

test('a card that has not come in keeps the store from accepting, until the sandbox lets it', async () => {
  const { order_id } = await placeTestOrder(world, { token: 'tok_pending' })
  expect(await refuseAction(world, order_id, 'accept')).toMatchObject({
    code: 'payment_required',
    retryable: true,
  })
  expect((await readBothViews(world, order_id)).business.allowed_actions).toEqual(['reject'])
  expect(await callTestControl(world, 'settle_payment', { order_id })).toMatchObject({
    status: 'placed',
    payment: { status: 'paid' },
  })
  expect((await performAction(world, order_id, ['accept'])).status).toBe('accepted')
  await expect(callTestControl(world, 'settle_payment', { order_id })).rejects.toMatchObject({
    code: 'invalid_state',
  })
})

test('no planned event moves a finished order', async () => {
  const { order_id } = await placeTestOrder(world, { store: LIME_STREET })
  await world.ok('cancel_food_order', { order_id }, { as: 'member' })
  const before = await readBothViews(world, order_id, { keeper: 'owner' })
  const events = ['accept', 'preparing', 'ready', 'reject', 'not_accepted', 'payment_settles']
  await world.write(async (tx, _stored, now) => {
    const { scheduleEvents } = await import('../../../../src/db/timeline.ts')
    await scheduleEvents(
      tx,
      now,
      events.map((event) => ({
        due_at: now,
        kind: 'order' as const,
        resource_id: order_id,
        owner_id: 'nobody',
        event,
        payload: {},
      })),
    )
  })
  expect(await world.advance(MINUTE)).toBe(events.length)
  expect(await readBothViews(world, order_id, { keeper: 'owner' })).toEqual(before)
})

test('the store’s own notes never reach the customer', async () => {
  const { order_id } = await placeTestOrder(world, { type: 'delivery' })
  const note = 'PLANTED-NOTE'
  await world.ok('accept_business_order', { order_id, note })
  await world.ok('start_business_order_prep', { order_id, note })
  await world.ok('mark_business_order_ready', { order_id, note })
  const { order, business } = await readBothViews(world, order_id)
  expect(business.status_history.map((step) => step.note)).toEqual([null, note, note, note])
  expect(JSON.stringify(order)).not.toContain(note)
})

test('every change has one event, with its actor and its store', async () => {
  const { order_id, merchant } = await placeTestOrder(world, { type: 'delivery' })
  await performAction(world, order_id, ['accept', 'ready'])
  await stepUntil(world, order_id, 'completed')
  const { data } = await callTestControl(world, 'list_events', { limit: 1000 })
  const told = data.filter(({ resource_id }) => resource_id === order_id)
  expect(told.map(({ type, from, to, by }) => [type, from, to, by])).toEqual([
    ['food_order.placed', null, 'placed', 'customer'],
    ['food_order.accepted', 'placed', 'accepted', 'store'],
    ['food_order.ready', 'accepted', 'ready', 'store'],
    ['food_order.out_for_delivery', 'ready', 'out_for_delivery', 'courier'],
    ['food_order.completed', 'out_for_delivery', 'completed', 'courier'],
  ])
  expect(told.every((event) => event.data['merchant_id'] === merchant.merchant_id)).toBe(true)
  const run = data.filter(({ type }) => type.startsWith('delivery.'))
  expect(run.map(({ type }) => type)).toEqual(
    ['pending', 'assigned', 'arrived_at_pickup', 'picked_up', 'arrived_at_dropoff', 'delivered'].map(
      (status) => `delivery.${status}`,
    ),
  )
  expect(run.every((event) => event.data['order_id'] === order_id)).toBe(true)
  expect(timeOf(await show(order_id), 'completed')).toBe(NINE_AM)
})
