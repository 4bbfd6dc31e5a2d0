import { findCellText } from '../columns/cell-text.ts'
/** Groups the rows of a file that are one parcel, and joins their values. */
import type { ColumnMapping, CellSource } from '../columns/columns.ts'
import type { DataRow } from '../csv/read.ts'
import { type ManifestColumnName, MANIFEST_FILE_COLUMNS } from './columns.ts'
import { type ManifestMapping } from './kind.ts'

const RECIPIENT = MANIFEST_FILE_COLUMNS.filter(
  (column) => column.of === 'recipient' && column.helps === undefined,
).map((column) => column.name)

/** The different texts that the rows of a parcel give for a column, with the source of the first. */
export function findTexts(
  rows: readonly DataRow[],
  column: ManifestColumnName,
  mapping: ColumnMapping<ManifestColumnName>,
): { texts: string[]; source: CellSource } | undefined {
  const found = rows.flatMap((row) => findCellText(row, column, mapping) ?? [])
  return found[0] && { texts: [...new Set(found.map(({ text }) => text))], source: found[0].source }
}

/**
 * Adjacent rows with one reference whose recipient cells are blank or equal are one parcel. Rows of a preset are
 * merged, and those of other files with `merge`; else each row is its own (docs/rules/files.md#a-shops-export-brings-its-own-map).
 */
export function groupRows(mapping: ManifestMapping, merge: boolean): DataRow[][] {
  const { rows } = mapping.table
  if (!merge && mapping.preset === undefined) return rows.map((row) => [row])
  const groups: DataRow[][] = []
  let reference: string | undefined
  let recipient = new Map<ManifestColumnName, string>()
  for (const row of rows) {
    const own = findCellText(row, 'reference', mapping)?.text
    const merged = own !== undefined && own === reference ? withRecipient(recipient, row, mapping) : undefined
    if (merged === undefined) groups.push([row])
    else groups.at(-1)?.push(row)
    reference = own
    recipient = merged ?? withRecipient(new Map(), row, mapping) ?? new Map()
  }
  return groups
}

/** Returns whether no two rows name different recipients. */
export function haveOneRecipient(rows: readonly DataRow[], mapping: ManifestMapping): boolean {
  let recipient: ReadonlyMap<ManifestColumnName, string> | undefined = new Map()
  for (const row of rows) recipient = recipient && withRecipient(recipient, row, mapping)
  return recipient !== undefined
}

/** The recipient so far and of one more row; undefined when they contradict each other. */
function withRecipient(
  recipient: ReadonlyMap<ManifestColumnName, string>,
  row: DataRow,
  mapping: ColumnMapping<ManifestColumnName>,
): Map<ManifestColumnName, string> | undefined {
  const both = new Map(recipient)
  for (const column of RECIPIENT) {
    const text = findCellText(row, column, mapping)?.text.toLowerCase()
    if (text === undefined) continue
    if ((both.get(column) ?? text) !== text) return undefined
    both.set(column, text)
  }
  return both
}
