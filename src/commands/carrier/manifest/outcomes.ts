/** What became of each parcel of a manifest. */
import { cellErrors, type CellError, type Refusal } from '../../../cli/columns/outcomes.ts'
import type { Table } from '../../../cli/csv/read.ts'
import type { Answer } from '../../../client/operations.ts'
import type { Money } from '../../../core/money.ts'
import type { ManifestMapping } from './columns.ts'
import type { ManifestRow } from './row.ts'

/** One result of `create_shipments_batch`; its `row` is the position in the batch, not the row of the file. */
export type BatchResult = Pick<Told, 'row' | 'result' | 'tracking_number' | 'total'> &
  Partial<Pick<Told, 'reference'>> & {
    reason?: Refusal & Pick<NonNullable<Told['reason']>, 'duplicate_of_row' | 'existing_tracking_number'>
  }

type Told = Answer<'create_shipments_batch'>['results'][number]

/** What is reported of one parcel (`contract.md` E3); `row` is that of the file. */
export type Outcome = {
  row: number
  reference?: string
  result: 'created' | 'duplicate' | 'rejected' | 'not_sent'
  tracking_number?: string
  total?: Money
  reason?: { code: string; errors: CellError[]; duplicate_of_row?: number; existing_tracking_number?: string }
}

/** A parcel that was not sent because its row is bad. */
export function localOutcome(row: ManifestRow): Outcome {
  const required = row.errors.every(({ pointer, code }) => pointer === '/reference' && code === 'required')
  return {
    ...base(row),
    result: 'rejected',
    reason: { code: required ? 'missing_reference' : 'invalid_row', errors: row.errors },
  }
}

/** A parcel that the run ended before. */
export function unsentOutcome(row: ManifestRow): Outcome {
  return { ...base(row), result: 'not_sent' }
}

/**
 * The service's result for a parcel, in terms of the file: cells for pointers. `batch` are the parcels of the same
 * batch in order, so that `duplicate_of_row` can be told as a row of the file.
 */
export function batchOutcome(
  result: BatchResult,
  row: ManifestRow,
  batch: readonly ManifestRow[],
  table: Table,
  mapping: ManifestMapping,
): Outcome {
  const { reason } = result
  const twin = reason?.duplicate_of_row === undefined ? undefined : batch[reason.duplicate_of_row - 1]
  return {
    ...base(row),
    result: result.result,
    ...(result.tracking_number !== undefined && { tracking_number: result.tracking_number }),
    ...(result.total !== undefined && { total: result.total }),
    ...(reason !== undefined && {
      reason: {
        code: reason.code,
        errors: result.result === 'rejected' ? cellErrors(reason, row, table, mapping, clash(twin)) : [],
        ...(twin !== undefined && { duplicate_of_row: twin.row }),
        ...(reason.existing_tracking_number !== undefined && {
          existing_tracking_number: reason.existing_tracking_number,
        }),
      },
    }),
  }
}

function clash(twin: ManifestRow | undefined): string | undefined {
  return twin && `Row ${twin.row} has the same reference and other content.`
}

function base(row: ManifestRow): Pick<Outcome, 'row' | 'reference'> {
  return { row: row.row, ...(row.reference !== undefined && { reference: row.reference }) }
}
