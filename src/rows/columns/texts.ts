/** Finds the text of a column in a row. */
import { cleanCode } from '../../core/code.ts'
import { isLikeEmpty } from '../csv/no-value.ts'
import type { Row, Table } from '../csv/read.ts'
import { unwrap } from '../csv/unwrap.ts'
import { unguard } from '../csv/write.ts'
import type { Mapping, Source } from './mapping.ts'

/** The text of a column in a row, and its source. */
export type Text = { text: string; source: Source }

/**
 * Returns the first source of a column that is not blank in this row. Collapses white space unless it is significant.
 */
export function findText<Name extends string>(
  row: Row,
  column: Name,
  mapping: Mapping<Name>,
): Text | undefined {
  const entry = mapping.sources.get(column)
  if (entry === undefined) return undefined
  const spec = mapping.kind.columnOf(column)
  const { code, verbatim, lines } = spec
  const isSaid = (text: string): boolean => text !== '' && (mapping.exact || !isLikeEmpty(text.trim(), spec))
  const asWritten = verbatim === true || mapping.exact
  const read = (cell: string): string => {
    const text = plain(cell, mapping)
    if (asWritten) return text.trim() === '' ? '' : text
    return tidy(lines === true ? text.replaceAll(BREAKS, ', ') : text)
  }
  for (const source of entry.from) {
    const text =
      source.at.length === 1
        ? read(row.cells[source.at[0] ?? 0] ?? '')
        : joinCells(row, source, mapping, isSaid)
    const shown = code === true ? cleanCode(text) : text
    if (isSaid(shown)) return { text: shown, source }
  }
  return undefined
}

function joinCells(
  row: Row,
  { at, join }: Source,
  mapping: Pick<Mapping, 'ours' | 'exact'>,
  isSaid: (part: string) => boolean,
): string {
  const parts = at.map((index) => tidy(plain(row.cells[index] ?? '', mapping))).filter(isSaid)
  return [...new Set(parts)].join(join)
}

/** Returns the value of a cell. An export of ours holds values, and no spelling of them. */
export function plain(cell: string, { ours, exact }: Pick<Mapping, 'ours' | 'exact'>): string {
  if (cell === '') return cell
  const text = ours ? unguard(cell) : cell
  return exact ? text : unwrap(text)
}

/** Line breaks within a cell, with a comma that may stand before them. */
const BREAKS = /\s*,?\s*[\r\n]+\s*/g

const UNTIDY = /^\s|\s$|\s\s|[^\S ]/

function tidy(text: string): string {
  return UNTIDY.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text
}

/** Returns the column's header as written; the column's own name without a header. */
export function headerOf<Name extends string>(
  table: Table,
  mapping: Mapping<Name>,
  column: Name,
  source?: Source,
): string {
  const from = source ?? mapping.sources.get(column)?.from[0]
  return from === undefined ? column : from.at.map((at) => table.header[at]).join(' + ')
}
