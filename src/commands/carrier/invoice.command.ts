import type { Cli } from '../../cli/cli.ts'
import type { Given } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { serviceNow } from '../../cli/moment.ts'
import { clean } from '../../cli/output/text.ts'
import type { Answer } from '../../client/operations.ts'
import { EXIT } from '../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { negate, percentOf, spellMoney } from '../../core/money.ts'
import type { Period } from '../../core/period.ts'
import { localDate, localText } from '../../core/time.ts'
import { REPORT_FLAGS } from '../report/flags.ts'
import { accountName } from '../report/owner.ts'
import { assertForm, printReport } from '../report/print.ts'
import type { Report, Row } from '../report/report.ts'
import { countWords, word } from '../report/words.ts'

type Invoice = Answer<'get_carrier_invoice'>

const FLAGS = REPORT_FLAGS.filter(({ flag }) => flag === 'csv' || flag === 'html' || flag === 'force')

/** The lines that a screen shows. */
const SCREEN_LINES = 20

/** `dray carrier invoice`: what a month of parcels costs. */
export const carrierInvoice = defineCommand({
  words: 'carrier invoice',
  summary: 'Show the invoice of a month',
  description:
    'Parcels and returns are billed when they are first scanned. A parcel cancelled before that costs nothing; one stopped later is billed. Credits are below 0: claims, and cash collected at the door. The current month is an invoice so far. --json prints the whole invoice, with amounts in minor units; --csv and pipes print one row for each line; --html writes a page that opens and prints anywhere.',
  positionals: [{ name: 'month', description: 'Month, such as 2026-11. Default: the current one' }],
  flags: FLAGS,
  examples: ['dray carrier invoice 2026-11', 'dray carrier invoice 2026-11 --csv > november.csv'],
  run: (cli, { month, ...form }) => show(cli, month, form),
})

async function show(cli: Cli, named: string | undefined, form: Given<typeof FLAGS>): Promise<number> {
  assertForm(cli, form)
  const client = await cli.client()
  const month = named ?? localDate(await serviceNow(client), MARKET_TIMEZONE).slice(0, 7)
  const { value: invoice } = await client.call('get_carrier_invoice', { month })
  const account = await accountName(client)
  const stretch = { from: Date.parse(invoice.from), to: Date.parse(invoice.to) }
  const { timezone } = invoice
  const period: Period = { name: 'range', timezone, open: !invoice.closed, ...stretch, before: stretch }
  await printReport(cli, form, {
    document: invoice,
    rows: invoiceRows(invoice),
    about: { account: account ?? null },
    period,
    view: invoiceView(invoice, account),
    next: invoice.lines.length === 0 ? 'dray carrier report month' : `dray carrier invoice ${month} --csv`,
  })
  return EXIT.ok
}

function invoiceRows({ lines, timezone }: Invoice): Row[] {
  return lines.map(({ at, vat_bps, ...line }) => ({
    at: localText(Date.parse(at), timezone),
    ...line,
    vat_rate: vat_bps / 100,
  }))
}

function invoiceView(invoice: Invoice, account: string | undefined): Report {
  const { month, timezone, closed, kinds, vat, lines, billed, due } = invoice
  return {
    title: account === undefined ? 'Invoice' : `Invoice of ${clean(account)}`,
    period: closed ? month : `${month} so far`,
    beside: '',
    zone: timezone,
    headline: `${countWords(lines.length, 'line')}: ${spellMoney(billed)} billed, ${dueWords(invoice)}.`,
    figures: [],
    sections: [
      {
        kind: 'breakdown',
        title: 'Charges',
        headings: ['Charges', 'Lines', 'Net', 'VAT', 'Total'],
        rows: kinds
          .filter((sum) => sum.lines > 0)
          .map((sum) => ({
            label: word(sum.kind),
            cells: [String(sum.lines), ...[sum.net, sum.vat, sum.total].map(spellMoney)],
          })),
        total: { label: 'To pay', cells: ['', '', '', spellMoney(due)] },
      },
      {
        kind: 'breakdown',
        title: 'VAT',
        headings: ['VAT', 'Net', 'VAT'],
        rows: vat.map(({ rate_bps, net, vat: tax }) => ({
          label: percentOf(rate_bps),
          cells: [net, tax].map(spellMoney),
        })),
      },
      {
        kind: 'breakdown',
        title: 'Lines',
        headings: ['Parcel', 'Charge', 'Reference', 'Time', 'Net', 'VAT', 'Total'],
        words: 3,
        screenRows: SCREEN_LINES,
        rows: lines.map((line) => ({
          label: line.tracking_number,
          cells: [
            word(line.kind),
            clean(line.reference ?? ''),
            localText(Date.parse(line.at), timezone),
            ...[line.net, line.vat, line.total].map(spellMoney),
          ],
        })),
      },
    ],
    notes: [],
  }
}

/** Says what is to be paid, and by whom. */
function dueWords({ due }: Invoice): string {
  return due.amount < 0 ? `${spellMoney(negate(due))} owed to you` : `${spellMoney(due)} to pay`
}
