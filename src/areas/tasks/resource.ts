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
    nudge: '15m',
  },
  last: {
    none: 'Which task? None was created from here yet.',
    hint: '`dray tasks create` has something done.',
  },
  find: 'list_task_types',
})
