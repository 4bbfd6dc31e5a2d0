import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { isInteractiveTable, renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { printResult } from '../../cli/print.ts'
import { quoteText } from '../../cli/quote-text.ts'
import { rememberQuote, printQuotePrice } from '../../cli/quotes.ts'
import { EXIT } from '../../core/errors.ts'
import { TASK_JOB_FLAGS, type TaskJobArgs, readTaskJob, TASK_TYPE } from './job.ts'

/** `dray tasks quote TYPE --to PLACE --require …`: what it costs; sends nobody. */
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
  run: quote,
})

async function quote(cli: CommandContext, args: TaskJobArgs): Promise<number> {
  const input = await readTaskJob(cli, args)
  const { value: priced } = await (await cli.client()).call('quote_task', input)
  rememberQuote(cli, { quote: priced, operation: 'quote_task', input })
  if (!isInteractiveTable(cli)) {
    await printResult(cli, priced)
    return EXIT.ok
  }
  await printQuotePrice(cli, priced, {
    text: await quoteText(priced, null, renderOptionsOf(cli, 'stdout')),
    command: 'tasks create',
  })
  return EXIT.ok
}
