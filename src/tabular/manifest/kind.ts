/** The manifest as a kind of file. */
import { HEADER_PARTS } from '../../generated/header-parts/manifest.ts'
import type { FileKind, ColumnMapping, Preset } from '../columns/columns.ts'
import { type ManifestColumnName, getManifestColumn, MANIFEST_FILE_COLUMNS, SIZES } from './columns.ts'
import { combineHeaders } from './combine.ts'
import manifest from './manifest.json' with { type: 'json' }
import { SKIP_REASONS, SKIP_REASON_WORDS, statusKind } from './order-status.ts'
import presets from './presets.json' with { type: 'json' }
import { mayAsk } from './unread.ts'

/**
 * An export of a shop or a shipping tool, recognised by its header. Facts only: the column names of the tools' own
 * documentation and of exports in public repositories.
 */
export type ManifestPreset = Preset<ManifestColumnName> & {
  /** The tool's own words for a service level: patterns of whole cells. */
  services?: Readonly<Record<string, string>>
}

export const MANIFEST_FILE_KIND: FileKind<ManifestColumnName, ManifestPreset> = {
  name: 'manifest',
  row: 'parcel',
  template: 'dray carrier template',
  example: manifest.template,
  columns: MANIFEST_FILE_COLUMNS,
  columnOf: getManifestColumn,
  headers: HEADER_PARTS,
  owners: { recipient: ['recipient', 'delivery', 'customer'], other: ['parcel'] },
  // `test/tabular/data.test.ts` holds their shape.
  presets: presets as readonly ManifestPreset[],
  isReadBeside: (key) => statusKind(key)?.vague === false,
  mayAsk,
  whole: { by: 'dimensions', parts: SIZES },
  combine: combineHeaders,
  refusals: {
    ...manifest.refusals,
    clash: (row) =>
      `Row ${row} has the same reference and different content. Each parcel needs its own reference.`,
    words: {
      ...manifest.refusals.words,
      ...Object.fromEntries(SKIP_REASONS.map((reason) => [reason, SKIP_REASON_WORDS[reason].text])),
    },
  },
}

export type ManifestMapping = ColumnMapping<ManifestColumnName, ManifestPreset>
