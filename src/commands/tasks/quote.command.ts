import { defineCommand } from '../../cli/define-command.ts'
import { printQuote, requestQuote } from '../../cli/print-quote.ts'
import { TASK_JOB_FLAGS, readTaskJob, TASK_TYPE } from './job.ts'

/** `dray tasks quote TYPE --to PLACE --require …`: what it costs; sends no worker. */
export const tasksQuote = defineCommand({
  words: 'tasks quote',
  summary: 'Price a task; valid for 15 minutes',
  description:
    'Sends nobody. `dray tasks create --quote-id` has it done at this price until it expires. On a terminal what is missing is asked for, as the task type says.',
  positionals: [TASK_TYPE],
  flags: TASK_JOB_FLAGS,
  examples: [
    'dray tasks quote shelf_audit --to spitalfields --require "store_name=Goosefoot Grocers" --require "products=Oat milk,Rye bread"',
    'dray tasks quote meter_reading --to "12 Finsbury Square, London EC2A 1AN" --require meter=gas --window /18:00 --json',
  ],
  run: async (cli, args) =>
    printQuote(cli, await requestQuote(cli, 'quote_task', await readTaskJob(cli, args)), {
      command: 'tasks create',
    }),
})
