/** Reads the rows of a CSV file for the steps that a scenario repeats. */
import { AppError } from '../../core/errors.ts'
import { readTable } from '../../tabular/csv/read.ts'

/** A row: its number as a spreadsheet shows it, and its values by column. */
export type TableRow = { row: number; values: Readonly<Record<string, unknown>> }

/** The columns of a table, and its rows. A row lacks the columns in which it has no value. */
export type RowTable = { columns: readonly string[]; rows: readonly TableRow[] }

const TEXT = /:text$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** As `rowsOf`; the errors begin with the name of the file. */
export function readRowTable(bytes: Uint8Array, file: string): RowTable {
  try {
    return rowsOf(bytes)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw rowTableError(`${file}: ${error.message.replace(/\.$/, '')}`)
  }
}

/**
 * Returns the rows of CSV in UTF-8. A column whose filled cells all are numbers, or all are true or false, holds these; each
 * other one, and one with the header `name:text`, holds texts. Throws AppError('file_error'), naming the row.
 */
function rowsOf(bytes: Uint8Array): RowTable {
  const { header, rows, repeats, short } = readTable(decode(bytes))
  const columns = header.map((name) => name.trim().replace(TEXT, ''))
  assertColumns(columns)
  const [incomplete] = [...short, ...repeats].toSorted((one, other) => one - other)
  if (incomplete !== undefined)
    throw rowTableError(`row ${incomplete} has fewer cells than the header, or repeats it`)
  for (const { row, cells } of rows)
    if (cells.some((cell) => cell.startsWith('=')))
      throw rowTableError(`row ${row} has a formula; write its value in its place`)
  const readers = header.map((name, at) =>
    TEXT.test(name.trim()) ? literal : readerOf(rows.map(({ cells }) => cells[at] ?? '')),
  )
  return {
    columns,
    rows: rows.map(({ row, cells }) => ({
      row,
      values: Object.fromEntries(
        columns.flatMap((name, at) => {
          const cell = cells[at] ?? ''
          return cell === '' ? [] : [[name, (readers[at] ?? literal)(cell)]]
        }),
      ),
    })),
  }
}

/** Returns a text of a file as the text of a scenario that means the same, without references. */
export function literal(text: string): string {
  return text.replaceAll('${', () => '$${')
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw rowTableError('it is not in UTF-8; save it as "CSV UTF-8"')
  }
}

function assertColumns(columns: readonly string[]): void {
  const odd = columns.find((name) => !/^[A-Za-z_][\w-]*$/.test(name) || name === '__proto__')
  if (odd !== undefined)
    throw rowTableError(
      `${JSON.stringify(odd.slice(0, 40))} is no name of a column; use letters, digits and _, a letter first`,
    )
  const twice = columns.find((name, at) => columns.indexOf(name) !== at)
  if (twice !== undefined) throw rowTableError(`two columns are called ${twice}`)
}

function readerOf(cells: readonly string[]): (cell: string) => unknown {
  const filled = cells.filter((cell) => cell !== '')
  // Longer numbers are codes, and would lose digits.
  if (filled.every((cell) => NUMBER.test(cell) && String(Number(cell)) === cell)) return Number
  return filled.every((cell) => cell === 'true' || cell === 'false') ? (cell) => cell === 'true' : literal
}

function rowTableError(what: string): AppError {
  return new AppError('file_error', `${what}.`)
}
