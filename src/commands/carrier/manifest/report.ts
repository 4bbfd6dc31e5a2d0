/** How the outcomes of a manifest are printed. */
import { type Report, REPORT_FIELDS } from '../../../cli/upload/upload.ts'
import manifest from '../../../rows/manifest/manifest.json' with { type: 'json' }
import { numberOf, type Outcome } from '../../../rows/manifest/outcomes.ts'

/** The fields of a row that `--fields` may name. */
export const PARCEL_FIELDS = { fields: [...REPORT_FIELDS, ...manifest.report.fields] }

export const REPORT: Report<Outcome> = {
  ...manifest.report,
  idOf: (outcome) => numberOf(outcome) ?? null,
  next: ({ created, duplicate }) => (created + duplicate > 0 ? 'dray carrier list' : undefined),
}
