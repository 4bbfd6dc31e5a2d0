/** The rows of one sheet: each cell as its text. */
import type { DataRow } from '../csv/read.ts'
import { workbookDamagedError, workbookTooLarge } from './faults.ts'
import { type CellFormat, heldText, isInexact, isRounded, formatPlainNumber } from './format.ts'
import { decodeXml, readXml } from './xml.ts'

export type SheetRows = {
  /** Rows that hold anything and are shown, by the numbers of the spreadsheet. */
  rows: DataRow[]
  /** Rows that hold something and are hidden, by a filter or manually. */
  hidden: DataRow[]
  /** The numbers of rows that are shown and struck out. */
  struck: number[]
  /** Cells with numbers that lost digits: `A2`. */
  rounded: string[]
  /** The positions of columns that are hidden. */
  hiddenColumns: ReadonlySet<number>
  /** Merged cells whose value was read in the rows below their first: `K2:K4`. */
  merged: string[]
}

/** The parts of a workbook that the cells of all sheets refer to. */
export type SheetParts = { strings: readonly string[]; formats: readonly CellFormat[] }

/** The size of a sheet of Excel. */
const MAX_ROW = 1_048_576
const MAX_COLUMN = 16_384

const MAX_CELLS = 4_000_000

type Cell = { at: number; type: string; style: number; value: string; inline: string; isFormula: boolean }

/** Reads the XML of a sheet. Throws AppError('file_error'). */
export function readSheet(xml: string, parts: SheetParts): SheetRows {
  const hiddenColumns = new Set<number>()
  const read: SheetRows = { rows: [], hidden: [], struck: [], rounded: [], hiddenColumns, merged: [] }
  const merges: Merge[] = []
  let isHidden = false
  let row: OpenRow = { row: 0, cells: [] }
  let cell: Cell | undefined
  let last = -1
  let cells = 0
  let inside = ''
  let phonetic = false

  const endRow = (): void => {
    cells += row.cells.length
    if (cells > MAX_CELLS) throw workbookTooLarge('holds more than 4 million cells')
    const { isStruck, ...own } = row
    if (own.wrong === undefined && own.cells.every((text) => text.trim() === '')) return
    if (!isHidden && isStruck === true) read.struck.push(own.row)
    const rows = isHidden ? read.hidden : read.rows
    rows.push(own)
  }
  readXml(xml, {
    open(name, attributes) {
      inside = name
      if (name === 'row') {
        const { r, hidden } = attributes()
        isHidden = hidden === '1' || hidden === 'true'
        row = { row: within(MAX_ROW, r === undefined ? row.row + 1 : Number(r)), cells: [] }
        last = -1
      } else if (name === 'c') {
        cell = openCell(attributes(), last + 1)
        last = cell.at
      } else if (name === 'f' && cell !== undefined) cell.isFormula = true
      else if (name === 'rPh') phonetic = true
      else if (name === 'col') addHidden(hiddenColumns, attributes())
      else if (name === 'mergeCell') merges.push(...mergeOf(attributes()['ref'] ?? ''))
    },
    close(name) {
      if (name === 'c' && cell !== undefined) {
        addCell(row, { cell, place: `${columnName(cell.at)}${row.row}` }, parts, read.rounded)
        cell = undefined
      } else if (name === 'row') endRow()
      else if (name === 'rPh') phonetic = false
      inside = ''
    },
    text(text) {
      if (cell !== undefined && !phonetic) addText(cell, inside, text)
    },
  })
  fillMerged(read, merges)
  return read
}

/** A row while it is read; `isStruck`: all that it holds is struck out. */
type OpenRow = DataRow & { isStruck?: boolean }

function mark(
  row: DataRow,
  member: 'wrong' | 'inexact' | 'held',
  at: number,
  text: string | undefined,
): void {
  if (text !== undefined) (row[member] ??= new Map()).set(at, text)
}

/** Adds a cell that has ended to its row, and its place to `rounded` where digits are lost. */
function addCell(
  row: OpenRow,
  { cell, place }: { cell: Cell; place: string },
  { strings, formats }: SheetParts,
  rounded: string[],
): void {
  const { at, type, value } = cell
  const format = formats[cell.style]
  const { text, wrong } = textOf(cell, place, strings, format)
  mark(row, 'wrong', at, wrong)
  if (text === '') return
  setCell(row.cells, at, format?.isQuoted === true && /^[=+\-@]/.test(text) ? `'${text}` : text)
  row.isStruck = format?.isStruck === true && row.isStruck !== false
  if (type !== 'n' && type !== '') return
  if (isRounded(value)) rounded.push(place)
  const day = format?.dayOf(value)
  if (day !== undefined) (row.dates ??= new Map()).set(at, day)
  mark(row, 'held', at, heldText(value, text))
  if (!isInexact(value, text)) return
  const held = formatPlainNumber(value)
  const detail = `Cell ${place} shows ${text} but contains ${held}; format it to show the whole amount.`
  mark(row, 'inexact', at, detail)
}

function addHidden(columns: Set<number>, { min, max, hidden }: Readonly<Record<string, string>>): void {
  if (hidden !== '1' && hidden !== 'true') return
  for (let column = Number(min); column <= Math.min(Number(max), MAX_COLUMN); column++)
    columns.add(column - 1)
}

function addText(cell: Cell, inside: string, text: string): void {
  if (inside === 'v') cell.value += text
  else if (inside === 't') cell.inline += text
}

type Merge = { place: string; at: number; top: number; bottom: number }

/** The cells that are merged over several rows, from a reference such as `K2:K4`. */
function mergeOf(place: string): Merge[] {
  const [, top, bottom] = /^[A-Z]{1,3}(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/.exec(place) ?? []
  if (top === undefined || top === bottom) return []
  return [{ place, at: columnAt(place), top: Number(top), bottom: Number(bottom) }]
}

/**
 * Gives the value of merged cells to each of their rows that holds something: a file keeps it in the first row alone,
 * where it would be a service or an address of one parcel, and the person sees it beside all.
 */
function fillMerged(read: SheetRows, merges: readonly Merge[]): void {
  if (merges.length === 0) return
  const hidden = new Map(read.hidden.map((row) => [row.row, row]))
  const shown = new Map(read.rows.map((row) => [row.row, row]))
  let cells = 0
  for (const { place, at, top, bottom } of merges) {
    const first = shown.get(top) ?? hidden.get(top)
    if (first === undefined || (first.cells[at] ?? '') === '') continue
    cells += bottom - top
    if (cells > MAX_CELLS) throw workbookTooLarge('holds more than 4 million merged cells')
    let isFilled = false
    for (let number = top + 1; number <= bottom; number++) {
      const row = shown.get(number)
      if (row === undefined) continue
      copyCell(first, row, at)
      isFilled = true
    }
    if (isFilled) read.merged.push(place)
  }
}

function setCell(cells: string[], at: number, text: string): void {
  while (cells.length < at) cells.push('')
  cells[at] = text
}

function copyCell(from: DataRow, to: DataRow, at: number): void {
  setCell(to.cells, at, from.cells[at] ?? '')
  for (const member of ['wrong', 'inexact', 'held'] as const) mark(to, member, at, from[member]?.get(at))
  const day = from.dates?.get(at)
  if (day !== undefined) (to.dates ??= new Map()).set(at, day)
}

/** A cell without its content; one that does not say its column is in the `next`. */
function openCell({ r, t = '', s = '0' }: Readonly<Record<string, string>>, next: number): Cell {
  const at = within(MAX_COLUMN, (r === undefined ? next : columnAt(r)) + 1) - 1
  return { at, type: t, style: Number(s), value: '', inline: '', isFormula: false }
}

function within(most: number, number: number): number {
  if (number >= 1 && number <= most) return number
  throw workbookDamagedError()
}

/** The text of a cell, or the reason why it has none, with its place. */
function textOf(
  { type, value, inline, isFormula }: Cell,
  place: string,
  strings: readonly string[],
  format: CellFormat | undefined,
): { text: string; wrong?: string } {
  switch (type) {
    case 's': {
      const text = strings[Number(value)]
      if (text === undefined) throw workbookDamagedError()
      return { text }
    }
    case 'str':
    case 'd':
      return { text: withoutEscapes(value) }
    case 'inlineStr':
      return { text: withoutEscapes(inline) }
    case 'b':
      return { text: value === '1' ? 'TRUE' : 'FALSE' }
    case 'e':
      return { text: value, wrong: `Cell ${place} has the error ${value} instead of a value.` }
    default:
  }
  if (value !== '') return { text: format?.show(value) ?? value }
  return isFormula
    ? {
        text: '',
        wrong: `Cell ${place} has a formula without a value: open the workbook in a spreadsheet and save it.`,
      }
    : { text: '' }
}

/** The shared texts of a workbook. Their readings in Japanese are skipped. */
export function readStrings(xml: string): string[] {
  const strings: string[] = []
  let text = ''
  let inside = ''
  let phonetic = false
  readXml(xml, {
    open(name) {
      inside = name
      if (name === 'si') text = ''
      else if (name === 'rPh') phonetic = true
    },
    close(name) {
      if (name === 'si') strings.push(withoutEscapes(text))
      else if (name === 'rPh') phonetic = false
      inside = ''
    },
    text(part) {
      if (inside === 't' && !phonetic) text += part
    },
  })
  return strings
}

/** Spreadsheets write control characters as `_x000D_`. */
function withoutEscapes(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** The position of a column from a reference such as `C7`; -1 for another text. */
function columnAt(reference: string): number {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(decodeXml(reference).toUpperCase())?.[0] ?? ''
  return letters.split('').reduce((at, letter) => at * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Returns the letters of a column's position: 27 is AB. */
export function columnName(at: number): string {
  const rest = Math.floor(at / 26)
  return `${rest === 0 ? '' : columnName(rest - 1)}${String.fromCharCode(65 + (at % 26))}`
}
