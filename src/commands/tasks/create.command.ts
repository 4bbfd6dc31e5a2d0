import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { confirmQuote } from '../../cli/confirm-quote.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { renderOptionsOf } from '../../cli/output/render-options-of.ts'
import {
  assertContact,
  choosePayment,
  PAY_FLAGS,
  PRICE_FLAGS,
  PURCHASE_GLOBAL_FLAGS,
  readPrice,
} from '../../cli/payment.ts'
import { quoteText } from '../../cli/quote-text.ts'
import { AppError } from '../../core/errors.ts'
import { spec as createTask } from '../../generated/specs/create_task.ts'
import { TASK_JOB_FLAGS, findMissingTaskInputs, readTaskJob, TASK_TYPE } from './job.ts'

const FIELDS = pickOperationFlags(createTask, {
  instructions: { field: 'instructions', value: 'TEXT' },
  name: { field: 'contact.name', description: 'name of the contact person' },
  phone: { field: 'contact.phone', value: '+44…', description: 'phone number of that person' },
})

const FLAGS = [...PRICE_FLAGS, ...TASK_JOB_FLAGS, ...FIELDS, ...PAY_FLAGS] as const satisfies readonly Flag[]

/** `dray tasks create`: from a wish, or a quote, to a task that is paid for. */
export const tasksCreate = defineCommand({
  words: 'tasks create',
  summary: 'Create a task',
  description:
    'With --quote-id it creates the quoted task. Otherwise it shows a price and how long the price is valid, and buys nothing until you confirm. Without a terminal --yes needs a --quote-id or a --max-total. If the price has changed or the quote has expired or was used, nothing is bought (exit 7). After a crash, the same command resumes that task; --new creates another task.',
  danger: 'spend',
  takes: PURCHASE_GLOBAL_FLAGS,
  answer: { of: ['create_task'] },
  positionals: [TASK_TYPE],
  flags: FLAGS,
  examples: [
    'dray tasks create',
    'dray tasks create shelf_audit --to spitalfields --require "store_name=Goosefoot Grocers" --require "products=Oat milk" --yes --max-total 25',
    'dray tasks create --quote-id quo_01m7vkystge8kbcf2tpy8vep2a --pay wallet --yes',
  ],
  run: create,
})

/** The inputs that a quote contains already. */
const QUOTED = ['task_type' as const, ...TASK_JOB_FLAGS.map(({ flag }) => flag)]

async function create(
  cli: CommandContext,
  args: FlagValues<typeof FLAGS, [typeof TASK_TYPE]>,
): Promise<number> {
  const { quoteId, limit, expected, wanted } = readPrice(cli.settings, args)
  const twice = QUOTED.find((name) => args[name] !== undefined)
  if (quoteId !== undefined && twice !== undefined)
    throw new AppError('usage', `--quote-id already has the task: leave out ${twice}.`)
  return confirmQuote<'quote_task'>(cli, {
    said: [wanted],
    quoteId,
    limit,
    expected,
    missing: () => (quoteId === undefined ? findMissingTaskInputs(args) : []),
    priced: () => readTaskJob(cli, args),
    confirm: { ...(await loadOperationHints('create_task')), done: 'Created task {task_name}: {price}.' },
    act: 'Create this task',
    describe: (quote) => quoteText(quote, null, renderOptionsOf(cli, 'stderr')),
    async rest() {
      const { request, words } = await choosePayment(cli, args)
      assertContact(args)
      return { input: { payment: request, ...(await readInputFromFlags(cli, FIELDS, args)) }, words }
    },
  })
}
