/** Finds the text of a column in a row. */
import { cleanCode } from '../../core/code.ts'
import type { Row, Table } from '../csv/read.ts'
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
  const { code, forced, verbatim } = mapping.kind.columnOf(column)
  const read = verbatim === true || mapping.exact ? asWritten : tidy
  for (const source of entry.from) {
    const written =
      source.at.length === 1
        ? read(row.cells[source.at[0] ?? 0] ?? '', mapping.ours)
        : joinCells(row, source, mapping.ours)
    const text = code === true ? cleanCode(written) : written
    if (text === '') continue
    const isForced = forced === true && text.startsWith("'") && !mapping.exact
    return { text: isForced ? text.slice(1) : text, source }
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

function asWritten(cell: string, ours: boolean): string {
  const text = ours ? unguard(cell) : cell
  return text.trim() === '' ? '' : text
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
