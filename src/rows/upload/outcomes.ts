/** The outcome of each row of a file: found bad here, answered by the service, or not sent. */
import type { FileOutcome, FileRow } from '../columns/outcomes.ts'
import type { RowFile, RowResult, Telling } from './row-file.ts'

/** A row that was not sent because it is bad, or an order that should not be sent. */
export function localOutcome<Row extends FileRow, Outcome extends FileOutcome>(
  { nameOf, faultOf }: Pick<Telling<Row, Outcome, never>, 'nameOf' | 'faultOf'>,
  row: Row,
): Outcome {
  const [leftOut] = row.leftOut ?? []
  if (leftOut !== undefined)
    return { ...nameOf(row), result: 'left_out', reason: { code: leftOut, errors: [] } } as unknown as Outcome
  const { errors, duplicate_of_row } = row
  const reason = {
    code: faultOf?.(row) ?? 'invalid_row',
    errors,
    ...(duplicate_of_row !== undefined && { duplicate_of_row }),
  }
  return { ...nameOf(row), result: 'rejected', reason } as Outcome
}

/**
 * The service's result for a row, in terms of the file: cells for pointers. `batch` are the rows of the same batch in
 * order, so that `duplicate_of_row` can be told as a row of the file.
 */
export function batchOutcome<Row extends FileRow, Outcome extends FileOutcome, Result extends RowResult>(
  { nameOf, answerOf, reasonOf }: Telling<Row, Outcome, Result>,
  { toErrors }: Pick<RowFile<Row, Outcome>, 'toErrors'>,
  result: Result,
  row: Row,
  batch: readonly Row[],
): Outcome {
  const { reason } = result
  const twin = reason?.duplicate_of_row === undefined ? undefined : batch[reason.duplicate_of_row - 1]
  return {
    ...nameOf(row),
    result: result.result,
    ...answerOf(result),
    ...(reason !== undefined && {
      reason: {
        code: reason.code,
        errors: result.result === 'rejected' ? toErrors(reason, row, twin) : [],
        ...(twin !== undefined && { duplicate_of_row: twin.row }),
        ...reasonOf?.(result),
      },
    }),
  } as Outcome
}

/** The answers of the service put beside their rows; rows without one were bad, or were not sent. */
export function gatherOutcomes<Row extends FileRow, Outcome extends FileOutcome, Result extends RowResult>(
  telling: Telling<Row, Outcome, Result>,
  file: Pick<RowFile<Row, Outcome>, 'rows' | 'toErrors'>,
  answered: readonly { rows: readonly Row[]; results: readonly Result[] }[],
): Outcome[] {
  const byRow = new Map<number, Outcome>()
  for (const { rows, results } of answered) {
    for (const [index, result] of results.entries()) {
      const row = rows[index]
      if (row !== undefined) byRow.set(row.row, batchOutcome(telling, file, result, row, rows))
    }
  }
  return file.rows.map((row) => byRow.get(row.row) ?? unanswered(telling, row))
}

function unanswered<Row extends FileRow, Outcome extends FileOutcome>(
  telling: Pick<Telling<Row, Outcome, never>, 'nameOf' | 'faultOf'>,
  row: Row,
): Outcome {
  return row.draft === undefined
    ? localOutcome(telling, row)
    : ({ ...telling.nameOf(row), result: 'not_sent' } as Outcome)
}
