/** The manifest as a kind of file. */
import { HEADER_PARTS } from '../../generated/header-parts/manifest.ts'
import type { FileKind, Mapping } from '../columns/columns.ts'
import { type ColumnName, columnOf, COLUMNS, SIZES } from './columns.ts'
import { combineHeaders } from './combine.ts'
import manifest from './manifest.json' with { type: 'json' }
import { LEFT_OUT_REASONS, REASONS, statusKind } from './order-status.ts'
import { type ManifestPreset, PRESETS } from './presets.ts'

export const MANIFEST: FileKind<ColumnName, ManifestPreset> = {
  name: 'manifest',
  row: 'parcel',
  template: 'dray carrier template',
  example: manifest.template,
  columns: COLUMNS,
  columnOf,
  headers: HEADER_PARTS,
  owners: { recipient: ['recipient', 'delivery', 'customer'], other: ['parcel'] },
  presets: PRESETS,
  isReadBeside: (key) => statusKind(key)?.vague === false,
  whole: { by: 'dimensions', parts: SIZES },
  combine: combineHeaders,
  refusals: {
    ...manifest.refusals,
    clash: (row) =>
      `Row ${row} has the same reference and other content. Each parcel needs a reference of its own.`,
    words: {
      ...manifest.refusals.words,
      ...Object.fromEntries(LEFT_OUT_REASONS.map((reason) => [reason, REASONS[reason].text])),
    },
  },
}

export type ManifestMapping = Mapping<ColumnName, ManifestPreset>
