import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { findTask, lockTask, type TaskRecord } from './queries/tasks.ts'

/** Loads the caller's task; with `lock`, for a change. Throws as if another customer's task did not exist. */
export async function loadOwnTask(
  { tx, account }: OperationContext,
  taskId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<TaskRecord> {
  const task = await (lock ? lockTask : findTask)(tx, taskId)
  if (task === undefined || task.account_id !== account.account_id) {
    throw new AppError('task_not_found', `No task ${taskId}.`, {
      hint: '`dray recent` lists what you created on this machine.',
    })
  }
  return task
}
