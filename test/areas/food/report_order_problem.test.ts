/** A customer reports what went wrong: the store answers, its staff does, or the platform pays. */
import { describe, expect, test } from 'vitest'
import {
  adjustTestOrder,
  makeProblemAnswer,
  appealDecline,
  completed,
  gbp,
  MISSING,
  refuseReport,
  reportTestProblem,
  placeTestSale,
  statementOf,
} from '../../support/adjusting.ts'
import { newKey } from '../../support/food.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { performAction, readBothViews, placeTestOrder } from '../../support/order-life.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000

describe.each(ENGINES)('on $name', (engine) => {
  test('the store accepts a problem, bears it, and no longer has it on its list', async () => {
    const world = await openTestSandbox({ engine })
    const order_id = await completed(world)
    const reported = await reportTestProblem(world, order_id)
    expect(reported.problems).toMatchObject([{ status: 'open', amount: gbp(445), answer: null }])
    const list = () => world.ok('list_business_orders', { problem: 'open' })
    expect((await list()).data.map((order) => order.order_id)).toEqual([order_id])
    const accepted = await world.ok('answer_order_problem', makeProblemAnswer(reported, { accept: 'full' }))
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
    const world = await openTestSandbox({ engine })
    const order_id = await completed(world)
    await reportTestProblem(world, order_id)
    await world.advance(24 * HOUR - 1000)
    expect((await readBothViews(world, order_id)).order.problems[0]?.status).toBe('open')
    await world.advance(1000)
    expect((await readBothViews(world, order_id)).order).toMatchObject({
      refund: { amount: gbp(445), borne_by: 'platform' },
      problems: [{ status: 'accepted', answer: { by: 'system', accept: 'full' } }],
    })
    expect(await statementOf(world)).toMatchObject({ net_sales: gbp(1485), due: gbp(1485) })
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('of an answer, the store’s own refunds and further reports at once no line gives back more than it cost', async () => {
    const world = await openTestSandbox({ engine })
    const order_id = await completed(world)
    const reported = await reportTestProblem(world, order_id, { ...MISSING, lines: [{ line_id: 'line_1' }] })
    const accept = () => world.call('answer_order_problem', makeProblemAnswer(reported, { accept: 'full' }))
    const own = () =>
      world.call('adjust_business_order', { order_id, kind: 'refunded', ...MISSING }, { key: newKey() })
    const again = () =>
      world.call('report_order_problem', { order_id, ...MISSING }, { as: 'member', key: newKey() })
    for (const { status } of await Promise.all([own(), accept(), own(), again(), accept(), own()]))
      expect([200, 409]).toContain(status)
    const { order } = await readBothViews(world, order_id)
    expect(order.refunds.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(1336)
    expect(await checkInvariants(world.db)).toEqual([])
  })
})

test('a late delivery is worth its fee, once, at the cost of the platform', async () => {
  const world = await openTestSandbox()
  const order_id = await completed(world, { type: 'delivery', scenario: 'courier_delay;seconds=1800' })
  const reported = await reportTestProblem(world, order_id, { reason_code: 'late' })
  expect(reported.problems[0]).toMatchObject({ amount: gbp(349), lines: [] })
  expect(await refuseReport(world, order_id, { reason_code: 'late' })).toMatchObject({
    code: 'adjustment_not_allowed',
  })
  const { refund } = await world.ok('answer_order_problem', makeProblemAnswer(reported, { accept: 'full' }))
  expect(refund).toMatchObject({ amount: gbp(349), borne_by: 'platform', reason: 'late' })
  const { order_id: counter } = { order_id: await completed(world) }
  expect(await refuseReport(world, counter, { reason_code: 'late' })).toMatchObject({
    code: 'adjustment_not_allowed',
  })
})

test('an order that came before the end of what was promised is not late, however long the kitchen took', async () => {
  const world = await openTestSandbox()
  const { order_id, ...placed } = await placeTestSale(world, { type: 'delivery' })
  const { estimated_delivery_at, latest_delivery_at } = placed
  const { quote_id } = placed
  const row = await world.db.read((tx) => tx.get('select doc from quotes where quote_id = $1', quote_id))
  const { estimated_delivery_window: window } = JSON.parse(String(row?.['doc'])) as {
    estimated_delivery_window: { starts_at: number; ends_at: number }
  }
  // The window moves with the estimate at the order.
  const length = window.ends_at - window.starts_at
  expect(Date.parse(latest_delivery_at ?? '') - Date.parse(estimated_delivery_at ?? '')).toBe(length)
  await world.ok('accept_business_order', { order_id, prep_time_minutes: 60 }, { key: newKey() })
  expect((await readBothViews(world, order_id)).order.latest_delivery_at).toBe(latest_delivery_at)
  await performAction(world, order_id, ['ready'])
  await world.advance(HOUR)
  const { order } = await readBothViews(world, order_id)
  expect(order.status).toBe('completed')
  for (const lines of [undefined, MISSING.lines])
    expect(
      await refuseReport(world, order_id, { reason_code: 'late', ...(lines && { lines }) }),
    ).toMatchObject({
      code: 'adjustment_not_allowed',
      latest_delivery_at,
      completed_at: order.completed_at,
    })
})

test('a courier hands an order over when it was estimated, the minute at the door included', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestSale(world, { type: 'delivery' })
  await performAction(world, order_id, ['accept', 'ready'])
  await world.advance(60_000)
  const { order: before } = await readBothViews(world, order_id)
  expect(before.courier).not.toBeNull()
  await world.advance(HOUR)
  const { order } = await readBothViews(world, order_id)
  expect(order.completed_at).toBe(before.estimated_delivery_at)
})

test('a slot ends at its end, and of an order from before that time was kept only the store can judge', async () => {
  const world = await openTestSandbox()
  const at = '2026-11-20T18:30:00.000Z'
  const { order_id } = await placeTestOrder(world, { type: 'delivery', scenario: 'store_auto', at })
  expect((await readBothViews(world, order_id)).order.latest_delivery_at).toBe('2026-11-20T18:45:00.000Z')
  const older = await completed(world, { type: 'delivery' })
  await world.db.write(async (tx) => {
    const row = await tx.get('select doc from orders where order_id = $1', older)
    const { latest_delivery_at: _, ...doc } = JSON.parse(String(row?.['doc'])) as Record<string, unknown>
    await tx.run('update orders set doc = $2 where order_id = $1', older, JSON.stringify(doc))
  })
  expect((await readBothViews(world, older)).order.latest_delivery_at).toBeNull()
  const reported = await reportTestProblem(world, older, { reason_code: 'late' })
  await world.ok(
    'answer_order_problem',
    makeProblemAnswer(reported, { accept: 'none', note: 'It was in time' }),
  )
  expect((await appealDecline(world, reported)).problems[0]).toMatchObject({ appeal: { accept: false } })
})

test('a line is reported once, whatever became of its problem', async () => {
  const world = await openTestSandbox()
  const order_id = await completed(world)
  const reported = await reportTestProblem(world, order_id)
  const [{ problem_id } = { problem_id: '' }] = reported.problems
  expect(await refuseReport(world, order_id)).toMatchObject({ code: 'adjustment_not_allowed', problem_id })
  await world.ok(
    'answer_order_problem',
    makeProblemAnswer(reported, { accept: 'none', note: 'All were packed' }),
  )
  const again = await refuseReport(world, order_id, { ...MISSING, reason_code: 'quality' })
  expect(again).toMatchObject({ code: 'adjustment_not_allowed', problem_id })
  expect(again.hint).toContain('--appeal')
})

test('a refund by the store lowers an open problem to what is left of its lines, and closes it at nothing', async () => {
  const world = await openTestSandbox()
  const order_id = await completed(world)
  await reportTestProblem(world, order_id, { ...MISSING, lines: [{ line_id: 'line_1', quantity: 2 }] })
  expect((await adjustTestOrder(world, order_id)).problems).toMatchObject([
    { status: 'open', amount: gbp(891) },
  ])
  const lowered = await adjustTestOrder(world, order_id)
  expect(lowered.problems).toMatchObject([
    { status: 'open', amount: gbp(445), lines: [{ line_id: 'line_1', quantity: 1 }] },
  ])
  expect((await adjustTestOrder(world, order_id)).problems).toMatchObject([
    { status: 'closed', amount: gbp(0) },
  ])
  expect((await world.ok('list_business_orders', { problem: 'open' })).data).toEqual([])
  const closed = await world.refused(
    'answer_order_problem',
    makeProblemAnswer(lowered as never, { accept: 'full' }),
  )
  expect(closed).toMatchObject({ code: 'adjustment_not_allowed', current_status: 'closed' })
  await world.advance(25 * HOUR)
  expect((await readBothViews(world, order_id)).order.refunds).toHaveLength(3)
  expect(await checkInvariants(world.db)).toEqual([])
})

test('staff answer after half an hour if the owner of the store is away', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestSale(world, { scenario: 'store_auto' })
  await world.advance(4 * HOUR)
  const { problems } = await reportTestProblem(world, order_id)
  expect(problems[0]?.status).toBe('open')
  await world.advance(HOUR / 2)
  expect((await readBothViews(world, order_id)).order.problems[0]?.answer).toMatchObject({ by: 'store' })
})

test('a problem is reported of a completed order of one’s own, within 48 hours, about what is left of it', async () => {
  const world = await openTestSandbox()
  const { order_id: open } = await placeTestSale(world)
  expect(await refuseReport(world, open)).toMatchObject({
    code: 'adjustment_not_allowed',
    current_status: 'placed',
  })
  const order_id = await completed(world)
  expect(await refuseReport(world, order_id, { reason_code: 'missing' })).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/lines' }],
  })
  await reportTestProblem(world, order_id, { ...MISSING, lines: [{ line_id: 'line_1', quantity: 2 }] })
  const most = { ...MISSING, lines: [{ line_id: 'line_1', quantity: 9 }] }
  expect(await refuseReport(world, await completed(world), most)).toMatchObject({
    code: 'amount_exceeds_paid',
  })
  const other = await completed(world)
  await world.advance(48 * HOUR + 1000)
  expect(await refuseReport(world, other)).toMatchObject({ code: 'problem_window_over' })
  const both = { problem: 'open', active: true }
  expect(await world.refused('list_business_orders', both)).toMatchObject({ code: 'invalid_request' })
})
