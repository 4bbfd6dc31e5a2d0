/** The store's answer to a problem: a part, nothing with a reason, and once. */
import { expect, test } from 'vitest'
import { makeProblemAnswer, completed, gbp, MISSING, reportTestProblem } from '../../support/adjusting.ts'
import { openTestSandbox } from '../../support/world.ts'

test('the store accepts a part, or declines with a reason, and answers once', async () => {
  const world = await openTestSandbox()
  const reported = await reportTestProblem(world, await completed(world), {
    ...MISSING,
    lines: [{ line_id: 'line_1', quantity: 2 }],
  })
  const declined = await reportTestProblem(world, await completed(world))
  for (const [over, pointer] of [
    [{ accept: 'part' }, '/lines'],
    [{ accept: 'none' }, '/note'],
    [{ accept: 'full', lines: [{ line_id: 'line_1' }] }, '/lines'],
    [{ accept: 'part', lines: [{ line_id: 'line_1', quantity: 3 }] }, '/lines/0/quantity'],
  ] as const)
    expect(await world.refused('answer_order_problem', makeProblemAnswer(reported, over))).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer }],
    })
  const part = { accept: 'part', lines: [{ line_id: 'line_1', quantity: 1 }] }
  expect((await world.ok('answer_order_problem', makeProblemAnswer(reported, part))).refund?.amount).toEqual(
    gbp(445),
  )
  const none = { accept: 'none', note: 'All three were packed' }
  expect(await world.ok('answer_order_problem', makeProblemAnswer(declined, none))).toMatchObject({
    refund: null,
    problems: [{ status: 'declined', answer: { note: none.note } }],
  })
  expect(
    await world.refused('answer_order_problem', makeProblemAnswer(declined, { accept: 'full' })),
  ).toMatchObject({
    code: 'adjustment_not_allowed',
    current_status: 'declined',
  })
})
