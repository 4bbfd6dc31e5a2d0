/**
 * The outcome of each row of a file, in the same words whether the client or the service found an error
 * (docs/rules/files.md#every-row-has-an-outcome).
 */
import { type ErrorCode, ERRORS } from '../../core/errors.ts'
import { type CellErrorCode, truncate } from '../csv/cells.ts'
import type { DataRow } from '../csv/read.ts'
import { pluralize, joinFirst } from '../wording.ts'
import { findCellText, headerOf } from './cell-text.ts'
import type { FileKind, ColumnMapping } from './columns.ts'

/** An error in one cell. */
export type CellError = {
  /** The header as written; the column's name when there is no header. */
  column: string
  pointer: string
  /** The cell's text, at most 40 characters. */
  value: string
  code: CellErrorCode
  detail: string
  suggestion?: string
}

/** The position of a row. */
export type Position = {
  /** The row number of a spreadsheet; the number of the item in a JSON file. */
  row: number
  /** The line at which an item begins in a JSON file, which has no rows. */
  line?: number
}

/** One parcel or item of the file, with all its rows. */
export type FileRow<Draft = unknown> = Position & {
  rows: readonly DataRow[]
  /** Its part of the body that is sent; undefined when anything is wrong with it. */
  draft: Draft | undefined
  errors: CellError[]
  /** The earlier row that it contradicts. */
  duplicate_of_row?: number
  /** The reason why it is an order that should not be sent, in the words of `--include`; such a row has no draft and no errors. */
  skipReasons?: readonly string[]
}

/** A sentence about how a file was read. A warning may mean that something should not be sent. */
export type ImportNote = {
  kind: 'info' | 'warning'
  text: string
  /** The same for a user who types commands, with the flag that helps. */
  typed?: string
}

/** Says that several rows make one parcel or item, and `why`. */
export function describeMerges(made: readonly FileRow[], thing: string, why: string): ImportNote[] {
  const rows = made.flatMap((each) => each.rows).length
  const text = `${rows} rows are ${pluralize(made.length, `{1 ${thing}|# ${thing}s}`)}: ${why}.`
  return rows === made.length ? [] : [{ kind: 'info', text }]
}

/** The report on one row. */
export type RowOutcome = Position & {
  result: 'created' | 'updated' | 'duplicate' | 'rejected' | 'skipped' | 'not_sent'
  reference?: string
  reason?: { code: string; errors: CellError[]; duplicate_of_row?: number }
}

/** The service's reason for rejecting a row. */
export type RowRejection = {
  code: string
  /** The service's own text; row numbers in it are those of the batch. */
  detail?: string
  errors?: { pointer?: string; code: string; detail: string }[]
}

/** Converts a refusal to errors of cells instead of pointers. `twin` is the earlier row that it repeats. */
export function cellErrors(
  { code, errors = [], ...reason }: RowRejection,
  row: Pick<FileRow, 'rows'>,
  mapping: ColumnMapping,
  twin?: Position,
): CellError[] {
  const { kind } = mapping
  const { blamed, otherwise, clash } = kind.refusals
  const [first] = row.rows
  if (errors.length > 0) {
    return errors.map(({ pointer, code: each, detail }) =>
      cellError(mapping, columnAt(mapping, pointer, first), first, { code: each as CellErrorCode, detail }),
    )
  }
  const column = (Object.hasOwn(blamed, code) ? blamed[code] : undefined) ?? otherwise
  const detail = (twin && clash?.(twin.row)) ?? reason.detail ?? describe(code, kind)
  return [cellError(mapping, column, first, { code: code as CellErrorCode, detail })]
}

/** Returns the error of a column in a row; its value is that of the cell, or the default. */
export function cellError<Name extends string>(
  mapping: ColumnMapping<Name>,
  column: Name,
  row: DataRow | undefined,
  fault: Omit<CellError, 'column' | 'pointer' | 'value'>,
): CellError {
  const found = row && findCellText(row, column, mapping)
  return {
    column: headerOf(mapping, column, found?.source),
    pointer: mapping.kind.columnOf(column).pointer,
    value: truncate(found?.text ?? mapping.defaults.get(column) ?? '', 40),
    ...fault,
  }
}

/**
 * Returns the column of a pointer into the body: its own, or that of the nearest ancestor that the file has. One that is filled
 * goes before: in `$40` beside an empty currency the amount is wrong.
 */
function columnAt(mapping: ColumnMapping, pointer = '', row?: DataRow): string {
  const { kind, sources } = mapping
  const isFilled = (name: string): boolean =>
    row !== undefined && findCellText(row, name, mapping) !== undefined
  let nearest: string | undefined
  let empty: string | undefined
  for (let path = pointer; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
    const there = kind.columns.filter((each) => each.pointer === path)
    const mapped = there.find(({ name }) => sources.has(name))
    if (mapped !== undefined && isFilled(mapped.name)) return mapped.name
    empty ??= mapped?.name
    nearest ??= there[0]?.name
  }
  return empty ?? nearest ?? kind.refusals.otherwise
}

/** Returns one sentence for a row's reason code. */
function describe(code: string, { refusals: { words } }: FileKind): string {
  if (Object.hasOwn(words, code)) return words[code] ?? code
  return Object.hasOwn(ERRORS, code) ? `${ERRORS[code as ErrorCode].title}.` : code
}

/** Returns the reason of a row in one line for the results file: the code and the text. */
export function reasonText(outcome: RowOutcome, kind: FileKind): string {
  return outcome.reason === undefined ? '' : `${outcome.reason.code}: ${reasonWords(outcome, kind)}`
}

/** Returns the reason of a row for people: only the text. */
export function reasonWords({ reason }: RowOutcome, kind: FileKind): string {
  if (reason === undefined) return ''
  if (reason.errors.length > 0) return faultsText(reason.errors)
  return reason.duplicate_of_row === undefined
    ? describe(reason.code, kind)
    : `The same ${kind.row} as row ${reason.duplicate_of_row}.`
}

/** Formats rows for people: `row 3`, `rows 3, 7, …`; lines for a JSON file. Names ten at most. */
export function formatRowPlaces(places: readonly Position[]): string {
  const word = places.some(({ line }) => line !== undefined) ? 'line' : 'row'
  const numbers = places.map(({ row, line }) => line ?? row)
  return `${word}${places.length === 1 ? '' : 's'} ${joinFirst(numbers, 10)}`
}

/** Formats the errors of a row as sentences. Several cells of one column may have the same. */
export function faultsText(errors: readonly CellError[]): string {
  const faults = new Set(errors.map(faultText))
  if (faults.size === 1) return [...faults].join('')
  return [...faults].map((fault) => (/[.!?]$/.test(fault) ? fault : `${fault}.`)).join(' ')
}

/** Formats the error of a cell, with the column's name unless the sentence begins with it. */
export function faultText({ column, detail }: Pick<CellError, 'column' | 'detail'>): string {
  return detail.startsWith(`${column} `) ? detail : `${column}: ${detail}`
}
