import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, nonBlankText } from '../../core/schema.ts'
import { loadOwnTask } from './access.ts'
import { cancelTaskRecord } from './lifecycle/task.ts'
import { task, taskCancelReason, taskId } from './schema.ts'
import { serializeTask } from './views.ts'

export const cancelTask = defineOperation({
  name: 'cancel_task',
  area: 'tasks',
  summary: 'Cancel a task before it starts',
  description:
    'Allowed until the tasker checks in at the place. Refunds the full amount to the original payment method.',
  method: 'POST',
  path: '/v1/tasks/{task_id}/cancel',
  scope: 'tasks.read',
  entitlement: 'none',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'once',
  input: strictObject({
    task_id: taskId,
    reason_code: Type.Optional(taskCancelReason),
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  }),
  output: task,
  errors: ['task_not_found', 'not_cancellable'],
  example: (done) => ({ task_id: done['create_task'].task_id, reason_code: 'no_longer_needed' }),
  cli: {
    command: 'tasks cancel',
    danger: 'destructive',
    positionals: ['task_id'],
    last: true,
    flags: { reason_code: 'reason' },
    columns: ['task_id', 'task_name', 'status', 'price', 'payment.status', 'refund.amount', 'refund.status'],
    done: 'Cancelled task {task_id}.',
    next: 'dray tasks show {task_id}',
    examples: [
      'dray tasks cancel tsk_01m7vkystgemq8k9w39qsaekf4 --reason too_slow',
      'dray tasks cancel tsk_01m7vkystgemq8k9w39qsaekf4 --confirm tsk_01m7vkystgemq8k9w39qsaekf4',
    ],
  },
  touches: ({ task_id }) => ({ resource: task_id }),
  async run(context, { task_id, reason_code = 'other', note = null }) {
    const { tx, world, now } = context
    const record = await loadOwnTask(context, task_id, { lock: true })
    await cancelTaskRecord({ tx, world, at: now }, record, { reason_code, note })
    return serializeTask(tx, record, now)
  },
})
