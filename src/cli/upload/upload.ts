/** The declaration of a command that sends the rows of a file. `runUpload` does the rest. */
import type { AnswerOf, InputOf } from '../../client/operations.ts'
import type { AppError } from '../../core/errors.ts'
import type { Column } from '../../core/operation.ts'
import type { FileKind } from '../../tabular/columns/columns.ts'
import type { RowOutcome, FileRow } from '../../tabular/columns/outcomes.ts'
import type { FileContent } from '../../tabular/import/content.ts'
import type { ResultCounts } from '../../tabular/import/report.ts'
import type {
  ValidRow,
  OpenedFile,
  UploadPlan,
  RowFile,
  RowResult,
  FileSummary,
  ImportMessages,
} from '../../tabular/import/row-file.ts'
import type { InterruptedError } from '../io.ts'
import type { BatchOperation } from './send.ts'

/** The outcomes after the changes, and why some were not sent. */
export type ChangedRows<Outcome extends RowOutcome = RowOutcome> = {
  outcomes: Outcome[]
  stopped: InterruptedError | AppError | undefined
}

/** A kind of file on its way to the service. */
export type UploadKind<
  Operation extends string = string,
  Row extends FileRow = FileRow,
  Outcome extends RowOutcome = RowOutcome,
  Sums extends FileSummary = FileSummary,
> = ImportMessages<Row> & {
  kind: FileKind
  sending: BatchOperation<Operation>
  /** Finds the columns of a file. What is unclear is asked. */
  open(path: string, content: FileContent): Promise<OpenedFile<Row, Outcome>>
  plan(file: RowFile<Row, Outcome>, good: readonly ValidRow<Row>[]): Promise<UploadPlan<Outcome, Sums>>
  /** A plan costs calls: none is made where it would not be shown. */
  planIsDear?: boolean
  /** The most that all of it may cost. */
  limit?: string | undefined
  toBody(rows: readonly ValidRow<Row>[]): InputOf<Operation>
  /** The bytes of a row, where it may be large. */
  sizeOf?(row: ValidRow<Row>): number
  resultsOf(answer: AnswerOf<Operation>): readonly RowResult[]
  /** Changes what is there already, once all batches were answered. */
  change?(
    outcomes: readonly Outcome[],
    file: RowFile<Row, Outcome>,
    answers: readonly AnswerOf<Operation>[],
  ): Promise<ChangedRows<Outcome>>
  /** Adds what only all outcomes together say. */
  complete?(outcomes: readonly Outcome[]): Outcome[]
  sumUp(outcomes: readonly Outcome[], answers: readonly AnswerOf<Operation>[]): Sums
  /** Keeps what was created, at the service's time. */
  remember?(summary: Sums, at: number): void
  /** Sentences for a user who was shown no plan. */
  advice?(outcomes: readonly Outcome[]): string[]
  /** Returns the number of created rows in words. */
  createdText(summary: Sums): string
  /** Returns a sentence that ends the report, with texts of the summary as `{fields}`; undefined for none. */
  closing?(summary: Sums): string | undefined
  report: ReportForm<Outcome>
}

/** The form in which the outcomes are printed. */
export type ReportForm<Outcome extends RowOutcome = RowOutcome> = {
  columns: readonly Column[]
  /** The field that holds the id of what is there now, and that id: `--wait` follows it. */
  id: string
  idOf(outcome: Outcome): string | null
  /** The fields of a row of the report in their order. One with ? is omitted where it is missing; others are null. */
  members: readonly string[]
  /** The command that lists what is there now, or takes a change back. */
  next(counts: ResultCounts & { updated?: number }): string | undefined
}

/** The fields of a row of a report besides those of its kind of file, and of a row of `--map-only`. */
export const REPORT_FIELDS: readonly string[] = [
  'row',
  'result',
  'reason.code',
  'reason.errors',
  'reason.*',
  'column',
  'header',
  'how',
  'sample',
]
