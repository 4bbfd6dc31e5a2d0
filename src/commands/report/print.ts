/** Prints a report in the form that was requested. */
import { extname } from 'node:path'
import type { CommandContext } from '../../cli/cli.ts'
import { type OutputFile, writeOutputFile } from '../../cli/files/write.ts'
import { isInteractiveTable, renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { printResult, printNextStep } from '../../cli/print.ts'
import { AppError } from '../../core/errors.ts'
import { formatMajorUnits, type Money } from '../../core/money.ts'
import type { Period } from '../../core/period.ts'
import { formatLocalDateTime } from '../../core/time.ts'
import type { Report, ReportTableRow } from './report.ts'

type Form = { csv?: boolean | undefined; html?: string | undefined; force?: boolean | undefined }

type PrintableReport = {
  /** The complete report, for JSON and queries. */
  document: object
  rows: readonly ReportTableRow[]
  /** The columns of the rows, which a CSV without any row names all the same. */
  columns?: readonly string[] | undefined
  /** True if only the rows were requested; the page shows the whole report all the same. */
  rowsOnly?: boolean
  /** The store or account that it is about: a column of a spreadsheet, in which several reports may come together. */
  about: ReportTableRow
  period: Period
  view: Report
  /** The next command. */
  next: string
}

/** A page that this program wrote. */
export const PAGE_FILE: OutputFile = {
  name: 'report',
  isOurs: (start) => start.includes('<meta name="generator" content="dray report"'),
}

/** Throws AppError('usage') for forms that contradict each other or the name of a file, before anything is read. */
export function assertForm({ globals }: CommandContext, { csv, html }: Form): void {
  const others = [
    ...(globals.json ? ['--json'] : []),
    ...(globals.output === undefined || globals.output === 'csv' ? [] : [`--output ${globals.output}`]),
  ]
  const [other] = others
  if (csv === true && other !== undefined) throw new AppError('usage', `Give --csv or ${other}, not both.`)
  const ending = extname(html ?? '')
  if (ending !== '' && !/^\.html?$/i.test(ending))
    throw new AppError('usage', `--html ${html} ends with ${ending}, and what it writes is HTML.`, {
      hint: 'The name ends with .html or .htm. Rows for a spreadsheet come with --csv > report.csv.',
    })
  if (html !== '-') return
  const [shape] = [...others, ...(csv === true ? ['--csv'] : [])]
  if (shape !== undefined)
    throw new AppError('usage', `Standard output takes one document: --html - or ${shape}.`, {
      hint: '--html FILE writes the page to a file.',
    })
}

/** Prints a report, and writes its page with --html. Throws AppError. */
export async function printReport(
  cli: CommandContext,
  form: Form,
  { next, ...report }: PrintableReport,
): Promise<void> {
  const { html } = form
  const page = html === undefined ? '' : (await import('./page.ts')).renderReportPage(report.view)
  if (html === '-') {
    await cli.io.stdout.write(page)
    return
  }
  if (html !== undefined) {
    await writeOutputFile({ path: html, file: PAGE_FILE, force: form.force === true }, cli.runtime.pid, page)
  }
  const shaped = form.csv === true ? { ...cli, settings: { ...cli.settings, format: 'csv' as const } } : cli
  await printShaped(shaped, report, form.csv === true)
  if (html !== undefined) await cli.say(`Wrote ${html}.`)
  await printNextStep(shaped, {}, next)
}

/** A CSV for people is a `sheet`; one that a program asked for is not. */
async function printShaped(
  cli: CommandContext,
  report: Omit<PrintableReport, 'next'>,
  isSheet: boolean,
): Promise<void> {
  const { document, rows, view, rowsOnly = false } = report
  const { format } = cli.settings
  if (isInteractiveTable(cli) && !rowsOnly) {
    const { reportScreen } = await import('./screen.ts')
    await cli.io.stdout.write(`${reportScreen(view, renderOptionsOf(cli, 'stdout'))}\n`)
    return
  }
  const isWhole = !rowsOnly && (format === 'json' || format === 'yaml' || cli.globals.query !== undefined)
  if (format === 'table' && view.figures.length === 0) await cli.say(view.headline)
  if (format === 'csv' && rows.length === 0 && cli.globals.query === undefined)
    return printHeader(cli, report, isSheet)
  const sheet = isSheet ? { amounts: amountColumns(rows) } : undefined
  await printResult(cli, isWhole ? document : format === 'csv' ? sheetRows(report) : rows, { sheet })
}

async function printHeader(
  cli: CommandContext,
  { columns = [], about }: Omit<PrintableReport, 'next'>,
  isSheet: boolean,
): Promise<void> {
  const fields = [...columns, 'currency', ...Object.keys(about), 'from', 'to'].join(',')
  await printResult({ ...cli, globals: { ...cli.globals, fields: cli.globals.fields ?? fields } }, [], {
    ...(isSheet && { sheet: { amounts: new Set<string>() } }),
  })
}

/** Returns the columns that hold amounts in any row. */
function amountColumns(rows: readonly ReportTableRow[]): ReadonlySet<string> {
  return new Set(
    rows.flatMap((row) => Object.entries(row).flatMap(([name, value]) => (isMoney(value) ? name : []))),
  )
}

function sheetRows({ rows, about, period }: Omit<PrintableReport, 'next'>): ReportTableRow[] {
  const { timezone: zone } = period
  // In UTC a summer day in London would have the date of the day before.
  const stretch = { from: formatLocalDateTime(period.from, zone), to: formatLocalDateTime(period.to, zone) }
  return rows.map((row) => {
    const isTime = String(row['section']).startsWith('time')
    const name = String(row['name'])
    const named = isTime ? { ...row, name: formatLocalDateTime(Date.parse(name), zone) } : row
    return { ...toMajor(named), ...about, ...stretch }
  })
}

/** A spreadsheet takes 12.50 and GBP in columns of their own; JSON has minor units, as everywhere. */
function toMajor(row: ReportTableRow): ReportTableRow {
  const moneys = Object.values(row).filter((value) => isMoney(value))
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    isMoney(value) ? formatMajorUnits(value) : value,
  ])
  return { ...(Object.fromEntries(cells) as ReportTableRow), currency: moneys[0]?.currency ?? null }
}

function isMoney(value: unknown): value is Money {
  return typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value
}
