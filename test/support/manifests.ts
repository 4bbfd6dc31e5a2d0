import { readFileSync } from 'node:fs'
import { type MapOptions, mapHeaders, readAssignments } from '../../src/tabular/columns/map.ts'
import { makeExpectedHeader } from '../../src/tabular/columns/match.ts'
import { decodeSure } from '../../src/tabular/csv/decode.ts'
import { loadEntities } from '../../src/tabular/csv/entities.ts'
import { readTable, type DataTable } from '../../src/tabular/csv/read.ts'
import { MANIFEST_FILE_KIND } from '../../src/tabular/manifest/kind.ts'
import { type ParsedManifest, parseManifest, type ParseOptions } from '../../src/tabular/manifest/parse.ts'
import { findServiceWords, levelOfUnknown } from '../../src/tabular/manifest/services.ts'
import { parseInclude, readOrders } from '../../src/tabular/manifest/skipped-orders.ts'
import { decideUnits } from '../../src/tabular/manifest/units.ts'

await loadEntities('&amp;')

export function readManifestFlags(flag: '--map' | '--default', values: readonly string[]) {
  return readAssignments(MANIFEST_FILE_KIND, flag, values)
}

export function mapManifestColumns(table: DataTable, options: MapOptions = {}) {
  return mapHeaders(MANIFEST_FILE_KIND, table, options)
}

/** Default weight and size for exports without them, as a clerk would give them. */
export const PARCEL_DEFAULTS = readManifestFlags('--default', ['weight_grams=700', 'dimensions=30x20x10cm'])

/** One valid row by column, for tests to change. */
export const GOOD_ROW = {
  reference: 'A1',
  recipient_name: 'Amelia Hart',
  address_line1: '14 Lamb Street',
  city: 'London',
  postal_code: 'E1 6EA',
  weight_grams: '1200',
  length_mm: '300',
  width_mm: '200',
  height_mm: '100',
}

export type MappedManifest = ReturnType<typeof mapManifestColumns> & ParsedManifest & { table: DataTable }

/** The flags `--merge-lines` and `--include`, and what only a test says. */
type ManifestParseOptions = Partial<ParseOptions> & { mergeLines?: boolean; include?: readonly string[] }

/** Reads a manifest as the upload command does before it sends anything. */
export function parseTestManifest(
  source: string | URL,
  map: MapOptions = {},
  { mergeLines = false, include = [], ...parse }: ManifestParseOptions = {},
): MappedManifest {
  const text = typeof source === 'string' ? source : (decodeSure(readFileSync(source))?.text ?? '')
  const table = readTable(text, { expected: makeExpectedHeader(MANIFEST_FILE_KIND) })
  const mapped = mapManifestColumns(table, map)
  const { units } = decideUnits(mapped.mapping, {})
  const orders = readOrders(mapped.mapping, { merge: mergeLines, included: parseInclude(include) })
  const words = findServiceWords(mapped.mapping, orders.orders)
  const { level: unknownLevel } = levelOfUnknown(mapped.mapping, words)
  const options = { units, country: 'GB', currency: 'GBP', orders, unknownLevel, ...parse }
  const manifest = parseManifest(mapped.mapping, options)
  return { table, ...mapped, ...manifest }
}

/** Returns CSV of rows; the columns are those of the first row. */
export function makeCsv(...rows: Record<string, string>[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((cells) => cells.map(quoted).join(','))
    .join('\n')
}

export function exportFile(name: string): URL {
  return new URL(`exports/${name}.csv`, import.meta.url)
}
