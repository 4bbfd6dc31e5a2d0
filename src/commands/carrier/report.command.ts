import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { EXIT } from '../../core/errors.ts'
import { PERIOD, readPeriod, REPORT_FLAGS } from '../report/flags.ts'
import { readAccountName } from '../report/owner.ts'
import { assertForm, printReport } from '../report/print.ts'
import { CUSTOMER_FLAGS, readCustomer } from './customer.ts'

const FLAGS = [
  ...REPORT_FLAGS,
  ...CUSTOMER_FLAGS,
  {
    flag: 'parcels',
    kind: 'boolean',
    description: 'a row for each parcel created: price, surcharges, net and VAT apart',
  },
] as const satisfies readonly Flag[]

/** `dray carrier report`: the parcels of a period, beside those of the one before. */
export const carrierReport = defineCommand({
  words: 'carrier report',
  summary: 'Report on parcels sent, delivered and late',
  description:
    'Parcels created in the period by status, service level and hub, parcels delivered with their attempts, and late parcels with their last scan. A parcel is late after the delivery date promised when it was created; a delay does not move that date. Compares today with yesterday up to the same time, a week or month with the previous one, and --from to --to with the same number of days before. Reads all parcels of both periods, at most 366 days. Late parcels: those created in the last 31 days. --json prints the whole report, with amounts in minor units; --csv and pipes print one row for each figure, with --parcels one for each parcel created; --html writes a page that opens and prints anywhere. Needs the scope shipments.read, and coverage.read for hubs and promised days.',
  positionals: [PERIOD],
  flags: FLAGS,
  examples: [
    'dray carrier report week',
    'dray carrier report month --html november.html',
    'dray carrier report --from 2026-11-01 --to 2026-11-30 --csv > november.csv',
    'dray carrier report month --customer "Green Cup" --parcels --csv > green-cup.csv',
    "dray carrier report --query 'late_now.data[].tracking_number'",
  ],
  run: (cli, { period, ...flags }) => report(cli, period, flags),
})

async function report(
  cli: CommandContext,
  name: string | undefined,
  flags: FlagValues<typeof FLAGS>,
): Promise<number> {
  assertForm(cli, flags)
  const customer = readCustomer(flags)
  const { period, now } = await readPeriod(cli, { ...flags, period: name }, 'calendar')
  const [{ loadCarrierReport }, { carrierView }, { carrierRows, parcelRow }] = await Promise.all([
    import('./report/load.ts'),
    import('./report/view.ts'),
    import('./report/rows.ts'),
  ])
  const document = await loadCarrierReport(cli, period, { now, ...flags, customer })
  const [late] = document.late_now?.data ?? []
  const account = await readAccountName(await cli.client())
  await printReport(cli, flags, {
    document,
    rows:
      document.parcels?.map((each) => parcelRow(each, period.timezone, document.hubs)) ??
      carrierRows(document),
    rowsOnly: flags.parcels === true,
    about: {
      account: account ?? null,
      ...(document.customer !== undefined && { customer: document.customer }),
    },
    period,
    view: carrierView(document, period, account),
    next: nextOf(period.name, document.current.created.parcels, late?.tracking_number),
  })
  return EXIT.ok
}

/** A late parcel is looked at first. Where nothing was sent, a longer time may have something. */
function nextOf(name: string, sent: number, late: string | undefined): string {
  if (late !== undefined) return `dray carrier track ${late}`
  if (sent > 0 && name !== 'range')
    return name === 'today' ? 'dray carrier report week' : `dray carrier report ${name} --html ${name}.html`
  if (sent > 0) return 'dray carrier report --help'
  return name === 'month' ? 'dray carrier upload --help' : 'dray carrier report month'
}
