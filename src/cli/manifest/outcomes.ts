/** What became of each parcel of a file, said in the same words whether the client or the service found the fault. */
import { exponentOf, type Money } from '../../domain/money.ts'
import { type ErrorCode, ERRORS } from '../../errors.ts'
import type { Table } from '../csv/read.ts'
import { type CellErrorCode, clip } from './cells.ts'
import { type ColumnName, COLUMNS } from './columns.ts'
import { findText, headerOf } from './lines.ts'
import type { Mapping } from './map.ts'
import type { CellError, ManifestRow } from './parse.ts'

/** One result of `create_shipments_batch`; its `row` is the position in the batch, not the row of the file. */
export type BatchResult = {
  row: number
  reference?: string
  result: 'created' | 'duplicate' | 'rejected'
  tracking_number?: string
  total?: Money
  reason?: {
    code: string
    /** In the service's words; rows in it are those of the batch. */
    detail?: string
    duplicate_of_row?: number
    existing_tracking_number?: string
    errors?: { pointer?: string; code: string; detail: string }[]
  }
}

/** What is reported of one parcel (`contract.md` E3); `row` and `line` refer to the file. */
export type Outcome = {
  row: number
  line: number
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
  mapping: Mapping,
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
        errors: result.result === 'rejected' ? toCellErrors(reason, twin, row, table, mapping) : [],
        ...(twin !== undefined && { duplicate_of_row: twin.row }),
        ...(reason.existing_tracking_number !== undefined && {
          existing_tracking_number: reason.existing_tracking_number,
        }),
      },
    }),
  }
}

/** Columns that a clerk must look at for a refusal without errors of its own. */
const BLAMED: Readonly<Record<string, ColumnName>> = {
  missing_reference: 'reference',
  reference_conflict: 'reference',
  destination_not_covered: 'postal_code',
  address_unresolvable: 'address_line1',
  service_level_not_available: 'service_level',
  parcel_limits_exceeded: 'weight_grams',
  hub_not_found: 'hub',
  currency_mismatch: 'currency',
}

const ROW_REASONS: Readonly<Record<string, string>> = {
  invalid_row: 'The row is not valid.',
  missing_reference: 'reference is required.',
  reference_conflict: 'The reference is already used for a parcel with other content.',
  duplicate_in_manifest: 'The same parcel stands in the file more than once.',
  already_exists: 'Created before.',
}

function toCellErrors(
  reason: NonNullable<BatchResult['reason']>,
  twin: ManifestRow | undefined,
  row: ManifestRow,
  table: Table,
  mapping: Mapping,
): CellError[] {
  if (reason.errors === undefined || reason.errors.length === 0) {
    const column = BLAMED[reason.code] ?? 'reference'
    const detail =
      twin === undefined
        ? (reason.detail ?? describe(reason.code))
        : `Row ${twin.row} has the same reference and other content.`
    return [cellError(column, reason.code, detail, row, table, mapping)]
  }
  return reason.errors.map(({ pointer, code, detail }) =>
    cellError(columnAt(pointer), code, detail, row, table, mapping),
  )
}

function cellError(
  column: ColumnName,
  code: string,
  detail: string,
  row: ManifestRow,
  table: Table,
  mapping: Mapping,
): CellError {
  const first = table.rows[(row.rows[0] ?? 1) - 1]
  const found = first === undefined ? undefined : findText(first, column, mapping)
  const value = clip(found?.text ?? mapping.defaults.get(column) ?? '', 40)
  const pointer = COLUMNS.find(({ name }) => name === column)?.pointer ?? ''
  return {
    column: headerOf(table, mapping, column, found?.source),
    pointer,
    value,
    code: code as CellErrorCode,
    detail,
  }
}

/** The column that a pointer into the body came from: its own, or that of the nearest part above it. */
function columnAt(pointer: string | undefined): ColumnName {
  for (let path = pointer ?? ''; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
    const column = COLUMNS.find((each) => each.pointer === path)
    if (column !== undefined) return column.name
  }
  return 'reference'
}

/** One sentence for a reason code of a row. */
function describe(code: string): string {
  if (Object.hasOwn(ROW_REASONS, code)) return ROW_REASONS[code] ?? code
  return Object.hasOwn(ERRORS, code) ? `${ERRORS[code as ErrorCode].title}.` : code
}

/** Why a parcel is not new, in one line for the results file: the code and the words. */
export function reasonText(outcome: Outcome): string {
  return outcome.reason === undefined ? '' : `${outcome.reason.code}: ${reasonWords(outcome)}`
}

/** The same for people: the words alone. */
export function reasonWords({ reason }: Outcome): string {
  if (reason === undefined) return ''
  if (reason.errors.length > 0) return reason.errors.map(faultText).join(' ')
  return reason.duplicate_of_row === undefined
    ? describe(reason.code)
    : `The same parcel as row ${reason.duplicate_of_row}.`
}

/** What is wrong with one cell; a sentence that begins with the column's name is not given it twice. */
export function faultText({ column, detail }: Pick<CellError, 'column' | 'detail'>): string {
  return detail.startsWith(`${column} `) ? detail : `${column}: ${detail}`
}

/** Major units as a spreadsheet number: exact, since an amount has at most 11 digits. */
export function majorUnits({ amount, currency }: Money): number {
  return amount / 10 ** exponentOf(currency)
}

function base(row: ManifestRow): Pick<Outcome, 'row' | 'line' | 'reference'> {
  return { row: row.row, line: row.line, ...(row.reference !== undefined && { reference: row.reference }) }
}
