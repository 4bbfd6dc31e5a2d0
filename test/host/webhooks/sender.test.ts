/** Deliveries to a real receiver, on both stores. */
import { describe, expect, test } from 'vitest'
import { pruneWebhookDeliveries } from '../../../src/areas/account/queries/webhooks.ts'
import { RETRY_WAITS_MS } from '../../../src/areas/account/rules/webhooks.ts'
import type { Db } from '../../../src/core/db.ts'
import { callTestControl } from '../../support/control.ts'
import { performAction, attend, placeTestOrder } from '../../support/order-life.ts'
import { makeRows } from '../../support/parcel.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { ENGINES } from '../../support/stores.ts'
import { createEndpoint, openSender } from '../../support/webhooks.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

/** The engine of tests whose statements run on both elsewhere. */
const [FIRST = undefined as never] = ENGINES
const MANUAL = { scenario: 'store_manual', as: 'everything' }

async function open(engine: (typeof ENGINES)[number], input = {}, as = 'everything') {
  const world = await openTestSandbox({ engine })
  await attend(world)
  const receiver = await openReceiver()
  const made = await world.ok('create_webhook_endpoint', { url: receiver.url, ...input }, { as })
  return { world, receiver, made, endpoint_id: made.endpoint_id }
}

const typesOf = ({ received }: Receiver): string[] => received.map(({ type }) => type)

async function log(world: TestSandbox, endpoint_id: string, as = 'everything') {
  const { data } = await world.ok('list_webhook_deliveries', { endpoint_id }, { as })
  return data.map(({ type, status, attempt_count }) => [type, status, attempt_count])
}

describe.each(ENGINES)('on $name', (engine) => {
  test('an order is told to its store and to its customer, signed, in its order, on a frozen clock', async () => {
    const { world, receiver, made } = await open(engine, {
      types: ['business_order.placed', 'business_order.accepted'],
    })
    const customers = await openReceiver()
    await createEndpoint(world, 'member', { url: customers.url })
    const sender = openSender(world)
    await sender.run()
    const { order_id } = await placeTestOrder(world, { ...MANUAL, as: 'member' })
    await performAction(world, order_id, ['accept', 'ready'])
    await sender.run()
    expect(typesOf(receiver)).toEqual(['business_order.placed', 'business_order.accepted'])
    expect(typesOf(customers)).toEqual(['food_order.placed', 'food_order.accepted', 'food_order.ready'])
    for (const each of receiver.received) receiver.verify(made.secret, each)
    const [placed] = customers.received
    expect(placed?.data).toEqual(await world.ok('get_food_order', { order_id }, { as: 'member' }))
    // A second round finds nothing more to send.
    await sender.run()
    expect(receiver.received).toHaveLength(2)
  })

  test('a failure is tried again by the sandbox clock, and holds back later events of its resource only', async () => {
    const { world, receiver, endpoint_id } = await open(engine, {
      types: ['food_order.placed', 'food_order.accepted'],
    })
    const sender = openSender(world)
    receiver.answer.status = 500
    const first = await placeTestOrder(world, MANUAL)
    await sender.run()
    await performAction(world, first.order_id, ['accept'])
    await sender.run()
    expect(typesOf(receiver)).toEqual(['food_order.placed'])
    receiver.answer.status = 204
    await placeTestOrder(world, MANUAL)
    await sender.run()
    expect(typesOf(receiver)).toEqual(['food_order.placed', 'food_order.placed'])
    await world.advance(RETRY_WAITS_MS[0] ?? 0)
    await sender.run()
    expect(typesOf(receiver).slice(2)).toEqual(['food_order.placed', 'food_order.accepted'])
    const [lost, , again] = receiver.received
    expect([again?.headers['webhook-id'], again?.text]).toEqual([lost?.headers['webhook-id'], lost?.text])
    expect(await log(world, endpoint_id)).toContainEqual(['food_order.placed', 'delivered', 2])
  })

  test('a sender that is killed between sending and noting it leaves the message to be sent again', async () => {
    const { world, receiver } = await open(engine, { types: ['food_order.placed'] })
    await placeTestOrder(world, MANUAL)
    let writes = 0
    const dying: Db = {
      ...world.db,
      write: (work, limits) =>
        // The lease and the plan are written; the outcome of the attempt is not.
        ++writes > 2 ? Promise.reject(new Error('killed')) : world.db.write(work, limits),
    }
    const killed = openSender(world, { db: dying, holder: 'killed' })
    await killed.run()
    expect([receiver.received.length, killed.errors.length]).toEqual([1, 1])
    const next = openSender(world, { holder: 'next' })
    // The lease of the killed one still runs.
    await next.run()
    expect(receiver.received).toHaveLength(1)
    next.clock.now += 20_000
    await next.run()
    const [first, second] = receiver.received
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    await next.run()
    expect(receiver.received).toHaveLength(2)
  })

  test('an attempt under way while the store is reset is noted on nothing of the new store', async () => {
    const { world, receiver } = await open(engine, { types: ['food_order.placed'] })
    await placeTestOrder(world, MANUAL)
    let writes = 0
    const reset = async (): Promise<void> => {
      await callTestControl(world, 'reset', { at: '2026-11-20T09:00:00Z' })
      await attend(world)
      // The same seed and calls: the endpoint, the order and the delivery have the ids of before.
      await world.ok('create_webhook_endpoint', { url: receiver.url }, { as: 'everything' })
      await placeTestOrder(world, MANUAL)
    }
    const slow: Db = {
      ...world.db,
      async write(work, limits) {
        // The lease and the plan were written; the message is out, and its outcome is not noted yet.
        if (++writes === 3) await reset()
        return world.db.write(work, limits)
      },
    }
    const sender = openSender(world, { db: slow })
    await sender.turn()
    await sender.settled()
    const { data } = await world.ok('list_webhook_endpoints', {}, { as: 'everything' })
    expect(await log(world, data[0]?.endpoint_id ?? '')).toEqual([])
    expect([receiver.received.length, sender.errors]).toEqual([1, []])
  })

  test('an account that loses a scope is told no more of what it showed, and the log says so', async () => {
    const { world, receiver, endpoint_id } = await open(engine, { types: ['food_order.placed'] }, 'member')
    const sender = openSender(world)
    receiver.answer.status = 503
    await placeTestOrder(world, { ...MANUAL, as: 'member' })
    await sender.run()
    await world.write((tx) =>
      tx.run(`update accounts set scopes = 'profile.read rides.read' where handle = 'member'`),
    )
    await world.advance(10_000)
    await sender.run()
    expect(receiver.received).toHaveLength(1)
    expect(await log(world, endpoint_id, 'member')).toEqual([['food_order.placed', 'withheld', 1]])
  })

  test('an endpoint that fails for five days is disabled, says so, and is sent what it missed on demand', async () => {
    const { world, receiver, endpoint_id } = await open(engine, { types: ['food_order.placed'] })
    const sender = openSender(world)
    receiver.answer.status = 500
    await placeTestOrder(world, MANUAL)
    for (let day = 0; day < 7; day++) {
      await sender.run()
      if (sender.notes.length > 0) break
      await world.ok('test_webhook_endpoint', { endpoint_id })
      await world.advance(86_400_000)
    }
    expect(sender.notes).toEqual([`The webhook endpoint ${endpoint_id} is disabled: failing.`])
    const { status, disabled_reason } = await world.ok('get_webhook_endpoint', { endpoint_id })
    expect([status, disabled_reason]).toEqual(['disabled', 'failing'])
    const missed = await placeTestOrder(world, MANUAL)
    receiver.answer.status = 200
    await sender.run()
    expect((await log(world, endpoint_id))[0]).toEqual(['food_order.placed', 'skipped', 0])
    receiver.received.length = 0
    await world.ok('update_webhook_endpoint', { endpoint_id, enabled: true })
    await world.ok('resend_webhooks', { endpoint_id, since: new Date((await world.now()) - 1).toISOString() })
    await sender.run()
    expect(receiver.received.map(({ data }) => data['order_id'])).toEqual([missed.order_id])
  })
})

test('the log of an endpoint keeps the deliveries of 30 days, and its last 10,000', async () => {
  const { world, endpoint_id } = await open(FIRST, {
    types: ['shipment.created'],
  })
  const sender = openSender(world)
  const send = async (count: number, prefix: string) => {
    await world.ok('create_shipments_batch', { shipments: makeRows(count, prefix) }, { as: 'everything' })
    await sender.run()
  }
  const count = async () =>
    (await world.db.read((tx) => tx.get('select count(*) as n from webhook_deliveries')))?.['n']
  await send(2, 'old')
  await world.advance(29 * 86_400_000)
  await send(100, 'new')
  expect(await count()).toBe(102)
  await world.advance(2 * 86_400_000)
  await send(100, 'last')
  expect(await count()).toBe(200)
  await world.write((tx) => pruneWebhookDeliveries(tx, endpoint_id, { before: 0, keep: 150 }))
  expect(await count()).toBe(150)
})

test('an answer 410 disables an endpoint at once: its other messages are skipped, and stay so when it is enabled', async () => {
  const { world, receiver, endpoint_id } = await open(FIRST)
  const sender = openSender(world)
  receiver.answer.status = 410
  await world.ok('test_webhook_endpoint', { endpoint_id })
  await world.ok('test_webhook_endpoint', { endpoint_id })
  await sender.run()
  expect((await world.ok('get_webhook_endpoint', { endpoint_id })).disabled_reason).toBe('gone')
  const skipped = [
    ['webhook.test', 'skipped', 0],
    ['webhook.test', 'skipped', 1],
  ]
  expect(await log(world, endpoint_id)).toEqual(skipped)
  receiver.answer.status = 200
  await world.ok('update_webhook_endpoint', { endpoint_id, enabled: true })
  await world.advance(86_400_000)
  await sender.run()
  expect([receiver.received.length, await log(world, endpoint_id)]).toEqual([1, skipped])
})

test('what waits for an endpoint that its owner disables is skipped, and not sent when it is enabled', async () => {
  const { world, receiver, endpoint_id } = await open(FIRST, { types: ['food_order.placed'] })
  const sender = openSender(world)
  receiver.answer.status = 500
  await placeTestOrder(world, MANUAL)
  await sender.run()
  await world.ok('update_webhook_endpoint', { endpoint_id, enabled: false })
  expect(await log(world, endpoint_id)).toEqual([['food_order.placed', 'skipped', 1]])
  await world.ok('update_webhook_endpoint', { endpoint_id, enabled: true })
  await world.advance(86_400_000)
  await sender.run()
  expect(receiver.received).toHaveLength(1)
})

test('what was tried to the end and is sent again gets the whole ladder once more', async () => {
  const { world, receiver, endpoint_id } = await open(FIRST, { types: ['food_order.placed'] })
  const sender = openSender(world)
  receiver.answer.status = 500
  await placeTestOrder(world, MANUAL)
  for (const wait of [0, ...RETRY_WAITS_MS]) {
    await world.advance(wait)
    await sender.run()
  }
  expect(await log(world, endpoint_id)).toEqual([['food_order.placed', 'failed', 10]])
  const { data } = await world.ok('list_webhook_deliveries', { endpoint_id })
  await world.ok('resend_webhooks', { endpoint_id, delivery_id: data[0]?.delivery_id ?? '' })
  await sender.run()
  expect(await log(world, endpoint_id)).toEqual([['food_order.placed', 'pending', 11]])
  await world.advance(RETRY_WAITS_MS[0] ?? 0)
  await sender.run()
  expect(await log(world, endpoint_id)).toEqual([['food_order.placed', 'pending', 12]])
})

test('an endpoint gets the events after it was made, beside an older one that gets the others, too', async () => {
  const { world, receiver, endpoint_id } = await open(FIRST, { types: ['food_order.placed'] })
  const first = await placeTestOrder(world, MANUAL)
  const later = await openReceiver()
  const second = await createEndpoint(world, 'everything', { url: later.url, types: ['food_order.placed'] })
  const last = await placeTestOrder(world, MANUAL)
  await openSender(world).run()
  const orders = ({ received }: Receiver) => received.map(({ data }) => data['order_id'])
  expect(orders(receiver)).toEqual([first.order_id, last.order_id])
  expect(orders(later)).toEqual([last.order_id])
  expect([await log(world, endpoint_id), await log(world, second)].map(({ length }) => length)).toEqual([
    2, 1,
  ])
})

test('an event of the time without a scope is not in the log either, and no resend sends it', async () => {
  const { world, receiver, endpoint_id } = await open(FIRST, { types: ['food_order.placed'] }, 'member')
  const sender = openSender(world)
  await placeTestOrder(world, { ...MANUAL, as: 'member' })
  const setScopes = (scopes: string) =>
    world.write((tx) => tx.run(`update accounts set scopes = $1 where handle = 'member'`, scopes))
  const { scopes: usual } = (await world.db.read((tx) =>
    tx.get(`select scopes from accounts where handle = 'member'`),
  )) as { scopes: string }
  await setScopes('profile.read rides.read')
  await sender.run()
  await setScopes(usual)
  expect(await log(world, endpoint_id, 'member')).toEqual([['food_order.placed', 'withheld', 0]])
  const as = { as: 'member' }
  const { data } = await world.ok('list_webhook_deliveries', { endpoint_id }, as)
  const one = { endpoint_id, delivery_id: data[0]?.delivery_id ?? '' }
  expect((await world.ok('get_webhook_delivery', one, as)).body).toBe('')
  expect((await world.ok('resend_webhooks', one, as)).resent).toBe(0)
  expect((await world.ok('resend_webhooks', { endpoint_id, since: '2026-11-20' }, as)).resent).toBe(0)
  await sender.run()
  expect(receiver.received).toEqual([])
})

test('an endpoint that is enabled again has five days more', async () => {
  const { world, receiver, endpoint_id } = await open(FIRST, { types: ['food_order.placed'] })
  const sender = openSender(world)
  receiver.answer.status = 500
  const fail = async (days: number): Promise<void> => {
    await world.advance(days * 86_400_000)
    await world.ok('test_webhook_endpoint', { endpoint_id })
    await sender.run()
  }
  await fail(0)
  await fail(5)
  expect(sender.notes).toEqual([`The webhook endpoint ${endpoint_id} is disabled: failing.`])
  await world.ok('update_webhook_endpoint', { endpoint_id, enabled: true })
  await fail(0)
  await fail(4)
  expect((await world.ok('get_webhook_endpoint', { endpoint_id })).status).toBe('enabled')
})

test('after a rotation both secrets sign for a day, then only the new one', async () => {
  const { world, receiver, endpoint_id, made } = await open(FIRST)
  const { secret } = await world.ok('rotate_webhook_secret', { endpoint_id })
  const sender = openSender(world)
  await world.ok('test_webhook_endpoint', { endpoint_id })
  await sender.run()
  await world.advance(86_400_000)
  await world.ok('test_webhook_endpoint', { endpoint_id })
  await sender.run()
  const [early, late] = receiver.received.filter(({ type }) => type === 'webhook.test')
  receiver.verify(made.secret, early)
  receiver.verify(secret, early)
  receiver.verify(secret, late)
  expect(() => receiver.verify(made.secret, late)).toThrow('No matching signature found')
})

test('an owner whose events are read for a webhook counts as no more present than before', async () => {
  const { world, receiver } = await open(FIRST)
  const seen = () =>
    world.db.read((tx) => tx.all('select handle, business_seen_at from accounts order by handle'))
  await world.advance(3_600_000)
  const before = await seen()
  await placeTestOrder(world, { scenario: 'store_manual' })
  await openSender(world).run()
  expect(typesOf(receiver)).toEqual(['business_order.placed'])
  expect(await seen()).toEqual(before)
})
