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
  id: 'tracking_number',
  idOf: (outcome) => numberOf(outcome) ?? null,
  members: [
    'row',
    'reference',
    'result',
    'tracking_number',
    'status?',
    'total',
    'cancelled_tracking_number?',
    'reason',
  ],
  next: ({ created, duplicate }) => (created + duplicate > 0 ? 'dray carrier list' : undefined),
}
