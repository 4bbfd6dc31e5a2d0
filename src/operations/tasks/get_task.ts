import { defineOperation } from '../../operation.ts'
import { closed } from '../schema.ts'
import { loadOwnTask } from './own.ts'
import { task, taskId } from './schema.ts'
import { viewTask } from './views.ts'

export const getTask = defineOperation({
  name: 'get_task',
  area: 'tasks',
  summary: 'Show one of your tasks: its state, who is sent, its evidence so far',
  method: 'GET',
  path: '/v1/tasks/{task_id}',
  scope: 'tasks.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({ task_id: taskId }),
  output: task,
  errors: ['task_not_found'],
  example: { task_id: 'tsk_01m7vkystgemq8k9w39qsaekf4' },
  cli: {
    danger: 'read',
    columns: [
      { field: 'task_id', label: 'Task' },
      { field: 'task_name', label: 'What' },
      { field: 'status' },
      { field: 'place.name', label: 'Where' },
      { field: 'window.starts_at', label: 'From' },
      { field: 'window.ends_at', label: 'Until' },
      { field: 'requirements' },
      { field: 'instructions' },
      { field: 'price' },
      { field: 'payment.status', label: 'Payment' },
      { field: 'refund.amount', label: 'Refund' },
      { field: 'provider.name', label: 'Who' },
      { field: 'provider.rating', label: 'Rating' },
      { field: 'eta_at', label: 'There at' },
      { field: 'evidence_summary.required', label: 'Evidence needed' },
      { field: 'evidence_summary.collected', label: 'Collected' },
      { field: 'evidence_summary.accepted', label: 'Accepted' },
      { field: 'result.outcome', label: 'Result' },
      { field: 'result.failure_reason', label: 'Because' },
      { field: 'cancellation.reason_code', label: 'Cancelled because' },
      { field: 'completed_at', label: 'Completed' },
      { field: 'cancellable', label: 'Can be cancelled' },
    ],
  },
  touches: ({ task_id }) => ({ resource: task_id }),
  async run(context, { task_id }) {
    return viewTask(context.tx, await loadOwnTask(context, task_id), context.now)
  },
})
