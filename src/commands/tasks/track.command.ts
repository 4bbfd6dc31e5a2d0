import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { follow } from '../../cli/track/follow.ts'
import { toTaskJourney } from './journey.ts'

/** `dray tasks track [TASK]`: from the search for somebody to the verdict on the evidence. */
export const tasksTrack = defineCommand({
  words: 'tasks track',
  summary: 'Follow a task until it is over',
  description:
    'The last task without an id. On a terminal it is drawn over as it goes on, with whoever is sent on the map; piped, one line for each change. On a frozen sandbox clock it ends at once with exit 8: `dray sandbox clock advance` moves the world. With --json it prints the final state once; --output ndjson prints each change as it comes.',
  positionals: [{ name: 'task_id', description: 'the task; the last one without it' }],
  examples: [
    'dray tasks track',
    'dray tasks track tsk_01m7vkystgemq8k9w39qsaekf4 --output ndjson --timeout 1h',
  ],
  run: async (cli, args) =>
    follow(cli, {
      operation: 'get_task',
      input: { task_id: await namedOrLast(cli, args.task_id, 'task_id') },
      toJourney: toTaskJourney,
      nudge: '15m',
    }),
})
