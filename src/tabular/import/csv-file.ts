import type { ColumnMapping } from '../columns/columns.ts'
import { cellErrors, type RowOutcome, type FileRow, type ImportNote } from '../columns/outcomes.ts'
import { errorRows, errorsCsv, type ResultsColumns, resultsCsv } from '../columns/results.ts'
import { refuseWrongCells } from '../columns/wrong-cells.ts'
import type { FileForm } from '../csv/write.ts'
import type { RowFile } from './row-file.ts'

/** A file in CSV or a sheet of a workbook, answered in files of its own columns and this form. */
export function makeCsvRowFile<Row extends FileRow, Outcome extends RowOutcome>(
  form: FileForm,
  mapping: ColumnMapping,
  { rows: read, notes }: { rows: Row[]; notes: ImportNote[] },
  added: ResultsColumns<Outcome>,
): RowFile<Row, Outcome> {
  const rows = refuseWrongCells(read, mapping)
  return {
    rows,
    notes,
    toErrors: (refusal, row, twin) => cellErrors(refusal, row, mapping, twin),
    results: (outcomes) => resultsCsv(mapping, { rows, outcomes }, added, form),
    async errors(outcomes) {
      if (form.workbook === undefined) return errorsCsv(mapping, rows, outcomes, form)
      const written = errorRows(mapping, rows, outcomes)
      return written && (await import('../xlsx/write.ts')).writeWorkbook('Errors', written)
    },
  }
}
