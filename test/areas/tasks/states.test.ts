import { expect, test } from 'vitest'
import { canMoveTask, isTaskOver, TASK_STATUSES } from '../../../src/areas/tasks/states.ts'

/** The state table of `contract.md` B7, repeated by hand. */
const TABLE = `
  created → assigned, unfulfilled, cancelled
  assigned → en_route, created, cancelled
  en_route → in_progress, created, cancelled
  in_progress → under_review, failed
  under_review → completed, in_progress, failed`

test('a task moves along the edges of the table, and along no others', () => {
  const edges = TABLE.trim()
    .split('\n')
    .flatMap((line) => {
      const [from = '', to = ''] = line.trim().split(' → ')
      return to.split(', ').map((each) => `${from} ${each}`)
    })
  const found = TASK_STATUSES.flatMap((from) =>
    TASK_STATUSES.filter((to) => canMoveTask(from, to)).map((to) => `${from} ${to}`),
  )
  expect(found.toSorted()).toEqual(edges.toSorted())
})

test('no status follows a final one', () => {
  expect(TASK_STATUSES.filter((status) => isTaskOver(status))).toEqual([
    'completed',
    'failed',
    'cancelled',
    'unfulfilled',
  ])
})
