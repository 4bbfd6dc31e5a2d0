import * as Type from 'typebox'
import { nonBlankText } from '../../core/schema.ts'
import { OWN_TASK } from './access.ts'
import { cancelTaskRecord } from './lifecycle/task.ts'
import { taskCancelReason } from './schema.ts'

export const cancelTask = OWN_TASK.action({
  name: 'cancel_task',
  summary: 'Cancel a task before it starts',
  description:
    'Allowed until the tasker checks in at the place. Refunds the full amount to the original payment method.',
  below: '/cancel',
  spends: { how: 'nothing' },
  repetition: 'once',
  input: {
    reason_code: Type.Optional(taskCancelReason),
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  },
  errors: ['not_cancellable'],
  example: (done) => ({ task_id: done['create_task'].task_id, reason_code: 'no_longer_needed' }),
  cli: {
    command: 'tasks cancel',
    danger: 'destructive',
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
  act: (scene, task, { reason_code = 'other', note = null }) =>
    cancelTaskRecord(scene, task, { reason_code, note }),
})
