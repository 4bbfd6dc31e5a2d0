import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { PERIOD, readPeriod, REPORT_FLAGS } from '../report/flags.ts'
import { readStoreName } from '../report/owner.ts'
import { assertForm, printReport } from '../report/print.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

const FLAGS = [
  ...REPORT_FLAGS,
  { ...MERCHANT_FLAG, field: 'merchant_id' },
  {
    flag: 'orders',
    kind: 'boolean',
    description: 'a row for each order: net, VAT, fees, tip and refunds apart',
  },
  {
    flag: 'statement',
    kind: 'boolean',
    description: 'the statement alone, for an accountant: net sales, VAT by rate, payments, balance',
  },
] as const satisfies readonly Flag[]

/** `dray business report`: the activity of a period and its statement, beside those of the one before. */
export const businessReport = defineCommand({
  words: 'business report',
  summary: 'Orders and net sales of a day, week or month, compared with the previous one',
  description:
    'Orders, items, rejections with reasons, refunds, and times to accept and prepare, in numbers; money stands in the statement of the same time alone: net sales, VAT, payments, and the goods that lost orders cost the store. Compares today with yesterday up to the same time, a week or month with the previous one, and --from to --to with the same number of days before. An order counts on the day it was placed, a refund on the day it was made, a sale of the statement when it was paid. Reads all orders of both periods, at most 366 days. --json prints the whole report, with amounts in minor units; --csv and pipes print one row for each number and each figure of the statement, with --orders one for each order, with --statement the lines of the statement; --html writes a page that opens and prints anywhere. Needs the scope orders.read.',
  positionals: [PERIOD],
  flags: FLAGS,
  examples: [
    'dray business report',
    'dray business report week --html week.html',
    'dray business report --from 2026-11-01 --to 2026-11-30 --csv > november.csv',
    'dray business report month --statement --csv > statement.csv',
    'dray business report month --orders --csv > orders.csv',
    "dray business report month --query 'current.items[:3].[name, quantity]'",
  ],
  run: (cli, { period, ...flags }) => report(cli, period, flags),
})

async function report(
  cli: CommandContext,
  name: string | undefined,
  flags: FlagValues<typeof FLAGS>,
): Promise<number> {
  assertForm(cli, flags)
  if (flags.orders === true && flags.statement === true)
    throw new AppError('usage', 'Give --orders or --statement, not both.')
  const { period } = await readPeriod(cli, { ...flags, period: name }, 'business')
  const [
    { loadBusinessReport },
    { businessView },
    { blankWords, chosenRows, ORDER_COLUMNS },
    { unratedWords },
  ] = await Promise.all([
    import('./report/load.ts'),
    import('./report/view.ts'),
    import('./report/rows.ts'),
    import('./report/statement.ts'),
  ])
  const document = await loadBusinessReport(cli, period, flags)
  const store = await readStoreName(await cli.client(), document.merchant_id)
  await printReport(cli, flags, {
    document,
    rows: chosenRows(document, flags, period.timezone),
    columns: flags.orders === true ? ORDER_COLUMNS : undefined,
    rowsOnly: flags.orders === true || flags.statement === true,
    about: { store: store ?? null },
    period,
    view: businessView(document, period, store),
    next: nextOf(period.name, document.current.ordered.orders),
  })
  const blank =
    flags.statement === true ? unratedWords(document.statement) : blankWords(document.orders ?? [])
  if (blank !== undefined) await cli.say(blank)
  return EXIT.ok
}

/** A longer time may have something where nothing was sold. */
function nextOf(name: string, orders: number): string {
  if (orders > 0 && name !== 'range')
    return name === 'today' ? 'dray business report week' : `dray business report ${name} --html ${name}.html`
  if (orders > 0) return 'dray business report --help'
  return name === 'month' ? 'dray business orders watch' : 'dray business report month'
}
