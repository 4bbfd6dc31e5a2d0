import { defineResource } from '../../core/resource.ts'
import { isTaskOver, TASK_STATUSES } from './states.ts'

export const TASK = defineResource({
  area: 'tasks',
  noun: 'task',
  id: 'task_id',
  prefix: 'tsk',
  notFound: 'task_not_found',
  quote: 'quote_task',
  held: { kind: 'task', ms: 900_000 },
  creates: ['create_task'],
  show: 'get_task',
  cancel: 'cancel_task',
  shared: 'task',
  life: {
    success: 'completed',
    cancelled: 'cancelled',
    final: TASK_STATUSES.filter(isTaskOver),
    track: 'dray tasks track',
    suggestedAdvance: '15m',
  },
  events: { name: 'task', scope: 'tasks.read', words: TASK_STATUSES },
  last: {
    none: 'No tasks on this machine yet.',
    hint: '`dray tasks create` creates one.',
  },
  find: 'list_task_types',
})
