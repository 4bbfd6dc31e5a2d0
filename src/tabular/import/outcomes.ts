/** The outcome of each row of a file: found bad here, answered by the service, or not sent. */
import type { RowOutcome, FileRow } from '../columns/outcomes.ts'
import type { RowFile, RowResult, ImportMessages } from './row-file.ts'

/** Returns the outcome of a row, named as the report names it. */
export function outcomeOf<Row extends FileRow, Outcome extends RowOutcome>(
  { named }: ImportMessages<Row>,
  row: Row,
  members: { result: RowOutcome['result'] } & Record<string, unknown>,
): Outcome {
  return { ...pick(row, named), ...members } as unknown as Outcome
}

/** Returns the fields of an object that it has. */
function pick(object: object, names: readonly string[]): object {
  const has = object as Readonly<Record<string, unknown>>
  const picked: Record<string, unknown> = {}
  for (const name of names) if (has[name] !== undefined) picked[name] = has[name]
  return picked
}

/** A row that was not sent because it is bad, or an order that should not be sent. */
export function localOutcome<Row extends FileRow, Outcome extends RowOutcome>(
  telling: ImportMessages<Row>,
  row: Row,
): Outcome {
  const { errors, duplicate_of_row, skipReasons: [skipReason] = [] } = row
  const reason = {
    code: skipReason ?? telling.faultOf?.(row) ?? 'invalid_row',
    errors,
    ...(duplicate_of_row !== undefined && { duplicate_of_row }),
  }
  return outcomeOf(telling, row, { result: skipReason === undefined ? 'rejected' : 'skipped', reason })
}

/**
 * The service's result for a row, in terms of the file: cells for pointers. `batch` are the rows of the same batch in
 * order, so that `duplicate_of_row` can be told as a row of the file.
 */
export function batchOutcome<Row extends FileRow, Outcome extends RowOutcome>(
  telling: ImportMessages<Row>,
  { toErrors }: Pick<RowFile<Row, Outcome>, 'toErrors'>,
  result: RowResult,
  { row, batch }: { row: Row; batch: readonly Row[] },
): Outcome {
  const { reason } = result
  const twin = reason?.duplicate_of_row === undefined ? undefined : batch[reason.duplicate_of_row - 1]
  const told = reason && {
    code: reason.code,
    errors: result.result === 'rejected' ? toErrors(reason, row, twin) : [],
    ...(twin !== undefined && { duplicate_of_row: twin.row }),
    ...pick(reason, telling.reasoned ?? []),
  }
  return outcomeOf(telling, row, {
    ...pick(result, telling.answered),
    result: result.result,
    ...(told !== undefined && { reason: told }),
  })
}

/** The answers of the service put beside their rows; rows without one were bad, or were not sent. */
export function gatherOutcomes<Row extends FileRow, Outcome extends RowOutcome>(
  telling: ImportMessages<Row>,
  file: Pick<RowFile<Row, Outcome>, 'rows' | 'toErrors'>,
  answered: readonly { rows: readonly Row[]; results: readonly RowResult[] }[],
): Outcome[] {
  const byRow = new Map<number, Outcome>()
  for (const { rows, results } of answered) {
    for (const [index, result] of results.entries()) {
      const row = rows[index]
      if (row !== undefined) byRow.set(row.row, batchOutcome(telling, file, result, { row, batch: rows }))
    }
  }
  return file.rows.map((row) => {
    const unsent = (): Outcome => outcomeOf(telling, row, { result: 'not_sent' })
    return byRow.get(row.row) ?? (row.draft === undefined ? localOutcome(telling, row) : unsent())
  })
}
