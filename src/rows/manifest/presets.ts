/**
 * Exports of shop and shipping tools, recognised by their header. Facts only: the column names of the tools' own
 * documentation and of exports in public repositories. Keys are those of `headerKey`.
 */
import type { Preset } from '../columns/columns.ts'
import type { ColumnName } from './columns.ts'
import presets from './presets.json' with { type: 'json' }

export type ManifestPreset = Preset<ColumnName> & {
  /** The tool's own words for a service level; others fall back to the default level, said. */
  services?: Readonly<Record<string, string>>
}

/** `test/rows/data.test.ts` holds their shape. */
export const PRESETS = presets as readonly ManifestPreset[]
