/** Screens of tasks, at three widths and without drawing: no line is wider than the terminal, no price is cut. */
import { describe, expect, test } from 'vitest'
import { taskPresenter } from '../../../src/areas/tasks/presenter.ts'
import { billText } from '../../../src/cli/output/bill.ts'
import type { RenderOptions } from '../../../src/cli/output/render-options.ts'
import { renderTracking } from '../../../src/cli/track/journey.ts'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { evidenceText } from '../../../src/commands/tasks/evidence-text.ts'
import { presentResource } from '../../../src/core/presenter.ts'
import { FORBIDDEN, HOSTILE } from '../../support/hostile.ts'
import { makeRenderOptions, linesBeyond, WIDTHS } from '../../support/screens.ts'
import {
  createTestTask,
  evidenceOf,
  finish,
  quoteTestTask,
  advanceToTaskStatus,
} from '../../support/tasks.ts'
import { openTestSandbox } from '../../support/world.ts'

type Task = OperationOutput<'get_task'>
type TaskEvidence = OperationOutput<'get_task_evidence'>
type TaskQuote = OperationOutput<'quote_task'>

const world = await openTestSandbox()
const quote = (await quoteTestTask(world, { urgency: 'express' })) as unknown as TaskQuote
const { task_id } = await createTestTask(world, { scenario: 'bad_evidence;kind=blurry' })
const onTheWay = (await advanceToTaskStatus(world, task_id, 'en_route')) as unknown as Task
const done = (await finish(world, task_id)) as unknown as Task
const evidence = (await evidenceOf(world, task_id)) as unknown as TaskEvidence

const quoteText = (quote: OperationOutput<'quote_task'>, renderOptions: RenderOptions) =>
  billText(taskPresenter.price(quote, null), renderOptions)

describe.each(WIDTHS)('in %d columns', (columns) => {
  test('the bill tells every part, the total and what is kept', () => {
    const text = quoteText(quote, makeRenderOptions(columns))
    expect(linesBeyond(columns, text)).toEqual([])
    for (const part of ['Shelf audit', 'Task', 'Express', 'Total', '£15.60', '£3.00'])
      expect(text).toContain(part)
  })

  test('a task on its way shows who comes, when, and where he is', () => {
    const text = renderTracking(
      presentResource(taskPresenter, onTheWay, 0),
      Date.parse('2026-11-20T09:05:00Z'),
      makeRenderOptions(columns),
    )
    expect(linesBeyond(columns, text)).toEqual([])
    expect(text).toContain('On the way')
    expect(text).toContain(onTheWay.provider?.name)
    expect(text).toMatch(/Arrives about \d\d:\d\d/)
  })

  test('the evidence tells what was rejected and why', async () => {
    const text = await evidenceText(evidence, makeRenderOptions(columns))
    // A hash is never cut, so that it can be copied.
    expect(linesBeyond(columns, text.replace(evidence.manifest.root, ''))).toEqual([])
    expect(text).toContain('All required evidence is complete.')
    expect(text).toContain('blurry')
    expect(text).toContain(evidence.manifest.root.slice(0, 8))
  })
})

test('the end of a task tells its evidence', () => {
  const text = renderTracking(presentResource(taskPresenter, done, 0), 0, makeRenderOptions(80))
  expect(text).toContain('Completed')
  expect(text).toContain('Evidence: 4 of 3 captured, 3 accepted')
})

test.each(HOSTILE)('text of others never moves the cursor: %#', async (hostileText) => {
  const hostile = {
    ...evidence,
    requirements: evidence.requirements.map((each) => ({
      ...each,
      requirement_id: hostileText,
      problems: [hostileText],
    })),
    items: evidence.items.map((each) => ({ ...each, requirement_id: hostileText })),
  }
  const texts = [
    await evidenceText(hostile, makeRenderOptions(80)),
    quoteText({ ...quote, task_name: hostileText, place: { name: hostileText } }, makeRenderOptions(80)),
    renderTracking(
      presentResource(taskPresenter, { ...onTheWay, task_name: hostileText }, 0),
      0,
      makeRenderOptions(80),
    ),
  ]
  for (const text of texts) expect(text).not.toMatch(FORBIDDEN)
})
