import { OWN_TASK } from './access.ts'

export const getTask = OWN_TASK.show({
  name: 'get_task',
  summary: 'Show one of your tasks: status, tasker, evidence so far',
  example: (done) => ({ task_id: done['create_task'].task_id }),
  cli: {
    command: 'tasks show',
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
})
