/** The declaration of a command that sends the rows of a file. `runUpload` does the rest. */
import type { AnswerOf, InputOf } from '../../client/operations.ts'
import type { AppError } from '../../core/errors.ts'
import type { Money } from '../../core/money.ts'
import type { Column } from '../../core/operation.ts'
import type { FileKind } from '../columns/columns.ts'
import type { CellError, FileOutcome, FileRow, Note, Refusal } from '../columns/outcomes.ts'
import type { Interrupted } from '../io.ts'
import type { Content } from './content.ts'
import type { MappedFile } from './maps.ts'
import type { Counts } from './report.ts'
import type { Sending } from './send.ts'

/** A row that can be sent. */
export type Good<Row extends FileRow = FileRow> = Row & { draft: NonNullable<Row['draft']> }

/** A file that was read, whatever its form: its rows, and the files that answer it. */
export type RowFile<Row extends FileRow = FileRow, Outcome extends FileOutcome = FileOutcome> = {
  rows: Row[]
  notes: Note[]
  /** Converts the service's errors of a row to errors of cells. `twin` is the earlier row that it repeats. */
  toErrors(refusal: Refusal, row: Row, twin?: Row): CellError[]
  /** The text of the results file. */
  results(outcomes: readonly Outcome[]): string
  /** The rejected rows, ready to be corrected and sent again; undefined when there are none. */
  errors(outcomes: readonly Outcome[]): string | undefined
}

/** A file whose columns are known, and how its rows are read. */
export type OpenedFile<Row extends FileRow = FileRow, Outcome extends FileOutcome = FileOutcome> = {
  /** Undefined for a file of JSON. */
  columns: MappedFile | undefined
  /** CSV when left out. */
  form?: 'csv' | 'json'
  read(): Promise<RowFile<Row, Outcome>>
}

/** One result of a batch; its `row` is the position in the batch, not the row of the file. */
export type RowResult = {
  row: number
  result: 'created' | 'duplicate' | 'rejected'
  reason?: Refusal & { duplicate_of_row?: number }
}

type Reason<Outcome extends FileOutcome> = NonNullable<Outcome['reason']>

/** How the report on a row names it, and what it takes from the service's result. */
export type Telling<Row extends FileRow, Outcome extends FileOutcome, Result extends RowResult> = {
  nameOf(row: Row): Omit<Outcome, 'result'>
  answerOf(result: Result): Partial<Outcome>
  /** Returns the members of a reason besides its code and errors. */
  reasonOf?(result: Result): Partial<Reason<Outcome>>
  /** The code of a row that is bad as it stands; `invalid_row` when left out. */
  faultOf?(row: Row): string
}

/** The counts of a file. They head the document that scripts read. */
export type Summary = { counts: Counts }

/** The effect that an upload would have. */
export type Plan<Outcome = FileOutcome, Sums extends Summary = Summary> = {
  /** The expected outcome of each row of the file. */
  outcomes: Outcome[]
  summary: Sums
  /** The parcels or items that would be created, each as a row of the table that is shown. */
  created: readonly Readonly<Record<string, unknown>>[]
  /** The sentences about all rows, for people. */
  text: string
  question: string
  /** How many things that are there already would change or go. */
  changes?: number
  /** Asks for the consents that the changes need besides the question. Throws AppError('not_confirmed'). */
  agree?(): Promise<void>
  /** The price of all rows. */
  total?: Money
}

/** The outcomes after the changes, and why some were not sent. */
export type Changed<Outcome extends FileOutcome = FileOutcome> = {
  outcomes: Outcome[]
  stopped: Interrupted | AppError | undefined
}

/** A kind of file on its way to the service. */
export type Upload<
  Operation extends string = string,
  Row extends FileRow = FileRow,
  Outcome extends FileOutcome = FileOutcome,
  Result extends RowResult = RowResult,
  Sums extends Summary = Summary,
> = Telling<Row, Outcome, Result> & {
  kind: FileKind
  sending: Sending<Operation>
  /** Finds the columns of a file. What is unclear is asked. */
  open(path: string, content: Content): Promise<OpenedFile<Row, Outcome>>
  plan(file: RowFile<Row, Outcome>, good: readonly Good<Row>[]): Promise<Plan<Outcome, Sums>>
  /** Where a plan costs calls: the question of somebody who is shown none. */
  unplanned?: (good: number) => string
  /** The most that all of it may cost. */
  limit?: string | undefined
  toBody(rows: readonly Good<Row>[]): InputOf<Operation>
  /** The bytes of a row, where it may be large. */
  sizeOf?(row: Good<Row>): number
  resultsOf(answer: AnswerOf<Operation>): readonly Result[]
  /** Changes what is there already, once all batches were answered. */
  change?(outcomes: readonly Outcome[], file: RowFile<Row, Outcome>): Promise<Changed<Outcome>>
  /** Adds what only all outcomes together say. */
  complete?(outcomes: readonly Outcome[]): Outcome[]
  sumUp(outcomes: readonly Outcome[], answers: readonly AnswerOf<Operation>[]): Sums
  /** Keeps what was created, at the service's time. */
  remember?(summary: Sums, at: number): void
  /** Sentences for somebody who was shown no plan. */
  advice?(outcomes: readonly Outcome[]): string[]
  /** Returns the number of created rows in words. */
  createdText(summary: Sums): string
  report: Report<Outcome>
}

/** How the outcomes are printed. */
export type Report<Outcome extends FileOutcome = FileOutcome> = {
  columns: readonly Column[]
  /** The id of what is there now: `--wait` follows it. */
  idOf(outcome: Outcome): string | null
  /** One row of the report. */
  toData(outcome: Outcome, told: Told): Record<string, unknown>
  /** The command that lists what is there now, or takes a change back. */
  next(counts: Counts & { updated?: number }): string | undefined
}

/** The members that every report has for a row; `status` only after `--wait`. */
export type Told = { result: string; status?: { status: string | null }; reason: unknown }
