import { expect, test } from 'vitest'
import { canMoveTask, isTaskOver, TASK_STATUSES } from '../../../src/areas/tasks/states.ts'
import { allowedEdges, edgesOf, TASK } from '../../support/state-tables.ts'

test('a task moves along the edges of the table, and along no others', () => {
  expect(allowedEdges(TASK_STATUSES, canMoveTask)).toEqual(edgesOf(TASK))
})

test('no status follows a final one', () => {
  expect(TASK_STATUSES.filter((status) => isTaskOver(status))).toEqual([
    'completed',
    'failed',
    'cancelled',
    'unfulfilled',
  ])
})
