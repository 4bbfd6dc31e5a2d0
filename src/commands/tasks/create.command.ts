import type { Cli } from '../../cli/cli.ts'
import type { Flag, Given } from '../../cli/command.ts'
import { buy } from '../../cli/confirm-quote.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { fields, readFields } from '../../cli/fields.ts'
import { hintsOf } from '../../cli/hints-of.ts'
import { renderOptionsOf } from '../../cli/output/render-options-of.ts'
import {
  assertContact,
  choosePayment,
  PAY_FLAGS,
  PRICE_FLAGS,
  PURCHASE_TAKES,
  readPrice,
} from '../../cli/payment.ts'
import { quoteText } from '../../cli/quote-text.ts'
import { AppError } from '../../core/errors.ts'
import { spec as createTask } from '../../generated/specs/create_task.ts'
import { JOB_FLAGS, findMissing, readJob, TASK_TYPE } from './job.ts'

const FIELDS = fields(createTask, {
  instructions: { field: 'instructions', value: 'TEXT' },
  name: { field: 'contact.name', description: 'name of the person who can be asked' },
  phone: { field: 'contact.phone', value: '+44…', description: 'telephone of who can be asked' },
})

const FLAGS = [...PRICE_FLAGS, ...JOB_FLAGS, ...FIELDS, ...PAY_FLAGS] as const satisfies readonly Flag[]

/** `dray tasks create`: from a wish, or a quote, to a task that is paid for. */
export const tasksCreate = defineCommand({
  words: 'tasks create',
  summary: 'Have something done: say what, see the price, agree to it',
  description:
    'With --quote-id it confirms that quote. Else the task is priced first and the price shown, with the time for which it holds; nothing is bought before a yes. Without a terminal --yes needs a --quote-id or a --max-total. A price that has moved, an expired quote and a used one end with exit 7, and nothing is bought. The same command after a crash resumes that task; --new creates another one.',
  danger: 'spend',
  takes: PURCHASE_TAKES,
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
const QUOTED = ['task_type' as const, ...JOB_FLAGS.map(({ flag }) => flag)]

async function create(cli: Cli, args: Given<typeof FLAGS, [typeof TASK_TYPE]>): Promise<number> {
  const { quoteId, limit, expected, wanted } = readPrice(cli.settings, args)
  const twice = QUOTED.find((name) => args[name] !== undefined)
  if (quoteId !== undefined && twice !== undefined)
    throw new AppError('usage', `--quote-id holds its task already: give it without ${twice}.`)
  return buy<'quote_task'>(cli, {
    said: [wanted],
    quoteId,
    limit,
    expected,
    missing: () => (quoteId === undefined ? findMissing(args) : []),
    priced: () => readJob(cli, args),
    confirm: { ...(await hintsOf('create_task')), done: '{task_name} is under way: {price}.' },
    act: 'Have this done',
    describe: (quote) => quoteText(quote, null, renderOptionsOf(cli, 'stderr')),
    async rest() {
      const { request, words } = await choosePayment(cli, args)
      assertContact(args)
      return { input: { payment: request, ...(await readFields(cli, FIELDS, args)) }, words }
    },
  })
}
