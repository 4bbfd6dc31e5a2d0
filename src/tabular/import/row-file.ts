/** A file of rows on its way to the service: what was read of it, and what becomes of each row. */
import type { Money } from '../../core/money.ts'
import type { ColumnMapping } from '../columns/columns.ts'
import type { CellError, RowOutcome, FileRow, ImportNote, RowRejection } from '../columns/outcomes.ts'
import type { LengthUnit, WeightUnit } from '../csv/numbers.ts'
import type { ErrorsForm } from './outputs.ts'
import type { ResultCounts } from './report.ts'

/** A row that can be sent. */
export type ValidRow<Row extends FileRow = FileRow> = Row & { draft: NonNullable<Row['draft']> }

/** A file that was read, whatever its form: its rows, and the files that answer it. */
export type RowFile<Row extends FileRow = FileRow, Outcome extends RowOutcome = RowOutcome> = {
  rows: Row[]
  notes: ImportNote[]
  /** Converts the service's errors of a row to errors of cells. `twin` is the earlier row that it repeats. */
  toErrors(refusal: RowRejection, row: Row, twin?: Row): CellError[]
  /** The text of the results file. */
  results(outcomes: readonly Outcome[]): string
  /** The rejected rows, ready to be corrected and sent again: a text, or the bytes of a workbook. Undefined when there are none. */
  errors(outcomes: readonly Outcome[]): Promise<string | Uint8Array<ArrayBuffer> | undefined>
}

/** A file with known columns, with the units of numbers that name none. */
export type MappedFile = {
  mapping: ColumnMapping
  /** The sheet of a workbook in which others could have been meant: its results have a file of their own. */
  sheet?: string
  /** The name of the saved map with which it was read. */
  saved?: string
  units?: { weight?: WeightUnit; length?: LengthUnit }
  /** Which number of its dates is the day. */
  dateOrder?: 'day' | 'month'
}

/** A file with known columns, and how its rows are read. */
export type OpenedFile<Row extends FileRow = FileRow, Outcome extends RowOutcome = RowOutcome> = {
  /** Undefined for a file of JSON. */
  columns: MappedFile | undefined
  /** The form of its errors, by the ending of their file: that of the input. CSV when skipped. */
  form?: ErrorsForm
  read(): Promise<RowFile<Row, Outcome>>
}

/** One result of a batch; its `row` is the position in the batch, not the row of the file. */
export type RowResult = {
  row: number
  result: 'created' | 'duplicate' | 'rejected'
  reason?: RowRejection & { duplicate_of_row?: number }
}

/** The name of a row in the report, and the fields that it takes from the service's result: lists of fields. */
export type ImportMessages<Row extends FileRow = FileRow> = {
  /** The fields that are taken of the row. */
  named: readonly string[]
  /** The fields that are taken of the result. */
  answered: readonly string[]
  /** The fields that are taken of the reason in a result, besides its code and errors. */
  reasoned?: readonly string[]
  /** The code of a row that is bad as it stands; `invalid_row` when skipped. */
  faultOf?(row: Row): string
}

/** The counts of a file. They head the document that scripts read. */
export type FileSummary = { counts: ResultCounts }

/** The effect that an upload would have. */
export type UploadPlan<Outcome = RowOutcome, Sums extends FileSummary = FileSummary> = {
  /** The expected outcome of each row of the file. */
  outcomes: Outcome[]
  summary: Sums
  /** The parcels or items that would be created, each as a row of the table that is shown. */
  created: readonly Readonly<Record<string, unknown>>[]
  /** The sentences about all rows, for people. */
  text: string
  question: string
  /** The number of things that are there already and would change or go. */
  changes?: number
  /** Asks for the consents that the changes need besides the question. Throws AppError('not_confirmed'). */
  agree?(): Promise<void>
  /** The price of all rows. */
  total?: Money
  /** Sentences about what is probably wrong; they are in `text`, too. */
  doubts?: readonly string[]
}
