import { isCurrency, formatMajorUnits, type Money } from '../../core/money.ts'
import { isRecord } from '../../core/record.ts'
import { escapeInSheet } from '../../tabular/csv/escape-coercion.ts'
import { SHEET_FORM, writeCsv, type Cell } from '../../tabular/csv/write.ts'
import { pickField } from './fields.ts'
import { sanitizeForTerminal } from './text.ts'

/** A CSV that people open in a spreadsheet, and the columns of its rows that hold amounts in major units. */
export type SpreadsheetCsv = { amounts: ReadonlySet<string> }

/**
 * Returns one line for each row, and one column for each value by its dotted name. Amounts are in major units with all
 * decimals of their currency, `-103.20`. Lists are joined by `; `, lists of objects are JSON. Text is cleaned. Programs get each
 * text as it is. A sheet begins with a byte order mark, and no spreadsheet changes its texts or runs them as formulas.
 */
export function valuesToCsv(
  values: readonly unknown[],
  fields?: readonly string[],
  sheet?: SpreadsheetCsv,
): string {
  const rows = values.map((value) => withMajor(value))
  // what a query made of it: lists of values, without names
  if (rows.length > 0 && rows.every((row) => Array.isArray(row)))
    return lines(
      rows.map((row) => row.map(toCell)),
      [],
      sheet,
    )
  const columns = fields === undefined ? leaves(rows) : fields.flatMap((field) => leavesAt(rows, field))
  if (columns.length === 0) return ''
  const header = columns.map((column) => sanitizeForTerminal(column === '' ? 'value' : column))
  const cells = rows.map((row) =>
    columns.map((column) => toCell(column === '' ? row : pickField(row, column))),
  )
  return lines([header, ...cells], columns, sheet)
}

/** Returns lines that end with LF, as text on stdout does; files for spreadsheets keep CRLF. */
function lines(cells: Cell[][], columns: readonly string[], sheet: SpreadsheetCsv | undefined): string {
  const text =
    sheet === undefined
      ? writeCsv(cells, undefined, undefined, (each) => each)
      : writeCsv(cells, SHEET_FORM, amountColumns(columns, sheet), escapeInSheet)
  return text.replaceAll('\r\n', '\n')
}

function amountColumns(columns: readonly string[], { amounts }: SpreadsheetCsv): ReadonlySet<number> {
  return new Set(
    columns.flatMap((column, at) => (amounts.has(column) || /(?:^|\.)amount$/.test(column) ? at : [])),
  )
}

/** Returns a value with the amounts in it in major units, as text. Lists of objects stay as JSON has them. */
function withMajor(value: unknown): unknown {
  if (isMoney(value)) return { ...value, amount: formatMajorUnits(value) }
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withMajor(member)]))
}

function isMoney(value: unknown): value is Money {
  if (!isRecord(value)) return false
  const { amount, currency } = value
  return Number.isSafeInteger(amount) && typeof currency === 'string' && isCurrency(currency)
}

/**
 * Returns the dotted names of all values that are no objects, in the order of their first appearance; '' is the row
 * itself.
 */
function leaves(rows: readonly unknown[]): string[] {
  const names = new Set<string>()
  const objects = new Set<string>()
  const visit = (value: unknown, name: string): void => {
    if (!isRecord(value)) {
      names.add(name)
      return
    }
    if (name !== '' && Object.keys(value).length > 0) objects.add(name)
    for (const [key, member] of Object.entries(value)) visit(member, name === '' ? key : `${name}.${key}`)
  }
  for (const row of rows) visit(row, '')
  // a field that is null in one row and an object in another has its columns from that other one
  return [...names].filter((name) => !objects.has(name))
}

function leavesAt(rows: readonly unknown[], field: string): string[] {
  const held = rows.map((row) => pickField(row, field)).filter((value) => isRecord(value))
  return held.length === 0 ? [field] : leaves(held).map((name) => `${field}.${name}`)
}

function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'number') return value
  if (typeof value === 'string') return sanitizeForTerminal(value, { multiline: true })
  if (Array.isArray(value) && value.every((item) => !isRecord(item) && !Array.isArray(item))) {
    return value.map((item) => sanitizeForTerminal(String(item ?? ''))).join('; ')
  }
  return typeof value === 'boolean' ? value : sanitizeForTerminal(JSON.stringify(value))
}
