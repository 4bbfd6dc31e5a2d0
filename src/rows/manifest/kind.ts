/** The manifest as a kind of file. */
import { HEADER_PARTS } from '../../generated/header-parts/manifest.ts'
import type { FileKind, Mapping } from '../columns/columns.ts'
import { type ColumnName, columnOf, COLUMNS, SIZES } from './columns.ts'
import { combineHeaders } from './combine.ts'
import { LEFT_OUT_REASONS, REASONS, statusKind } from './order-status.ts'
import { type ManifestPreset, PRESETS } from './presets.ts'

export const MANIFEST: FileKind<ColumnName, ManifestPreset> = {
  name: 'manifest',
  row: 'parcel',
  template: 'dray carrier template',
  columns: COLUMNS,
  columnOf,
  headers: HEADER_PARTS,
  owners: { recipient: ['recipient', 'delivery', 'customer'], other: ['parcel'] },
  presets: PRESETS,
  isReadBeside: (key) => statusKind(key)?.vague === false,
  whole: { by: 'dimensions', parts: SIZES },
  combine: combineHeaders,
  refusals: {
    blamed: {
      missing_reference: 'reference',
      reference_conflict: 'reference',
      destination_not_covered: 'postal_code',
      address_unresolvable: 'address_line1',
      service_level_not_available: 'service_level',
      parcel_limits_exceeded: 'weight_grams',
      amount_too_large: 'declared_value',
      hub_not_found: 'hub',
      currency_mismatch: 'currency',
    },
    otherwise: 'reference',
    clash: (row) =>
      `Row ${row} has the same reference and other content. Each parcel needs a reference of its own.`,
    words: {
      invalid_row: 'The row is not valid.',
      missing_reference: 'reference is required.',
      reference_conflict: 'The reference is already used for a parcel with other content.',
      duplicate_in_manifest: 'The same parcel stands in the file more than once.',
      already_exists: 'Created before.',
      cancelled_before: 'Created before and cancelled.',
      ...Object.fromEntries(LEFT_OUT_REASONS.map((reason) => [reason, REASONS[reason].text])),
    },
  },
}

export type ManifestMapping = Mapping<ColumnName, ManifestPreset>
