/** The text of a column in a row, and which lines of the file are one parcel. */
import type { Row, Table } from '../csv/read.ts'
import { unguard } from '../csv/write.ts'
import { COLUMNS, type ColumnName } from './columns.ts'
import type { Mapping, Source } from './map.ts'

/** The text that a row gives for a column, white space collapsed, with the source it came from. */
export type Text = { text: string; source: Source }

const RECIPIENT = COLUMNS.filter((column) => column.recipient === true).map((column) => column.name)

/** The first source of a column that is not blank in this row. */
export function findText(row: Row, column: ColumnName, mapping: Mapping): Text | undefined {
  const entry = mapping.sources.get(column)
  if (entry === undefined) return undefined
  for (const source of entry.from) {
    const text =
      source.at.length === 1
        ? tidy(row.cells[source.at[0] ?? 0] ?? '', mapping.ours)
        : joinCells(row, source, mapping.ours)
    if (text === '') continue
    // Spreadsheets and exports put an apostrophe before what must stay text: '01234, '+44…
    const forced = text.startsWith("'") && (column === 'postal_code' || column === 'phone')
    return { text: forced ? text.slice(1) : text, source }
  }
  return undefined
}

function joinCells(row: Row, { at, join }: Source, ours: boolean): string {
  const parts = at.map((index) => tidy(row.cells[index] ?? '', ours)).filter((part) => part !== '')
  return [...new Set(parts)].join(join)
}

const UNTIDY = /^\s|\s$|\s\s|[^\S ]/

function tidy(cell: string, ours: boolean): string {
  if (cell === '') return cell
  const text = ours ? unguard(cell) : cell
  return UNTIDY.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text
}

/** The different texts that the lines of a parcel give for a column, with the source of the first. */
export function findTexts(
  lines: readonly Row[],
  column: ColumnName,
  mapping: Mapping,
): { texts: string[]; source: Source } | undefined {
  let all: { texts: string[]; source: Source } | undefined
  for (const line of lines) {
    const found = findText(line, column, mapping)
    if (found === undefined) continue
    if (all === undefined) all = { texts: [found.text], source: found.source }
    else if (!all.texts.includes(found.text)) all.texts.push(found.text)
  }
  return all
}

/** The header, as written, of the cells that make a column; its own name when no header does. */
export function headerOf(table: Table, mapping: Mapping, column: ColumnName, source?: Source): string {
  const from = source ?? mapping.sources.get(column)?.from[0]
  return from === undefined ? column : from.at.map((at) => table.header[at]).join(' + ')
}

/**
 * Adjacent lines with one reference whose recipient cells are blank or equal are one parcel; without `merge` each line
 * is its own.
 */
export function groupRows(table: Table, mapping: Mapping, merge: boolean): Row[][] {
  if (!merge) return table.rows.map((row) => [row])
  const groups: Row[][] = []
  let reference: string | undefined
  let recipient = new Map<ColumnName, string>()
  for (const row of table.rows) {
    const own = findText(row, 'reference', mapping)?.text
    const merged = own !== undefined && own === reference ? withRecipient(recipient, row, mapping) : undefined
    if (merged === undefined) groups.push([row])
    else groups.at(-1)?.push(row)
    reference = own
    recipient = merged ?? withRecipient(new Map(), row, mapping) ?? new Map()
  }
  return groups
}

/** The recipient so far and of one more line; undefined when they contradict each other. */
function withRecipient(
  recipient: ReadonlyMap<ColumnName, string>,
  row: Row,
  mapping: Mapping,
): Map<ColumnName, string> | undefined {
  const both = new Map(recipient)
  for (const column of RECIPIENT) {
    const text = findText(row, column, mapping)?.text.toLowerCase()
    if (text === undefined) continue
    if ((both.get(column) ?? text) !== text) return undefined
    both.set(column, text)
  }
  return both
}
