/** What people and scripts are told of an upload. */
import { MANIFEST } from '../../commands/carrier/manifest/columns.ts'
import type { Outcome } from '../../commands/carrier/manifest/outcomes.ts'
import { AppError, toProblem } from '../../core/errors.ts'
import { spellMoney } from '../../core/money.ts'
import type { Cli } from '../cli.ts'
import { reasonWords } from '../columns/outcomes.ts'
import { rejectsFirst } from '../output/rejects-first.ts'
import { commandLine } from '../output/shell.ts'
import { printResult } from '../print.ts'
import type { Files } from './outputs.ts'
import type { Counts, Report } from './report.ts'
import type { Sent } from './send.ts'

const COLUMNS = [
  { field: 'row' },
  { field: 'reference' },
  { field: 'result' },
  { field: 'tracking_number', label: 'Tracking number' },
  { field: 'total', label: 'Price' },
  { field: 'reason' },
]
/** Rows shown on a terminal; the results file has them all. */
const SHOWN = 25

/** What is left to send, and the command that sends it. */
export function unfinished({ not_sent }: Counts, row: string, { argv }: Cli): string {
  const were = not_sent === 1 ? `${row} was` : `${row}s were`
  const command = commandLine(['dray', ...argv])
  return `${not_sent} ${were} not sent. The same command continues and repeats nothing: \`${command}\``
}

/** How it went, in one sentence with the names of the files as `{fields}`. */
export function sentenceOf({ counts, total }: Report, { results_file, errors_file }: Files): string {
  const parts = [
    counts.created > 0 && total !== undefined
      ? `${counts.created} created for ${spellMoney(total)}`
      : `${counts.created} created`,
    ...(counts.duplicate > 0 ? [`${counts.duplicate} already there`] : []),
    ...(counts.rejected > 0 ? [`${counts.rejected} rejected`] : []),
  ]
  // As fields: a name of a file is somebody's text.
  const where = results_file === undefined ? '' : ' Results: {results_file}.'
  const fix = errors_file === undefined ? '' : ' Correct {errors_file} and upload it.'
  return `${parts.join(', ')}.${where}${fix}`
}

function numberOf({ tracking_number, reason }: Outcome): string | null {
  return tracking_number ?? reason?.existing_tracking_number ?? null
}

type Telling = {
  done: string
  told?: string
  files?: Files
  stopped?: Sent<unknown, string>['stopped']
  /** The states at the end of `--wait`, by tracking number. */
  statuses?: ReadonlyMap<string, string> | undefined
  dry?: boolean
}

/** `done` is said to people after the table; `stopped` ended it early; `dry`: nothing was sent. */
export async function printReport(
  cli: Cli,
  { outcomes, counts, total, batchIds }: Report,
  { done, told = '', files = {}, stopped, statuses, dry = false }: Telling,
): Promise<void> {
  const { format } = cli.settings
  const people = format === 'table' && cli.io.stdout.isTTY
  const data = outcomes.map((outcome) => ({
    row: outcome.row,
    reference: outcome.reference ?? null,
    result: people && dry && outcome.result === 'created' ? 'new' : outcome.result,
    tracking_number: numberOf(outcome),
    ...(statuses && { status: statuses.get(numberOf(outcome) ?? '') ?? null }),
    total: outcome.total ?? null,
    reason:
      outcome.reason === undefined
        ? null
        : format === 'table'
          ? reasonWords(outcome, MANIFEST)
          : outcome.reason,
  }))
  const shown = people ? rejectsFirst(data).slice(0, SHOWN) : data
  const rest = data.length - shown.length
  const listed = counts.created + counts.duplicate > 0 && !dry && stopped === undefined
  await printResult(
    cli,
    {
      counts,
      total: total ?? null,
      batch_ids: batchIds,
      ...files,
      ...(stopped instanceof AppError && { error: { ...toProblem(stopped), exit_code: stopped.exitCode } }),
      data: shown,
      has_more: false,
      next_cursor: null,
    },
    {
      columns: statuses === undefined ? COLUMNS : [...COLUMNS, { field: 'status' }],
      told,
      done: rest > 0 ? `… and ${rest} more\n${done}` : done,
      ...(listed && { next: 'dray carrier list' }),
      list: true,
    },
  )
}
