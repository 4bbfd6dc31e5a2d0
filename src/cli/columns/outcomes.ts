/** What became of each row of a file, said in the same words whether the client or the service found the fault. */
import { type ErrorCode, ERRORS } from '../../core/errors.ts'
import { exponentOf, type Money } from '../../core/money.ts'
import { type CellErrorCode, clip } from '../csv/cells.ts'
import type { Row, Table } from '../csv/read.ts'
import type { FileKind } from './columns.ts'
import type { Mapping } from './mapping.ts'
import { findText, headerOf } from './texts.ts'

/** What is wrong with one cell (`contract.md` E3). */
export type CellError = {
  /** Header as written; the column's name when no header makes it. */
  column: string
  pointer: string
  /** At most 40 characters of the cell. */
  value: string
  code: CellErrorCode
  detail: string
  suggestion?: string
}

/** Where a row stands. */
export type Position = {
  /** As a spreadsheet shows it (`Row`); the number of the item in a file of JSON. */
  row: number
  /** Where an item begins in a file of JSON, which has no rows to count. */
  line?: number
}

/** One parcel or item of the file: its first row, and all rows that it is made of. */
export type FileRow = Position & { rows: readonly Row[]; errors: CellError[] }

/** The report on one row (`contract.md` E3). */
export type FileOutcome = Position & {
  result: 'created' | 'duplicate' | 'rejected' | 'not_sent'
  reason?: { code: string; errors: CellError[]; duplicate_of_row?: number }
}

/** Why the service did not take a row. */
export type Refusal = {
  code: string
  /** In the service's words; rows in it are those of the batch. */
  detail?: string
  errors?: { pointer?: string; code: string; detail: string }[]
}

/** A refusal in terms of the file: cells for pointers. `detail` stands for a refusal without errors of its own. */
export function cellErrors<Name extends string>(
  { code, errors = [], ...reason }: Refusal,
  row: FileRow,
  table: Table,
  mapping: Mapping<Name>,
  detail: string | undefined,
): CellError[] {
  const { kind } = mapping
  const { blamed, otherwise } = kind.refusals
  if (errors.length > 0) {
    return errors.map((error) =>
      cellError(columnAt(mapping, error.pointer), error.code, error.detail, row, table, mapping),
    )
  }
  const column = (Object.hasOwn(blamed, code) ? blamed[code] : undefined) ?? otherwise
  return [cellError(column, code, detail ?? reason.detail ?? describe(code, kind), row, table, mapping)]
}

function cellError<Name extends string>(
  column: Name,
  code: string,
  detail: string,
  row: FileRow,
  table: Table,
  mapping: Mapping<Name>,
): CellError {
  const [first] = row.rows
  const found = first === undefined ? undefined : findText(first, column, mapping)
  const value = clip(found?.text ?? mapping.defaults.get(column) ?? '', 40)
  return {
    column: headerOf(table, mapping, column, found?.source),
    pointer: mapping.kind.columnOf(column).pointer,
    value,
    code: code as CellErrorCode,
    detail,
  }
}

/** The column that a pointer into the body came from: its own or that of the nearest part above it, if the file has one. */
function columnAt<Name extends string>({ kind, sources }: Mapping<Name>, pointer = ''): Name {
  let nearest: Name | undefined
  for (let path = pointer; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
    const there = kind.columns.filter((each) => each.pointer === path)
    const mapped = there.find(({ name }) => sources.has(name))
    if (mapped !== undefined) return mapped.name
    nearest ??= there[0]?.name
  }
  return nearest ?? kind.refusals.otherwise
}

/** One sentence for a reason code of a row. */
function describe(code: string, { refusals: { words } }: FileKind): string {
  if (Object.hasOwn(words, code)) return words[code] ?? code
  return Object.hasOwn(ERRORS, code) ? `${ERRORS[code as ErrorCode].title}.` : code
}

/** Why a row is not new, in one line for the results file: the code and the words. */
export function reasonText(outcome: FileOutcome, kind: FileKind): string {
  return outcome.reason === undefined ? '' : `${outcome.reason.code}: ${reasonWords(outcome, kind)}`
}

/** The same for people: the words alone. */
export function reasonWords({ reason }: FileOutcome, kind: FileKind): string {
  if (reason === undefined) return ''
  if (reason.errors.length > 0) return reason.errors.map(faultText).join(' ')
  return reason.duplicate_of_row === undefined
    ? describe(reason.code, kind)
    : `The same ${kind.row} as row ${reason.duplicate_of_row}.`
}

/** Rows for people: `row 3`, `rows 3, 7, …`; lines for a file of JSON. At most ten are named. */
export function placesText(places: readonly Position[]): string {
  const word = places.some(({ line }) => line !== undefined) ? 'line' : 'row'
  const numbers = places.slice(0, 10).map(({ row, line }) => line ?? row)
  return `${word}${places.length === 1 ? '' : 's'} ${numbers.join(', ')}${places.length > 10 ? ', …' : ''}`
}

/** What is wrong with one cell; a sentence that begins with the column's name is not given it twice. */
export function faultText({ column, detail }: Pick<CellError, 'column' | 'detail'>): string {
  return detail.startsWith(`${column} `) ? detail : `${column}: ${detail}`
}

/** Major units as a spreadsheet number: exact, since an amount has at most 11 digits. */
export function majorUnits({ amount, currency }: Money): number {
  return amount / 10 ** exponentOf(currency)
}
