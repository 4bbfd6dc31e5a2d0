import type { Mapping } from '../columns/mapping.ts'
import { cellErrors, type FileOutcome, type FileRow, type Note } from '../columns/outcomes.ts'
import { errorsCsv, formLike, type Results, resultsCsv } from '../columns/results.ts'
import type { Decoded } from '../csv/decode.ts'
import type { Table } from '../csv/read.ts'
import type { RowFile } from './upload.ts'

/** A file in CSV, answered in files of its own columns and form. */
export function csvFile<Row extends FileRow, Outcome extends FileOutcome>(
  decoded: Decoded,
  table: Table,
  mapping: Mapping,
  { rows, notes }: { rows: Row[]; notes: Note[] },
  added: Results<Outcome>,
): RowFile<Row, Outcome> {
  const form = formLike(decoded, table)
  return {
    rows,
    notes,
    toErrors: (refusal, row, twin) => cellErrors(refusal, row, table, mapping, twin),
    results: (outcomes) => resultsCsv(table, mapping, rows, outcomes, added, form),
    errors: (outcomes) => errorsCsv(table, mapping, rows, outcomes, form),
  }
}
