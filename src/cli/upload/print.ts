/** The report of an upload, for people and for scripts. */
import { AppError, toProblem } from '../../core/errors.ts'
import type { FileKind } from '../../tabular/columns/columns.ts'
import { type RowOutcome, reasonWords } from '../../tabular/columns/outcomes.ts'
import type { ResultCounts } from '../../tabular/import/report.ts'
import type { CommandContext } from '../cli.ts'
import { rejectsFirst } from '../output/rejects-first.ts'
import { commandLine } from '../output/shell.ts'
import { printResult } from '../print.ts'
import type { ReportFiles } from './outputs.ts'
import type { BatchOperation, SentBatches } from './send.ts'
import { listSkippedOrders } from './skipped-orders.ts'
import type { ReportForm } from './upload.ts'

/** Rows shown on a terminal; the results file has them all. */
const MAX_PRINTED_ROWS = 25

/** Returns how many rows are left, and the command that sends them. */
export function unfinished({ not_sent }: ResultCounts, row: string, { argv }: CommandContext): string {
  const were = not_sent === 1 ? `${row} was` : `${row}s were`
  const command = commandLine(['dray', ...argv])
  return `${not_sent} ${were} not sent. Running the same command again continues and creates nothing twice: \`${command}\``
}

/** Returns the outcome in one sentence with the names of the files as `{fields}`. `cancelled` counts duplicates that are not there now. */
export function sentenceOf(
  created: string,
  {
    duplicate,
    rejected,
    skipped,
    cancelled,
  }: Pick<ResultCounts, 'duplicate' | 'rejected' | 'skipped'> & { cancelled: number },
  { results_file, errors_file }: ReportFiles,
  name: BatchOperation<string>['name'],
): string {
  const parts = [
    created,
    ...(duplicate > cancelled ? [`${duplicate - cancelled} already there`] : []),
    ...(cancelled > 0 ? [`${cancelled} skipped (cancelled before)`] : []),
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(skipped > 0 ? [`${skipped} skipped by status`] : []),
  ]
  // As fields: the name of a file is untrusted text.
  const where = results_file === undefined ? '' : ' Results: {results_file}.'
  const fix = errors_file === undefined ? '' : ` Correct {errors_file} and ${name} it.`
  return `${parts.join(', ')}.${where}${fix}`
}

type ReportOptions = {
  done: string
  told?: string
  files?: ReportFiles
  stopped?: SentBatches<unknown, string>['stopped']
  /** The states at the end of `--wait`, by the id of the thing. */
  statuses?: ReadonlyMap<string, string> | undefined
  dry?: boolean
  /** Doubts beside those about the file. */
  warnings?: readonly string[]
}

type ReportKind<Outcome extends RowOutcome> = { kind: FileKind; report: ReportForm<Outcome> }

/** `done` is said to people after the table; `stopped` ended it early; `dry`: nothing was sent. */
export async function printUploadReport<Outcome extends RowOutcome>(
  cli: CommandContext,
  { kind, report }: ReportKind<Outcome>,
  { outcomes, summary }: { outcomes: readonly Outcome[]; summary: { counts: ResultCounts } },
  { done, told = '', files = {}, stopped, statuses, dry = false, warnings = [] }: ReportOptions,
): Promise<void> {
  const { format } = cli.settings
  const people = format === 'table' && cli.io.stdout.isTTY
  const data = outcomes.map((outcome) =>
    toRow(report, outcome, {
      result: people && dry && outcome.result === 'created' ? 'new' : outcome.result,
      ...(statuses && { status: statuses.get(report.idOf(outcome) ?? '') ?? null }),
      reason:
        outcome.reason === undefined
          ? null
          : format === 'table'
            ? reasonWords(outcome, kind)
            : outcome.reason,
    }),
  )
  const shown = people ? rejectsFirst(data).slice(0, MAX_PRINTED_ROWS) : data
  const rest = data.length - shown.length
  const next = dry || stopped !== undefined ? undefined : report.next(summary.counts)
  await printResult(
    cli,
    {
      ...summary,
      skipped: listSkippedOrders(outcomes),
      warnings: [...cli.warnings, ...warnings],
      ...files,
      ...(stopped instanceof AppError && { error: { ...toProblem(stopped), exit_code: stopped.exitCode } }),
      data: shown,
      has_more: false,
      next_cursor: null,
    },
    {
      columns: statuses === undefined ? report.columns : [...report.columns, { field: 'status' }],
      told,
      done: rest > 0 ? `… and ${rest} more\n${done}` : done,
      ...(next !== undefined && { next }),
      list: true,
    },
  )
}

/** Returns the fields of a row that the report names. `told` are those that it says otherwise than the outcome. */
function toRow<Outcome extends RowOutcome>(
  { members, id, idOf }: ReportForm<Outcome>,
  outcome: Outcome,
  told: Record<string, unknown>,
): Record<string, unknown> {
  const all: Record<string, unknown> = { ...outcome, [id]: idOf(outcome), ...told }
  const row: Record<string, unknown> = {}
  for (const member of members) {
    const name = member.replace('?', '')
    if (all[name] !== undefined || name === member) row[name] = all[name] ?? null
  }
  return row
}
