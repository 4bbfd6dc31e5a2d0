/** Finds the text of a column in a row. */
import { cleanCode } from '../../core/code.ts'
import { unguardOwn } from '../csv/keep.ts'
import { isLikeEmpty } from '../csv/no-value.ts'
import { isBare, NUMERIC, withPoints } from '../csv/numbers.ts'
import type { Row } from '../csv/read.ts'
import { unwrap } from '../csv/unwrap.ts'
import type { Column, Mapping, Source } from './columns.ts'

/** The text of a column in a row, and its source. `shown` is the text for errors, where it is another. */
export type Text = { text: string; source: Source; shown?: string }

/**
 * Returns the first source of a column that is not blank in this row. Collapses white space unless it is significant. A
 * number is the one that a workbook holds, has its unit from the column beside it, and no separators of thousands.
 */
export function findText<Name extends string>(
  row: Row,
  column: Name,
  mapping: Mapping<Name>,
): Text | undefined {
  const entry = mapping.sources.get(column)
  if (entry === undefined) return undefined
  const spec = mapping.kind.columnOf(column)
  const isNumber = NUMERIC.has(spec.read)
  const cellAt = (at: number): string => cellText(row.cells[at] ?? '', spec, mapping)
  const valueAt = (at: number): string => numberAt(row, at, spec.read, mapping) ?? cellAt(at)
  const isHeld = isNumber && (row.held !== undefined || mapping.decimalCommas)
  for (const source of entry.from) {
    const [at = 0] = source.at
    const cell = row.cells[at] ?? ''
    if (!isHeld && mapping.ours === undefined && cell !== '' && isAlone(source) && !ODD.test(cell))
      return { text: meant(cell, column, mapping), source }
    const written = joinCells(source, isNumber ? valueAt : cellAt)
    const text = spec.code === true ? cleanCode(written) : written
    if (text === '') continue
    const own = times(row, text, source, mapping)
    if (own === '') continue
    const shown = isNumber && mapping.decimalCommas ? joinCells(source, cellAt) : own
    return { text: meant(own, column, mapping), source, ...(shown !== own && { shown }) }
  }
  return undefined
}

/** A cell without any of these is its own text, whatever its column is. Nearly every cell is such, and one search tells. */
const ODD = /[^ -~]|^[ ='#(<\\]| $| {2}|&|_x000|err:|n[ua][lnt]|none|undef|\[object|invalid/i

/** Whether a source is one cell, and nothing beside it matters. */
function isAlone({ at, units, not, unitAt, timesAt }: Source): boolean {
  return at.length === 1 && (units ?? not ?? unitAt ?? timesAt) === undefined
}

/** Line breaks within a cell, with a comma that may stand before them. */
const BREAKS = /\s*,?\s*[\r\n]+\s*/g

/** The text of one cell; empty for a program's word for nothing. */
function cellText(cell: string, spec: Column, mapping: Mapping): string {
  const text = plain(cell, mapping)
  if (mapping.exact) return text.trim() === '' ? '' : text
  const own = spec.lines === true ? text.replaceAll(BREAKS, ', ') : text
  const clean = spec.verbatim === true ? own : tidy(own)
  return clean.trim() === '' || isLikeEmpty(clean.trim(), spec) ? '' : clean
}

/** Returns what a word of the file stands for by `--map-value`. */
function meant(text: string, column: string, { values }: Mapping): string {
  return (values.size === 0 ? undefined : values.get(`${column}:${text.toLowerCase()}`)) ?? text
}

/** The number that a workbook holds, or one with a decimal point. An amount that a cell shows otherwise is refused. */
function numberAt(row: Row, at: number, read: string, mapping: Mapping): string | undefined {
  const held = read === 'money' ? undefined : row.held?.get(at)
  return held ?? (mapping.decimalCommas ? withPoints(tidy(plain(row.cells[at] ?? '', mapping))) : undefined)
}

function joinCells({ at, join, units, not, skip = 0 }: Source, cellAt: (at: number) => string): string {
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
function times({ cells }: Row, text: string, { unitAt, timesAt }: Source, mapping: Mapping): string {
  if (unitAt === undefined && timesAt === undefined) return text
  const unit = unitAt === undefined ? '' : tidy(plain(cells[unitAt] ?? '', mapping))
  const count = timesAt === undefined ? '' : tidy(plain(cells[timesAt] ?? '', mapping)).replace(/\.0+$/, '')
  const whole = withUnit(text, unit)
  if (count === '0') return ''
  return count === '' || count === '1' ? whole : `${count} × ${whole}`
}

/** Returns the value of a cell. An export of ours holds values, and no spelling of them. */
export function plain(cell: string, { ours, exact }: Pick<Mapping, 'ours' | 'exact'>): string {
  if (cell === '') return cell
  const text = unguardOwn(cell, ours)
  return exact ? text : unwrap(text)
}

const UNTIDY = /^\s|\s$|\s\s|[^\S ]/

function tidy(text: string): string {
  return UNTIDY.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text
}

/** Returns the column's header as written; the column's own name without a header. */
export function headerOf<Name extends string>(mapping: Mapping<Name>, column: Name, source?: Source): string {
  const from = source ?? mapping.sources.get(column)?.from[0]
  return from === undefined ? column : from.at.map((at) => mapping.table.header[at]).join(' + ')
}
