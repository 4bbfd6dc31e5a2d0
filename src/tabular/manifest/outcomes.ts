/** A row of a manifest, the parcel that it becomes, and its outcome. */
import type { OperationOutput, OperationInput } from '../../client/operations.ts'
import type { Money } from '../../core/money.ts'
import { type RowOutcome, type FileRow, formatRowPlaces, type RowRejection } from '../columns/outcomes.ts'
import { PARCEL_RESULTS, RETURN_COLUMN } from '../columns/own-files.ts'
import type { ResultsColumns } from '../columns/results.ts'
import { type ResultCounts, countsOf, sumAmounts } from '../import/report.ts'
import type { RowResult, ImportMessages } from '../import/row-file.ts'
import { pluralize, pluralizeList } from '../wording.ts'

/** A body of `create_shipment`; without `service_level` the batch's default applies. */
export type ShipmentDraft = OperationInput<'create_shipment'> & { reference: string }

/** One parcel of the file. */
export type ManifestRow = FileRow<ShipmentDraft> & { reference: string | undefined }

type ShipmentResult = OperationOutput<'create_shipments_batch'>['results'][number]

type OriginalRow = Pick<
  NonNullable<ShipmentResult['reason']>,
  'duplicate_of_row' | 'existing_tracking_number'
>

/** One result of `create_shipments_batch`. */
export type ParcelBatchResult = RowResult &
  Pick<ShipmentResult, 'tracking_number' | 'total' | 'warnings' | 'cancelled_tracking_number'> & {
    reason?: RowRejection & OriginalRow
  }

/** The report of one parcel; `row` is the file's row. */
export type ParcelOutcome = RowOutcome & {
  tracking_number?: string
  total?: Money
  warnings?: string[]
  /** The cancelled parcel that had the reference before. */
  cancelled_tracking_number?: string
  /** The return of the parcel, where the upload creates returns; null where there is none. */
  return_number?: string | null
  reason?: { existing_tracking_number?: string }
}

/** The report on all parcels. */
export type ParcelsReport = {
  counts: ResultCounts
  total: Money | null
  batch_ids: string[]
}

export const PARCEL_MESSAGES: ImportMessages<ManifestRow> = {
  named: ['row', 'reference'],
  answered: ['tracking_number', 'total', 'warnings', 'cancelled_tracking_number'],
  reasoned: ['existing_tracking_number'],
  faultOf({ errors, duplicate_of_row }) {
    if (duplicate_of_row !== undefined) return 'reference_conflict'
    return errors.every(({ pointer, code }) => pointer === '/reference' && code === 'required')
      ? 'missing_reference'
      : 'invalid_row'
  },
}

/** The number of a parcel that is there now, made by this upload or before. */
export function findTrackingNumber({ tracking_number, reason }: ParcelOutcome): string | undefined {
  return tracking_number ?? reason?.existing_tracking_number
}

/** Tracking number and price. The price is in the first row of a merged parcel only, so that sums are right. */
export const PARCEL_RESULT_CELLS: ResultsColumns<ParcelOutcome> = {
  columns: PARCEL_RESULTS,
  cells: (outcome, index) => [findTrackingNumber(outcome), index === 0 ? outcome.total : undefined],
  last: RETURN_COLUMN,
}

export function summarizeParcels(outcomes: readonly ParcelOutcome[], batchIds: string[]): ParcelsReport {
  const created = outcomes.filter(({ result }) => result === 'created')
  return {
    counts: countsOf(outcomes),
    total: sumAmounts(created.flatMap(({ total }) => total ?? [])) ?? null,
    batch_ids: batchIds,
  }
}

/** Returns a line for each warning, with the number of rows that have it. */
export function warningLines(outcomes: readonly ParcelOutcome[]): string[] {
  const all = Map.groupBy(
    outcomes.flatMap(({ warnings = [] }) => warnings),
    (warning) => warning,
  )
  return [...all].map(([warning, { length }]) => pluralize(length, '{1 row|# rows}: {}', warning))
}

/** The rows that repeat another and make no parcel: a clerk may have meant a second parcel of the same order. */
export function repeatLines(outcomes: readonly ParcelOutcome[]): string[] {
  const rows = outcomes.flatMap(({ reason, row }) => (reason?.code === 'duplicate_in_manifest' ? [row] : []))
  const text =
    rows.length === 1
      ? 'Row {} is a duplicate of an earlier row and is skipped. If it is a different parcel, give it its own reference.'
      : `${rows.length} rows ({}) are duplicates of earlier rows and are skipped. Give different parcels their own references.`
  return pluralizeList(rows, text)
}

/**
 * The parcels that were cancelled before and are skipped, with the command that makes them again (`again`), and those that are
 * made again because their rows have changed.
 */
export function cancelledLines(outcomes: readonly ParcelOutcome[], again: string | undefined): string[] {
  const known = outcomes.filter(({ cancelled_tracking_number: number }) => number !== undefined)
  const { created: changed = [], duplicate: skipped = [] } = Object.groupBy(known, ({ result }) => result)
  const how = again === undefined ? '' : ` To create them again: \`${again}\``
  const text =
    '{1 parcel|# parcels} of the same reference as a cancelled one, but other content ({}): {it is|they are} created.'
  return [
    ...(skipped.length === 0
      ? []
      : [pluralize(skipped.length, '{1 row|# rows} skipped (cancelled before).{}', how)]),
    ...(changed.length === 0 ? [] : [pluralize(changed.length, text, formatRowPlaces(changed))]),
  ]
}

export function describeParcelCount(count: number): string {
  return pluralize(count, '{1 parcel|# parcels}')
}
