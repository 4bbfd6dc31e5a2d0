import { majorUnits, reasonText } from '../../../cli/columns/outcomes.ts'
import { PARCEL_RESULTS } from '../../../cli/columns/own-files.ts'
import { resultsCsv } from '../../../cli/columns/results.ts'
import type { Table } from '../../../cli/csv/read.ts'
import type { FileForm } from '../../../cli/csv/write.ts'
import { MANIFEST, type ManifestMapping } from './columns.ts'
import type { Outcome } from './outcomes.ts'
import type { ManifestRow } from './row.ts'

/**
 * `.results.csv`: the input's columns, then row, result, tracking number, price and reason. Each row of a merged
 * parcel repeats its result; the price stands in the first only, so that sums are right.
 */
export function manifestResults(
  table: Table,
  mapping: ManifestMapping,
  rows: readonly ManifestRow[],
  outcomes: readonly Outcome[],
  form: FileForm,
): string {
  const byRow = new Map(outcomes.map((outcome) => [outcome.row, outcome]))
  const added = rows.flatMap((row) => {
    const outcome = byRow.get(row.row)
    if (outcome === undefined) return []
    const price = outcome.total === undefined ? undefined : majorUnits(outcome.total)
    const cells = row.rows.map((each, index) => [
      each.row,
      outcome.result,
      outcome.tracking_number ?? outcome.reason?.existing_tracking_number,
      index === 0 ? price : undefined,
      reasonText(outcome, MANIFEST),
    ])
    return [{ row, cells }]
  })
  return resultsCsv(table, mapping, PARCEL_RESULTS, added, form)
}
