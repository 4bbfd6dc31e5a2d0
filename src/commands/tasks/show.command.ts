import { isTaskOver } from '../../areas/tasks/states.ts'
import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { EXIT } from '../../core/errors.ts'

const COLUMNS = [
  { field: 'task_id' },
  { field: 'task_name', label: 'What' },
  { field: 'status' },
  { field: 'place.address', label: 'Where' },
  { field: 'place.name', label: 'Place' },
  { field: 'window.starts_at', label: 'From' },
  { field: 'window.ends_at', label: 'Until' },
  { field: 'requirements' },
  { field: 'instructions' },
  { field: 'price' },
  { field: 'payment.method', label: 'Paid by' },
  { field: 'payment.status', label: 'Payment' },
  { field: 'refund.amount', label: 'Refund' },
  { field: 'refund.status', label: 'Refund status' },
  { field: 'provider.name', label: 'Who' },
  { field: 'provider.rating' },
  { field: 'eta_at', label: 'There at' },
  { field: 'evidence_summary.required', label: 'Evidence needed' },
  { field: 'evidence_summary.collected' },
  { field: 'evidence_summary.accepted' },
  { field: 'result.outcome', label: 'Result' },
  { field: 'result.failure_reason', label: 'Because' },
  { field: 'cancellation.reason_code', label: 'Cancelled because' },
  { field: 'started_at' },
  { field: 'completed_at' },
  { field: 'cancellable', label: 'Can be cancelled' },
]

/** `dray tasks show [TASK]`. */
export const tasksShow = defineCommand({
  words: 'tasks show',
  summary: 'Show one of your tasks: its state, who is sent, its evidence so far',
  description: 'The last task without an id. `dray tasks evidence` shows what was brought back.',
  positionals: [{ name: 'task_id', description: 'the task; the last one without it' }],
  examples: ['dray tasks show', 'dray tasks show tsk_01m7vkystgemq8k9w39qsaekf4 --json'],
  async run(cli, args) {
    const { value } = await (
      await cli.client()
    ).call('get_task', { task_id: await namedOrLast(cli, args.task_id, 'task_id') })
    const { status, evidence_summary } = value
    const next =
      isTaskOver(status) && evidence_summary.collected > 0
        ? 'dray tasks evidence {task_id}'
        : 'dray tasks track {task_id}'
    await printResult(cli, value, { columns: COLUMNS, next })
    return EXIT.ok
  },
})
