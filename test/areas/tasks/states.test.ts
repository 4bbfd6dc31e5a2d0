import { expect, test } from 'vitest'
import { canMoveTask, isTaskOver, TASK_STATUSES } from '../../../src/areas/tasks/states.ts'
import { listAllowedTransitions, listTransitions, TASK_TRANSITIONS } from '../../support/state-tables.ts'

test('a task moves along the edges of the table, and along no others', () => {
  expect(listAllowedTransitions(TASK_STATUSES, canMoveTask)).toEqual(listTransitions(TASK_TRANSITIONS))
})

test('no status follows a final one', () => {
  expect(TASK_STATUSES.filter((status) => isTaskOver(status))).toEqual([
    'completed',
    'failed',
    'cancelled',
    'unfulfilled',
  ])
})
