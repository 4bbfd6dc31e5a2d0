import { taskPresenter } from '../../areas/tasks/presenter.ts'
import { isTaskOver } from '../../areas/tasks/states.ts'
import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { EXIT } from '../../core/errors.ts'
import { printWithReceipt, readReceiptOutput, RECEIPT_FLAGS } from '../receipt/receipt.ts'

/** `dray tasks show [TASK]`. */
export const tasksShow = defineCommand({
  words: 'tasks show',
  summary: 'Show one of your tasks: status, tasker, evidence so far',
  description:
    'The last task without an id. `dray tasks evidence` shows what was brought back. --receipt writes the bill with its payment and refunds.',
  positionals: [{ name: 'task_id', description: 'task ID. Default: the last task' }],
  flags: RECEIPT_FLAGS,
  answer: { of: ['get_task'] },
  examples: ['dray tasks show', 'dray tasks show tsk_01m7vkystgemq8k9w39qsaekf4 --json'],
  async run(cli, args) {
    const wish = readReceiptOutput(args)
    const { value } = await (
      await cli.client()
    ).call('get_task', { task_id: await namedOrLast(cli, args.task_id, 'task_id') })
    const { status, evidence_summary } = value
    const next =
      isTaskOver(status) && evidence_summary.collected > 0
        ? 'dray tasks evidence {task_id}'
        : 'dray tasks track {task_id}'
    await printWithReceipt(cli, value, {
      story: taskPresenter,
      columns: (await loadOperationHints('get_task')).columns,
      next,
      wish,
    })
    return EXIT.ok
  },
})
