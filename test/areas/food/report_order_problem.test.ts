/** A customer reports what went wrong: the store answers, its staff does, or the platform pays. */
import { describe, expect, test } from 'vitest'
import {
  adjust,
  answer,
  completed,
  gbp,
  MISSING,
  refuseReport as refuse,
  report,
  sell,
  statementOf,
} from '../../support/adjusting.ts'
import { newKey } from '../../support/food.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { both } from '../../support/order-life.ts'
import { ENGINES } from '../../support/stores.ts'
import { openWorld } from '../../support/world.ts'

const HOUR = 3_600_000

describe.each(ENGINES)('on $name', (engine) => {
  test('the store accepts a problem, bears it, and no longer has it on its list', async () => {
    const world = await openWorld({ engine })
    const order_id = await completed(world)
    const reported = await report(world, order_id)
    expect(reported.problems).toMatchObject([{ status: 'open', amount: gbp(445), answer: null }])
    const list = () => world.ok('list_business_orders', { problem: 'open' })
    expect((await list()).data.map((order) => order.order_id)).toEqual([order_id])
    const accepted = await world.ok('answer_order_problem', answer(reported, { accept: 'full' }))
    expect(accepted).toMatchObject({
      refund: { amount: gbp(445), borne_by: 'store' },
      problems: [{ status: 'accepted', answer: { by: 'store', accept: 'full' } }],
    })
    expect(accepted.problems[0]?.answer?.adjustment_id).toBe(accepted.adjustments[0]?.adjustment_id)
    expect((await list()).data).toEqual([])
    expect(await statementOf(world)).toMatchObject({ net_sales: gbp(990), due: gbp(990), closing: gbp(990) })
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('the platform pays for a problem that the store leaves unanswered for 24 hours', async () => {
    const world = await openWorld({ engine })
    const order_id = await completed(world)
    await report(world, order_id)
    await world.advance(24 * HOUR - 1000)
    expect((await both(world, order_id)).order.problems[0]?.status).toBe('open')
    await world.advance(1000)
    expect((await both(world, order_id)).order).toMatchObject({
      refund: { amount: gbp(445), borne_by: 'platform' },
      problems: [{ status: 'accepted', answer: { by: 'system', accept: 'full' } }],
    })
    expect(await statementOf(world)).toMatchObject({ net_sales: gbp(1485), due: gbp(1485) })
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('of an answer, the store’s own refunds and further reports at once no line gives back more than it cost', async () => {
    const world = await openWorld({ engine })
    const order_id = await completed(world)
    const reported = await report(world, order_id, { ...MISSING, lines: [{ line_id: 'line_1' }] })
    const accept = () => world.call('answer_order_problem', answer(reported, { accept: 'full' }))
    const own = () =>
      world.call('adjust_business_order', { order_id, kind: 'refunded', ...MISSING }, { key: newKey() })
    const again = () =>
      world.call('report_order_problem', { order_id, ...MISSING }, { as: 'member', key: newKey() })
    for (const { status } of await Promise.all([own(), accept(), own(), again(), accept(), own()]))
      expect([200, 409]).toContain(status)
    const { order } = await both(world, order_id)
    expect(order.refunds.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(1336)
    expect(await checkInvariants(world.db)).toEqual([])
  })
})

test('a late delivery is worth its fee, once, at the cost of the platform', async () => {
  const world = await openWorld()
  const order_id = await completed(world, { type: 'delivery' })
  const reported = await report(world, order_id, { reason_code: 'late' })
  expect(reported.problems[0]).toMatchObject({ amount: gbp(349), lines: [] })
  expect(await refuse(world, order_id, { reason_code: 'late' })).toMatchObject({
    code: 'adjustment_not_allowed',
  })
  const { refund } = await world.ok('answer_order_problem', answer(reported, { accept: 'full' }))
  expect(refund).toMatchObject({ amount: gbp(349), borne_by: 'platform', reason: 'late' })
  const { order_id: counter } = { order_id: await completed(world) }
  expect(await refuse(world, counter, { reason_code: 'late' })).toMatchObject({
    code: 'adjustment_not_allowed',
  })
})

test('staff of a store whose owner is away answers after half an hour', async () => {
  const world = await openWorld()
  const { order_id } = await sell(world, { scenario: 'store_auto' })
  await world.advance(4 * HOUR)
  const { problems } = await report(world, order_id)
  expect(problems[0]?.status).toBe('open')
  await world.advance(HOUR / 2)
  expect((await both(world, order_id)).order.problems[0]?.answer).toMatchObject({ by: 'store' })
})

test('a problem is reported of a completed order of one’s own, within 48 hours, about what is left of it', async () => {
  const world = await openWorld()
  const { order_id: open } = await sell(world)
  expect(await refuse(world, open)).toMatchObject({
    code: 'adjustment_not_allowed',
    current_status: 'placed',
  })
  const order_id = await completed(world)
  expect(await refuse(world, order_id, { reason_code: 'missing' })).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/lines' }],
  })
  await report(world, order_id, { ...MISSING, lines: [{ line_id: 'line_1', quantity: 2 }] })
  await adjust(world, order_id)
  expect(await refuse(world, order_id)).toMatchObject({ code: 'amount_exceeds_paid' })
  const other = await completed(world)
  await world.advance(48 * HOUR + 1000)
  expect(await refuse(world, other)).toMatchObject({ code: 'problem_window_over' })
  const both = { problem: 'open', active: true }
  expect(await world.refused('list_business_orders', both)).toMatchObject({ code: 'invalid_request' })
})
