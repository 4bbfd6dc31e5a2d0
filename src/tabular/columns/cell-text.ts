/** Finds the text of a column in a row. */
import { normalizeIdentifier } from '../../core/identifiers.ts'
import { hasTags, withoutTags } from '../../core/markup.ts'
import { decodePlain } from '../csv/entities.ts'
import { unescapeOwnCell } from '../csv/escape-coercion.ts'
import { isFiller, isLikeEmpty } from '../csv/no-value.ts'
import { isBare, NUMERIC, withPoints } from '../csv/numbers.ts'
import type { DataRow } from '../csv/read.ts'
import { unwrap } from '../csv/unwrap.ts'
import type { FileColumn, ColumnMapping, CellSource } from './columns.ts'

/** The text of a column in a row, and its source. `shown` is the text for errors, where it is another. */
export type CellText = { text: string; source: CellSource; shown?: string }

/**
 * Returns the first source of a column that is not blank in this row. Collapses white space unless it is significant. A
 * number is the one that a workbook holds, has its unit from the column beside it, and no separators of thousands.
 */
export function findCellText<Name extends string>(
  row: DataRow,
  column: Name,
  mapping: ColumnMapping<Name>,
): CellText | undefined {
  const entry = mapping.sources.get(column)
  if (entry === undefined) return undefined
  const spec = mapping.kind.columnOf(column)
  for (const source of entry.from) {
    const held = spec.read === 'date' ? row.dates?.get(source.at[0] ?? 0) : undefined
    if (held !== undefined) return { text: held, source, shown: row.cells[source.at[0] ?? 0] ?? held }
    const plain = plainText(row, source, spec, mapping)
    const found = plain === undefined ? composeText(row, source, spec, mapping) : { text: plain }
    if (found !== undefined) return { ...found, text: meant(found.text, column, mapping), source }
  }
  return undefined
}

/** A cell without any of these is its own text, whatever its column is. Nearly every cell is such, and one search tells. */
const ODD = /[^ -~]|<|\\n|^[ ='#(<\\]| $| {2}|&|_x000|err:|n[ua][lnt]|none|undef|\[object|invalid/i

/** Returns the text of a single cell that is read as it stands. */
function plainText(
  { cells, held }: DataRow,
  source: CellSource,
  { read }: FileColumn,
  mapping: ColumnMapping,
): string | undefined {
  const { at, units, not, unitAt, timesAt } = source
  const cell = cells[at[0] ?? 0] ?? ''
  if (cell === '' || ODD.test(cell) || isFiller(cell) || mapping.ours !== undefined || at.length > 1)
    return undefined
  const isHeld = (held !== undefined || mapping.decimalCommas) && NUMERIC.has(read)
  return isHeld || (units ?? not ?? unitAt ?? timesAt) !== undefined ? undefined : cell
}

function composeText(
  row: DataRow,
  source: CellSource,
  spec: FileColumn,
  mapping: ColumnMapping,
): Omit<CellText, 'source'> | undefined {
  const isNumber = NUMERIC.has(spec.read)
  const isPart = isOneOf(source, spec.name, mapping) && WORD_KINDS.has(spec.read)
  const cellAt = (at: number): string => {
    const text = cellText(row.cells[at] ?? '', spec, mapping)
    return isPart && isFiller(text) ? '' : text
  }
  const valueAt = (at: number): string => numberAt(row, at, spec.read, mapping) ?? cellAt(at)
  const written = joinCells(source, isNumber ? valueAt : cellAt)
  const text = spec.code === true ? normalizeIdentifier(written) : written
  const own = text === '' ? '' : times(row, text, source, mapping)
  if (own === '') return undefined
  const shown = isNumber && mapping.decimalCommas ? joinCells(source, cellAt) : own
  return { text: own, ...(shown !== own && { shown }) }
}

/** Kinds of columns with words in their cells. */
export const WORD_KINDS: ReadonlySet<string> = new Set(['text', 'line', 'list', 'place', 'choice'])

/** Returns whether a cell of a source is one of several that make the value of its column: such a cell may be skipped. */
export function isOneOf({ at }: CellSource, column: string, { sources }: ColumnMapping): boolean {
  return at.length > 1 || (sources.get(column)?.from.length ?? 0) > 1
}

/** Line breaks within a cell, also as some programs write them (`\n`), with a comma that may stand before them. */
const BREAKS = /\s*,?\s*(?:[\r\n]|\\[rn])+\s*/g

/** The text of one cell; empty for a program's word for nothing. */
function cellText(cell: string, spec: FileColumn, mapping: ColumnMapping): string {
  const text = untagged(unwrapCell(cell, mapping), spec, mapping)
  if (mapping.ours === 'export') return text.trim() === '' ? '' : text
  const own = spec.lines === true ? text.replaceAll(BREAKS, ', ') : text
  const clean = spec.verbatim === true ? own : tidy(own)
  return clean.trim() === '' || isLikeEmpty(clean.trim(), spec) ? '' : clean
}

/** Returns words without tags of HTML, which an export has as its shop stores them. */
function untagged(text: string, { read, lines }: FileColumn, { ours, kind, preset }: ColumnMapping): string {
  // The presets of menus keep lists of their descriptions.
  const isPreset = kind.name === 'menu' && preset !== undefined
  if (isPreset || ours === 'export' || !WORD_KINDS.has(read) || !hasTags(text)) return text
  return decodePlain(withoutTags(text, lines === true ? ', ' : '\n'))
}

/** Returns what a word of the file stands for by `--map-value`. */
function meant(text: string, column: string, { values }: ColumnMapping): string {
  return (values.size === 0 ? undefined : values.get(`${column}:${text.toLowerCase()}`)) ?? text
}

/** The number that a workbook holds, or one with a decimal point. An amount that a cell shows otherwise is rejected. */
function numberAt(row: DataRow, at: number, read: string, mapping: ColumnMapping): string | undefined {
  const held = read === 'money' ? undefined : row.held?.get(at)
  return (
    held ?? (mapping.decimalCommas ? withPoints(tidy(unwrapCell(row.cells[at] ?? '', mapping))) : undefined)
  )
}

function joinCells({ at, join, units, not, skip = 0 }: CellSource, cellAt: (at: number) => string): string {
  const parts = at.map((index, place) => {
    const text = withUnit(cellAt(index), units?.[place])
    return text !== '' && not?.includes(index) === true ? `not ${text}` : text
  })
  return [...new Set(parts.filter((part) => part !== ''))].slice(skip).join(join)
}

function withUnit(text: string, unit: string | undefined): string {
  return unit !== undefined && unit !== '' && isBare(text) ? `${text} ${unit}` : text
}

/** Adds what the columns beside a value say: its unit, and how many there are of it. Empty where there are none. */
function times(
  { cells }: DataRow,
  text: string,
  { unitAt, timesAt }: CellSource,
  mapping: ColumnMapping,
): string {
  if (unitAt === undefined && timesAt === undefined) return text
  const unit = unitAt === undefined ? '' : tidy(unwrapCell(cells[unitAt] ?? '', mapping))
  const count =
    timesAt === undefined ? '' : tidy(unwrapCell(cells[timesAt] ?? '', mapping)).replace(/\.0+$/, '')
  const whole = withUnit(text, unit)
  if (count === '0') return ''
  return count === '' || count === '1' ? whole : `${count} × ${whole}`
}

/** Returns the value of a cell. An export of ours holds values, and no spelling of them. */
export function unwrapCell(cell: string, { ours }: Pick<ColumnMapping, 'ours'>): string {
  if (cell === '') return cell
  const text = unescapeOwnCell(cell, ours)
  return ours === 'export' ? text : unwrap(text)
}

const UNTIDY = /^\s|\s$|\s\s|[^\S ]/

function tidy(text: string): string {
  return UNTIDY.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text
}

/** Returns the column's header as written; the column's own name without a header. */
export function headerOf<Name extends string>(
  mapping: ColumnMapping<Name>,
  column: Name,
  source?: CellSource,
): string {
  const from = source ?? mapping.sources.get(column)?.from[0]
  return from === undefined ? column : from.at.map((at) => mapping.table.header[at]).join(' + ')
}
