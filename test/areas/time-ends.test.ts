/** The end of each right in time: at the instant itself it holds, and a millisecond later no more. */
import { describe, expect, test } from 'vitest'
import { mayClaim } from '../../src/areas/carrier/rules/claims.ts'
import { importanceOf } from '../../src/areas/orders/rules/waiting.ts'
import { cancellationFee } from '../../src/areas/rides/rules.ts'
import type { ClientOperationName } from '../../src/client/operations.ts'
import {
  appealDecline,
  adjustTestOrder,
  completed,
  makeAdjustment,
  makeProblemAnswer,
  refuseAppeal,
  refuseReport,
  reportTestProblem,
} from '../support/adjusting.ts'
import { FROM, PARCEL_OF_KEYS, TO } from '../support/deliveries.ts'
import { CARD, findStore, makePickup, newKey } from '../support/food.ts'
import { FORNO } from '../support/order-life.ts'
import { BANK_STATION, KINGS_CROSS, quoteTestRide } from '../support/rides.ts'
import { taskInput } from '../support/tasks.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../support/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const instantAt = (ms: number) => new Date(ms).toISOString()

describe('of an order', () => {
  test('a problem is reported for 48 hours', async () => {
    const world = await openTestSandbox()
    const [one, other] = [await completed(world), await completed(world)]
    await world.advance(48 * HOUR)
    await reportTestProblem(world, one)
    await world.advance(1)
    expect(await refuseReport(world, other)).toMatchObject({ code: 'problem_window_over' })
  })

  test('a decline is appealed for 24 hours, and as long as a problem is reported', async () => {
    const decline = async (world: TestSandbox, order_id: string) => {
      const reported = await reportTestProblem(world, order_id)
      const note = { accept: 'none', note: 'All were packed' }
      await world.ok('answer_order_problem', makeProblemAnswer(reported, note))
      return reported
    }
    for (const [before, after] of [
      [0, 48 * HOUR],
      [47 * HOUR, 24 * HOUR],
    ] as const) {
      const world = await openTestSandbox()
      const orders = [await completed(world), await completed(world)] as const
      await world.advance(before)
      const [one, other] = [await decline(world, orders[0]), await decline(world, orders[1])]
      await world.advance(after)
      await appealDecline(world, one)
      await world.advance(1)
      expect(await refuseAppeal(world, other)).toMatchObject({ code: 'problem_window_over' })
    }
  })

  test('a part is refunded by its store for 30 days', async () => {
    const world = await openTestSandbox()
    const order_id = await completed(world)
    await world.advance(30 * DAY)
    await adjustTestOrder(world, order_id)
    await world.advance(1)
    expect(
      await world.refused('adjust_business_order', makeAdjustment(order_id), { key: newKey() }),
    ).toMatchObject({ code: 'adjustment_not_allowed' })
  })

  test('a quote is bought to the last millisecond, and not at its end', async () => {
    const world = await openTestSandbox()
    const basket = await makePickup(world)
    const [one, other] = [
      await world.ok('quote_food_order', basket),
      await world.ok('quote_food_order', basket),
    ]
    const place = (quote_id: string) => ({ quote_id, payment: CARD })
    await world.advanceTo(Date.parse(one.expires_at) - 1)
    await world.ok('place_food_order', place(one.quote_id), { key: newKey() })
    await world.advance(1)
    expect(await world.refused('place_food_order', place(other.quote_id), { key: newKey() })).toMatchObject({
      code: 'quote_expired',
    })
  })
})

type End = [right: string, operation: ClientOperationName, inputAt: (end: number) => Record<string, unknown>]

/** The last instant that each call takes, from nine in the morning on, and the step to the first one that it refuses. */
const ENDS: readonly [...End, end: number, step: number][] = [
  [
    'a parcel becomes ready within seven days',
    'quote_delivery',
    (end) => ({ pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS, pickup_ready_at: instantAt(end) }),
    7 * DAY,
    1,
  ],
  [
    'a parcel was ready five minutes ago',
    'quote_delivery',
    (end) => ({ pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS, pickup_ready_at: instantAt(end) }),
    -5 * MINUTE,
    -1,
  ],
  [
    'a ride begins half an hour ahead',
    'quote_ride',
    (end) => ({ pickup: BANK_STATION, dropoff: KINGS_CROSS, scheduled_for: instantAt(end) }),
    30 * MINUTE,
    -1,
  ],
  [
    'a ride begins within 30 days',
    'quote_ride',
    (end) => ({ pickup: BANK_STATION, dropoff: KINGS_CROSS, scheduled_for: instantAt(end) }),
    30 * DAY,
    1,
  ],
  [
    'a task has half an hour',
    'quote_task',
    (end) => taskInput({ window: { starts_at: instantAt(NINE_AM), ends_at: instantAt(end) } }),
    30 * MINUTE,
    -1,
  ],
  [
    'a task ends within 30 days',
    'quote_task',
    (end) => taskInput({ window: { starts_at: instantAt(NINE_AM + 29 * DAY), ends_at: instantAt(end) } }),
    30 * DAY,
    1,
  ],
  ['a store pauses for 30 days', 'pause_store', (end) => ({ until: instantAt(end) }), 30 * DAY, 1],
  [
    'a statement spans 366 days and the last one',
    'get_store_statement',
    (end) => ({ from: instantAt(NINE_AM), to: instantAt(end) }),
    367 * DAY,
    1,
  ],
]

test.each(ENDS)('%s, and no longer', async (_right, operation, inputAt, end, step) => {
  const world = await openTestSandbox()
  await world.ok(operation, inputAt(NINE_AM + end), { key: newKey() })
  const { code } = await world.refused(operation, inputAt(NINE_AM + end + step), { key: newKey() })
  expect(code).toBe(operation === 'quote_task' ? 'window_invalid' : 'invalid_request')
})

test('an order is scheduled seven days ahead, and no quarter of an hour later', async () => {
  const world = await openTestSandbox({ at: Date.parse('2026-11-20T12:00:00Z') })
  const { merchant_id } = await findStore(world, FORNO)
  const basket = await makePickup(world, { merchant_id })
  const schedule = (at: string) => ({ ...basket, scheduled_for: at })
  const { code } = await world.refused('quote_food_order', schedule('2026-11-27T12:15:00Z'))
  expect(code).toBe('invalid_request')
  const { status, body } = await world.call('quote_food_order', schedule('2026-11-27T12:00:00Z'))
  expect(status < 300 ? 'ok' : body['code']).not.toBe('invalid_request')
})

test('a key answers again for 24 hours, and from then on buys anew', async () => {
  const world = await openTestSandbox()
  const { quote_id } = await quoteTestRide(world)
  const request = { quote_id, tier: 'economy', payment: CARD }
  const { ride_id } = await world.ok('request_ride', request, { key: 'mine' })
  await world.advance(DAY - 1)
  expect((await world.ok('request_ride', request, { key: 'mine' })).ride_id).toBe(ride_id)
  await world.advance(1)
  expect((await world.refused('request_ride', request, { key: 'mine' })).code).not.toBe(
    'idempotency_key_reused',
  )
})

test('a ride is cancelled for nothing until two minutes after a driver accepted it', () => {
  expect(cancellationFee(900, null, 10 * DAY)).toBe(0)
  expect(cancellationFee(900, 1000, 1000 + 2 * MINUTE)).toBe(0)
  expect(cancellationFee(900, 1000, 1001 + 2 * MINUTE)).toBe(500)
})

test('a claim may be opened to the end of its 80th day', () => {
  const parcel = {
    status: 'lost',
    status_detail: 'lost',
    created_at: instantAt(NINE_AM),
    collected_at: instantAt(NINE_AM),
    cancellation: null,
  } as const
  expect(mayClaim(parcel, NINE_AM + 80 * DAY)).toBe(true)
  expect(mayClaim(parcel, NINE_AM + 80 * DAY + 1)).toBe(false)
  expect(mayClaim({ ...parcel, claims: [{ status: 'accepted' }] }, NINE_AM)).toBe(false)
  expect(mayClaim({ ...parcel, claims: [{ status: 'rejected' }] }, NINE_AM)).toBe(true)
  expect(mayClaim({ ...parcel, collected_at: null }, NINE_AM)).toBe(false)
})

test('a new order is urgent from 90 seconds before its end, and a kitchen late from a minute after its promise', () => {
  const at = (offset: number) => instantAt(NINE_AM + offset)
  const order = (status: 'placed' | 'accepted', offset: number) => ({
    status,
    placed_at: at(-HOUR),
    accept_by: status === 'placed' ? at(offset) : null,
    prep: { estimated_ready_at: at(offset) },
  })
  expect(importanceOf(order('placed', 1.5 * MINUTE), NINE_AM)).toBe(0)
  expect(importanceOf(order('placed', 1.5 * MINUTE + 1), NINE_AM)).toBe(2)
  expect(importanceOf(order('accepted', -MINUTE), NINE_AM)).toBe(1)
  expect(importanceOf(order('accepted', 1 - MINUTE), NINE_AM)).toBe(3)
})

test('deliveries are sent again from the first instant of a time on, and not those at its last', async () => {
  const world = await openTestSandbox()
  const { createEndpoint } = await import('../support/webhooks.ts')
  const endpoint_id = await createEndpoint(world)
  await world.ok('test_webhook_endpoint', { endpoint_id })
  const resent = async (since: number, until: number) => {
    const time = { since: instantAt(NINE_AM + since), until: instantAt(NINE_AM + until) }
    return (await world.ok('resend_webhooks', { endpoint_id, ...time })).resent
  }
  expect([await resent(0, 1), await resent(1, MINUTE), await resent(-MINUTE, 0)]).toEqual([1, 0, 0])
})
