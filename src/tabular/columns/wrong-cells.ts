/** Cells without a sound value: errors such as #N/A, words for nothing, formulas never computed, amounts shown rounded. */
import { truncate } from '../csv/cells.ts'
import {
  describeError,
  describeFormula,
  describeNoValue,
  isContact,
  isLikeEmpty,
  isNoPersonValue,
  isTruth,
} from '../csv/no-value.ts'
import type { DataRow } from '../csv/read.ts'
import { findCellText, headerOf, isOneOf, unwrapCell, WORD_KINDS } from './cell-text.ts'
import type { ColumnMapping, CellSource } from './columns.ts'
import { type CellError, type FileRow, type ImportNote, formatRowPlaces } from './outcomes.ts'

/** Returns the rows, without their drafts where a cell that they are made of has no sound value. The cell's own error replaces others. */
export function refuseWrongCells<Row extends FileRow>(rows: readonly Row[], mapping: ColumnMapping): Row[] {
  const places = [...mapping.sources].flatMap(([name, { from }]) => from.map((source) => ({ name, source })))
  const deep = places.filter(
    ({ name, source }) => source.at.length > 1 || mapping.kind.columnOf(name).read === 'money',
  )
  const beforeWords = moneyBeforeWords(mapping)
  return rows.map((row) => {
    if (row.skipReasons !== undefined) return row
    const looked = row.rows.every(hasNoSuspect) ? deep : places
    const errors = looked.flatMap(({ name, source }) =>
      row.rows.flatMap((line) =>
        findWrong(line, { name, source }, mapping, beforeWords).map(({ value, detail }): CellError => ({
          column: headerOf(mapping, name, source),
          pointer: mapping.kind.columnOf(name).pointer,
          value: truncate(value, 40),
          code: 'invalid_format',
          // One of several rows of a parcel or an item is named.
          detail: line.row === row.row ? detail : `${detail} (row ${line.row})`,
        })),
      ),
    )
    if (errors.length === 0) return row
    const columns = new Set(errors.map(({ column }) => column))
    const others = row.errors.filter(({ column }) => !columns.has(column))
    return { ...row, draft: undefined, errors: [...errors, ...others] }
  })
}

/** Returns whether only what is read of several cells or as money can be wrong in a row. */
function hasNoSuspect({ cells, wrong }: DataRow): boolean {
  return wrong === undefined && !cells.some(isSuspect)
}

/** The signs and words of cells without a value, and what may stand around them. Nearly no cell has any, and one search tells. */
const SUSPECT = /[#(<\\=&'"[]|^\s*[+\-@]|n[ua][lnt]|none|undef|err:|invalid/i

function isSuspect(cell: string): boolean {
  const text = cell.trim()
  return SUSPECT.test(cell) || isTruth(text) || (cell !== '' && isNoPersonValue(text))
}

type WrongCell = { value: string; detail: string }

/**
 * Returns the places before a column of words, in a file of commas. An amount such as `6,50` that is there without
 * quotes is 6, and 50 where other rows have words.
 */
function moneyBeforeWords({ kind, table, sources }: ColumnMapping): ReadonlySet<number> {
  const places = [...sources].flatMap(([name, { from }]) => {
    const { read, code } = kind.columnOf(name)
    return WORD_KINDS.has(read) && code !== true ? from.flatMap(({ at }) => at) : []
  })
  const hasWords = (at: number): boolean => table.rows.some(({ cells }) => !/^\d*$/.test(cells[at] ?? ''))
  return new Set(table.delimiter === ',' ? places.filter(hasWords).map((at) => at - 1) : [])
}

/** Returns what is wrong with an amount that a comma cut in two. */
function describeCut({ cells }: DataRow, at: number, { table }: ColumnMapping): string | undefined {
  const [amount, rest] = [cells[at] ?? '', cells[at + 1] ?? '']
  if (!/^\D{0,4}\d+$/.test(amount) || !/^\d\d$/.test(rest)) return undefined
  return `${JSON.stringify(`${amount},${rest}`)} without quotes may be one amount; write ${amount}.${rest}, or correct ${JSON.stringify(table.header[at + 1])}.`
}

/** The wrong cells of one source in one row; a value of several cells is looked at as a whole, too. */
function findWrong(
  row: DataRow,
  { name, source }: { name: string; source: CellSource },
  mapping: ColumnMapping,
  beforeWords: ReadonlySet<number>,
): WrongCell[] {
  const column = mapping.kind.columnOf(name)
  const { cells, wrong, inexact } = row
  const isPart = isOneOf(source, name, mapping)
  const describe = (at: number): string | undefined => {
    const value = cells[at] ?? ''
    const own = wrong?.get(at) ?? (isContact(column) ? undefined : describeFormula(value))
    if (own !== undefined || !source.at.includes(at)) return own
    const isMoney = column.read === 'money'
    const amount = isMoney && beforeWords.has(at) ? describeCut(row, at, mapping) : undefined
    const other = (isMoney ? inexact?.get(at) : undefined) ?? amount
    if (other !== undefined || !isSuspect(value)) return other
    // An item of a menu that this program exported may be called None.
    if (mapping.ours === 'export') return describeError(value.trim())
    return describeNoValue(unwrapCell(value, mapping).trim(), column, isPart)
  }
  const { at: places, unitAt, timesAt } = source
  const found = [...places, ...[unitAt, timesAt].flatMap((at) => at ?? [])].flatMap((at): WrongCell[] => {
    const detail = describe(at)
    return detail === undefined ? [] : [{ value: cells[at] ?? '', detail }]
  })
  if (found.length > 0 || source.at.length === 1 || mapping.ours === 'export') return found
  const joined = findCellText(row, name, mapping)
  const detail = joined?.source === source ? describeNoValue(joined.text, column) : undefined
  return joined === undefined || detail === undefined ? [] : [{ value: joined.text, detail }]
}

/** Says which cells are read as if they were empty, because a program wrote a word for nothing there. */
export function describeLikeEmpty(mapping: ColumnMapping): ImportNote[] {
  const { table, sources, kind, ours } = mapping
  const rows = ours === 'export' ? [] : table.rows.filter((row) => !hasNoSuspect(row))
  return [...sources].flatMap(([name, { from }]) =>
    from.flatMap(({ at: places }) =>
      places.flatMap((at): ImportNote[] => {
        const column = kind.columnOf(name)
        const found = rows.filter(({ cells }) =>
          isLikeEmpty(unwrapCell(cells[at] ?? '', mapping).trim(), column),
        )
        const [first] = found
        if (first === undefined) return []
        const text = `${table.header[at]} holds ${JSON.stringify(first.cells[at])} in ${formatRowPlaces(found)}; it is read as empty.`
        return [{ kind: 'warning', text }]
      }),
    ),
  )
}
