import { parse } from 'csv-parse/sync'
import { type Delimiter, findDelimiter, type Judge } from './delimiter.ts'
import { fileError } from './file-error.ts'
import {
  countColumns,
  type ExpectedHeader,
  findHeader,
  groupHeader,
  isFilled,
  hasEveryColumn,
  makeFooterTest,
  MAX_COLUMNS,
} from './header.ts'
import { headerKey } from './keys.ts'

export type DataRow = {
  /**
   * Its number as a spreadsheet shows it: blank rows and those above the header count, and a cell of several lines makes
   * one row.
   */
  row: number
  cells: string[]
  /** The reasons why cells of a workbook have no value, by their position. */
  wrong?: Map<number, string>
  /** The numbers that cells of a workbook hold, by their position: a cell may show fewer decimals. */
  held?: Map<number, string>
  /** The reasons why cells of a workbook show another amount than they hold, by their position. */
  inexact?: Map<number, string>
  /** The days that cells of a workbook hold, by their position: a cell may show them in any form. */
  dates?: Map<number, string>
}

export type DataTable = {
  /** Header cells as written. */
  header: string[]
  /** Header cells as they are compared: see `headerKey`. */
  keys: string[]
  /** The number of the header's row. */
  headerRow: number
  /** Rows above the header that hold anything: titles, which are not read. */
  titles: DataRow[]
  rows: DataRow[]
  /** Numbers of the rows below that are the header once more, as in files that were put together. They are no rows. */
  repeats: number[]
  /** Rows that a workbook hides, which are not read. */
  hidden: DataRow[]
  /** Totals and closing lines below, which are not read. */
  footers: DataRow[]
  delimiter: Delimiter
  /** Numbers of the rows that end before the header does: the cells that they lack are empty. */
  short: number[]
}

const MAX_CELLS = 4_000_000
/** Bytes of one record. Bounds what an unclosed quote or a giant field can cost. */
const MAX_RECORD = 1_048_576

/**
 * The header and the data rows of CSV text (RFC 4180; CR, LF or CRLF, mixed too). The delimiter is found by the header
 * unless given. The header is the first row that holds anything, or where `expected` says what is looked for, the row
 * that names those columns. Spreadsheets skip the delimiters of blank cells at the end of a row, or write too many
 * in all rows: both are taken as meant. Nothing else malformed is repaired. Throws `file_error` naming the row.
 */
export function readTable(
  text: string,
  { delimiter: given, expected }: { delimiter?: Delimiter; expected?: ExpectedHeader } = {},
): DataTable {
  // Spreadsheets take this line as theirs and show the one below it as row 1.
  const directive = /^"?sep=([,;\t|])"?(?:\r\n|\r|\n)/.exec(text)
  const body = text.slice(directive?.[0].length ?? 0)
  const judge: Judge = {
    count: (cells) => (expected === undefined ? 0 : countColumns(cells, expected)),
    isWhole: (cells) => expected !== undefined && hasEveryColumn(cells, expected),
  }
  const delimiter = given ?? (directive?.[1] as Delimiter | undefined) ?? findDelimiter(body, judge)
  assertSize(body, delimiter)
  return toTable(readRecords(body, delimiter), delimiter, expected)
}

/**
 * The header and the data rows of a sheet. Its rows end with their last filled cell. Throws as `readTable` does, also for
 * a cell at the right of the header.
 */
export function readSheetTable(
  rows: readonly DataRow[],
  expected?: ExpectedHeader,
  hidden: readonly DataRow[] = [],
): DataTable {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  if (width > MAX_COLUMNS) throw tooManyColumns(width)
  const filled = rows.map((row) => ({ ...row, cells: fill(row.cells, width) }))
  const table = toTable(filled, ',', expected)
  const below = hidden.filter(({ row }) => row > table.headerRow)
  return { ...table, hidden: below.map((row) => ({ ...row, cells: fill(row.cells, width) })) }
}

function toTable(
  all: readonly DataRow[],
  delimiter: Delimiter,
  expected: ExpectedHeader | undefined,
): DataTable {
  const at = all.length === 0 || expected === undefined ? 0 : findHeader(all, expected)
  const head = all[at]
  if (head === undefined)
    throw fileError('empty_file', 'The file is empty: it needs a header and at least one row below it.')
  if (head.cells.length > MAX_COLUMNS) throw tooManyColumns(head.cells.length)
  const grouped = expected === undefined ? undefined : groupHeader(head, all[at - 1], expected)
  const header = grouped ?? head.cells
  if (!header.some((cell) => /\p{L}/u.test(cell))) {
    throw fileError('missing_column', `Row ${head.row} is not a header: no cell has a word.`, {
      row: head.row,
      hint: `The first row must name the columns${expected === undefined ? '' : `; \`${expected.template}\` writes one`}.`,
    })
  }
  const isRepeat = makeRepeatTest(head.cells)
  const isFooter = expected === undefined ? () => false : makeFooterTest(header, expected)
  const below = all.slice(at + 1)
  const rows = below.filter((row) => !isRepeat(row) && !isFooter(row))
  if (rows.length === 0) throw fileError('empty_file', 'The file has a header but no rows.')
  refuseLong(rows, header)
  return {
    header,
    keys: header.map(headerKey),
    headerRow: head.row,
    titles: all.slice(0, grouped === undefined ? at : at - 1),
    rows: rows.map((row) => ({ ...row, cells: fill(row.cells, header.length) })),
    repeats: rows.length === below.length ? [] : below.filter(isRepeat).map(({ row }) => row),
    hidden: [],
    footers: rows.length === below.length ? [] : below.filter(isFooter),
    delimiter,
    short: rows.filter(({ cells }) => cells.length < header.length).map(({ row }) => row),
  }
}

/** Returns a test of whether a row has the cells of the header: the second of two files may begin with a byte order mark. */
function makeRepeatTest(header: readonly string[]): (row: DataRow) => boolean {
  const names = header.map((name) => name.trim())
  return ({ cells }) => names.every((name, at) => (cells[at] ?? '').replace(/^\uFEFF/, '').trim() === name)
}

/**
 * A cell of a formula whose value is a text, as shops write it to keep leading zeros: `="000123"`. Without quotes around it,
 * RFC 4180 has no such cell.
 */
const BARE_FORMULA = /(?<=^|[,;\t|\r\n])="([^"\r\n]*)"(?=[,;\t|\r\n]|$)/g

/** Every row that holds anything. Text without a quote is split: csv-parse takes ten times as long for a manifest. */
function readRecords(text: string, delimiter: string): DataRow[] {
  const rows =
    text.includes('"') && !isPlainTabs(text, delimiter)
      ? parseQuoted(text.replaceAll(BARE_FORMULA, '"=""$1"""'), delimiter)
      : text.split(LINE_END).map((line, index) => splitLine(line, delimiter, index + 1))
  return rows.filter(({ cells }) => cells.some(isFilled))
}

const LINE_END = /\r\n|\r|\n/

/**
 * Returns whether a quote is a character like any other, as in tab-separated exports (`Clay mug 12" tall`): each line has the cells
 * of the first one, and no cell is in quotes.
 */
function isPlainTabs(text: string, delimiter: string): boolean {
  if (delimiter !== '\t') return false
  const [header = '', ...lines] = text.split(LINE_END)
  const width = header.split('\t').length
  return (
    lines.every((line) => line === '' || line.split('\t').length === width) &&
    !/(?:^|[\t\r\n])"[^\t\r\n]*"(?=[\t\r\n]|$)/.test(text)
  )
}

function splitLine(text: string, delimiter: string, row: number): DataRow {
  if (text.length > MAX_RECORD) throw tooLong(row)
  return { row, cells: text.split(delimiter) }
}

function parseQuoted(text: string, delimiter: string): DataRow[] {
  const rows: DataRow[] = []
  try {
    parse(Buffer.from(text), {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: MAX_RECORD,
      on_record: (cells: string[]) => {
        rows.push({ row: rows.length + 1, cells })
        return null
      },
    })
  } catch (error) {
    throw readable(error, rows.length + 1)
  }
  return rows
}

const TWICE = 'A quote inside a quoted cell is written twice: "5"" pipe".'

/** The faults of quotes by the codes of the parser: what is wrong in a place, and what to do. */
const FAULTS: Readonly<Record<string, readonly [text: string, hint: string]>> = {
  CSV_QUOTE_NOT_CLOSED: [
    'A quote that opens in {} is never closed.',
    `Close it behind the cell, or remove it. ${TWICE}`,
  ],
  CSV_INVALID_CLOSING_QUOTE: ['Text follows the closing quote of a cell in {}.', TWICE],
  INVALID_OPENING_QUOTE: [
    'A quote stands in the middle of a cell in {}.',
    'Put the whole cell in quotes and write the inner quote twice: "5"" pipe".',
  ],
}

/** The error in words. `row` is the one behind the last that could be read. */
function readable(error: unknown, row: number): unknown {
  const { code = '', column, field } = error as { code?: string; column?: unknown; field?: string }
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLong(row)
  const fault = FAULTS[code]
  if (fault === undefined) return error
  const place = `row ${row}${typeof column === 'number' ? `, column ${column + 1}` : ''}`
  const hint = field?.startsWith('=') === true ? 'It is a formula: save the file with the values.' : fault[1]
  return fileError('malformed_csv', fault[0].replace('{}', place), { row, hint })
}

function tooLong(row: number): Error {
  return fileError('malformed_csv', `Row ${row} is larger than 1 MiB; perhaps a quote is not closed.`, {
    row,
  })
}

function assertSize(text: string, delimiter: Delimiter): void {
  if (text.length <= MAX_CELLS) return
  let cells = 0
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + 1)) cells++
  if (cells > MAX_CELLS)
    throw fileError('file_too_large', 'The file has more than 4 million cells.', { limit_cells: MAX_CELLS })
}

function tooManyColumns(found: number): Error {
  return fileError('file_too_large', `The header has ${found} columns; at most ${MAX_COLUMNS} are read.`, {
    limit_columns: MAX_COLUMNS,
  })
}

/**
 * Rejects rows with more cells than the header names: an amount such as 6,50 without quotes would be two cells. Blank
 * ones are a habit of spreadsheets where all rows have them.
 */
function refuseLong(rows: readonly DataRow[], header: readonly string[]): void {
  const width = header.findLastIndex(isFilled) + 1
  const wider = rows.filter(({ cells }) => cells.length > header.length)
  const isHabit = wider.length === rows.length && !isSplit(rows, header)
  const long = rows.filter(
    ({ cells }) =>
      cells.length > MAX_COLUMNS ||
      cells.slice(width).some(isFilled) ||
      (!isHabit && cells.length > header.length),
  )
  if (long.length === 0) return
  const countOf = ({ cells }: DataRow): number =>
    cells.length > header.length ? cells.length : cells.findLastIndex(isFilled) + 1
  const shown = long.slice(0, 5).map((row) => `row ${row.row} has ${countOf(row)}`)
  const more = long.length > shown.length ? ` and ${long.length - shown.length} more rows have too many` : ''
  throw fileError('malformed_csv', `The header has ${width} cells, but ${shown.join(', ')}${more}.`, {
    rows: long.slice(0, 50).map(({ row }) => row),
    hint: 'Put a cell that contains the delimiter in quotes, such as "6,50"; each column with values needs a header.',
  })
}

/** The header of an amount, in the five languages. */
const PRICE = /price|amount|preis|betrag|prix|montant|precio|importe|prezzo|importo/i

/** Returns whether all rows have a whole price and then two digits: `6,50` without quotes is two cells. */
function isSplit(rows: readonly DataRow[], header: readonly string[]): boolean {
  const has = (row: DataRow, at: number, digits: RegExp): boolean => digits.test(row.cells[at]?.trim() ?? '')
  return header.some(
    (name, at) =>
      PRICE.test(name) && rows.every((row) => has(row, at, /^\D?\d{1,4}$/) && has(row, at + 1, /^\d{2}$/)),
  )
}

/** The cells that the header names, no more and no fewer. */
function fill(cells: string[], width: number): string[] {
  if (cells.length === width) return cells
  return Array.from({ length: width }, (_, at) => cells[at] ?? '')
}
