import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { loadOwnTask } from './access.ts'
import { task, taskId } from './schema.ts'
import { serializeTask } from './views.ts'

export const getTask = defineOperation({
  name: 'get_task',
  area: 'tasks',
  summary: 'Show one of your tasks: status, tasker, evidence so far',
  method: 'GET',
  path: '/v1/tasks/{task_id}',
  scope: 'tasks.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ task_id: taskId }),
  output: task,
  errors: ['task_not_found'],
  example: (done) => ({ task_id: done['create_task'].task_id }),
  cli: {
    command: 'tasks show',
    danger: 'read',
    details: [
      'task_id',
      'task_name',
      'status',
      // These schemas serve several fields, and this screen says which one it shows.
      'place.address',
      'place.name',
      { field: 'window.starts_at', label: 'Not before' },
      { field: 'window.ends_at', label: 'Deadline' },
      'requirements',
      'instructions',
      'price',
      'payment.method',
      'payment.status',
      'refunded',
      'refund.status',
      'provider.name',
      'provider.rating',
      'eta_at',
      'evidence_summary.required',
      'evidence_summary.collected',
      'evidence_summary.accepted',
      'result.outcome',
      'result.failure_reason',
      'cancellation.reason_code',
      'started_at',
      'completed_at',
      'cancellable',
    ],
  },
  touches: ({ task_id }) => ({ resource: task_id }),
  async run(context, { task_id }) {
    return serializeTask(context.tx, await loadOwnTask(context, task_id), context.now)
  },
})
