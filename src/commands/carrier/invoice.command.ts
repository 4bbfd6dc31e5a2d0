import type { CommandContext } from '../../cli/cli.ts'
import type { FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { fetchServiceTime } from '../../cli/moment.ts'
import { isInteractiveTable } from '../../cli/output/render-options-of.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import type { Client } from '../../client/client.ts'
import type { OperationOutput, OperationInput } from '../../client/operations.ts'
import { type CursorPage, readRemainingPages } from '../../client/pages.ts'
import { EXIT } from '../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { negate, formatBasisPoints, formatGroupedMoney } from '../../core/money.ts'
import type { Period } from '../../core/period.ts'
import { localDate, formatLocalDateTime } from '../../core/time.ts'
import {
  assertBookkeeping,
  BOOKKEEPING_FLAG,
  type BookkeepingRow,
  printBookkeeping,
} from '../report/bookkeeping.ts'
import { REPORT_FLAGS } from '../report/flags.ts'
import { readAccountName } from '../report/owner.ts'
import { assertForm, printReport } from '../report/print.ts'
import type { Report, ReportTableRow } from '../report/report.ts'
import { formatCountWithNoun, humanizeKey } from '../report/words.ts'
import { CUSTOMER_FLAGS, formatCustomerSuffix, toCustomerFilter, readCustomer } from './customer.ts'

type Line = NonNullable<OperationOutput<'get_carrier_invoice'>['lines']>[number]
type Invoice = OperationOutput<'get_carrier_invoice'> & { lines: Line[] }
type InvoiceRequest = Omit<OperationInput<'get_carrier_invoice'>, 'limit' | 'cursor'>

const FLAGS = [
  BOOKKEEPING_FLAG,
  ...REPORT_FLAGS.filter(({ flag }) => flag === 'csv' || flag === 'html' || flag === 'force'),
  ...CUSTOMER_FLAGS,
]

/** The lines that a screen shows. */
const SCREEN_LINES = 20

/** `dray carrier invoice`: what a month of parcels costs. */
export const carrierInvoice = defineCommand({
  words: 'carrier invoice',
  summary: 'Show the invoice of a month',
  description:
    'Parcels and returns are billed when they are first scanned. A parcel cancelled before that costs nothing; one stopped later is billed. Credits are below 0: claims, and cash collected at the door. The current month is an invoice so far. --customer and --without-customer narrow lines and sums; the invoices of all customers and of parcels without one add up to the whole. --json prints the whole invoice, with amounts in minor units; --csv and pipes print one row for each line; --html writes a page that opens and prints anywhere; --bookkeeping prints one row for each line, as CSV that Xero, QuickBooks and FreeAgent import: their sum is what is to pay.',
  positionals: [{ name: 'month', description: 'Month, such as 2026-11. Default: the current one' }],
  flags: FLAGS,
  examples: [
    'dray carrier invoice 2026-11',
    'dray carrier invoice 2026-11 --csv > november.csv',
    'dray carrier invoice 2026-11 --bookkeeping > november.csv',
    'dray carrier invoice 2026-11 --customer "Green Cup"',
  ],
  run: (cli, { month, ...form }) => printInvoice(cli, month, form),
})

async function printInvoice(
  cli: CommandContext,
  named: string | undefined,
  form: FlagValues<typeof FLAGS>,
): Promise<number> {
  if (form.bookkeeping === true) assertBookkeeping(cli, form)
  assertForm(cli, form)
  const customer = readCustomer(form)
  const client = await cli.client()
  const month = named ?? localDate(await fetchServiceTime(client), MARKET_TIMEZONE).slice(0, 7)
  const wanted = { month, ...toCustomerFilter(customer) }
  // A screen shows fewer lines than a page has.
  if (form.bookkeeping === true) {
    await printBookkeeping(cli, bookkeepingRows(await readInvoice(client, wanted)))
    return EXIT.ok
  }
  const isScreen = isInteractiveTable(cli) && form.csv !== true && form.html === undefined
  const invoice = isScreen ? withLines(await readPage(client, wanted)) : await readInvoice(client, wanted)
  const account = await readAccountName(client)
  const stretch = { from: Date.parse(invoice.from), to: Date.parse(invoice.to) }
  const { timezone } = invoice
  const period: Period = {
    name: 'range',
    timezone,
    days: 'calendar',
    open: !invoice.closed,
    ...stretch,
    before: stretch,
  }
  await printReport(cli, form, {
    document: invoice,
    rows: invoiceRows(invoice),
    about: { account: account ?? null, ...(customer !== undefined && { customer: customer || null }) },
    period,
    view: invoiceView(invoice, account),
    next: lineCount(invoice) === 0 ? 'dray carrier report month' : `dray carrier invoice ${month} --csv`,
  })
  return EXIT.ok
}

/** Returns a page of an invoice; the first one without a cursor. */
async function readPage(client: Client, wanted: InvoiceRequest, cursor?: string) {
  // An older service sends all lines at once, and takes no limit.
  const page = cursor === undefined ? {} : { limit: 100, cursor }
  return (await client.call('get_carrier_invoice', { ...wanted, ...page })).value
}

/** Returns an invoice with all its lines, as it was when its first page was read. */
async function readInvoice(client: Client, wanted: InvoiceRequest): Promise<Invoice> {
  const toPage = ({
    lines = [],
    has_more = false,
    next_cursor = null,
  }: OperationOutput<'get_carrier_invoice'>) =>
    ({ data: lines, has_more, next_cursor }) satisfies CursorPage<Line>
  const first = await readPage(client, wanted)
  const lines = await readRemainingPages(toPage(first), async (cursor) =>
    toPage(await readPage(client, wanted, cursor)),
  )
  return { ...first, lines, has_more: false, next_cursor: null }
}

function withLines(invoice: OperationOutput<'get_carrier_invoice'>): Invoice {
  return { ...invoice, lines: invoice.lines ?? [] }
}

function lineCount({ kinds }: Pick<Invoice, 'kinds'>): number {
  return kinds.reduce((sum, { lines }) => sum + lines, 0)
}

function invoiceRows({ lines, timezone }: Invoice): ReportTableRow[] {
  return lines.map(({ at, vat_bps, ...line }) => ({
    at: formatLocalDateTime(Date.parse(at), timezone),
    ...line,
    vat_rate: vat_bps / 100,
  }))
}

const NAMES: Readonly<Record<Line['kind'], string>> = {
  parcel: 'Parcel',
  return: 'Return',
  claim: 'Claim',
  cash: 'Cash on delivery',
}

/** Each line as it changes what is to pay. */
function bookkeepingRows({ lines, timezone }: Invoice): BookkeepingRow[] {
  return lines.map(({ at, kind, reference, customer, total, tracking_number }) => ({
    date: localDate(Date.parse(at), timezone),
    description: `${NAMES[kind]} ${reference ?? ''}${customer === null ? '' : ` for ${customer}`}`,
    amount: total,
    reference: tracking_number,
  }))
}

function invoiceView(invoice: Invoice, account: string | undefined): Report {
  const { month, timezone, closed, kinds, vat, lines, billed } = invoice
  return {
    title: `Invoice${account === undefined ? '' : ` of ${sanitizeForTerminal(account)}`}${sanitizeForTerminal(formatCustomerSuffix(invoice.customer))}`,
    period: closed ? month : `${month} so far`,
    beside: '',
    zone: timezone,
    headline: `${formatCountWithNoun(lineCount(invoice), 'line')}: ${formatGroupedMoney(billed)} billed, ${dueWords(invoice)}.`,
    figures: [],
    sections: [
      {
        kind: 'breakdown',
        title: 'Charges',
        headings: ['Charges', 'Lines', 'Net', 'VAT', 'Total'],
        rows: kinds
          .filter((sum) => sum.lines > 0)
          .map((sum) => ({
            label: humanizeKey(sum.kind),
            cells: [String(sum.lines), ...[sum.net, sum.vat, sum.total].map(formatGroupedMoney)],
          })),
        total: { label: 'To pay', cells: ['', '', '', formatGroupedMoney(invoice.due)] },
      },
      {
        kind: 'breakdown',
        title: 'VAT',
        headings: ['VAT', 'Net', 'VAT'],
        rows: vat.map(({ rate_bps, net, vat: tax }) => ({
          label: formatBasisPoints(rate_bps),
          cells: [net, tax].map(formatGroupedMoney),
        })),
      },
      {
        kind: 'breakdown',
        title: 'Lines',
        headings: ['Parcel', 'Charge', 'Reference', 'Time', 'Net', 'VAT', 'Total'],
        words: 3,
        screenRows: SCREEN_LINES,
        rowCount: lineCount(invoice),
        rows: lines.map((line) => ({
          label: line.tracking_number,
          cells: [
            humanizeKey(line.kind),
            sanitizeForTerminal(line.reference ?? ''),
            formatLocalDateTime(Date.parse(line.at), timezone),
            ...[line.net, line.vat, line.total].map(formatGroupedMoney),
          ],
        })),
      },
    ],
    notes: [],
  }
}

/** Prints the amount to be paid, and the payer. */
function dueWords({ due }: Invoice): string {
  return due.amount < 0
    ? `${formatGroupedMoney(negate(due))} owed to you`
    : `${formatGroupedMoney(due)} to pay`
}
