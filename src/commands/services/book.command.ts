import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { confirmQuote } from '../../cli/confirm-quote.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { requireMoment } from '../../cli/moment.ts'
import { renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { choosePayment, PAY_FLAGS, PRICE_FLAGS, PURCHASE_GLOBAL_FLAGS, readPrice } from '../../cli/payment.ts'
import { listMissing, type MissingInput, missingInputError } from '../../cli/prompts.ts'
import { quoteText } from '../../cli/quote-text.ts'
import { readWindow } from '../../cli/window.ts'
import { AppError } from '../../core/errors.ts'
import { toTimestamp } from '../../core/time.ts'
import { spec as bookService } from '../../generated/specs/book_service.ts'
import { JOB_FLAGS, missingOfJob, readJob } from './job.ts'
import { PROVIDER } from './providers.ts'

const FIELDS = pickOperationFlags(bookService, {
  name: { field: 'contact.name', description: 'name of the person at the door' },
  phone: { field: 'contact.phone', value: '+44…', description: 'telephone of who is at the door' },
  access: { field: 'access_notes', value: 'TEXT' },
})

const FLAGS = [
  ...JOB_FLAGS,
  {
    flag: 'window',
    fieldPath: 'preferred_window',
    kind: 'text',
    value: 'FROM/TO',
    description: 'without --at: preferred window in your local time: "tomorrow 09:00/tomorrow 13:00"',
  },
  ...FIELDS,
  ...PRICE_FLAGS,
  ...PAY_FLAGS,
] as const satisfies readonly Flag[]

type BookArgs = FlagValues<typeof FLAGS, [typeof PROVIDER]>

/** `dray services book`: from a job, or a quote, to a booking that is paid for. */
export const servicesBook = defineCommand({
  words: 'services book',
  summary: 'Book a home service',
  description:
    'With --quote-id it books the quoted service. Otherwise it shows a price and how long the price is valid, and books nothing until you confirm. If another customer takes the start of --at first, nothing is charged and dray lists free starts (exit 7). Without --at the provider responds within a day. After a crash, the same command resumes that booking; --new makes another booking.',
  danger: 'spend',
  takes: PURCHASE_GLOBAL_FLAGS,
  answer: { of: ['book_service'] },
  positionals: [PROVIDER],
  flags: FLAGS,
  examples: [
    'dray services book',
    'dray services book "Bright Corner" --service "Regular clean" --to shoreditch --at "tomorrow 09:00" --name "Ana Reid" --yes --max-total 40',
    'dray services book --quote-id quo_01m7vkystge8kbcf2tpy8vep2a --name "Ana Reid" --pay wallet --yes',
  ],
  run: book,
})

/** The inputs that a quote contains already. */
const HELD = ['provider', 'service', 'to', 'duration'] as const

async function book(cli: CommandContext, args: BookArgs): Promise<number> {
  const { quoteId, limit, expected, wanted } = readPrice(cli.settings, args)
  const { at, window } = args
  if (quoteId !== undefined && HELD.some((name) => args[name] !== undefined))
    throw new AppError('usage', '--quote-id already has the job: leave out provider, service and place.')
  if (at !== undefined && window !== undefined)
    throw new AppError('usage', '--window is for a booking without --at.')
  return confirmQuote<'quote_service'>(cli, {
    said: [wanted],
    quoteId,
    limit,
    expected,
    missing: () => [...(quoteId === undefined ? missingOfJob(args) : []), ...missingOfDoor(args)],
    priced: () => readJob(cli, args, { asksForStart: window === undefined }),
    confirm: {
      ...(await loadOperationHints('book_service')),
      done: '{service_name} by {provider.name}: {status}, {price}.',
    },
    act: 'Book this',
    describe: (quote) => quoteText(quote, null, renderOptionsOf(cli, 'stderr')),
    async rest() {
      const named = { ...args, name: args.name ?? (await askName(cli, args)) }
      const { request, words } = await choosePayment(cli, args)
      return {
        input: {
          payment: request,
          ...(await readInputFromFlags(cli, FIELDS, named)),
          ...(quoteId !== undefined && at !== undefined && { starts_at: await readTime(cli, at, '--at') }),
          ...(window !== undefined && { preferred_window: await readBookingWindow(cli, window) }),
        },
        words,
      }
    },
  })
}

function missingOfDoor(args: BookArgs): MissingInput[] {
  return listMissing(args.name, 'name', 'Ana Reid', 'who is at the door')
}

async function askName(cli: CommandContext, args: BookArgs): Promise<string> {
  const ask = await cli.ask()
  if (ask === undefined) throw missingInputError(cli.argv, missingOfDoor(args))
  const typed = await ask.input({
    message: 'Contact at the address?',
    validate: (answer) => (answer.trim() === '' ? 'Please type a name.' : undefined),
  })
  cli.answered.push({ flag: '--name', value: typed.trim() })
  return typed.trim()
}

async function readBookingWindow(
  cli: CommandContext,
  typed: string,
): Promise<{ starts_at: string; ends_at: string }> {
  const { from, to, now } = await readWindow(cli, typed)
  if (to !== null) return { starts_at: toTimestamp(from ?? now), ends_at: toTimestamp(to) }
  throw new AppError('usage', '--window needs its end here: "tomorrow 09:00/tomorrow 13:00".')
}

async function readTime(cli: CommandContext, typed: string, flag: string): Promise<string> {
  return toTimestamp(await requireMoment(cli, typed, { flag, examples: '"tomorrow 09:00"' }))
}
