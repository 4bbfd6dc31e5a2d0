import { ACCOUNT, ownedBy } from '../../core/owned.ts'
import { findTask, lockTask } from './queries/tasks.ts'
import { TASK } from './resource.ts'
import { task, taskId } from './schema.ts'
import { serializeTask } from './views.ts'

export const OWN_TASK = ownedBy(ACCOUNT, {
  resource: TASK,
  path: '/v1/tasks',
  scopes: { read: 'tasks.read', act: 'tasks.read' },
  id: taskId,
  output: task,
  find: findTask,
  lock: lockTask,
  ownerOf: ({ account_id }) => account_id,
  hint: '`dray recent` lists what you created on this machine.',
  serialize: ({ tx, now }, record) => serializeTask(tx, record, now),
})
