/** How the outcomes of a manifest are printed. */
import { type Report, REPORT_FIELDS } from '../../../cli/upload/upload.ts'
import { numberOf, type Outcome } from '../../../rows/manifest/outcomes.ts'

/** The fields of a row that `--fields` may name. */
export const PARCEL_FIELDS = {
  fields: [...REPORT_FIELDS, 'reference', 'tracking_number', 'status', 'total.amount', 'total.currency'],
}

export const REPORT: Report<Outcome> = {
  columns: [
    { field: 'row' },
    { field: 'reference' },
    { field: 'result' },
    { field: 'tracking_number' },
    { field: 'total', label: 'Price' },
    { field: 'reason' },
  ],
  idOf: (outcome) => numberOf(outcome) ?? null,
  toData: (outcome, { result, status, reason }) => ({
    row: outcome.row,
    reference: outcome.reference ?? null,
    result,
    tracking_number: numberOf(outcome) ?? null,
    ...status,
    total: outcome.total ?? null,
    ...(outcome.cancelled_tracking_number !== undefined && {
      cancelled_tracking_number: outcome.cancelled_tracking_number,
    }),
    reason,
  }),
  next: ({ created, duplicate }) => (created + duplicate > 0 ? 'dray carrier list' : undefined),
}
