/** Finds the header row of a file: titles may stand above it, and it may be missing. */
import type { AppError } from '../../core/errors.ts'
import { joinFirst } from '../wording.ts'
import { SEARCHED_ROWS } from './delimiter.ts'
import { fileError } from './file-error.ts'

/** More columns than this are no table that a person filled in. */
export const MAX_COLUMNS = 1000

type Row = { row: number; cells: readonly string[] }

/** The expected rows of a file. They tell its header from its rows. */
export type ExpectedHeader = {
  /** The noun for one row: `parcel`. */
  row: string
  /** The command that writes an empty file. */
  template: string
  /** Columns that every file has. */
  required: readonly string[]
  /** The column that each cell names, were they a header. */
  columnsOf(cells: readonly string[]): readonly (string | undefined)[]
  /** Returns a header below a cell that says whose it is; undefined where that cell says no such thing. */
  grouped?(group: string, header: string): string | undefined
}

/** Two names of columns in one row are no accident. */
const MIN_NAMED_COLUMNS = 2

/**
 * The place of the header among the rows that hold anything: the one of the first rows that names the most columns.
 * Where none names any, the first row as wide as the rest, unless it reads like data. Throws `file_error` naming the row
 * when there is no header, or when a row above it would be lost.
 */
export function findHeader(rows: readonly Row[], expected: ExpectedHeader): number {
  const first = rows.slice(0, SEARCHED_ROWS)
  if (hasEveryColumn(first[0]?.cells ?? [], expected)) return 0
  const filled = first.map(({ cells }) => cells.filter(isFilled).length)
  const wide = Math.max(...filled) / 2
  // Few words among many empty cells are a title, or a row that only adds to the one above it.
  const scores = first.map(({ cells }, at) => ((filled[at] ?? 0) < wide ? 0 : countColumns(cells, expected)))
  const best = Math.max(...scores)
  if (best >= MIN_NAMED_COLUMNS) {
    const at = scores.indexOf(best)
    refuseLostRows(first, at, expected)
    return at
  }
  const at = filled.findIndex((count) => count >= wide)
  const header = first[at]
  if (header?.cells.some(isValue)) throw noHeader(header, expected)
  return at
}

/**
 * Returns the header with the words of the row above it, which says whose its columns are: `Sender` over `Name` and
 * `Town`, `Recipient` over others. Undefined where that row is a title, or every column is the recipient's or nobody's.
 */
export function groupHeader(
  head: Row,
  above: Row | undefined,
  expected: ExpectedHeader,
): string[] | undefined {
  const { grouped } = expected
  const groups = above?.row === head.row - 1 ? above.cells : []
  const isGroup = (cell: string): boolean => grouped?.(cell, 'x') !== undefined
  if (groups.filter(isFilled).length < MIN_NAMED_COLUMNS || !groups.some(isGroup)) return undefined
  let group = ''
  const whole = head.cells.map((cell, at) => {
    const over = groups[at] ?? ''
    if (isFilled(over)) group = over.trim()
    return isFilled(cell) ? (grouped?.(group, cell.trim()) ?? cell) : cell
  })
  const count = (cells: readonly string[]): number =>
    expected.columnsOf(cells).filter((column) => column !== undefined).length
  return count(whole) < count(head.cells) ? whole : undefined
}

/** The number of columns that the cells would name as a header. */
export function countColumns(cells: readonly string[], { columnsOf }: ExpectedHeader): number {
  if (cells.length > MAX_COLUMNS) return 0
  return new Set(columnsOf(cells).filter((column) => column !== undefined)).size
}

/** Returns whether the cells name every column that must be there: no other row is a better header. */
export function hasEveryColumn(cells: readonly string[], { columnsOf, required }: ExpectedHeader): boolean {
  if (cells.length > MAX_COLUMNS) return false
  const named = new Set(columnsOf(cells))
  return required.every((column) => named.has(column))
}

/** A row above the header that fills what every row must fill is data. */
function refuseLostRows(rows: readonly Row[], header: number, expected: ExpectedHeader): void {
  const columns = expected.columnsOf(rows[header]?.cells ?? [])
  const needed = columns.flatMap((column, at) =>
    column !== undefined && expected.required.includes(column) ? [at] : [],
  )
  const lost = rows
    .slice(0, header)
    .find(
      ({ cells }) =>
        needed.length >= MIN_NAMED_COLUMNS &&
        cells.some(isValue) &&
        needed.every((at) => isFilled(cells[at] ?? '')),
    )
  if (lost === undefined) return
  throw fileError(
    'missing_column',
    `Row ${lost.row} looks like ${withArticle(expected.row)}, but it is above the header in row ${rows[header]?.row}.`,
    { row: lost.row, hint: 'Move it below the header, or delete it.' },
  )
}

/** Words of totals and of the lines that programs write below a list. */
const FOOTER =
  /^(?:(?:grand|sub)[\s-]?)?tota(?:l|ls|le|li|les|ux)\b|^(?:sum|summe|suma|somme|somma|gesamt|insgesamt|zwischensumme|sous-total|subtotale?)\b|\brecords?(?:\(s\))?\s+(?:downloaded|exported|found|selected)|^(?:number|count) of\s|^\d+ (?:parcel|order|row|item|record)s?$|^end of (?:file|list|report|data)|^seller id\b|^page \d+(?:\s*(?:of|\/)\s*\d+)?$|^(?:generated|exported|printed|downloaded|created) (?:on|by|at|from)\b|^(?:erstellt|gedruckt|exportiert) (?:am|von)\b|^(?:édité|imprimé|généré|exporté) (?:le|par)\b|^(?:impreso|generado|exportado) (?:el|por)\b|^(?:stampato|generato|esportato) (?:il|da)\b|^[-=_*]{3,}$/i

/**
 * Returns a function that tells the totals and closing lines of a file: they fill fewer than half of the columns that every
 * row must fill, and say what they are.
 */
export function makeFooterTest(
  header: readonly string[],
  expected: ExpectedHeader,
): (row: Pick<Row, 'cells'>) => boolean {
  const needed = expected
    .columnsOf(header)
    .flatMap((column, at) => (column !== undefined && expected.required.includes(column) ? [at] : []))
  return ({ cells }) =>
    needed.length >= MIN_NAMED_COLUMNS &&
    needed.filter((at) => isFilled(cells[at] ?? '')).length * 2 < needed.length &&
    cells.some((cell) => FOOTER.test(cell.trim()))
}

function noHeader({ row, cells }: Row, { row: thing, template, required }: ExpectedHeader): AppError {
  const shown = joinFirst(cells.filter(isFilled), 3)
  return fileError(
    'missing_column',
    `The file has no header: row ${row} looks like ${withArticle(thing)} (${shown}) and would be lost as one.`,
    {
      row,
      hint: `Insert a row above it that names the columns, with at least ${required.join(', ')}. \`${template}\` writes one.`,
    },
  )
}

/** `a parcel`, `an item`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}

export function isFilled(cell: string): boolean {
  return cell.trim() !== ''
}

/** Numbers with their signs and units, dates, times, telephone numbers. */
const NUMBER = /^[£€$¥+(-]*\s?\d[\d\s.,:/()'’+x×*-]*(?:%|["€£$¥]|\s?[a-z]{1,3}\.?)?$/i
const EMAIL = /^\S+@\S+\.\S+$/

/** A cell that is data: no header reads so. */
function isValue(cell: string): boolean {
  const text = cell.trim()
  return text.length <= 100 && (NUMBER.test(text) || EMAIL.test(text))
}
