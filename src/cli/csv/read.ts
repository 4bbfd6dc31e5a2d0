import { parse } from 'csv-parse/sync'
import { fileError } from './file-error.ts'

export type Row = {
  /** 1-based number of the data row; blank lines do not count. */
  row: number
  /** Physical line of the file on which the row starts. */
  line: number
  cells: string[]
}

export type Table = {
  /** Header cells as written. */
  header: string[]
  /** Header cells as they are compared: see `headerKey`. */
  keys: string[]
  rows: Row[]
  delimiter: Delimiter
  /** Physical lines that end before the header does: the cells that they lack are empty. */
  short: number[]
}

export type Delimiter = ',' | ';' | '\t' | '|'

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|']
const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
}

const MAX_COLUMNS = 1000
const MAX_CELLS = 4_000_000
/** Bytes of one record. Bounds what an unclosed quote or a giant field can cost. */
const MAX_RECORD = 1_048_576

/** A header as it is compared: lower case, accents removed, each run of other characters one `_`, none at the ends. */
export function headerKey(header: string): string {
  return header
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
}

export function delimiterName(delimiter: Delimiter): string {
  return DELIMITER_NAMES[delimiter]
}

/**
 * The header and the data rows of CSV text (RFC 4180; CR, LF or CRLF, mixed too). The delimiter is found in the header
 * unless given. Spreadsheets leave out the delimiters of blank cells at the end of a line, or write too many: both are
 * taken as meant. Nothing else malformed is repaired. Throws `file_error` naming the line.
 */
export function readTable(text: string, options: { delimiter?: Delimiter; template?: string } = {}): Table {
  const directive = /^"?sep=([,;\t|])"?(?:\r\n|\r|\n)/.exec(text)
  const offset = directive?.[0].length ?? 0
  const firstLine = directive === null ? 1 : 2
  const body = text.slice(offset)
  const delimiter = options.delimiter ?? (directive?.[1] as Delimiter | undefined) ?? findDelimiter(body)
  guardSize(body, delimiter)

  const [head, ...rows] = readRecords(body, delimiter, firstLine)
  if (head === undefined)
    throw fileError('empty_file', 'The file is empty: it needs a header line and at least one row.')
  const header = head.cells
  if (header.length > MAX_COLUMNS) throw tooManyColumns(header.length)
  if (!header.some((cell) => /\p{L}/u.test(cell))) {
    throw fileError('missing_column', `Line ${head.line} is not a header: no cell holds a word.`, {
      hint: `The first line must name the columns${options.template === undefined ? '' : `; \`${options.template}\` writes one`}.`,
    })
  }
  if (rows.length === 0) throw fileError('empty_file', 'The file has a header but no rows.')
  refuseLong(rows, header.length)
  return {
    header,
    keys: header.map(headerKey),
    rows: rows.map(({ line, cells }, index) => ({ row: index + 1, line, cells: fill(cells, header.length) })),
    delimiter,
    short: rows.filter(({ cells }) => cells.length < header.length).map(({ line }) => line),
  }
}

type Rec = { line: number; cells: string[] }

/** Every record that holds anything. Text without a quote is split: csv-parse takes ten times as long for a manifest. */
function readRecords(text: string, delimiter: string, firstLine: number): Rec[] {
  const records = text.includes('"')
    ? parseQuoted(text, delimiter, firstLine)
    : text.split(/\r\n|\r|\n/).map((line, index) => splitLine(line, delimiter, firstLine + index))
  return records.filter(({ cells }) => cells.some(isFilled))
}

function splitLine(text: string, delimiter: string, line: number): Rec {
  if (text.length > MAX_RECORD) throw tooLong(line)
  return { line, cells: text.split(delimiter) }
}

function parseQuoted(text: string, delimiter: string, firstLine: number): Rec[] {
  const bytes = Buffer.from(text)
  const lines = lineCounter(bytes, firstLine)
  const records: Rec[] = []
  let start = 0
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: MAX_RECORD,
      on_record: (cells: string[], info) => {
        records.push({ line: lines(start), cells })
        start = info.bytes
        return null
      },
    })
  } catch (error) {
    throw readable(error, lines)
  }
  return records
}

/** Physical lines up to a byte; asked from front to back. csv-parse counts a CRLF inside quotes twice. */
function lineCounter(bytes: Uint8Array, firstLine: number): (position: number) => number {
  let at = 0
  let line = firstLine
  return (position) => {
    for (; at < position; at++) {
      if (bytes[at] === 10 || (bytes[at] === 13 && bytes[at + 1] !== 10)) line++
    }
    return line
  }
}

function readable(error: unknown, lines: (position: number) => number): unknown {
  const { code, bytes } = error as { code?: string; bytes?: number }
  // `bytes` is where the last complete cell ended: the troubled one starts there.
  const line = typeof bytes === 'number' ? lines(bytes) : undefined
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return fileError('malformed_csv', `A quote that opens on line ${line} is never closed.`, { line })
    case 'CSV_INVALID_CLOSING_QUOTE':
      return fileError(
        'malformed_csv',
        `Text follows a closing quote in a cell that starts on line ${line}.`,
        {
          line,
          hint: 'A quote inside a quoted cell is written twice: "5"" pipe".',
        },
      )
    case 'INVALID_OPENING_QUOTE':
      return fileError('malformed_csv', `A quote stands in the middle of a cell on line ${line}.`, {
        line,
        hint: 'Put the whole cell in quotes and write the inner quote twice: "5"" pipe".',
      })
    case 'CSV_MAX_RECORD_SIZE':
      return tooLong(line)
    case undefined:
    default:
      return error
  }
}

function tooLong(line: number | undefined): Error {
  return fileError(
    'malformed_csv',
    `The row on line ${line} is larger than 1 MiB; perhaps a quote is not closed.`,
    { line },
  )
}

function guardSize(text: string, delimiter: Delimiter): void {
  if (text.length <= MAX_CELLS) return
  let cells = 0
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + 1)) cells++
  if (cells > MAX_CELLS)
    throw fileError('file_too_large', 'The file holds more than 4 million cells.', { limit_cells: MAX_CELLS })
}

function tooManyColumns(found: number): Error {
  return fileError('file_too_large', `The header has ${found} columns; at most ${MAX_COLUMNS} are read.`, {
    limit_columns: MAX_COLUMNS,
  })
}

function refuseLong(rows: readonly Rec[], width: number): void {
  const long = rows.filter(
    ({ cells }) => cells.length > width && (cells.length > MAX_COLUMNS || cells.slice(width).some(isFilled)),
  )
  if (long.length === 0) return
  const shown = long.slice(0, 5).map(({ line, cells }) => `line ${line} has ${cells.length}`)
  const more = long.length > shown.length ? ` and ${long.length - shown.length} more lines have too many` : ''
  throw fileError('malformed_csv', `The header has ${width} cells, but ${shown.join(', ')}${more}.`, {
    lines: long.slice(0, 50).map(({ line }) => line),
    hint: 'A cell that holds the delimiter must stand in quotes.',
  })
}

/** The cells that the header names, no more and no fewer. */
function fill(cells: string[], width: number): string[] {
  if (cells.length === width) return cells
  return Array.from({ length: width }, (_, at) => cells[at] ?? '')
}

function isFilled(cell: string): boolean {
  return cell.trim() !== ''
}

/** The delimiter that stands most often in the first line that holds anything, outside quotes. */
function findDelimiter(text: string): Delimiter {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]))
  let quoted = false
  let empty = true
  for (const char of text) {
    if (char === '"') quoted = !quoted
    else if (!quoted && (char === '\n' || char === '\r')) {
      if (!empty) break
    } else if (!quoted) {
      const count = counts.get(char)
      if (count !== undefined) counts.set(char, count + 1)
    }
    if (!/\s/.test(char)) empty = false
  }
  let best: Delimiter = ','
  for (const delimiter of DELIMITERS) {
    if ((counts.get(delimiter) ?? 0) > (counts.get(best) ?? 0)) best = delimiter
  }
  return best
}
