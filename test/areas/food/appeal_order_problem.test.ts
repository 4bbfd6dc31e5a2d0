/** After a decline the customer may appeal once, and the records decide. */
import { expect, test } from 'vitest'
import {
  makeProblemAnswer,
  appealDecline,
  completed,
  gbp,
  MISSING,
  refuseAppeal,
  reportTestProblem,
  statementOf,
} from '../../support/adjusting.ts'
import { callTestControl } from '../../support/control.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000

const decline = async (world: TestSandbox, order_id: string, over: Record<string, unknown>) => {
  const reported = await reportTestProblem(world, order_id, over)
  await world.ok('answer_order_problem', makeProblemAnswer(reported, { accept: 'none', note: 'We disagree' }))
  return reported
}

test.each([
  ['late, by the times', 'courier_delay;seconds=1800', { reason_code: 'late' }, 349],
  ['damaged, by the courier', 'goods_damaged', { ...MISSING, reason_code: 'damaged' }, 445],
])('%s: the platform pays', async (_, scenario, over, amount) => {
  const world = await openTestSandbox()
  const order_id = await completed(world, { type: 'delivery', scenario })
  const decided = await appealDecline(world, await decline(world, order_id, over))
  expect(decided).toMatchObject({
    problems: [{ status: 'accepted', answer: { accept: 'none' }, appeal: { accept: true } }],
    refund: { amount: gbp(amount), borne_by: 'platform' },
  })
  expect(decided.problems[0]?.appeal?.adjustment_id).toBe(decided.adjustments[0]?.adjustment_id)
  expect(await statementOf(world)).toMatchObject({ net_sales: gbp(1485) })
  expect(await checkInvariants(world.db)).toEqual([])
  expect(await refuseAppeal(world, decided)).toMatchObject({
    code: 'adjustment_not_allowed',
    detail: 'The appeal is decided already: the platform paid.',
  })
})

test.each([
  ['a missing dish', 'goods_damaged', MISSING],
  ['damage of which the courier says nothing', 'store_manual', { ...MISSING, reason_code: 'damaged' }],
])('%s: the decline stands', async (_, scenario, over) => {
  const world = await openTestSandbox()
  const order_id = await completed(world, { type: 'delivery', scenario })
  const decided = await appealDecline(world, await decline(world, order_id, over))
  expect(decided).toMatchObject({
    problems: [{ status: 'declined', appeal: { accept: false, adjustment_id: null } }],
    refunds: [],
  })
  expect(await refuseAppeal(world, decided)).toMatchObject({
    code: 'adjustment_not_allowed',
    detail: 'The appeal is decided already: the decline stands.',
  })
  const { data } = await callTestControl(world, 'list_events', { limit: 1000 })
  expect(data.map(({ type }) => type)).toContain('food_order.problem_appealed')
})

test('within 48 hours after the order or 24 after the decline, and not before there is one', async () => {
  const world = await openTestSandbox()
  const order_id = await completed(world)
  await world.advance(47 * HOUR)
  const reported = await reportTestProblem(world, order_id)
  expect(await refuseAppeal(world, reported)).toMatchObject({
    code: 'adjustment_not_allowed',
    current_status: 'open',
  })
  await world.advance(20 * HOUR)
  await world.ok(
    'answer_order_problem',
    makeProblemAnswer(reported, { accept: 'none', note: 'All were packed' }),
  )
  await world.advance(24 * HOUR + 1000)
  expect(await refuseAppeal(world, reported)).toMatchObject({ code: 'problem_window_over' })
})

test('also when the 48 hours are over, while the decline is younger than 24', async () => {
  const world = await openTestSandbox()
  const other = await completed(world)
  await world.advance(47 * HOUR)
  const late = await reportTestProblem(world, other)
  await world.advance(20 * HOUR)
  await world.ok('answer_order_problem', makeProblemAnswer(late, { accept: 'none', note: 'All were packed' }))
  await world.advance(23 * HOUR)
  expect((await appealDecline(world, late)).problems[0]?.appeal).toMatchObject({ accept: false })
})
